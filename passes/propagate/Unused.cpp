#include "spmd/passes/propagate/Unused.h"

#include "spmd/dialect/spmd/Callers.h"
#include "spmd/passes/propagate/HandedOn.h"
#include "spmd/passes/propagate/InstanceCalls.h"

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

/// Finds out which of some values matter, in each instance of their function: what one call returns
/// may be of no use. Looks only at what follows from them: mostly nothing, or little.
class Consequences {
public:
  Consequences(const ProgramGraph &program, const InstanceCalls &calls)
      : program(program), calls(calls) {}

  /// Asks for a value of an instance. All that is asked for comes before `run`.
  void ask(mlir::Value value, int32_t instance) { numberOf({value, instance}); }

  void run() {
    for (at = 0; at < static_cast<int32_t>(nodes.size()); ++at) { // It grows.
      auto [node, instance] = nodes[at];
      if (auto value = llvm::dyn_cast<mlir::Value>(node))
        followValue(value, instance);
      else
        followOp(llvm::cast<mlir::Operation *>(node), instance);
    }
    passBack();
  }

  bool matters(mlir::Value value, int32_t instance) const {
    return isLive[numbers.lookup({keyOf(value), instance})];
  }

private:
  /// A value; or an op, which matters if any of its results does.
  using Node = llvm::PointerUnion<mlir::Value, mlir::Operation *>;

  struct Place {
    Node node;
    int32_t instance;
  };

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

  int32_t numberOf(Place place) {
    auto [number, isNew] = numbers.try_emplace({keyOf(place.node), place.instance},
                                               static_cast<int32_t>(nodes.size()));
    if (isNew) {
      nodes.push_back(place);
      isLive.push_back(false);
      firstCause.push_back(none);
    }
    return number->second;
  }

  /// The node at hand matters if that at `place` does.
  void addConsequence(Place place) {
    int32_t number = numberOf(place);
    causes.push_back({at, std::exchange(firstCause[number], static_cast<int32_t>(causes.size()))});
  }

  void followValue(mlir::Value value, int32_t instance) {
    if (mlir::Operation *maker = value.getDefiningOp()) {
      if (!calls.isCall(maker))
        addConsequence({maker, instance});
    } else if (mlir::Operation *parent = value.getParentBlock()->getParentOp();
               llvm::isa<mlir::func::FuncOp>(parent)) {
      isLive[at] = isEntry(instance);
    } else {
      addConsequence({parent, instance});
    }
    for (mlir::OpOperand &use : value.getUses())
      followUse(use, instance);
  }

  void followUse(mlir::OpOperand &use, int32_t instance) {
    mlir::Operation *user = use.getOwner();
    if (std::optional<int32_t> callee = calls.calleeOf(instance, user))
      return addConsequence({argumentOf(funcOf(*callee), use.getOperandNumber()), *callee});
    auto func = llvm::dyn_cast<mlir::func::FuncOp>(user->getParentOp());
    if (!func || user != terminatorOf(func))
      return addConsequence({user, instance});
    if (isEntry(instance))
      isLive[at] = true;
    for (InstanceCalls::Caller caller : calls.callersOf(instance))
      addConsequence({mlir::Value(caller.op->getResult(use.getOperandNumber())), caller.instance});
  }

  /// All that goes into an op, and out of its regions, matters if the op does.
  void followOp(mlir::Operation *op, int32_t instance) {
    if (!mlir::isMemoryEffectFree(op) && runs(instance))
      isLive[at] = true;
    for (mlir::Value result : op->getResults())
      addConsequence({result, instance});
    for (mlir::Region &region : op->getRegions())
      for (mlir::Value argument : region.getArguments())
        addConsequence({argument, instance});
    if (op->hasTrait<mlir::OpTrait::IsTerminator>())
      addConsequence({op->getParentOp(), instance});
  }

  mlir::func::FuncOp funcOf(int32_t instance) const {
    return program.bodies[program.instances[instance].body].func;
  }

