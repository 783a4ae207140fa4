// Convolutions, with padding in an attribute or in an operand.

#include "spmd/dialect/stablehlo/Verify.h"

using namespace mlir;
using namespace spmd::stablehlo;

/// Checks that two roles and the spatial dims of one side name each dim once.
static LogicalResult checkSide(Operation *op, StringRef name, int64_t first, int64_t second,
                               Dims spatial, int64_t rank, StringRef of) {
  if (failed(checkCount(op, (name + " spatial dims").str(), spatial.size(), rank - 2,
                        "the number of windowed dims is")))
    return failure();
  SmallVector<int64_t, 6> dims{first};
  llvm::append_range(dims, spatial);
  dims.push_back(second);
  return checkDims(op, (name + " dims").str(), dims, rank, of);
}

/// convolution_c1, c12, c13, c17 to c20, c26; dynamic_conv alike
static LogicalResult checkRoles(Operation *op, ConvDimensionNumbersAttr numbers) {
  int64_t rank = shapeOf(op->getOperand(0)).size(), kernelRank = shapeOf(op->getOperand(1)).size();
  if (kernelRank != rank || rank < 2)
    return op->emitOpError() << "operand 0 has rank " << rank << ", operand 1 has rank "
                             << kernelRank << "; both have one rank of at least 2";
  return failure(failed(checkSide(op, "input", numbers.getInputBatchDimension(),
                                  numbers.getInputFeatureDimension(),
                                  numbers.getInputSpatialDimensions(), rank, "operand 0")) ||
                 failed(checkSide(op, "kernel", numbers.getKernelInputFeatureDimension(),
                                  numbers.getKernelOutputFeatureDimension(),
                                  numbers.getKernelSpatialDimensions(), rank, "operand 1")) ||
                 failed(checkSide(op, "output", numbers.getOutputBatchDimension(),
                                  numbers.getOutputFeatureDimension(),
                                  numbers.getOutputSpatialDimensions(), rank, "operand 0")));
}

/// Checks that `size`, of dim `dim` of operand `operand`, is a multiple of `count`.
static LogicalResult checkMultiple(Operation *op, unsigned operand, int64_t dim, StringRef name,
                                   int64_t count) {
  int64_t size = shapeOf(op->getOperand(operand))[dim];
  if (isDynamic(size) || size % count == 0)
    return success();
  return op->emitOpError() << "operand " << operand << " has size " << size << " in dim " << dim
                           << ", no multiple of " << name << " " << count;
}

/// convolution_c10, c11, c14 to c16, c21 to c23; dynamic_conv alike
static LogicalResult checkGroupCounts(Operation *op, ConvDimensionNumbersAttr numbers,
                                      int64_t featureGroups, int64_t batchGroups) {
  if (featureGroups < 1 || batchGroups < 1)
    return op->emitOpError() << "feature_group_count is " << featureGroups
                             << " and batch_group_count is " << batchGroups
                             << "; both are at least 1";
  if (featureGroups != 1 && batchGroups != 1)
    return op->emitOpError() << "feature_group_count is " << featureGroups
                             << " and batch_group_count is " << batchGroups << "; one of them is 1";
  int64_t inputFeature = numbers.getInputFeatureDimension(),
          kernelInput = numbers.getKernelInputFeatureDimension(),
          kernelOutput = numbers.getKernelOutputFeatureDimension();
  if (failed(checkMultiple(op, 0, numbers.getInputBatchDimension(), "batch_group_count",
                           batchGroups)) ||
      failed(checkMultiple(op, 0, inputFeature, "feature_group_count", featureGroups)) ||
      failed(checkMultiple(op, 1, kernelOutput, "batch_group_count", batchGroups)) ||
      failed(checkMultiple(op, 1, kernelOutput, "feature_group_count", featureGroups)))
    return failure();
  int64_t features = shapeOf(op->getOperand(0))[inputFeature],
          kernelFeatures = shapeOf(op->getOperand(1))[kernelInput];
  if (!isDynamic(features) && !agree(kernelFeatures, features / featureGroups))
    return op->emitOpError() << "operand 1 has size " << kernelFeatures << " in dim " << kernelInput
                             << ", expected " << features / featureGroups
                             << ": the input features over feature_group_count";
  return success();
}

