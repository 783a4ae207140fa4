// Text of the attributes.

#include "spmd/dialect/chlo/Dialect.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace spmd::chlo;

#include "spmd/dialect/chlo/Enums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "spmd/dialect/chlo/Attributes.cpp.inc"

void ChloDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "spmd/dialect/chlo/Attributes.cpp.inc"
      >();
}

/// The lists of a RaggedDotDimensionNumbersAttr, in the order of its parameters.
static constexpr StringLiteral fieldNames[] = {
    "lhs_batching_dimensions",    "rhs_batching_dimensions", "lhs_contracting_dimensions",
    "rhs_contracting_dimensions", "lhs_ragged_dimensions",   "rhs_group_dimensions"};
static constexpr size_t numFields = std::size(fieldNames);

Attribute RaggedDotDimensionNumbersAttr::parse(AsmParser &parser, Type) {
  SmallVector<int64_t> lists[numFields];
  bool isSeen[numFields] = {};
  auto parseField = [&]() -> ParseResult {
    SMLoc loc = parser.getCurrentLocation();
    StringRef name;
    if (parser.parseKeyword(&name) || parser.parseEqual())
      return failure();
    size_t field = llvm::find(fieldNames, name) - std::begin(fieldNames);
    if (field == numFields)
      return parser.emitError(loc) << "unknown field '" << name << "'";
    if (std::exchange(isSeen[field], true))
      return parser.emitError(loc) << "field '" << name << "' occurs twice";
    return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
      return parser.parseInteger(lists[field].emplace_back());
    });
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater, parseField))
    return {};
  return get(parser.getContext(), lists[0], lists[1], lists[2], lists[3], lists[4], lists[5]);
}

void RaggedDotDimensionNumbersAttr::print(AsmPrinter &printer) const {
  const ArrayRef<int64_t> lists[numFields] = {
      getLhsBatchingDimensions(),    getRhsBatchingDimensions(), getLhsContractingDimensions(),
      getRhsContractingDimensions(), getLhsRaggedDimensions(),   getRhsGroupDimensions()};
  printer << '<';
  bool isFirst = true;
  for (auto [name, list] : llvm::zip(fieldNames, lists)) {
    if (list.empty())
      continue;
    printer << (isFirst ? "" : ", ") << name << " = [";
    llvm::interleaveComma(list, printer.getStream());
    printer << ']';
    isFirst = false;
  }
  printer << '>';
}