  /// Whether all arguments and results of an instance's function matter. A private one that nobody
  /// calls, but that is the decomposition of an op or named for other ends, runs nowhere.
  bool isEntry(int32_t instance) {
    mlir::func::FuncOp func = funcOf(instance);
    return func.isPublic() || (calls.callersOf(instance).empty() && !isNamedByOthers(func));
  }

  /// Whether an instance is an entry, or called from one.
  bool runs(int32_t instance) {
    if (isReached.empty()) {
      isReached.resize(program.instances.size());
      llvm::SmallVector<int32_t> open;
      auto reach = [&](int32_t each) {
        if (!isReached[each])
          open.push_back(each);
        isReached[each] = true;
      };
      for (int32_t i = 0; i < static_cast<int32_t>(program.instances.size()); ++i)
        if (isEntry(i))
          reach(i);
      while (!open.empty())
        for (int32_t child : program.instances[open.pop_back_val()].children)
          reach(child);
    }
    return isReached[instance];
  }

  bool isNamedByOthers(mlir::func::FuncOp func) {
    if (!namedByOthers)
      namedByOthers = findCallers(func->getParentOfType<mlir::ModuleOp>()).namedByOthers;
    return namedByOthers->contains(func.getSymNameAttr());
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
  const InstanceCalls &calls;
  /// Functions that not only calls name, once that was asked.
  std::optional<llvm::DenseSet<mlir::StringAttr>> namedByOthers;
  llvm::DenseMap<std::pair<const void *, int32_t>, int32_t> numbers;
  std::vector<Place> nodes;
  std::vector<bool> isReached;     ///< By instance: from outside, once that was asked.
  std::vector<bool> isLive;        ///< By node.
  std::vector<int32_t> firstCause; ///< By node, the first of its causes.
  std::vector<Cause> causes;
  int32_t at = 0; ///< The node that is looked at.
};

} // namespace

/// A result of a function is free, or whole as the program wants it, where what it returns is, or
/// is annotated to be open: it has no sharding of its own to miss, and, whichever call is looked
/// at, a clone for some of them knows no more.
static void noteResults(const ProgramGraph &program, std::vector<Knowledge> &knowledge) {
  for (const ProgramGraph::Instance &instance : program.instances) {
    const ProgramGraph::Body &body = program.bodies[instance.body];
    for (unsigned i = 0; i < mlir::func::FuncOp(body.func).getNumResults(); ++i) {
      int32_t returned = program.valueOf(instance, terminatorOf(body.func)->getOperand(i));
      Knowledge &known = knowledge[instance.firstValue + body.firstResult + i];
      if (known != Knowledge::nothing || returned == ShardGraph::none)
        continue;
      if (knowledge[returned] == Knowledge::free || knowledge[returned] == Knowledge::wanted)
        known = knowledge[returned];
      else if (program.graph.value(returned).state == ShardingState::pinned)
        known = Knowledge::wanted;
    }
  }
}

void noteUnused(const ProgramGraph &program, std::vector<Knowledge> &knowledge) {
  if (!llvm::is_contained(knowledge, Knowledge::nothing))
    return;
  noteResults(program, knowledge);
  InstanceCalls calls(program);
  Consequences consequences(program, calls);
  auto forEachOpen = [&](auto visit) {
    for (auto [index, instance] : llvm::enumerate(program.instances)) {
      const ProgramGraph::Body &body = program.bodies[instance.body];
      for (auto [t, tensor] : llvm::enumerate(body.tensors))
        if (Knowledge &known = knowledge[instance.firstValue + t]; known == Knowledge::nothing)
          if (mlir::Value value = valueOf(body, tensor))
            visit(value, static_cast<int32_t>(index), known);
    }
  };
  forEachOpen(
      [&](mlir::Value value, int32_t instance, Knowledge &) { consequences.ask(value, instance); });
  consequences.run();
  forEachOpen([&](mlir::Value value, int32_t instance, Knowledge &known) {
    if (!consequences.matters(value, instance))
      known = Knowledge::unused;
  });
  noteHandedOn(program, calls, knowledge);
}

} // namespace spmd