/// Reads the window but for its padding: convolution_c2, c3, c5 to c9; dynamic_conv alike.
template <typename Op>
static FailureOr<Window> readConvWindow(Op op, DenseIntElementsAttr padding) {
  SmallVector<int64_t, 4> sizes;
  for (int64_t dim : op.getDimensionNumbers().getKernelSpatialDimensions())
    sizes.push_back(shapeOf(op.getRhs())[dim]);
  int64_t rank = sizes.size();
  FailureOr<Window> window = readWindow(
      op, rank, sizes, op.getWindowStrides(), padding, op.getLhsDilation(), op.getRhsDilation(),
      {"", "window_strides", "padding", "lhs_dilation", "rhs_dilation"});
  if (failed(window))
    return failure();
  if (op.getWindowReversal() &&
      failed(checkCount(op, "window_reversal", op.getWindowReversal()->size(), rank,
                        "the number of windowed dims is")))
    return failure();
  return window;
}

/// convolution_c25; dynamic_conv alike
template <typename Op> static LogicalResult checkResult(Op op, const Window &window) {
  ConvDimensionNumbersAttr numbers = op.getDimensionNumbers();
  Dims lhs = shapeOf(op.getLhs()), rhs = shapeOf(op.getRhs());
  int64_t batch = lhs[numbers.getInputBatchDimension()];
  SmallVector<int64_t, 6> expected(lhs.size());
  expected[numbers.getOutputBatchDimension()] =
      isDynamic(batch) ? batch : batch / static_cast<int64_t>(op.getBatchGroupCount());
  expected[numbers.getOutputFeatureDimension()] = rhs[numbers.getKernelOutputFeatureDimension()];
  for (size_t i = 0; i < window.sizes.size(); ++i) {
    FailureOr<int64_t> places =
        numWindows(op, window, i, lhs[numbers.getInputSpatialDimensions()[i]]);
    if (failed(places))
      return failure();
    expected[numbers.getOutputSpatialDimensions()[i]] = *places;
  }
  return checkSizes(op, resultSubject(op, 0), expected);
}

/// A scale along a dim belongs to output features.
static LogicalResult checkQuantizedDims(Operation *op, ConvDimensionNumbersAttr numbers) {
  // convolution_c29 of the specification, then c30
  return failure(
      failed(checkQuantizedDim(op, operandSubject(op, 1), numbers.getKernelOutputFeatureDimension(),
                               "the kernel's dim of output features")) ||
      failed(checkQuantizedDim(op, resultSubject(op, 0), numbers.getOutputFeatureDimension(),
                               "its dim of features")));
}

LogicalResult ConvolutionOp::verify() {
  if (failed(checkRoles(*this, getDimensionNumbers())))
    return failure();
  // convolution_c2 to c9
  FailureOr<Window> window = readConvWindow(*this, getPaddingAttr());
  if (failed(window) ||
      failed(checkGroupCounts(*this, getDimensionNumbers(), getFeatureGroupCount(),
                              getBatchGroupCount())) ||
      // convolution_c24
      failed(checkPrecision(*this, getPrecisionConfig())) ||
      // convolution_c27 to c34
      failed(checkContractionElements(*this)) ||
      failed(checkQuantizedDims(*this, getDimensionNumbers())))
    return failure();
  return checkResult(*this, *window);
}

LogicalResult DynamicConvOp::verify() {
  if (failed(checkRoles(*this, getDimensionNumbers())))
    return failure();
  FailureOr<Window> window = readConvWindow(*this, {});
  if (failed(window))
    return failure();
  // dynamic_conv_c4
  int64_t rank = window->sizes.size();
  if (failed(checkSizes(*this, operandSubject(*this, 2), {rank, 2})))
    return failure();
  if (std::optional<SmallVector<int64_t>> padding = knownInts(getPadding()))
    for (int64_t dim = 0; dim < rank; ++dim) {
      window->low[dim] = (*padding)[2 * dim];
      window->high[dim] = (*padding)[2 * dim + 1];
    }
  else
    window->sizes.assign(rank, ShapedType::kDynamic); // So are the places of such a window.
  if (failed(checkGroupCounts(*this, getDimensionNumbers(), getFeatureGroupCount(),
                              getBatchGroupCount())) ||
      // dynamic_conv_c24
      failed(checkPrecision(*this, getPrecisionConfig())) ||
      // dynamic_conv_c27 to c33
      failed(checkContractionElements(*this)) ||
      failed(checkQuantizedDims(*this, getDimensionNumbers())))
    return failure();
  return checkResult(*this, *window);
}
