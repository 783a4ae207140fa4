// Factorizations, triangular systems, Fourier transforms, normalization over a batch.

#include "spmd/dialect/stablehlo/Verify.h"

using namespace mlir;
using namespace spmd::stablehlo;

/// Checks that operand `index` is a batch of square matrices.
static LogicalResult checkSquare(Operation *op, unsigned index) {
  Dims shape = shapeOf(op->getOperand(index));
  if (shape.size() < 2)
    return op->emitOpError() << "operand " << index << " has rank " << shape.size()
                             << ", expected at least 2";
  int64_t rows = shape[shape.size() - 2], columns = shape.back();
  if (!agree(rows, columns))
    return op->emitOpError() << "operand " << index << " has matrices of " << rows << "x" << columns
                             << ", expected square ones";
  return success();
}

LogicalResult CholeskyOp::verify() {
  // cholesky_c2, c3
  return checkSquare(*this, 0);
}

LogicalResult TriangularSolveOp::verify() {
  Dims a = shapeOf(getA()), b = shapeOf(getB());
  // triangular_solve_c1
  if (failed(checkElements(*this, operandSubject(*this, 1), operandSubject(*this, 0))) ||
      // triangular_solve_c2, c3
      failed(checkSquare(*this, 0)))
    return failure();
  if (b.size() != a.size())
    return emitOpError() << "operand 1 has rank " << b.size() << ", operand 0 has rank "
                         << a.size();
  // triangular_solve_c3
  for (size_t dim = 0; dim + 2 < a.size(); ++dim)
    if (!agree(a[dim], b[dim]))
      return emitOpError() << "operand 1 has size " << b[dim] << " in dim " << dim
                           << ", operand 0 has size " << a[dim];
  size_t shared = b.size() - (getLeftSide() ? 2 : 1);
  if (!agree(a.back(), b[shared]))
    return emitOpError() << "operand 1 has size " << b[shared] << " in dim " << shared
                         << ", the matrices of operand 0 have size " << a.back();
  if (getTransposeA() == Transpose::TRANSPOSE_INVALID)
    return emitOpError() << "transpose_a is TRANSPOSE_INVALID; it is NO_TRANSPOSE, TRANSPOSE or "
                            "ADJOINT";
  // triangular_solve_c4
  return checkTensor(*this, resultSubject(*this, 0), operandSubject(*this, 1));
}

//===- fft -------------------------------------------------------------------------------===//

/// fft_c2
static LogicalResult checkFftElements(FftOp op) {
  Type from = tensorType(op.getOperand()).getElementType(), to = op.getType().getElementType();
  auto isComplex = [](Type type) { return isa<ComplexType>(type); };
  bool wantsComplex = op.getFftType() != FftType::RFFT,
       givesComplex = op.getFftType() != FftType::IRFFT;
  StringRef name = stringifyFftType(op.getFftType());
  if (isComplex(from) != wantsComplex || (!wantsComplex && !isa<FloatType>(from)))
    return op.emitOpError() << "operand 0 has element type " << from << ", " << name << " takes "
                            << (wantsComplex ? "complex" : "real") << " numbers";
  if (isComplex(to) != givesComplex || (!givesComplex && !isa<FloatType>(to)))
    return op.emitOpError() << "result 0 has element type " << to << ", " << name << " gives "
                            << (givesComplex ? "complex" : "real") << " numbers";
  auto part = [&](Type type) {
    return isComplex(type) ? cast<ComplexType>(type).getElementType() : type;
  };
  if (part(from) != part(to))
    return op.emitOpError() << "result 0 has element type " << to << ", operand 0 has " << from;
  return success();
}

/// fft_c4: the real side has the sizes of `fft_length`.
static LogicalResult checkFftLength(FftOp op, const Subject &real) {
  Dims length = op.getFftLength(), shape = cast<ShapedType>(real.type).getShape();
  size_t first = shape.size() - length.size();
  for (size_t i = 0; i < length.size(); ++i)
    if (!agree(shape[first + i], length[i]))
      return op.emitOpError() << real.name << " has size " << shape[first + i] << " in dim "
                              << first + i << ", fft_length has " << length[i];
  return success();
}

LogicalResult FftOp::verify() {
  Dims operand = shapeOf(getOperand()), length = getFftLength();
  // fft_c1, c3
  if (length.empty() || length.size() > 3 || length.size() > operand.size())
    return emitOpError() << "fft_length has " << length.size()
                         << " entries, expected 1 to 3 and at most the rank of operand 0, "
                         << operand.size();
  if (failed(checkAtLeast(*this, "fft_length", length, 0)) || failed(checkFftElements(*this)))
    return failure();
  bool isForward = getFftType() == FftType::RFFT, isInverse = getFftType() == FftType::IRFFT;
  // fft_c4
  if (isForward && failed(checkFftLength(*this, operandSubject(*this, 0))))
    return failure();
  // fft_c5: the complex side of a real transform leaves out what symmetry gives
  SmallVector<int64_t> expected(operand);
  int64_t half = length.back() == 0 ? 0 : length.back() / 2 + 1;
  if (isForward)
    expected.back() = half;
  if (isInverse) {
    if (!agree(operand.back(), half))
      return emitOpError() << "operand 0 has size " << operand.back()
                           << " in its last dim, expected " << half << " for an fft_length of "
                           << length.back();
    for (size_t i = 0; i < length.size(); ++i)
      expected[expected.size() - length.size() + i] = length[i];
  }
  return checkSizes(*this, resultSubject(*this, 0), expected);
}

//===- Normalization ---------------------------------------------------------------------===//

/// Checks operands and results of a batch_norm: `whole` are of the shape of operand 0, all others
/// have one entry a feature. batch_norm_grad_c1 to c5, batch_norm_inference_c1 to c7,
/// batch_norm_training_c1 to c7.
static LogicalResult checkBatchNorm(Operation *op, int64_t featureIndex, ArrayRef<Subject> whole,
                                    ArrayRef<Subject> perFeature) {
  Subject operand = operandSubject(op, 0);
  Dims shape = cast<ShapedType>(operand.type).getShape();
  if (failed(checkDim(op, "feature_index", featureIndex, shape.size(), operand.name)))
    return failure();
  for (const Subject &each : whole)
    if (failed(checkTensor(op, each, operand)))
      return failure();
  int64_t features = shape[featureIndex];
  for (const Subject &each : perFeature) {
    if (failed(checkElements(op, each, operand)) || failed(checkSizes(op, each, features)))
      return failure();
    int64_t size = cast<ShapedType>(each.type).getShape().front();
    features = isDynamic(features) ? size : features;
  }
  return success();
}

LogicalResult BatchNormInferenceOp::verify() {
  return checkBatchNorm(*this, getFeatureIndex(), resultSubject(*this, 0),
                        {operandSubject(*this, 1), operandSubject(*this, 2),
                         operandSubject(*this, 3), operandSubject(*this, 4)});
}

LogicalResult BatchNormTrainingOp::verify() {
  return checkBatchNorm(*this, getFeatureIndex(), resultSubject(*this, 0),
                        {operandSubject(*this, 1), operandSubject(*this, 2),
                         resultSubject(*this, 1), resultSubject(*this, 2)});
}

LogicalResult BatchNormGradOp::verify() {
  return checkBatchNorm(
      *this, getFeatureIndex(), {operandSubject(*this, 4), resultSubject(*this, 0)},
      {operandSubject(*this, 1), operandSubject(*this, 2), operandSubject(*this, 3),
       resultSubject(*this, 1), resultSubject(*this, 2)});
}
