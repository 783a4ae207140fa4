// Products: dims of one side or of both split freely, contracted dims leave a partial sum.

#include "spmd/dialect/partitioning/Families.h"
#include "spmd/dialect/stablehlo/Dialect.h"
#include "spmd/dialect/stablehlo/Einsum.h"

namespace spmd {

using namespace stablehlo;

namespace {

/// A factor that is summed over; padding of both operands must be zero, since zero times NaN is
/// NaN.
int32_t addContracted(RuleBuilder &builder, std::vector<PaddingNeed> &padding, int64_t size) {
  int32_t factor = builder.factor(size, FactorKind::reduce);
  padding.push_back({0, factor, FillValue::zero});
  padding.push_back({1, factor, FillValue::zero});
  return factor;
}

/// Linear in each side.
std::vector<Commuting> bilinear() { return {Commuting::linear(), Commuting::linear()}; }

struct DotGeneralModel : Partitionable::ExternalModel<DotGeneralModel, DotGeneralOp> {
  Strategies getStrategies(mlir::Operation *op) const {
    auto dot = llvm::cast<DotGeneralOp>(op);
    DotDimensionNumbersAttr dims = dot.getDotDimensionNumbers();
    llvm::ArrayRef<int64_t> lhs = shapeOf(dot.getLhs()), rhs = shapeOf(dot.getRhs());
    RuleBuilder builder = ruleFor(op);
    Strategy strategy;
    size_t resultDim = 0;
    double work = 2 * numElements(dot.getResult());
    for (auto [l, r] :
         llvm::zip(dims.getLhsBatchingDimensions(), dims.getRhsBatchingDimensions())) {
      int32_t factor = builder.factor(lhs[l]);
      builder.operand(0, l, {factor}).operand(1, r, {factor}).result(0, resultDim++, {factor});
    }
    auto addFree = [&](size_t operand, llvm::ArrayRef<int64_t> shape,
                       llvm::ArrayRef<int64_t> batching, llvm::ArrayRef<int64_t> contracting) {
      for (int64_t d = 0; d < static_cast<int64_t>(shape.size()); ++d) {
        if (llvm::is_contained(batching, d) || llvm::is_contained(contracting, d))
          continue;
        int32_t factor = builder.factor(shape[d]);
        builder.operand(operand, d, {factor}).result(0, resultDim++, {factor});
      }
    };
    addFree(0, lhs, dims.getLhsBatchingDimensions(), dims.getLhsContractingDimensions());
    addFree(1, rhs, dims.getRhsBatchingDimensions(), dims.getRhsContractingDimensions());
    for (auto [l, r] :
         llvm::zip(dims.getLhsContractingDimensions(), dims.getRhsContractingDimensions())) {
      int32_t factor = addContracted(builder, strategy.padding, lhs[l]);
      builder.operand(0, l, {factor}).operand(1, r, {factor});
      work *= static_cast<double>(lhs[l]);
    }
    strategy.rule = builder.take();
    strategy.commuting = bilinear();
    strategy.flops = work;
    return {strategy};
  }
};

/// Batch and output features split freely, input features are summed over. With groups, the grouped
/// dims stay whole. Spatial dims split only where the window is a single point.
struct ConvolutionModel : Partitionable::ExternalModel<ConvolutionModel, ConvolutionOp> {
  Strategies getStrategies(mlir::Operation *op) const {
    auto conv = llvm::cast<ConvolutionOp>(op);
    ConvDimensionNumbersAttr dims = conv.getDimensionNumbers();
    llvm::ArrayRef<int64_t> lhs = shapeOf(conv.getLhs()), rhs = shapeOf(conv.getRhs());
    llvm::ArrayRef<int64_t> out = shapeOf(conv.getResult());
    bool isGrouped = conv.getFeatureGroupCount() != 1,
         isBatchGrouped = conv.getBatchGroupCount() != 1;
    RuleBuilder builder = ruleFor(op);
    Strategy strategy;
    if (!isBatchGrouped) {
      int32_t batch = builder.factor(lhs[dims.getInputBatchDimension()]);
      builder.operand(0, dims.getInputBatchDimension(), {batch})
          .result(0, dims.getOutputBatchDimension(), {batch});
    }
    if (!isGrouped && !isBatchGrouped) {
      int32_t feature = builder.factor(out[dims.getOutputFeatureDimension()]);
      builder.operand(1, dims.getKernelOutputFeatureDimension(), {feature})
          .result(0, dims.getOutputFeatureDimension(), {feature});
      int32_t contracted =
          addContracted(builder, strategy.padding, rhs[dims.getKernelInputFeatureDimension()]);
      builder.operand(0, dims.getInputFeatureDimension(), {contracted})
          .operand(1, dims.getKernelInputFeatureDimension(), {contracted});
    }
    double work = 2 * numElements(conv.getResult()) *
                  static_cast<double>(rhs[dims.getKernelInputFeatureDimension()]);
    for (auto [i, kernelDim] : llvm::enumerate(dims.getKernelSpatialDimensions())) {
      work *= static_cast<double>(rhs[kernelDim]);
      if (!isPoint(conv, i, rhs[kernelDim]))
        continue;
      int32_t factor = builder.factor(out[dims.getOutputSpatialDimensions()[i]]);
      builder.operand(0, dims.getInputSpatialDimensions()[i], {factor})
          .result(0, dims.getOutputSpatialDimensions()[i], {factor});
    }
    strategy.rule = builder.take();
    strategy.commuting = bilinear();
    strategy.flops = work;
    return {strategy};
  }

private:
  /// Whether output row r of spatial dim `i` is made of input row r alone.
  static bool isPoint(ConvolutionOp conv, size_t i, int64_t windowSize) {
    auto at = [&](std::optional<llvm::ArrayRef<int64_t>> values, int64_t otherwise) {
      return values ? (*values)[i] : otherwise;
    };
    bool isPadded = false;
    if (mlir::DenseIntElementsAttr padding = conv.getPaddingAttr())
      isPadded =
          padding.getValues<int64_t>()[2 * i] != 0 || padding.getValues<int64_t>()[2 * i + 1] != 0;
    return windowSize == 1 && at(conv.getWindowStrides(), 1) == 1 &&
           at(conv.getLhsDilation(), 1) == 1 && !isPadded;
  }
};

/// The last dim of one side against the first of the other.
struct DotModel : Partitionable::ExternalModel<DotModel, DotOp> {
  Strategies getStrategies(mlir::Operation *op) const {
    auto dot = llvm::cast<DotOp>(op);
    llvm::ArrayRef<int64_t> lhs = shapeOf(dot.getLhs()), rhs = shapeOf(dot.getRhs());
    RuleBuilder builder = ruleFor(op);
    Strategy strategy;
    int32_t contracted = addContracted(builder, strategy.padding, lhs.back());
    builder.operand(0, lhs.size() - 1, {contracted}).operand(1, 0, {contracted});
    size_t resultDim = 0;
    if (lhs.size() == 2) {
      int32_t rows = builder.factor(lhs[0]);
      builder.operand(0, 0, {rows}).result(0, resultDim++, {rows});
    }
    if (rhs.size() == 2) {
      int32_t columns = builder.factor(rhs[1]);
      builder.operand(1, 1, {columns}).result(0, resultDim, {columns});
    }
    strategy.rule = builder.take();
    strategy.commuting = bilinear();
    strategy.flops = 2 * numElements(dot.getResult()) * static_cast<double>(lhs.back());
    return {strategy};
  }
};

/// A letter is a factor: summed over where the result lacks it, whole where one side has it twice
/// (a diagonal).
template <typename Op> struct EinsumModel : Partitionable::ExternalModel<EinsumModel<Op>, Op> {
  Strategies getStrategies(mlir::Operation *op) const {
    std::optional<EinsumConfig> config = parseEinsum(llvm::cast<Op>(op).getEinsumConfig());
    if (!config || config->hasEllipsis)
      return {};
    RuleBuilder builder = ruleFor(op);
    Strategy strategy;
    llvm::SmallDenseMap<char, int32_t> factors;
    auto isSplittable = [&](char letter) {
      return config->result.count(letter) < 2 &&
             llvm::all_of(
                 config->operands, [&](llvm::StringRef side) { return side.count(letter) < 2; });
    };
    auto factorOf = [&](char letter, int64_t size) {
      auto [found, isNew] = factors.try_emplace(letter, 0);
      if (isNew)
        found->second = builder.factor(size, config->result.contains(letter) ? FactorKind::pass
                                                                             : FactorKind::reduce);
      return found->second;
    };
    for (auto [i, letters] : llvm::enumerate(config->operands))
      for (auto [d, letter] : llvm::enumerate(letters)) {
        if (!isSplittable(letter))
          continue;
        int32_t factor = factorOf(letter, shapeOf(op->getOperand(i))[d]);
        builder.operand(i, d, {factor});
        if (!config->result.contains(letter))
          strategy.padding.push_back({static_cast<int32_t>(i), factor, FillValue::zero});
      }
    for (auto [d, letter] : llvm::enumerate(config->result))
      if (isSplittable(letter))
        builder.result(0, d, {factorOf(letter, shapeOf(op->getResult(0))[d])});
    strategy.rule = builder.take();
    strategy.commuting.assign(op->getNumOperands(), Commuting::linear());
    strategy.flops = 2 * numElements(op->getResult(0));
    return {strategy};
  }
};

} // namespace

void attachContraction(mlir::MLIRContext *context) {
  DotGeneralOp::attachInterface<DotGeneralModel>(*context);
  ConvolutionOp::attachInterface<ConvolutionModel>(*context);
  DotOp::attachInterface<DotModel>(*context);
  EinsumOp::attachInterface<EinsumModel<EinsumOp>>(*context);
  UnaryEinsumOp::attachInterface<EinsumModel<UnaryEinsumOp>>(*context);
}

} // namespace spmd
