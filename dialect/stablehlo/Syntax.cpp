#include "spmd/dialect/stablehlo/Syntax.h"

using namespace mlir;

namespace spmd::stablehlo {

//===- Lists ---------------------------------------------------------------===//

ParseResult parseDims(AsmParser &parser, SmallVectorImpl<int64_t> &dims) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                        [&] { return parser.parseInteger(dims.emplace_back()); });
}

void printDims(AsmPrinter &printer, ArrayRef<int64_t> dims) {
  printer << '[';
  llvm::interleaveComma(dims, printer.getStream());
  printer << ']';
}

ParseResult parseOperandsWithCommas(OpAsmParser &parser, SmallVectorImpl<Operand> &operands) {
  while (true) {
    Operand operand;
    OptionalParseResult result = parser.parseOptionalOperand(operand);
    if (!result.has_value())
      return success();
    if (failed(*result) || parser.parseComma())
      return failure();
    operands.push_back(operand);
  }
}

void printOperandsWithCommas(OpAsmPrinter &printer, Operation *, OperandRange operands) {
  for (Value operand : operands)
    printer << ' ' << operand << ',';
}

//===- Types ---------------------------------------------------------------===//

/// Takes the types from a function type, which has one result and as many inputs as there are
/// operands.
static ParseResult takeFunctionType(OpAsmParser &parser, SMLoc loc, FunctionType function,
                                    ArrayRef<Type *> types) {
  if (function.getNumInputs() != types.size() - 1 || function.getNumResults() != 1)
    return parser.emitError(loc) << "function type has " << function.getNumInputs()
                                 << " inputs and " << function.getNumResults()
                                 << " results, the op has " << types.size() - 1
                                 << " operands and 1 result";
  for (auto [type, input] : llvm::zip(types.drop_back(), function.getInputs()))
    *type = input;
  *types.back() = function.getResult(0);
  return success();
}

ParseResult parseSameTypes(OpAsmParser &parser, ArrayRef<Type *> types) {
  SMLoc loc = parser.getCurrentLocation();
  Type type;
  if (parser.parseType(type))
    return failure();
  if (auto function = dyn_cast<FunctionType>(type))
    return takeFunctionType(parser, loc, function, types);
  for (Type *each : types)
    *each = type;
  return success();
}

static void printFunctionType(OpAsmPrinter &printer, ArrayRef<Type> types) {
  printer.printFunctionalType(types.drop_back(), types.take_back());
}

void printSameTypes(OpAsmPrinter &printer, ArrayRef<Type> types) {
  if (llvm::all_equal(types))
    printer << types.front();
  else
    printFunctionType(printer, types);
}

/// The type of the real and of the imaginary part of `result`, null if it is not a complex tensor.
static Type partType(Type result) {
  auto tensor = dyn_cast<RankedTensorType>(result);
  auto complex = tensor ? dyn_cast<ComplexType>(tensor.getElementType()) : ComplexType();
  return complex ? tensor.clone(complex.getElementType()) : Type();
}

ParseResult parseComplexType(OpAsmParser &parser, Type &lhs, Type &rhs, Type &result) {
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseType(result))
    return failure();
  if (auto function = dyn_cast<FunctionType>(result))
    return takeFunctionType(parser, loc, function, {&lhs, &rhs, &result});
  lhs = rhs = partType(result);
  if (!lhs)
    return parser.emitError(loc) << "expected a tensor of complex type, found " << result;
  return success();
}

void printComplexType(OpAsmPrinter &printer, Operation *, Type lhs, Type rhs, Type result) {
  Type part = partType(result);
  if (lhs == part && rhs == part)
    printer << result;
  else
    printFunctionType(printer, {lhs, rhs, result});
}

ParseResult parseSelectType(OpAsmParser &parser, Type &pred, Type &onTrue, Type &onFalse,
                            Type &result) {
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseType(pred))
    return failure();
  if (auto function = dyn_cast<FunctionType>(pred))
    return takeFunctionType(parser, loc, function, {&pred, &onTrue, &onFalse, &result});
  if (parser.parseComma() || parser.parseType(result))
    return failure();
  onTrue = onFalse = result;
  return success();
}

