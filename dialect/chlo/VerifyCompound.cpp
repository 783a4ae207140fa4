// Constraints and text of top_k, ragged_dot and scan.

#include "spmd/dialect/chlo/RaggedDims.h"
#include "spmd/dialect/stablehlo/Verify.h"

#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace spmd::chlo;
using namespace spmd::stablehlo;

//===- top_k ---------------------------------------------------------------===//

LogicalResult TopKOp::verify() {
  Dims shape = spmd::stablehlo::shapeOf(getOperand());
  // top_k_c1
  if (shape.empty())
    return emitOpError("operand 0 has rank 0, expected at least 1");
  // top_k_c2
  int64_t k = getK();
  if (k < 0 || (!isDynamic(shape.back()) && k > shape.back()))
    return emitOpError() << "k is " << k << ", the last dim of operand 0 has size " << shape.back();
  // top_k_c3
  SmallVector<int64_t> expected(shape);
  expected.back() = k;
  return failure(failed(checkElements(*this, resultSubject(*this, 0), operandSubject(*this, 0))) ||
                 failed(checkSizes(*this, resultSubject(*this, 0), expected)) ||
                 failed(checkSizes(*this, resultSubject(*this, 1), expected)));
}

//===- ragged_dot ----------------------------------------------------------===//

/// Checks that the dims of `lhs` and `rhs`, paired, have one size.
static LogicalResult checkPairs(RaggedDotOp op, StringRef what, Dims lhsDims, Dims rhsDims) {
  Dims lhs = spmd::stablehlo::shapeOf(op.getLhs()), rhs = spmd::stablehlo::shapeOf(op.getRhs());
  for (auto [left, right] : llvm::zip(lhsDims, rhsDims))
    if (!agree(lhs[left], rhs[right]))
      return op.emitOpError() << what << " dim " << left << " of operand 0 has size " << lhs[left]
                              << ", dim " << right << " of operand 1 has size " << rhs[right];
  return success();
}

static SmallVector<int64_t, 6> joined(Dims a, Dims b, Dims c = {}) {
  SmallVector<int64_t, 6> all(a);
  llvm::append_range(all, b);
  llvm::append_range(all, c);
  return all;
}

/// ragged_dot_c1 to c6: the lists name dims that exist, none twice, and pairs of one size.
static LogicalResult checkDimensionNumbers(RaggedDotOp op) {
  RaggedDotDimensionNumbersAttr numbers = op.getRaggedDotDimensionNumbers();
  int64_t lhsRank = spmd::stablehlo::shapeOf(op.getLhs()).size(),
          rhsRank = spmd::stablehlo::shapeOf(op.getRhs()).size();
  Dims lhsBatching = numbers.getLhsBatchingDimensions(),
       rhsBatching = numbers.getRhsBatchingDimensions(),
       lhsContracting = numbers.getLhsContractingDimensions(),
       rhsContracting = numbers.getRhsContractingDimensions(),
       ragged = numbers.getLhsRaggedDimensions(), group = numbers.getRhsGroupDimensions();
  if (failed(checkCount(op, "lhs_batching_dimensions", lhsBatching.size(), rhsBatching.size(),
                        "rhs_batching_dimensions has")) ||
      failed(checkCount(op, "lhs_contracting_dimensions", lhsContracting.size(),
                        rhsContracting.size(), "rhs_contracting_dimensions has")) ||
      failed(checkDims(op, "list of batching and contracting dims of operand 0",
                       joined(lhsBatching, lhsContracting), lhsRank, "operand 0")) ||
      failed(checkDims(op, "list of batching, contracting and group dims of operand 1",
                       joined(rhsBatching, rhsContracting, group), rhsRank, "operand 1")) ||
      failed(checkPairs(op, "batching", lhsBatching, rhsBatching)) ||
      failed(checkPairs(op, "contracting", lhsContracting, rhsContracting)))
    return failure();
  // ragged_dot_c7
  if (ragged.size() != 1)
    return op.emitOpError() << "lhs_ragged_dimensions has " << ragged.size()
                            << " entries, expected 1";
  return checkDim(op, "lhs_ragged_dimensions", ragged.front(), lhsRank, "operand 0");
}

