#include "spmd/passes/plan/Updates.h"

#include "spmd/dialect/partitioning/Families.h"
#include "spmd/dialect/spmd/DataFlow.h"
#include "spmd/dialect/spmd/Donation.h"

#include "mlir/Interfaces/CallInterfaces.h"

namespace spmd {

namespace {

/// Goes back from what is returned, through ops that keep places.
class UpdateFinder {
public:
  UpdateFinder(mlir::ModuleOp module, mlir::func::FuncOp entry) : entry(entry) {
    module.walk([&](mlir::Operation *op) {
      if (auto func = llvm::dyn_cast<mlir::func::FuncOp>(op))
        functions[func.getSymName()] = func;
      else if (auto call = llvm::dyn_cast<mlir::CallOpInterface>(op))
        calls.push_back(call);
      else if (auto flow = llvm::dyn_cast<DataFlow>(op))
        addFlows(flow);
    });
    for (mlir::CallOpInterface call : calls)
      if (mlir::func::FuncOp callee = calleeOf(call))
        for (auto [operand, argument] :
             llvm::zip(call.getArgOperands(), callee.getBody().front().getArguments()))
          sources[argument].push_back(operand);
  }

  std::vector<bool> run() {
    std::vector<bool> updated(entry.getNumArguments());
    if (entry.getBody().empty())
      return updated;
    for (mlir::Value returned : entry.getBody().front().back().getOperands())
      reach(returned, /*isNew=*/false);
    while (!pending.empty())
      visit(pending.pop_back_val());
    for (mlir::BlockArgument argument : entry.getArguments()) {
      unsigned i = argument.getArgNumber();
      updated[i] = isNewer.lookup(argument) || entry.getArgAttr(i, donationName);
    }
    return updated;
  }

private:
  mlir::func::FuncOp calleeOf(mlir::CallOpInterface call) const {
    auto symbol = llvm::dyn_cast<mlir::SymbolRefAttr>(call.getCallableForCallee());
    auto callee =
        symbol ? functions.lookup(symbol.getRootReference().getValue()) : mlir::func::FuncOp();
    return callee && !callee.getBody().empty() ? callee : mlir::func::FuncOp();
  }

  void addFlows(DataFlow op) {
    for (const Flow &flow : op.getFlows())
      for (mlir::Value target : flow.targets)
        for (mlir::OpOperand *source : flow.sources)
          sources[target].push_back(source->get());
  }

  /// Notes that a result is what `value` is, or is made of it place by place (`isNew`).
  void reach(mlir::Value value, bool isNew) {
    auto [known, isFirst] = isNewer.try_emplace(value, isNew);
    if (!isFirst && (known->second || !isNew))
      return;
    known->second = isNew;
    pending.push_back(value);
  }

  void visit(mlir::Value value) {
    bool isNew = isNewer.lookup(value);
    if (auto found = sources.find(value); found != sources.end())
      for (mlir::Value source : found->second)
        reach(source, isNew);
    auto result = llvm::dyn_cast<mlir::OpResult>(value);
    if (!result)
      return;
    mlir::Operation *op = result.getOwner();
    if (auto call = llvm::dyn_cast<mlir::CallOpInterface>(op))
      return visitCall(call, result.getResultNumber(), isNew);
    if (!llvm::isa<DataFlow>(op))
      visitRule(op, result.getResultNumber());
  }

  void visitCall(mlir::CallOpInterface call, unsigned result, bool isNew) {
    mlir::func::FuncOp callee = calleeOf(call);
    if (callee && result < callee.getBody().front().back().getNumOperands())
      reach(callee.getBody().front().back().getOperand(result), isNew);
  }

  void visitRule(mlir::Operation *op, unsigned result) {
    const Strategies *strategies = strategyCache.lookup(op);
    if (!strategies)
      return;
    const OpRule &rule = strategies->front().rule;
    if (rule.operands.size() != op->getNumOperands() || rule.results.size() != op->getNumResults())
      return;
    for (auto [operand, factors] : llvm::zip(op->getOperands(), rule.operands))
      if (factors == rule.results[result] && shapeOf(operand) == shapeOf(op->getResult(result)))
        reach(operand, /*isNew=*/true);
  }

  mlir::func::FuncOp entry;
  llvm::StringMap<mlir::func::FuncOp> functions;
  std::vector<mlir::CallOpInterface> calls;
  StrategyCache strategyCache;
  /// Of what flows into an argument of a function or region, or comes out of a region.
  llvm::DenseMap<mlir::Value, llvm::SmallVector<mlir::Value, 1>> sources;
  llvm::DenseMap<mlir::Value, bool> isNewer; ///< What is reached, and whether by an op.
  llvm::SmallVector<mlir::Value> pending;
};

} // namespace

std::vector<bool> updatedArguments(mlir::ModuleOp module, mlir::func::FuncOp entry) {
  return UpdateFinder(module, entry).run();
}

} // namespace spmd
