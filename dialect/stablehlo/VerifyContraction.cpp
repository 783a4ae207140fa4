// Dot products.

#include "spmd/dialect/stablehlo/Einsum.h"
#include "spmd/dialect/stablehlo/Verify.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace spmd::stablehlo;

LogicalResult spmd::stablehlo::checkPrecision(Operation *op, std::optional<ArrayAttr> precision) {
  if (!precision || precision->empty() || precision->size() == 2)
    return success();
  return op->emitOpError() << "precision_config has " << precision->size()
                           << " entries, the number of operands is 2";
}

//===- dot_general ---------------------------------------------------------===//

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
  // dot_general_c13 to c20; as upstream, c13 does not ask that element types are equal
  if (failed(checkContractionElements(*this)))
    return failure();
  if (std::optional<int64_t> dim = quantizedDimOf(getRhs().getType());
      dim && llvm::is_contained(rhsContracting, *dim))
    return emitOpError() << "operand 1 is quantized along dim " << *dim
                         << ", which is contracted; no one scale is that of a sum";
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

//===- Deprecated forms ----------------------------------------------------===//

LogicalResult DotOp::verify() {
  Dims lhs = shapeOf(getLhs()), rhs = shapeOf(getRhs());
  for (unsigned i : {0, 1})
    if (int64_t rank = shapeOf(getOperand(i)).size(); rank != 1 && rank != 2)
      return emitOpError() << "operand " << i << " has rank " << rank << ", expected 1 or 2";
  if (!agree(lhs.back(), rhs.front()))
    return emitOpError() << "operand 0 has size " << lhs.back()
                         << " in its last dim, operand 1 has size " << rhs.front()
                         << " in its first dim";
  if (failed(checkPrecision(*this, getPrecisionConfig())))
    return failure();
  // Programs mix quantized and other elements in ways that nothing rules; others are as in a
  // dot_general.
  bool isQuantized = llvm::any_of(getOperandTypes(),
                                  [](Type type) { return isTensorOf(type, Quantized | PerAxis); });
  if (!isQuantized && failed(checkContractionElements(*this)))
    return failure();
  SmallVector<int64_t, 2> expected(lhs.drop_back());
  llvm::append_range(expected, rhs.drop_front());
  return checkSizes(*this, resultSubject(*this, 0), expected);
}

/// Checks that a config fits the operands and the result, as far as letters tell: one a dim, and
/// one size a letter.
static LogicalResult checkEinsum(Operation *op, StringRef text) {
  std::optional<EinsumConfig> config = parseEinsum(text);
  if (!config || config->operands.size() != op->getNumOperands())
    return op->emitOpError() << "einsum_config is '" << text << "', expected "
                             << (op->getNumOperands() == 2 ? "such as 'ab,bc->ac'"
                                                           : "such as 'ab->a'");
  llvm::SmallDenseMap<char, int64_t> sizes;
  auto check = [&](const Subject &subject, std::string letters) -> LogicalResult {
    Dims shape = cast<ShapedType>(subject.type).getShape();
    if (!nameEllipsis(letters, shape.size()))
      return op->emitOpError() << "einsum_config has '" << letters << "' for " << subject.name
                               << ", which has rank " << shape.size();
    if (shape.size() != letters.size())
      return op->emitOpError() << "einsum_config names " << letters.size() << " dims for "
                               << subject.name << ", which has rank " << shape.size();
    for (auto [dim, letter] : llvm::enumerate(letters)) {
      auto [known, isNew] = sizes.try_emplace(letter, shape[dim]);
      if (!agree(known->second, shape[dim]))
        return op->emitOpError() << "dim '" << letter << "' has size " << known->second << ", "
                                 << subject.name << " has size " << shape[dim] << " in dim " << dim;
      if (isDynamic(known->second))
        known->second = shape[dim];
    }
    expectSizes(subject, llvm::map_to_vector(letters, [&](char letter) { return sizes[letter]; }));
    return success();
  };
  for (unsigned i = 0; i < op->getNumOperands(); ++i)
    if (failed(check(operandSubject(op, i), config->operands[i])))
      return failure();
  std::string result = config->result;
  Subject subject = resultSubject(op, 0);
  if (nameEllipsis(result, cast<ShapedType>(subject.type).getRank()))
    for (char letter : result)
      if (!sizes.count(letter))
        return op->emitOpError() << "einsum_config has "
                                 << (!llvm::isDigit(letter) ? "'" + std::string(1, letter) + "'"
                                                            : "more dims in '...'")
                                 << " in the result alone";
  return check(subject, config->result);
}

LogicalResult EinsumOp::verify() { return checkEinsum(*this, getEinsumConfig()); }
LogicalResult UnaryEinsumOp::verify() { return checkEinsum(*this, getEinsumConfig()); }