void printSelectType(OpAsmPrinter &printer, Operation *, Type pred, Type onTrue, Type onFalse,
                     Type result) {
  if (onTrue == result && onFalse == result)
    printer << pred << ", " << result;
  else
    printFunctionType(printer, {pred, onTrue, onFalse, result});
}

ParseResult parsePairwiseTypes(OpAsmParser &parser, SmallVectorImpl<Type> &operands,
                               SmallVectorImpl<Type> &results) {
  if (parser.parseTypeList(operands))
    return failure();
  results.assign(operands.begin(), operands.end());
  return success();
}

void printPairwiseTypes(OpAsmPrinter &printer, Operation *, TypeRange operands, TypeRange) {
  llvm::interleaveComma(operands, printer);
}

//===- Names and numbers ---------------------------------------------------===//

ParseResult parseComparisonType(OpAsmParser &parser, ComparisonTypeAttr &attr) {
  return failed(parser.parseOptionalComma()) ? success() : parseEnumName(parser, attr);
}
void printComparisonType(OpAsmPrinter &printer, Operation *, ComparisonTypeAttr attr) {
  if (attr)
    printer << ", " << stringifyComparisonType(attr.getValue());
}

ParseResult parseExponentMantissa(OpAsmParser &parser, IntegerAttr &exponent,
                                  IntegerAttr &mantissa) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef text;
  if (parser.parseKeyword(&text))
    return failure();
  int32_t exponentBits = 0, mantissaBits = 0;
  auto [left, right] = text.split('m');
  if (!left.consume_front("e") || left.getAsInteger(10, exponentBits) ||
      right.getAsInteger(10, mantissaBits))
    return parser.emitError(loc) << "expected a format such as e5m10, found '" << text << "'";
  exponent = parser.getBuilder().getI32IntegerAttr(exponentBits);
  mantissa = parser.getBuilder().getI32IntegerAttr(mantissaBits);
  return success();
}

void printExponentMantissa(OpAsmPrinter &printer, Operation *, IntegerAttr exponent,
                           IntegerAttr mantissa) {
  printer << 'e' << exponent.getInt() << 'm' << mantissa.getInt();
}

//===- Slices --------------------------------------------------------------===//

ParseResult parseSliceRanges(OpAsmParser &parser, DenseI64ArrayAttr &start,
                             DenseI64ArrayAttr &limit, DenseI64ArrayAttr &strides) {
  SmallVector<int64_t, 6> starts, limits, steps;
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&]() -> ParseResult {
        if (parser.parseInteger(starts.emplace_back()) || parser.parseColon() ||
            parser.parseInteger(limits.emplace_back()))
          return failure();
        steps.push_back(1);
        return failed(parser.parseOptionalColon()) ? success() : parser.parseInteger(steps.back());
      }))
    return failure();
  Builder &builder = parser.getBuilder();
  start = builder.getDenseI64ArrayAttr(starts);
  limit = builder.getDenseI64ArrayAttr(limits);
  strides = builder.getDenseI64ArrayAttr(steps);
  return success();
}

void printSliceRanges(OpAsmPrinter &printer, Operation *, DenseI64ArrayAttr start,
                      DenseI64ArrayAttr limit, DenseI64ArrayAttr strides) {
  printer << '[';
  llvm::interleaveComma(llvm::zip(start.asArrayRef(), limit.asArrayRef(), strides.asArrayRef()),
                        printer, [&](auto range) {
                          auto [from, to, step] = range;
                          printer << from << ':' << to;
                          if (step != 1)
                            printer << ':' << step;
                        });
  printer << ']';
}

//===- Dots ----------------------------------------------------------------===//

