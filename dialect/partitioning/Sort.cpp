// Sorting: lines are independent, and each is sorted as a whole.

#include "spmd/dialect/partitioning/Families.h"
#include "spmd/dialect/stablehlo/Dialect.h"

#include <cmath>

namespace spmd {

using namespace stablehlo;

namespace {

struct SortModel : Partitionable::ExternalModel<SortModel, SortOp> {
  Strategies getStrategies(mlir::Operation *op) const {
    auto sort = llvm::cast<SortOp>(op);
    llvm::ArrayRef<int64_t> shape = shapeOf(op->getOperand(0));
    int64_t rank = shape.size(), dim = sort.getDimension();
    RuleBuilder builder = ruleFor(op);
    for (int64_t d = 0; d < rank; ++d) {
      bool isSorted = d == (dim < 0 ? dim + rank : dim) && shape[d] > 1;
      Factor split{shape[d], isSorted ? FactorKind::sort : FactorKind::pass};
      split.blocked = isSorted; // Who sorts whole lines gains nothing from parts of them.
      int32_t factor = builder.factor(split);
      for (unsigned i = 0; i < op->getNumOperands(); ++i)
        builder.operand(i, d, {factor}).result(i, d, {factor});
    }
    double length = rank == 0 ? 1 : static_cast<double>(shape[dim < 0 ? dim + rank : dim]);
    return {{builder.take(), {}, {}, numElements(op->getOperand(0)) * std::log2(length + 1)}};
  }
};

} // namespace

void attachSort(mlir::MLIRContext *context) { SortOp::attachInterface<SortModel>(*context); }

} // namespace spmd
