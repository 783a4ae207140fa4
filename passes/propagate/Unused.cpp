#include "spmd/passes/propagate/Unused.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace spmd {

static mlir::Operation *terminatorOf(mlir::func::FuncOp func) {
  return func.getBody().front().getTerminator();
}

static mlir::Value argumentOf(mlir::func::FuncOp func, unsigned number) {
  return func.getArgument(number);
}

/// Returns the value that a tensor of the program is, null for what is inside a buffer or at a
/// border.
static mlir::Value valueOf(const ProgramGraph::Body &body, const ProgramGraph::Tensor &tensor) {
  if (tensor.value || tensor.resultIndex == ProgramGraph::Tensor::inside)
    return tensor.value;
  return terminatorOf(body.func)->getOperand(tensor.resultIndex);
}

namespace {

/// Finds out which of some values matter. Looks only at what follows from them: mostly nothing, or
/// little.
class Consequences {
public:
  explicit Consequences(const ProgramGraph &program) : program(program) {
    callers.resize(program.bodies.size());
    for (auto [index, body] : llvm::enumerate(program.bodies)) {
      bodyOf[body.func] = static_cast<int32_t>(index);
      for (const ProgramGraph::Call &call : body.calls) {
        calleeOf[call.op] = call.callee;
        callers[call.callee].push_back(call.op);
      }
    }
  }

  /// Asks for a value. All that is asked for comes before `run`.
  void ask(mlir::Value value) { numberOf(value); }

  void run() {
    for (at = 0; at < static_cast<int32_t>(nodes.size()); ++at) { // It grows.
      Node node = nodes[at];
      if (auto value = llvm::dyn_cast<mlir::Value>(node))
        followValue(value);
      else
        followOp(llvm::cast<mlir::Operation *>(node));
    }
    passBack();
  }

  bool matters(mlir::Value value) const { return isLive[numbers.lookup(keyOf(value))]; }

private:
  /// A value; or an op, which matters if any of its results does.
  using Node = llvm::PointerUnion<mlir::Value, mlir::Operation *>;

  static constexpr int32_t none = -1;

  /// A node that another one follows from, and the next of that one's.
  struct Cause {
    int32_t node, next;
  };

  static const void *keyOf(Node node) {
    if (auto value = llvm::dyn_cast<mlir::Value>(node))
      return value.getAsOpaquePointer();
    return llvm::cast<mlir::Operation *>(node);
  }

  int32_t numberOf(Node node) {
    auto [number, isNew] = numbers.try_emplace(keyOf(node), nodes.size());
    if (isNew) {
      nodes.push_back(node);
      isLive.push_back(false);
      firstCause.push_back(none);
    }
    return number->second;
  }

  /// The node at hand matters if `node` does.
  void addConsequence(Node node) {
    int32_t number = numberOf(node);
    causes.push_back({at, std::exchange(firstCause[number], static_cast<int32_t>(causes.size()))});
  }

  void followValue(mlir::Value value) {
    if (mlir::Operation *maker = value.getDefiningOp()) {
      if (!calleeOf.contains(maker))
        addConsequence(maker);
    } else if (mlir::Operation *parent = value.getParentBlock()->getParentOp();
               auto func = llvm::dyn_cast<mlir::func::FuncOp>(parent)) {
      isLive[at] = isEntry(func);
    } else {
      addConsequence(parent);
    }
    for (mlir::OpOperand &use : value.getUses())
      followUse(use);
  }

  void followUse(mlir::OpOperand &use) {
    mlir::Operation *user = use.getOwner();
    if (auto callee = calleeOf.find(user); callee != calleeOf.end())
      return addConsequence(
          argumentOf(program.bodies[callee->second].func, use.getOperandNumber()));
    auto func = llvm::dyn_cast<mlir::func::FuncOp>(user->getParentOp());
    if (!func || user != terminatorOf(func))
      return addConsequence(user);
    if (isEntry(func))
      isLive[at] = true;
    for (mlir::Operation *call : callers[bodyOf.lookup(func)])
      addConsequence(call->getResult(use.getOperandNumber()));
  }

  /// All that goes into an op, and out of its regions, matters if the op does.
  void followOp(mlir::Operation *op) {
    if (!mlir::isMemoryEffectFree(op))
      isLive[at] = true;
    for (mlir::Value result : op->getResults())
      addConsequence(result);
    for (mlir::Region &region : op->getRegions())
      for (mlir::Value argument : region.getArguments())
        addConsequence(argument);
    if (op->hasTrait<mlir::OpTrait::IsTerminator>())
      addConsequence(op->getParentOp());
  }

  /// Whether all arguments and results of a function matter.
  bool isEntry(mlir::func::FuncOp func) const {
    return func.isPublic() || callers[bodyOf.lookup(func)].empty();
  }

  /// Makes all live from which something live follows.
  void passBack() {
    llvm::SmallVector<int32_t> open;
    for (size_t n = 0; n < nodes.size(); ++n)
      if (isLive[n])
        open.push_back(static_cast<int32_t>(n));
    while (!open.empty()) {
      for (int32_t c = firstCause[open.pop_back_val()]; c != none; c = causes[c].next)
        if (int32_t node = causes[c].node; !isLive[node]) {
          isLive[node] = true;
          open.push_back(node);
        }
    }
  }

  const ProgramGraph &program;
  llvm::DenseMap<mlir::Operation *, int32_t> calleeOf, bodyOf;
  std::vector<std::vector<mlir::Operation *>> callers; ///< By body.
  llvm::DenseMap<const void *, int32_t> numbers;
  std::vector<Node> nodes;
  std::vector<bool> isLive;        ///< By node.
  std::vector<int32_t> firstCause; ///< By node, the first of its causes.
  std::vector<Cause> causes;
  int32_t at = 0; ///< The node that is looked at.
};

} // namespace

/// A result of a function is free where what it returns is: it has no sharding of its own to miss,
/// and, whichever call is looked at, a clone for some of them knows no more.
static void noteFreeResults(const ProgramGraph &program, std::vector<Knowledge> &knowledge) {
  for (const ProgramGraph::Instance &instance : program.instances) {
    const ProgramGraph::Body &body = program.bodies[instance.body];
    for (unsigned i = 0; i < mlir::func::FuncOp(body.func).getNumResults(); ++i) {
      int32_t returned = program.valueOf(instance, terminatorOf(body.func)->getOperand(i));
      Knowledge &known = knowledge[instance.firstValue + body.firstResult + i];
      if (known == Knowledge::nothing && returned != ShardGraph::none &&
          knowledge[returned] == Knowledge::free)
        known = Knowledge::free;
    }
  }
}

void noteUnused(const ProgramGraph &program, std::vector<Knowledge> &knowledge) {
  if (!llvm::is_contained(knowledge, Knowledge::nothing))
    return;
  noteFreeResults(program, knowledge);
  Consequences consequences(program);
  auto forEachOpen = [&](auto visit) {
    for (const ProgramGraph::Instance &instance : program.instances) {
      const ProgramGraph::Body &body = program.bodies[instance.body];
      for (auto [t, tensor] : llvm::enumerate(body.tensors))
        if (Knowledge &known = knowledge[instance.firstValue + t]; known == Knowledge::nothing)
          if (mlir::Value value = valueOf(body, tensor))
            visit(value, known);
    }
  };
  forEachOpen([&](mlir::Value value, Knowledge &) { consequences.ask(value); });
  consequences.run();
  forEachOpen([&](mlir::Value value, Knowledge &known) {
    if (!consequences.matters(value))
      known = Knowledge::unused;
  });
}

} // namespace spmd
