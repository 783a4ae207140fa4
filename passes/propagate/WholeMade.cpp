#include "spmd/passes/propagate/WholeMade.h"

#include "spmd/dialect/spmd/DataFlow.h"
#include "spmd/passes/propagate/TiedOperands.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <limits>

namespace spmd {

static int64_t bytesOf(mlir::Value value) {
  mlir::RankedTensorType type = tensorTypeOf(value);
  return type && type.hasStaticShape()
             ? type.getNumElements() * elementBits(type.getElementType()) / 8
             : std::numeric_limits<int64_t>::max();
}

namespace {

/// Finds the values of which something is made that is not whole on purpose: *open* ones.
class OpenValues {
public:
  OpenValues(const ProgramGraph &program, llvm::ArrayRef<Knowledge> knowledge) : program(program) {
    for (const ProgramGraph::Instance &instance : program.instances)
      for (auto [t, tensor] : llvm::enumerate(program.bodies[instance.body].tensors)) {
        Knowledge known = knowledge[instance.firstValue + t];
        if (tensor.value && known == Knowledge::sharded)
          split.insert(tensor.value);
        else if (tensor.value && known == Knowledge::free)
          constant.insert(tensor.value);
        else if (tensor.value && known == Knowledge::nothing)
          asked.insert(tensor.value);
      }
    for (const ProgramGraph::Body &body : program.bodies)
      for (const ProgramGraph::Call &call : body.calls) {
        calleeOf[call.op] = program.bodies[call.callee].func;
        called.insert(program.bodies[call.callee].func);
      }
  }

  void run() {
    for (const ProgramGraph::Body &body : program.bodies) {
      mlir::func::FuncOp func = body.func;
      if (func.isPublic() || !called.contains(func))
        for (mlir::BlockArgument argument : func.getArguments())
          open(argument);
      walkDataFlow(func, [&](mlir::Operation *op) { addEdges(op); });
    }
    while (!left.empty())
      for (mlir::Value made : edges.lookup(left.pop_back_val()))
        open(made);
  }

  bool isOpen(mlir::Value value) const { return found.contains(value); }

private:
  /// Only what is asked for passes it on: the others are split, or whole on purpose.
  void open(mlir::Value value) {
    if (asked.contains(value) && found.insert(value).second)
      left.push_back(value);
  }

  void addEdge(mlir::Value from, mlir::Value to) {
    if (!asked.contains(to))
      return;
    if (split.contains(from))
      open(to);
    else if (asked.contains(from))
      edges[from].push_back(to);
  }

  void addEdges(mlir::Operation *op) {
    if (mlir::func::FuncOp callee = calleeOf.lookup(op)) {
      for (auto [operand, argument] : llvm::zip(op->getOperands(), callee.getArguments()))
        addEdge(operand, argument);
      mlir::Operation *end = callee.getBody().front().getTerminator();
      for (auto [returned, result] : llvm::zip(end->getOperands(), op->getResults()))
        addEdge(returned, result);
    } else if (auto flow = llvm::dyn_cast<DataFlow>(op)) {
      for (const Flow &each : flow.getFlows())
        for (mlir::OpOperand *source : each.sources)
          for (mlir::Value target : each.targets)
            addEdge(source->get(), target);
    } else {
      addEdgesOfRule(op);
    }
  }

  /// What an op without a rule makes of anything is unknown; so is what it reads of a buffer, and
  /// what it makes of nothing, as random numbers.
  void addEdgesOfRule(mlir::Operation *op) {
    if (llvm::none_of(op->getResults(), [&](mlir::Value result) { return asked.contains(result); }))
      return;
    bool isKnown = strategies.lookup(op) && mlir::isMemoryEffectFree(op);
    for (mlir::Value operand : op->getOperands())
      isKnown &= llvm::isa<mlir::TensorType>(operand.getType());
    for (mlir::OpResult result : op->getResults()) {
      llvm::SmallVector<mlir::Value> operands = operandsTiedTo(result, strategies);
      if (!isKnown || growsFrom(operands, result))
        open(result);
      for (mlir::Value operand : operands)
        addEdge(operand, result);
    }
  }

  /// Whether a result is larger than what it is made of, so that holding it whole needs a word: as
  /// weights made of a random key. Constants are as large as anyone likes, and count only where
  /// they are passed on.
  bool growsFrom(llvm::ArrayRef<mlir::Value> operands, mlir::Value result) const {
    constexpr int64_t mostSmallBytes = 4096;
    int64_t most = mostSmallBytes;
    for (mlir::Value operand : operands)
      if (!constant.contains(operand) ||
          (operands.size() == 1 && operand.getType() == result.getType()))
        most = std::max(most, bytesOf(operand));
    return bytesOf(result) > most;
  }

  const ProgramGraph &program;
  StrategyCache strategies;
  llvm::DenseMap<mlir::Operation *, mlir::func::FuncOp> calleeOf;
  llvm::DenseSet<mlir::Operation *> called;
  llvm::DenseSet<mlir::Value> split, constant, asked, found;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<mlir::Value, 2>> edges;
  llvm::SmallVector<mlir::Value> left;
};

} // namespace

void noteMadeWhole(const ProgramGraph &program, std::vector<Knowledge> &knowledge) {
  if (!llvm::is_contained(knowledge, Knowledge::nothing))
    return;
  OpenValues values(program, knowledge);
  values.run();
  for (const ProgramGraph::Instance &instance : program.instances)
    for (auto [t, tensor] : llvm::enumerate(program.bodies[instance.body].tensors))
      if (Knowledge &known = knowledge[instance.firstValue + t];
          known == Knowledge::nothing && tensor.value && !values.isOpen(tensor.value))
        known = Knowledge::wanted;
}

} // namespace spmd
