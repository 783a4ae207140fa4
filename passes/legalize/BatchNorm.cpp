// Normalization that finds its own statistics, as sums: these split along all dims, and what the
// shards sum up to is all that is exchanged.

#include "spmd/dialect/partitioning/algorithms/CollectiveBuilder.h"
#include "spmd/dialect/spmd/Walk.h"
#include "spmd/dialect/stablehlo/Dialect.h"
#include "spmd/passes/legalize/Legalize.h"

namespace spmd::legalize {

using namespace stablehlo;

namespace {

/// Builds values over a tensor and over its features.
class Statistics {
public:
  Statistics(mlir::Operation *op, int64_t feature)
      : builder(op), loc(op->getLoc()), feature(feature),
        whole(llvm::cast<mlir::RankedTensorType>(op->getOperand(0).getType())),
        perFeature(whole.clone({whole.getDimSize(feature)})),
        count(static_cast<double>(whole.getNumElements()) /
              static_cast<double>(std::max<int64_t>(1, whole.getDimSize(feature)))) {}

  mlir::Value splat(mlir::RankedTensorType type, double value) {
    auto attr = mlir::DenseElementsAttr::get(
        type, mlir::FloatAttr::get(type.getElementType(), value).getValue());
    return ConstantOp::create(builder, loc, attr);
  }

  /// Sums over all dims but the features.
  mlir::Value sum(mlir::Value value) {
    llvm::SmallVector<int64_t> dims;
    for (int64_t d = 0; d < whole.getRank(); ++d)
      if (d != feature)
        dims.push_back(d);
    if (dims.empty())
      return value;
    auto reduce =
        ReduceOp::create(builder, loc, mlir::TypeRange{perFeature}, mlir::ValueRange{value},
                         mlir::ValueRange{splat(whole.clone(llvm::ArrayRef<int64_t>{}), 0)},
                         builder.getDenseI64ArrayAttr(dims));
    buildReducer(reduce.getBody(), loc, whole.getElementType(), ReductionKind::sum);
    return reduce->getResult(0);
  }
  mlir::Value mean(mlir::Value value) { return divide(sum(value), splat(perFeature, count)); }
  mlir::Value spread(mlir::Value value) {
    return BroadcastInDimOp::create(builder, loc, whole, value, llvm::ArrayRef<int64_t>{feature});
  }
  /// Returns sqrt(variance + epsilon) of each feature.
  mlir::Value deviation(mlir::Value variance, const llvm::APFloat &epsilon) {
    mlir::Value guarded = AddOp::create(builder, loc, perFeature, variance,
                                        splat(perFeature, epsilon.convertToDouble()));
    return SqrtOp::create(builder, loc, perFeature, guarded);
  }

  mlir::Value multiply(mlir::Value a, mlir::Value b) {
    return MulOp::create(builder, loc, a.getType(), a, b);
  }
  mlir::Value divide(mlir::Value a, mlir::Value b) {
    return DivOp::create(builder, loc, a.getType(), a, b);
  }
  mlir::Value subtract(mlir::Value a, mlir::Value b) {
    return SubtractOp::create(builder, loc, a.getType(), a, b);
  }

  mlir::OpBuilder builder;
  mlir::Location loc;
  int64_t feature;
  mlir::RankedTensorType whole, perFeature;
  double count; ///< Elements of each feature.
};

} // namespace

/// mean and variance of each feature, and what inference makes of them.
static void expandTraining(BatchNormTrainingOp op) {
  Statistics at(op, op.getFeatureIndex());
  mlir::Value mean = at.mean(op.getOperand());
  mlir::Value centred = at.subtract(op.getOperand(), at.spread(mean));
  mlir::Value variance = at.mean(at.multiply(centred, centred));
  mlir::Value output = BatchNormInferenceOp::create(at.builder, at.loc, at.whole, op.getOperand(),
                                                    op.getScale(), op.getOffset(), mean, variance,
                                                    op.getEpsilonAttr(), op.getFeatureIndexAttr());
  replaceOp(op, {output, mean, variance});
}

/// With d = sqrt(variance + epsilon), c = operand - mean, n elements of each feature, and sums over
/// these: scale / d * (grad - sum(grad) / n - c * sum(grad * c) / (n d^2)).
static void expandGrad(BatchNormGradOp op) {
  Statistics at(op, op.getFeatureIndex());
  mlir::Value deviation = at.deviation(op.getVariance(), op.getEpsilon());
  mlir::Value centred = at.subtract(op.getOperand(), at.spread(op.getMean()));
  mlir::Value ofOffset = at.sum(op.getGradOutput());
  mlir::Value projected = at.sum(at.multiply(op.getGradOutput(), centred));
  mlir::Value count = at.splat(at.perFeature, at.count);
  mlir::Value slope = at.divide(projected, at.multiply(count, at.multiply(deviation, deviation)));
  mlir::Value rest =
      at.subtract(at.subtract(op.getGradOutput(), at.spread(at.divide(ofOffset, count))),
                  at.multiply(centred, at.spread(slope)));
  mlir::Value ofOperand = at.multiply(at.spread(at.divide(op.getScale(), deviation)), rest);
  replaceOp(op, {ofOperand, at.divide(projected, deviation), ofOffset});
}

void expandBatchNorms(mlir::ModuleOp module) {
  llvm::SmallVector<mlir::Operation *> found;
  forEachOp(module, [&](mlir::Operation *op) {
    if (!llvm::isa<BatchNormTrainingOp, BatchNormGradOp>(op))
      return;
    auto type = llvm::cast<mlir::RankedTensorType>(op->getOperand(0).getType());
    if (type.hasStaticShape() && llvm::isa<mlir::FloatType>(type.getElementType()))
      found.push_back(op);
  });
  for (mlir::Operation *op : found) {
    if (auto training = llvm::dyn_cast<BatchNormTrainingOp>(op))
      expandTraining(training);
    else
      expandGrad(llvm::cast<BatchNormGradOp>(op));
  }
}

} // namespace spmd::legalize
