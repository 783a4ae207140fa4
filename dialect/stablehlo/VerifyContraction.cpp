// Dot products and convolutions.

#include "spmd/dialect/stablehlo/Verify.h"

using namespace mlir;
using namespace spmd::stablehlo;

/// dot_general_c11, convolution_c24
static LogicalResult checkPrecision(Operation *op, std::optional<ArrayAttr> precision) {
  if (!precision || precision->empty() || precision->size() == 2)
    return success();
  return op->emitOpError() << "precision_config has " << precision->size()
                           << " entries, the number of operands is 2";
}

//===- dot_general
//---------------------------------------------------------------------------------===//

static SmallVector<int64_t, 6> joined(Dims a, Dims b) {
  SmallVector<int64_t, 6> both(a);
  llvm::append_range(both, b);
  return both;
}

/// dot_general_c9, c10: paired dims of the operands have one size.
static LogicalResult checkPairs(DotGeneralOp op, StringRef what, Dims lhsDims, Dims rhsDims) {
  Dims lhs = shapeOf(op.getLhs()), rhs = shapeOf(op.getRhs());
  for (auto [left, right] : llvm::zip(lhsDims, rhsDims))
    if (!agree(lhs[left], rhs[right]))
      return op.emitOpError() << what << " dim " << left << " of operand 0 has size " << lhs[left]
                              << ", dim " << right << " of operand 1 has size " << rhs[right];
  return success();
}

/// Appends the sizes of the dims of `shape` that are in neither list.
static void appendFree(Dims shape, Dims batching, Dims contracting,
                       SmallVectorImpl<int64_t> &sizes) {
  for (int64_t dim = 0; dim < static_cast<int64_t>(shape.size()); ++dim)
    if (!llvm::is_contained(batching, dim) && !llvm::is_contained(contracting, dim))
      sizes.push_back(shape[dim]);
}

LogicalResult DotGeneralOp::verify() {
  DotDimensionNumbersAttr numbers = getDotDimensionNumbers();
  Dims lhs = shapeOf(getLhs()), rhs = shapeOf(getRhs());
  Dims lhsBatching = numbers.getLhsBatchingDimensions(),
       rhsBatching = numbers.getRhsBatchingDimensions();
  Dims lhsContracting = numbers.getLhsContractingDimensions(),
       rhsContracting = numbers.getRhsContractingDimensions();
  // dot_general_c1, c2
  if (failed(checkCount(*this, "lhs_batching_dimensions", lhsBatching.size(), rhsBatching.size(),
                        "rhs_batching_dimensions has")) ||
      failed(checkCount(*this, "lhs_contracting_dimensions", lhsContracting.size(),
                        rhsContracting.size(), "rhs_contracting_dimensions has")) ||
      // dot_general_c3 to c8
      failed(checkDims(*this, "list of batching and contracting dims of operand 0",
                       joined(lhsBatching, lhsContracting), lhs.size(), "operand 0")) ||
      failed(checkDims(*this, "list of batching and contracting dims of operand 1",
                       joined(rhsBatching, rhsContracting), rhs.size(), "operand 1")) ||
      // dot_general_c9, c10
      failed(checkPairs(*this, "batching", lhsBatching, rhsBatching)) ||
      failed(checkPairs(*this, "contracting", lhsContracting, rhsContracting)) ||
      // dot_general_c11
      failed(checkPrecision(*this, getPrecisionConfig())))
    return failure();
  // dot_general_c13 to c20
  if (failed(checkContractionElements(*this)))
    return failure();
  if (getAlgorithm() && !isKnownAlgorithm(*getAlgorithm()))
    return emitOpError() << "algorithm is " << *getAlgorithm()
                         << ", which no hardware is known to have";
  // dot_general_c21
  if (getAlgorithm() && getPrecisionConfigAttr())
    for (Attribute precision : getPrecisionConfigAttr())
      if (cast<PrecisionAttr>(precision).getValue() != Precision::DEFAULT)
        return emitOpError() << "precision_config has "
                             << stringifyPrecision(cast<PrecisionAttr>(precision).getValue())
                             << "; beside an algorithm it must be DEFAULT";
  // dot_general_c12
  SmallVector<int64_t, 6> expected;
  for (auto [left, right] : llvm::zip(lhsBatching, rhsBatching))
    expected.push_back(isDynamic(lhs[left]) ? rhs[right] : lhs[left]);
  appendFree(lhs, lhsBatching, lhsContracting, expected);
  appendFree(rhs, rhsBatching, rhsContracting, expected);
  return checkSizes(*this, resultSubject(*this, 0), expected);
}

//===- convolution
//---------------------------------------------------------------------------------===//

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

