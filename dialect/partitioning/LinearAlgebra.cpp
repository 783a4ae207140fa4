// Factorizations, triangular systems and normalization over a batch: what runs over a batch of
// matrices splits by batch.

#include "spmd/dialect/partitioning/Families.h"
#include "spmd/dialect/stablehlo/Dialect.h"

namespace spmd {

using namespace stablehlo;

namespace {

/// Adds a factor for dim `d`, the same in operand 0 and result 0.
int32_t addShared(RuleBuilder &builder, mlir::Operation *op, int64_t d,
                  FactorKind kind = FactorKind::pass) {
  int32_t factor = builder.factor(shapeOf(op->getOperand(0))[d], kind);
  builder.operand(0, d, {factor}).result(0, d, {factor});
  return factor;
}

/// One operand and one result, of which the last `numWhole(op)` dims are computed with as a whole.
template <typename Op, typename Derived>
struct BatchModel : Partitionable::ExternalModel<Derived, Op> {
  Strategies getStrategies(mlir::Operation *op) const {
    RuleBuilder builder = ruleFor(op);
    int64_t batch = shapeOf(op->getOperand(0)).size() - Derived::numWhole(llvm::cast<Op>(op));
    for (int64_t d = 0; d < batch; ++d)
      addShared(builder, op, d);
    return {{builder.take(), {}, {}, numElements(op->getOperand(0))}};
  }
};

struct CholeskyModel : BatchModel<CholeskyOp, CholeskyModel> {
  static int64_t numWhole(CholeskyOp) { return 2; }
};

/// Batches split, and so do the right sides of one matrix.
struct TriangularSolveModel
    : Partitionable::ExternalModel<TriangularSolveModel, TriangularSolveOp> {
  Strategies getStrategies(mlir::Operation *op) const {
    auto solve = llvm::cast<TriangularSolveOp>(op);
    RuleBuilder builder = ruleFor(op);
    llvm::ArrayRef<int64_t> shape = shapeOf(solve.getB());
    size_t rank = shape.size(), free = solve.getLeftSide() ? rank - 1 : rank - 2;
    auto add = [&](size_t d) {
      int32_t factor = builder.factor(shape[d]);
      builder.operand(1, d, {factor}).result(0, d, {factor});
      return factor;
    };
    for (size_t d = 0; d + 2 < rank; ++d)
      builder.operand(0, d, {add(d)});
    add(free);
    return {
        {builder.take(), {}, {}, numElements(solve.getB()) * static_cast<double>(shape[rank - 1])}};
  }
};

/// Features are normalized one by one. With statistics given, all else is elementwise.
struct BatchNormInferenceModel
    : Partitionable::ExternalModel<BatchNormInferenceModel, BatchNormInferenceOp> {
  Strategies getStrategies(mlir::Operation *op) const {
    auto norm = llvm::cast<BatchNormInferenceOp>(op);
    RuleBuilder builder = ruleFor(op);
    for (size_t d = 0; d < shapeOf(norm.getOperand()).size(); ++d) {
      int32_t factor = addShared(builder, op, d);
      if (d == norm.getFeatureIndex())
        for (size_t i = 1; i < op->getNumOperands(); ++i)
          builder.operand(i, 0, {factor});
    }
    return {{builder.take(), {}, {}, numElements(norm.getOperand())}};
  }
};

/// Statistics run over all dims but the features, which alone split.
template <typename Op>
struct BatchStatisticsModel : Partitionable::ExternalModel<BatchStatisticsModel<Op>, Op> {
  Strategies getStrategies(mlir::Operation *op) const {
    int64_t feature = llvm::cast<Op>(op).getFeatureIndex();
    size_t rank = shapeOf(op->getOperand(0)).size();
    RuleBuilder builder = ruleFor(op);
    int32_t factor = builder.factor(shapeOf(op->getOperand(0))[feature]);
    auto isWhole = [&](mlir::Value value) { return shapeOf(value).size() == rank && rank != 1; };
    for (mlir::OpOperand &operand : op->getOpOperands())
      builder.operand(operand.getOperandNumber(), isWhole(operand.get()) ? feature : 0, {factor});
    for (mlir::OpResult result : op->getResults())
      builder.result(result.getResultNumber(), isWhole(result) ? feature : 0, {factor});
    return {{builder.take(), {}, {}, numElements(op->getOperand(0))}};
  }
};

} // namespace

void attachLinearAlgebra(mlir::MLIRContext *context) {
  CholeskyOp::attachInterface<CholeskyModel>(*context);
  TriangularSolveOp::attachInterface<TriangularSolveModel>(*context);
  BatchNormInferenceOp::attachInterface<BatchNormInferenceModel>(*context);
  BatchNormTrainingOp::attachInterface<BatchStatisticsModel<BatchNormTrainingOp>>(*context);
  BatchNormGradOp::attachInterface<BatchStatisticsModel<BatchNormGradOp>>(*context);
}

} // namespace spmd