LogicalResult RaggedDotOp::verify() {
  if (failed(checkDimensionNumbers(*this)))
    return failure();
  RaggedDims dims(*this);
  // ragged_dot_c8
  size_t numGroupDims = getRaggedDotDimensionNumbers().getRhsGroupDimensions().size();
  size_t expectedGroupDims = dims.mode == RaggedDims::Mode::free;
  if (numGroupDims != expectedGroupDims)
    return emitOpError() << "rhs_group_dimensions has " << numGroupDims << " entries, expected "
                         << expectedGroupDims << " where the ragged dim of operand 0 is "
                         << dims.modeName();
  // ragged_dot_c9
  Dims lhs = spmd::stablehlo::shapeOf(getLhs()), rhs = spmd::stablehlo::shapeOf(getRhs());
  Dims sizes = spmd::stablehlo::shapeOf(getGroupSizes());
  if (sizes.size() != 1 && sizes.size() != dims.prefix.size() + 1)
    return emitOpError() << "operand 2 has rank " << sizes.size() << ", expected "
                         << (dims.prefix.empty() ? "" : "1 or ") << dims.prefix.size() + 1;
  for (auto [i, size] : llvm::enumerate(sizes.drop_back()))
    if (!agree(size, lhs[dims.prefix[i]]))
      return emitOpError() << "operand 2 has size " << size << " in dim " << i
                           << ", operand 0 has size " << lhs[dims.prefix[i]] << " in dim "
                           << dims.prefix[i];
  // ragged_dot_c10
  if (dims.mode == RaggedDims::Mode::free && !agree(rhs[dims.group], sizes.back()))
    return emitOpError() << "operand 1 has " << rhs[dims.group] << " groups in dim " << dims.group
                         << ", operand 2 gives the sizes of " << sizes.back();
  // ragged_dot_c11
  std::optional<ArrayAttr> precision = getPrecisionConfig();
  if (precision && !precision->empty() && precision->size() != 2)
    return emitOpError() << "precision_config has " << precision->size()
                         << " entries, the number of operands is 2";
  // ragged_dot_c12
  SmallVector<int64_t> expected;
  if (dims.mode == RaggedDims::Mode::contracting)
    expected.push_back(sizes.back());
  for (int64_t dim : getRaggedDotDimensionNumbers().getLhsBatchingDimensions())
    expected.push_back(lhs[dim]);
  for (int64_t dim : dims.lhsFree)
    expected.push_back(lhs[dim]);
  for (int64_t dim : dims.rhsFree)
    expected.push_back(rhs[dim]);
  return checkSizes(*this, resultSubject(*this, 0), expected);
}

//===- scan ----------------------------------------------------------------===//

ParseResult ScanOp::parse(OpAsmParser &parser, OperationState &state) {
  SmallVector<OpAsmParser::UnresolvedOperand> inputs, inits;
  Properties &properties = state.getOrAddProperties<Properties>();
  FunctionType type;
  if (parser.parseOperandList(inputs, AsmParser::Delimiter::Paren) ||
      parser.parseKeyword("inits") || parser.parseOperandList(inits, AsmParser::Delimiter::Paren) ||
      parser.parseKeyword("dimension") || parser.parseEqual() ||
      parser.parseAttribute(properties.dimension, parser.getBuilder().getI64Type()))
    return failure();
  SMLoc attributesLoc = parser.getCurrentLocation();
  if (parser.parseOptionalAttrDictWithKeyword(state.attributes) ||
      failed(verifyInherentAttrs(state.name, state.attributes,
                                 [&] {
                                   return parser.emitError(attributesLoc)
                                          << "'" << state.name.getStringRef() << "' op ";
                                 })) ||
      parser.parseRegion(*state.addRegion()) || parser.parseColon())
    return failure();
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseType(type))
    return failure();
  if (type.getNumInputs() != inputs.size() + inits.size())
    return parser.emitError(loc) << "type has " << type.getNumInputs() << " operands, expected "
                                 << inputs.size() + inits.size();
  if (type.getNumResults() < inits.size())
    return parser.emitError(loc) << "type has " << type.getNumResults()
                                 << " results, expected a carry for each of " << inits.size()
                                 << " inits";
  auto count = [](size_t n) { return static_cast<int32_t>(n); };
  properties.operandSegmentSizes = {count(inputs.size()), count(inits.size())};
  properties.resultSegmentSizes = {count(type.getNumResults() - inits.size()), count(inits.size())};
  state.addTypes(type.getResults());
  llvm::append_range(inputs, inits);
  return parser.resolveOperands(inputs, type.getInputs(), loc, state.operands);
}