/// Checks that `size`, of dim `dim` of operand `operand`, is a multiple of `count`.
static LogicalResult checkMultiple(Operation *op, unsigned operand, int64_t dim, StringRef name,
                                   int64_t count) {
  int64_t size = shapeOf(op->getOperand(operand))[dim];
  if (isDynamic(size) || size % count == 0)
    return success();
  return op->emitOpError() << "operand " << operand << " has size " << size << " in dim " << dim
                           << ", no multiple of " << name << " " << count;
}

LogicalResult ConvolutionOp::verify() {
  Dims lhs = shapeOf(getLhs()), rhs = shapeOf(getRhs());
  int64_t rank = lhs.size(), windowed = rank - 2;
  ConvDimensionNumbersAttr numbers = getDimensionNumbers();
  // convolution_c1
  if (rhs.size() != lhs.size() || rank < 2)
    return emitOpError() << "operand 0 has rank " << rank << ", operand 1 has rank " << rhs.size()
                         << "; both have one rank of at least 2";
  // convolution_c12, c13, c17 to c20, c26
  Dims inputSpatial = numbers.getInputSpatialDimensions(),
       kernelSpatial = numbers.getKernelSpatialDimensions(),
       outputSpatial = numbers.getOutputSpatialDimensions();
  int64_t inputBatch = numbers.getInputBatchDimension(),
          inputFeature = numbers.getInputFeatureDimension(),
          kernelInput = numbers.getKernelInputFeatureDimension(),
          kernelOutput = numbers.getKernelOutputFeatureDimension(),
          outputBatch = numbers.getOutputBatchDimension(),
          outputFeature = numbers.getOutputFeatureDimension();
  if (failed(
          checkSide(*this, "input", inputBatch, inputFeature, inputSpatial, rank, "operand 0")) ||
      failed(checkSide(*this, "kernel", kernelInput, kernelOutput, kernelSpatial, rank,
                       "operand 1")) ||
      failed(
          checkSide(*this, "output", outputBatch, outputFeature, outputSpatial, rank, "operand 0")))
    return failure();
  // convolution_c2 to c9
  SmallVector<int64_t, 4> windowSizes;
  for (int64_t dim : kernelSpatial)
    windowSizes.push_back(rhs[dim]);
  FailureOr<Window> window = readWindow(
      *this, windowed, windowSizes, getWindowStrides(), getPaddingAttr(), getLhsDilation(),
      getRhsDilation(), {"", "window_strides", "padding", "lhs_dilation", "rhs_dilation"});
  if (failed(window))
    return failure();
  if (getWindowReversal() &&
      failed(checkCount(*this, "window_reversal", getWindowReversal()->size(), windowed,
                        "the number of windowed dims is")))
    return failure();
  // convolution_c21 to c23
  int64_t featureGroups = getFeatureGroupCount(), batchGroups = getBatchGroupCount();
  if (featureGroups < 1 || batchGroups < 1)
    return emitOpError() << "feature_group_count is " << featureGroups
                         << " and batch_group_count is " << batchGroups << "; both are at least 1";
  if (featureGroups != 1 && batchGroups != 1)
    return emitOpError() << "feature_group_count is " << featureGroups
                         << " and batch_group_count is " << batchGroups << "; one of them is 1";
  // convolution_c10, c11, c15, c16
  if (failed(checkMultiple(*this, 0, inputBatch, "batch_group_count", batchGroups)) ||
      failed(checkMultiple(*this, 0, inputFeature, "feature_group_count", featureGroups)) ||
      failed(checkMultiple(*this, 1, kernelOutput, "batch_group_count", batchGroups)) ||
      failed(checkMultiple(*this, 1, kernelOutput, "feature_group_count", featureGroups)))
    return failure();
  // convolution_c14
  if (!isDynamic(lhs[inputFeature]) && !agree(rhs[kernelInput], lhs[inputFeature] / featureGroups))
    return emitOpError() << "operand 1 has size " << rhs[kernelInput] << " in dim " << kernelInput
                         << ", expected " << lhs[inputFeature] / featureGroups
                         << ": the input features over feature_group_count";
  // convolution_c24
  if (failed(checkPrecision(*this, getPrecisionConfig())))
    return failure();
  // convolution_c27 to c34
  if (failed(checkContractionElements(*this)))
    return failure();
  // convolution_c25
  SmallVector<int64_t, 6> expected(rank);
  expected[outputBatch] =
      isDynamic(lhs[inputBatch]) ? lhs[inputBatch] : lhs[inputBatch] / batchGroups;
  expected[outputFeature] = rhs[kernelOutput];
  for (int64_t i = 0; i < windowed; ++i) {
    FailureOr<int64_t> places = numWindows(*this, *window, i, lhs[inputSpatial[i]]);
    if (failed(places))
      return failure();
    expected[outputSpatial[i]] = *places;
  }
  return checkSizes(*this, resultSubject(*this, 0), expected);
}
