// Products: dims of one side or of both split freely, contracted dims leave a partial sum.

#include "spmd/dialect/partitioning/Families.h"
#include "spmd/dialect/partitioning/Windows.h"
#include "spmd/dialect/partitioning/algorithms/Shards.h"
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
    strategy.multiplies = true;
    return {strategy};
  }
};

/// Batch, output features and groups split freely, input features are summed over. Along spatial
/// dims the results are split, which read the input through a window; or, in a second strategy, the
/// kernel is: then the results are summed over, and what moves over the input is the result.
struct ConvolutionModel : Partitionable::ExternalModel<ConvolutionModel, ConvolutionOp> {
  Strategies getStrategies(mlir::Operation *op) const {
    auto conv = llvm::cast<ConvolutionOp>(op);
    Strategies strategies = {strategyOf(conv, /*splitsKernel=*/false)};
    if (anyOf(conv, [](const Window &window) { return window.size > 1 && !window.reversed; }))
      strategies.push_back(strategyOf(conv, /*splitsKernel=*/true));
    return strategies;
  }

  mlir::LogicalResult localize(mlir::Operation *op, Localizer &localizer) const {
    auto conv = llvm::cast<ConvolutionOp>(op);
    ConvDimensionNumbersAttr dims = conv.getDimensionNumbers();
    size_t numSpatial = dims.getInputSpatialDimensions().size();
    llvm::SmallVector<int64_t> dilation(numSpatial), padding(2 * numSpatial);
    for (size_t i = 0; i < numSpatial; ++i) {
      Window window = windowOf(conv, i);
      dilation[i] = window.baseDilation;
      padding[2 * i] = window.padLow;
      padding[2 * i + 1] = window.padHigh;
    }
    bool isRead = false;
    mlir::RankedTensorType lhs = localizer.operand(0).type;
    mlir::Value zero;
    auto zeroOfLhs = [&](unsigned) {
      if (!zero)
        zero = fillConstant(localizer.builder, op->getLoc(), lhs.clone(llvm::ArrayRef<int64_t>{}),
                            FillValue::zero);
      return zero;
    };
    readSplitWindows(localizer, zeroOfLhs, [&](int64_t d, const WindowRead &read) {
      size_t i = llvm::find(dims.getInputSpatialDimensions(), d) -
                 dims.getInputSpatialDimensions().begin();
      dilation[i] = read.baseDilation;
      padding[2 * i] = read.padLow;
      padding[2 * i + 1] = read.padHigh;
      isRead = true;
    });
    adaptGroups(localizer, conv);
    localizer.setResultTypes();
    if (!isRead)
      return mlir::success();
    conv.setLhsDilation(dilation);
    conv.setPaddingAttr(mlir::DenseIntElementsAttr::get(
        mlir::RankedTensorType::get({static_cast<int64_t>(numSpatial), 2},
                                    localizer.builder.getI64Type()),
        llvm::ArrayRef<int64_t>(padding)));
    return mlir::success();
  }

private:
  static Window windowOf(ConvolutionOp conv, size_t i) {
    auto at = [&](std::optional<llvm::ArrayRef<int64_t>> values) {
      return values ? (*values)[i] : 1;
    };
    Window window;
    window.size =
        shapeOf(conv.getRhs())[conv.getDimensionNumbers().getKernelSpatialDimensions()[i]];
    window.stride = at(conv.getWindowStrides());
    window.baseDilation = at(conv.getLhsDilation());
    window.windowDilation = at(conv.getRhsDilation());
    window.reversed = conv.getWindowReversal() && (*conv.getWindowReversal())[i];
    if (mlir::DenseIntElementsAttr padding = conv.getPaddingAttr()) {
      window.padLow = padding.getValues<int64_t>()[2 * i];
      window.padHigh = padding.getValues<int64_t>()[2 * i + 1];
    }
    return window;
  }

  template <typename Test> static bool anyOf(ConvolutionOp conv, Test test) {
    size_t count = conv.getDimensionNumbers().getInputSpatialDimensions().size();
    for (size_t i = 0; i < count; ++i)
      if (test(windowOf(conv, i)))
        return true;
    return false;
  }

  static Strategy strategyOf(ConvolutionOp conv, bool splitsKernel) {
    ConvDimensionNumbersAttr dims = conv.getDimensionNumbers();
    llvm::ArrayRef<int64_t> lhs = shapeOf(conv.getLhs()), rhs = shapeOf(conv.getRhs());
    RuleBuilder builder = ruleFor(conv);
    Strategy strategy;
    addFeatures(builder, strategy, conv);
    double work = 2 * numElements(conv.getResult()) *
                  static_cast<double>(rhs[dims.getKernelInputFeatureDimension()]);
    for (auto [i, kernelDim] : llvm::enumerate(dims.getKernelSpatialDimensions())) {
      int64_t inputDim = dims.getInputSpatialDimensions()[i],
              outputDim = dims.getOutputSpatialDimensions()[i];
      Window window = windowOf(conv, i);
      work *= static_cast<double>(window.size);
      if (splitsKernel && !window.reversed)
        addMovingResult(builder, strategy, {lhs[inputDim], shapeOf(conv.getResult())[outputDim]},
                        window, inputDim, kernelDim);
      else if (!splitsKernel) {
        window.reversed = false; // The kernel is whole, and turned where it is used.
        addWindowed(builder, strategy, conv, {{0, inputDim, window}}, outputDim);
      }
    }
    strategy.rule = builder.take();
    strategy.commuting = bilinear();
    strategy.flops = work;
    strategy.multiplies = true;
    return strategy;
  }

