#include "spmd/passes/propagate/Unused.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace spmd {

static mlir::Operation *terminatorOf(mlir::func::FuncOp func) {
  return func.getBody().front().getTerminator();
}

namespace {

/// Finds the values that matter, back from what functions return and what has effects.
class Liveness {
public:
  explicit Liveness(const ProgramGraph &program) : program(program) {
    callers.resize(program.bodies.size());
    for (const ProgramGraph::Body &body : program.bodies)
      for (const ProgramGraph::Call &call : body.calls) {
        calleeOf[call.op] = call.callee;
        callers[call.callee].push_back(call.op);
      }
    for (auto [index, body] : llvm::enumerate(program.bodies)) {
      bodyOf[body.func] = index;
      addRoots(index);
    }
    while (!open.empty())
      follow(open.pop_back_val());
  }

  bool isLive(mlir::Value value) const { return live.contains(value); }

private:
  void addRoots(int32_t index) {
    mlir::func::FuncOp func = program.bodies[index].func;
    if (func.isPublic() || callers[index].empty()) {
      for (mlir::Value argument : func.getArguments())
        add(argument);
      markOp(terminatorOf(func));
    }
    func.walk([&](mlir::Operation *op) {
      if (op != func && !calleeOf.contains(op) && !mlir::isMemoryEffectFree(op))
        markOp(op);
    });
  }

  void add(mlir::Value value) {
    if (live.insert(value).second)
      open.push_back(value);
  }

  /// All that goes into an op, and out of its regions, matters.
  void markOp(mlir::Operation *op) {
    if (!marked.insert(op).second)
      return;
    for (mlir::Value operand : op->getOperands())
      add(operand);
    for (mlir::Value result : op->getResults())
      add(result);
    for (mlir::Region &region : op->getRegions())
      for (mlir::Block &block : region)
        if (block.mightHaveTerminator())
          markOp(block.getTerminator());
  }

  void follow(mlir::Value value) {
    if (auto argument = llvm::dyn_cast<mlir::BlockArgument>(value)) {
      mlir::Operation *parent = argument.getOwner()->getParentOp();
      auto body = bodyOf.find(parent);
      if (body == bodyOf.end())
        return markOp(parent);
      for (mlir::Operation *call : callers[body->second])
        add(call->getOperand(argument.getArgNumber()));
      return;
    }
    auto call = calleeOf.find(value.getDefiningOp());
    if (call == calleeOf.end())
      return markOp(value.getDefiningOp());
    mlir::Operation *returned = terminatorOf(program.bodies[call->second].func);
    add(returned->getOperand(llvm::cast<mlir::OpResult>(value).getResultNumber()));
  }

  const ProgramGraph &program;
  llvm::DenseMap<mlir::Operation *, int32_t> calleeOf, bodyOf;
  std::vector<std::vector<mlir::Operation *>> callers; ///< By body.
  llvm::DenseSet<mlir::Value> live;
  llvm::DenseSet<mlir::Operation *> marked;
  llvm::SmallVector<mlir::Value> open;
};

} // namespace

void noteUnused(const ProgramGraph &program, std::vector<Knowledge> &knowledge) {
  if (!llvm::is_contained(knowledge, Knowledge::nothing))
    return;
  Liveness liveness(program);
  for (const ProgramGraph::Instance &instance : program.instances) {
    const ProgramGraph::Body &body = program.bodies[instance.body];
    for (auto [t, tensor] : llvm::enumerate(body.tensors)) {
      Knowledge &known = knowledge[instance.firstValue + t];
      mlir::Value value = tensor.value;
      if (!value && tensor.resultIndex != ProgramGraph::Tensor::inside)
        value = terminatorOf(body.func)->getOperand(tensor.resultIndex);
      if (known == Knowledge::nothing && value && !liveness.isLive(value))
        known = Knowledge::unused;
    }
  }
}

} // namespace spmd