ParseResult parseDotDimensionNumbers(OpAsmParser &parser, DotDimensionNumbersAttr &numbers) {
  SmallVector<int64_t, 4> lhsBatching, rhsBatching, lhsContracting, rhsContracting;
  auto parsePair = [&](SmallVectorImpl<int64_t> &lhs,
                       SmallVectorImpl<int64_t> &rhs) -> ParseResult {
    return failure(parser.parseEqual() || parseDims(parser, lhs) || parser.parseKeyword("x") ||
                   parseDims(parser, rhs));
  };
  if (succeeded(parser.parseOptionalKeyword("batching_dims")) &&
      (parsePair(lhsBatching, rhsBatching) || parser.parseComma()))
    return failure();
  if (parser.parseKeyword("contracting_dims") || parsePair(lhsContracting, rhsContracting))
    return failure();
  numbers = DotDimensionNumbersAttr::get(parser.getContext(), lhsBatching, rhsBatching,
                                         lhsContracting, rhsContracting);
  return success();
}

void printDotDimensionNumbers(OpAsmPrinter &printer, Operation *, DotDimensionNumbersAttr numbers) {
  auto printPair = [&](StringRef name, ArrayRef<int64_t> lhs, ArrayRef<int64_t> rhs) {
    printer << name << " = ";
    printDims(printer, lhs);
    printer << " x ";
    printDims(printer, rhs);
  };
  if (!numbers.getLhsBatchingDimensions().empty() || !numbers.getRhsBatchingDimensions().empty()) {
    printPair("batching_dims", numbers.getLhsBatchingDimensions(),
              numbers.getRhsBatchingDimensions());
    printer << ", ";
  }
  printPair("contracting_dims", numbers.getLhsContractingDimensions(),
            numbers.getRhsContractingDimensions());
}

static ParseResult parsePrecisions(OpAsmParser &parser, ArrayAttr &precision) {
  SmallVector<Attribute, 2> list;
  if (parser.parseEqual() ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&]() -> ParseResult {
        PrecisionAttr attr;
        if (parseEnumName(parser, attr))
          return failure();
        list.push_back(attr);
        return success();
      }))
    return failure();
  precision = parser.getBuilder().getArrayAttr(list);
  return success();
}

ParseResult parsePrecisionConfig(OpAsmParser &parser, ArrayAttr &precision) {
  if (failed(parser.parseOptionalComma()))
    return success();
  return failure(parser.parseKeyword("precision") || parsePrecisions(parser, precision));
}

void printPrecisionConfig(OpAsmPrinter &printer, Operation *, ArrayAttr precision) {
  if (!precision)
    return;
  printer << ", precision = [";
  llvm::interleaveComma(precision, printer, [&](Attribute each) {
    printer << stringifyPrecision(cast<PrecisionAttr>(each).getValue());
  });
  printer << ']';
}

ParseResult parsePrecisionConfigAndAlgorithm(OpAsmParser &parser, ArrayAttr &precision,
                                             DotAlgorithmAttr &algorithm) {
  if (failed(parser.parseOptionalComma()))
    return success();
  if (succeeded(parser.parseOptionalKeyword("precision"))) {
    if (parsePrecisions(parser, precision))
      return failure();
    if (failed(parser.parseOptionalComma()))
      return success();
  }
  return failure(parser.parseKeyword("algorithm") || parser.parseEqual() ||
                 parser.parseCustomAttributeWithFallback(algorithm));
}

void printPrecisionConfigAndAlgorithm(OpAsmPrinter &printer, Operation *op, ArrayAttr precision,
                                      DotAlgorithmAttr algorithm) {
  printPrecisionConfig(printer, op, precision);
  if (algorithm) {
    printer << ", algorithm = ";
    printer.printStrippedAttrOrType(algorithm);
  }
}

//===- Calls ---------------------------------------------------------------===//

ParseResult parseCustomCallTarget(OpAsmParser &parser, StringAttr &target) {
  return parser.parseSymbolName(target);
}
void printCustomCallTarget(OpAsmPrinter &printer, Operation *, StringAttr target) {
  printer.printSymbolName(target.getValue());
}

} // namespace spmd::stablehlo