  /// Features, batch and groups. A dim that is cut into groups has the groups as its first factor:
  ///
  ///     3x5x6 * 2x3x4, two groups of features    ([b, s, gk], [.., k, go]) -> ([b, s, go])
  ///
  /// Groups of the batch stand before the batch instead, and the results of all have its features.
  static void addFeatures(RuleBuilder &builder, Strategy &strategy, ConvolutionOp conv) {
    ConvDimensionNumbersAttr dims = conv.getDimensionNumbers();
    int64_t groups = conv.getFeatureGroupCount() * conv.getBatchGroupCount(); // One of them is 1.
    int64_t features = shapeOf(conv.getResult())[dims.getOutputFeatureDimension()],
            contracted = shapeOf(conv.getRhs())[dims.getKernelInputFeatureDimension()],
            batch = shapeOf(conv.getResult())[dims.getOutputBatchDimension()];
    DimFactors inBatch, inFeatures, outFeatures;
    if (groups > 1 && features > 0) {
      outFeatures = {builder.factor(groups)};
      (conv.getBatchGroupCount() > 1 ? inBatch : inFeatures) = outFeatures;
    }
    // A factor of one row would keep the groups from being split unevenly.
    auto add = [&](int64_t size, DimFactors &dim, FactorKind kind) {
      if (size == 1 && !dim.empty())
        return DimFactors();
      dim.push_back(builder.factor(size, kind));
      return DimFactors{dim.back()};
    };
    bool isSplittable = groups == 1 || features > 0;
    DimFactors ofBatch, ofContracted;
    if (isSplittable) {
      ofBatch = add(batch, inBatch, FactorKind::pass);
      add(features / groups, outFeatures, FactorKind::pass);
      ofContracted = add(contracted, inFeatures, FactorKind::reduce);
    }
    builder.operand(0, dims.getInputBatchDimension(), inBatch)
        .operand(0, dims.getInputFeatureDimension(), inFeatures)
        .operand(1, dims.getKernelInputFeatureDimension(), ofContracted)
        .operand(1, dims.getKernelOutputFeatureDimension(), outFeatures)
        .result(0, dims.getOutputBatchDimension(), ofBatch)
        .result(0, dims.getOutputFeatureDimension(), outFeatures);
    for (int32_t factor : ofContracted)
      for (int32_t operand : {0, 1})
        strategy.padding.push_back({operand, factor, FillValue::zero});
  }

  /// A device that holds some of the groups works on these alone.
  static void adaptGroups(const Localizer &localizer, ConvolutionOp conv) {
    int64_t groups = conv.getFeatureGroupCount() * conv.getBatchGroupCount();
    const DimFactors &features =
        localizer.strategy->rule
            .operands[1][conv.getDimensionNumbers().getKernelOutputFeatureDimension()];
    if (groups == 1 || features.empty())
      return;
    uint64_t held = shardSize(groups, sizeOf(localizer.axesOf(features.front())));
    if (conv.getFeatureGroupCount() > 1)
      conv.setFeatureGroupCount(held);
    else
      conv.setBatchGroupCount(held);
  }

  /// Adds a factor along which the kernel is split and the products are summed. For each row of the
  /// kernel the results read one row each, so size and stride change places.
  static void addMovingResult(RuleBuilder &builder, Strategy &strategy,
                              std::pair<int64_t, int64_t> sizes, Window window, int64_t inputDim,
                              int64_t kernelDim) {
    auto [inputSize, outputSize] = sizes;
    int64_t kernelSize = window.size;
    if (inputSize == 0 || outputSize == 0 || kernelSize == 0)
      return;
    window.size = outputSize;
    std::swap(window.stride, window.windowDilation);
    int32_t factor = builder.factor({kernelSize, FactorKind::reduce, ReductionKind::sum, window});
    builder.operand(0, inputDim, {factor}).operand(1, kernelDim, {factor});
    strategy.windows.push_back({0, factor, window, kernelSize});
    strategy.padding.push_back({1, factor, FillValue::zero});
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
    strategy.multiplies = true;
    return {strategy};
  }
};

/// A letter is a factor: summed over where the result lacks it, whole where one side has it twice
/// (a diagonal).
template <typename Op> struct EinsumModel : Partitionable::ExternalModel<EinsumModel<Op>, Op> {
  Strategies getStrategies(mlir::Operation *op) const {
    std::optional<EinsumConfig> config = parseEinsum(llvm::cast<Op>(op).getEinsumConfig());
    if (!config || config->operands.size() != op->getNumOperands())
      return {};
    for (auto [i, side] : llvm::enumerate(config->operands))
      nameEllipsis(side, shapeOf(op->getOperand(i)).size());
    nameEllipsis(config->result, shapeOf(op->getResult(0)).size());
    llvm::StringRef result = config->result;
    RuleBuilder builder = ruleFor(op);
    Strategy strategy;
    llvm::SmallDenseMap<char, int32_t> factors;
    auto isSplittable = [&](char letter) {
      return result.count(letter) < 2 &&
             llvm::all_of(
                 config->operands, [&](llvm::StringRef side) { return side.count(letter) < 2; });
    };
    auto factorOf = [&](char letter, int64_t size) {
      auto [found, isNew] = factors.try_emplace(letter, 0);
      if (isNew)
        found->second =
            builder.factor(size, result.contains(letter) ? FactorKind::pass : FactorKind::reduce);
      return found->second;
    };
    for (auto [i, letters] : llvm::enumerate(config->operands))
      for (auto [d, letter] : llvm::enumerate(letters)) {
        if (!isSplittable(letter))
          continue;
        int32_t factor = factorOf(letter, shapeOf(op->getOperand(i))[d]);
        builder.operand(i, d, {factor});
        if (!result.contains(letter))
          strategy.padding.push_back({static_cast<int32_t>(i), factor, FillValue::zero});
      }
    for (auto [d, letter] : llvm::enumerate(result))
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
