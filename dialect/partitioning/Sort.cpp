// Sorting: lines are independent. A line that is cut is sorted by exchanges between its shards.

#include "spmd/dialect/partitioning/Families.h"
#include "spmd/dialect/partitioning/algorithms/SortShards.h"
#include "spmd/ir/reshard/SortExchange.h"

#include <cmath>

namespace spmd {

using namespace stablehlo;

namespace {

struct SortModel : Partitionable::ExternalModel<SortModel, SortOp> {
  Strategies getStrategies(mlir::Operation *op) const {
    llvm::ArrayRef<int64_t> shape = shapeOf(op->getOperand(0));
    int64_t rank = shape.size(), dim = dimOf(op);
    RuleBuilder builder = ruleFor(op);
    for (int64_t d = 0; d < rank; ++d) {
      bool isSorted = d == dim && shape[d] > 1;
      Factor split{shape[d], isSorted ? FactorKind::sort : FactorKind::pass};
      split.blocked = isSorted && !isWorthSortingCut(shape[d]);
      int32_t factor = builder.factor(split);
      for (unsigned i = 0; i < op->getNumOperands(); ++i)
        builder.operand(i, d, {factor}).result(i, d, {factor});
    }
    double length = rank == 0 ? 1 : static_cast<double>(shape[dim]);
    Strategy strategy;
    strategy.rule = builder.take();
    strategy.flops = numElements(op->getOperand(0)) * std::log2(length + 1);
    strategy.tieBytes = hasVisibleTies(llvm::cast<SortOp>(op)) ? 4 : 0;
    return {strategy};
  }

  mlir::LogicalResult localize(mlir::Operation *op, Localizer &localizer) const {
    const OpRule &rule = localizer.strategy->rule;
    int64_t dim = dimOf(op);
    bool isCut = localizer.operand(0).type.getRank() > 0 &&
                 rule.factors[rule.operands[0][dim][0]].kind == FactorKind::sort &&
                 sizeOf(localizer.axesOf(rule.operands[0][dim][0])) > 1;
    if (isCut)
      sortShards(localizer, llvm::cast<SortOp>(op), dim,
                 localizer.axesOf(rule.operands[0][dim][0]));
    else
      localizer.setResultTypes();
    return mlir::success();
  }

private:
  static int64_t dimOf(mlir::Operation *op) {
    int64_t dim = llvm::cast<SortOp>(op).getDimension();
    return dim < 0 ? dim + static_cast<int64_t>(shapeOf(op->getOperand(0)).size()) : dim;
  }
};

} // namespace

void attachSort(mlir::MLIRContext *context) { SortOp::attachInterface<SortModel>(*context); }

} // namespace spmd
