// Loops and branches: each carry, each result of the branches, is one tensor at several places.

#include "spmd/dialect/partitioning/Families.h"
#include "spmd/dialect/partitioning/Partitionable.h"
#include "spmd/dialect/spmd/DataFlow.h"
#include "spmd/dialect/stablehlo/TripCount.h"

namespace spmd {

using namespace stablehlo;

namespace {

struct WhileModel : DataFlow::ExternalModel<WhileModel, WhileOp> {
  /// Operand i, argument i of both regions, what the body returns as i, and result i.
  llvm::SmallVector<Flow, 0> getFlows(mlir::Operation *op) const {
    auto loop = llvm::cast<WhileOp>(op);
    mlir::Operation *next = loop.getBody().front().getTerminator();
    llvm::SmallVector<Flow, 0> flows;
    for (unsigned i = 0; i < op->getNumResults(); ++i)
      flows.push_back(
          {{&op->getOpOperand(i), &next->getOpOperand(i)},
           {loop.getCond().getArgument(i), loop.getBody().getArgument(i), op->getResult(i)}});
    return flows;
  }
  bool isLoop(mlir::Operation *) const { return true; }
  std::optional<int64_t> getTripCount(mlir::Operation *op) const {
    return tripCountOf(llvm::cast<WhileOp>(op), computedValue);
  }
};

template <typename Op> struct BranchModel : DataFlow::ExternalModel<BranchModel<Op>, Op> {
  /// What each branch returns as i, and result i.
  llvm::SmallVector<Flow, 0> getFlows(mlir::Operation *op) const {
    llvm::SmallVector<Flow, 0> flows;
    for (mlir::OpResult result : op->getResults()) {
      Flow &flow = flows.emplace_back();
      flow.targets.push_back(result);
      for (mlir::Region &branch : op->getRegions())
        flow.sources.push_back(
            &branch.front().getTerminator()->getOpOperand(result.getResultNumber()));
    }
    return flows;
  }
  mlir::Value getDecision(mlir::Operation *op) const { return op->getOperand(0); }
  unsigned getRegionFor(mlir::Operation *op, int64_t value) const {
    if (llvm::isa<IfOp>(op))
      return value ? 0 : 1;
    int64_t last = op->getNumRegions() - 1; // Also for what is out of range.
    return value < 0 || value > last ? last : value;
  }
};

} // namespace

void attachControlFlow(mlir::MLIRContext *context) {
  WhileOp::attachInterface<WhileModel>(*context);
  IfOp::attachInterface<BranchModel<IfOp>>(*context);
  CaseOp::attachInterface<BranchModel<CaseOp>>(*context);
}

} // namespace spmd