void ScanOp::print(OpAsmPrinter &printer) {
  printer << '(' << getInputs() << ") inits (" << getInits() << ") dimension=" << getDimension();
  SmallVector<StringRef> hidden{"dimension", "operandSegmentSizes", "resultSegmentSizes"};
  if (!getIsReverse())
    hidden.push_back("is_reverse");
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs(), hidden);
  printer << ' ';
  printer.printRegion(getBody());
  printer << " : ";
  printer.printFunctionalType(*this);
}

/// Checks that `subject` is a tensor with the slices of which the scan of `size` steps works, and
/// returns the type of one slice.
static FailureOr<RankedTensorType> sliceType(ScanOp op, const Subject &subject, int64_t &size) {
  auto type = cast<RankedTensorType>(subject.type);
  int64_t dim = op.getDimension();
  if (failed(checkDim(op, "dimension", dim, type.getRank(), subject.name)))
    return failure();
  // scan_c3
  if (!agree(type.getDimSize(dim), size))
    return op.emitOpError() << subject.name << " has size " << type.getDimSize(dim) << " in dim "
                            << dim << ", the scan has " << size << " steps";
  if (isDynamic(size))
    size = type.getDimSize(dim);
  SmallVector<int64_t> shape(type.getShape());
  shape.erase(shape.begin() + dim);
  return RankedTensorType::get(shape, type.getElementType());
}

LogicalResult ScanOp::verify() {
  // scan_c1
  if (getInits().size() != getCarries().size())
    return emitOpError() << "has " << getInits().size() << " inits and " << getCarries().size()
                         << " carries, expected as many";
  // scan_c2
  for (auto [i, init] : llvm::enumerate(getInits()))
    if (failed(checkTensor(*this, resultSubject(*this, getOutputs().size() + i),
                           operandSubject(*this, getInputs().size() + i))))
      return failure();
  // scan_c4
  if (!getScanDimSize() && getInputs().empty() && getOutputs().empty())
    return emitOpError("has no input and no output, and no scan_dim_size that gives its steps");
  if (getScanDimSize() && static_cast<int64_t>(*getScanDimSize()) < 0)
    return emitOpError() << "scan_dim_size is " << static_cast<int64_t>(*getScanDimSize())
                         << ", expected at least 0";
  return success();
}

LogicalResult ScanOp::verifyRegions() {
  int64_t size = getScanDimSize() ? static_cast<int64_t>(*getScanDimSize()) : ShapedType::kDynamic;
  SmallVector<Type> arguments, returned;
  for (size_t i = 0; i < getInputs().size(); ++i) {
    FailureOr<RankedTensorType> slice = sliceType(*this, operandSubject(*this, i), size);
    if (failed(slice))
      return failure();
    arguments.push_back(*slice);
  }
  llvm::append_range(arguments, getInits().getTypes());
  for (size_t i = 0; i < getOutputs().size(); ++i) {
    FailureOr<RankedTensorType> slice = sliceType(*this, resultSubject(*this, i), size);
    if (failed(slice))
      return failure();
    returned.push_back(*slice);
  }
  llvm::append_range(returned, getInits().getTypes());
  // scan_c5, c6
  return checkBody(*this, getBody(), "body", arguments, returned);
}
