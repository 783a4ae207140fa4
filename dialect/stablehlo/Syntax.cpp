#include "spmd/dialect/stablehlo/Syntax.h"

using namespace mlir;

namespace spmd::stablehlo {

//===- Lists
//---------------------------------------------------------------------------------------===//

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

//===- Types
//---------------------------------------------------------------------------------------===//

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

//===- Names and numbers
//---------------------------------------------------------------------------===//

/// Parses the name of an enumeration value; `symbolize` tells names, `what` says what is expected.
template <typename EnumAttr, typename Symbolize>
static ParseResult parseName(AsmParser &parser, EnumAttr &attr, Symbolize symbolize,
                             StringRef what) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef name;
  if (succeeded(parser.parseOptionalKeyword(&name))) {
    auto value = symbolize(name);
    if (!value)
      return parser.emitError(loc) << "'" << name << "' is no " << what;
    attr = EnumAttr::get(parser.getContext(), *value);
    return success();
  }
  return parser.parseAttribute(attr); // in full: #stablehlo<precision HIGH>
}

ParseResult parseEnumName(AsmParser &parser, PrecisionAttr &attr) {
  return parseName(
      parser, attr, [](StringRef name) { return symbolizePrecision(name); }, "precision");
}
ParseResult parseEnumName(AsmParser &parser, ComparisonDirectionAttr &attr) {
  return parseName(
      parser, attr, [](StringRef name) { return symbolizeComparisonDirection(name); },
      "comparison direction");
}
ParseResult parseEnumName(AsmParser &parser, ComparisonTypeAttr &attr) {
  return parseName(
      parser, attr, [](StringRef name) { return symbolizeComparisonType(name); },
      "comparison type");
}
void printEnumName(AsmPrinter &printer, Operation *, ComparisonDirectionAttr attr) {
  printer << stringifyComparisonDirection(attr.getValue());
}

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

//===- Slices
//--------------------------------------------------------------------------------------===//

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

//===- Dots
//----------------------------------------------------------------------------------------===//

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

//===- Convolutions
//--------------------------------------------------------------------------------===//

namespace {
/// One side of `[b, 0, 1, f]`: two dims with a letter, and the spatial ones.
struct ConvSide {
  char letters[2];
  int64_t dims[2] = {-1, -1};
  SmallVector<int64_t, 4> spatial = {};
};
/// No dim of a convolution is numbered beyond this in text.
constexpr int64_t maxTextDim = 64;
} // namespace

static ParseResult parseSide(AsmParser &parser, ConvSide &side) {
  SMLoc listLoc = parser.getCurrentLocation();
  int64_t dim = 0;
  auto parseRole = [&]() -> ParseResult {
    SMLoc loc = parser.getCurrentLocation();
    int64_t here = dim++;
    if (dim > maxTextDim)
      return parser.emitError(loc) << "more than " << maxTextDim << " dims";
    if (succeeded(parser.parseOptionalQuestion()))
      return success();
    int64_t number = 0;
    int64_t *slot = nullptr;
    OptionalParseResult digits = parser.parseOptionalInteger(number);
    if (digits.has_value()) {
      if (failed(*digits) || number < 0 || number >= maxTextDim)
        return parser.emitError(loc) << "spatial dim is not within 0 to " << maxTextDim - 1;
      if (side.spatial.size() <= static_cast<size_t>(number))
        side.spatial.resize(number + 1, -1);
      slot = &side.spatial[number];
    } else {
      StringRef letter;
      if (parser.parseKeyword(&letter))
        return failure();
      const char *found =
          letter.size() == 1 ? llvm::find(side.letters, letter[0]) : std::end(side.letters);
      if (found == std::end(side.letters))
        return parser.emitError(loc) << "expected '" << side.letters[0] << "', '" << side.letters[1]
                                     << "', '?' or a number, found '" << letter << "'";
      slot = &side.dims[found - side.letters];
    }
    if (*slot != -1)
      return parser.emitError(loc) << "dim " << here << " has the role of dim " << *slot;
    *slot = here;
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseRole))
    return failure();
  for (int i : {0, 1})
    if (side.dims[i] == -1)
      return parser.emitError(listLoc) << "no dim has role '" << side.letters[i] << "'";
  for (auto [number, place] : llvm::enumerate(side.spatial))
    if (place == -1)
      return parser.emitError(listLoc) << "spatial dim " << number << " is missing";
  return success();
}

ParseResult parseConvolutionDimensions(AsmParser &parser, ConvDimensionNumbersAttr &numbers) {
  ConvSide input{{'b', 'f'}}, kernel{{'i', 'o'}}, output{{'b', 'f'}};
  if (parseSide(parser, input) || parser.parseKeyword("x") || parseSide(parser, kernel) ||
      parser.parseArrow() || parseSide(parser, output))
    return failure();
  numbers = ConvDimensionNumbersAttr::get(
      parser.getContext(), input.dims[0], input.dims[1], input.spatial, kernel.dims[0],
      kernel.dims[1], kernel.spatial, output.dims[0], output.dims[1], output.spatial);
  return success();
}

static std::array<ConvSide, 3> sidesOf(ConvDimensionNumbersAttr numbers) {
  auto side = [](char a, char b, int64_t first, int64_t second, ArrayRef<int64_t> spatial) {
    return ConvSide{{a, b}, {first, second}, llvm::to_vector<4>(spatial)};
  };
  return {side('b', 'f', numbers.getInputBatchDimension(), numbers.getInputFeatureDimension(),
               numbers.getInputSpatialDimensions()),
          side('i', 'o', numbers.getKernelInputFeatureDimension(),
               numbers.getKernelOutputFeatureDimension(), numbers.getKernelSpatialDimensions()),
          side('b', 'f', numbers.getOutputBatchDimension(), numbers.getOutputFeatureDimension(),
               numbers.getOutputSpatialDimensions())};
}

/// Fills in what to write for each dim; false if a dim is out of range or has two roles.
static bool rolesOf(const ConvSide &side, SmallVectorImpl<std::string> &roles) {
  auto place = [&](int64_t dim, std::string role) {
    if (dim < 0 || dim >= maxTextDim)
      return false;
    if (roles.size() <= static_cast<size_t>(dim))
      roles.resize(dim + 1, "?");
    if (roles[dim] != "?")
      return false;
    roles[dim] = std::move(role);
    return true;
  };
  for (auto [number, dim] : llvm::enumerate(side.spatial))
    if (!place(dim, std::to_string(number)))
      return false;
  return place(side.dims[0], {side.letters[0]}) && place(side.dims[1], {side.letters[1]});
}

bool hasConvolutionText(ConvDimensionNumbersAttr numbers) {
  return llvm::all_of(sidesOf(numbers), [](const ConvSide &side) {
    SmallVector<std::string, 6> roles;
    return rolesOf(side, roles);
  });
}

void printConvolutionDimensions(AsmPrinter &printer, Operation *,
                                ConvDimensionNumbersAttr numbers) {
  StringRef separators[] = {"", "x", "->"};
  for (auto [separator, side] : llvm::zip(separators, sidesOf(numbers))) {
    SmallVector<std::string, 6> roles;
    (void)rolesOf(side, roles);
    printer << separator << '[';
    llvm::interleaveComma(roles, printer.getStream());
    printer << ']';
  }
}

/// Parses `[[1, 1], [1, 1]]` into a table of two columns.
static ParseResult parsePadding(OpAsmParser &parser, DenseIntElementsAttr &padding) {
  SmallVector<int64_t, 8> values;
  auto parseRow = [&]() -> ParseResult {
    SMLoc loc = parser.getCurrentLocation();
    size_t before = values.size();
    if (parseDims(parser, values))
      return failure();
    if (values.size() - before != 2)
      return parser.emitError(loc)
             << "padding of a dim has " << values.size() - before << " numbers; expected 2";
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseRow))
    return failure();
  auto type = RankedTensorType::get({static_cast<int64_t>(values.size() / 2), 2},
                                    parser.getBuilder().getI64Type());
  padding = DenseIntElementsAttr::get(type, values);
  return success();
}

static ParseResult parseBools(OpAsmParser &parser, DenseBoolArrayAttr &attr) {
  SmallVector<bool, 4> values;
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&]() -> ParseResult {
        if (succeeded(parser.parseOptionalKeyword("true")))
          return values.push_back(true), success();
        if (succeeded(parser.parseOptionalKeyword("false")))
          return values.push_back(false), success();
        int64_t number = 0;
        if (parser.parseInteger(number))
          return failure();
        values.push_back(number != 0);
        return success();
      }))
    return failure();
  attr = parser.getBuilder().getDenseBoolArrayAttr(values);
  return success();
}

ParseResult parseWindowAttributes(OpAsmParser &parser, DenseI64ArrayAttr &strides,
                                  DenseIntElementsAttr &padding, DenseI64ArrayAttr &lhsDilation,
                                  DenseI64ArrayAttr &rhsDilation, DenseBoolArrayAttr &reversal) {
  auto parseArray = [&](DenseI64ArrayAttr &attr) -> ParseResult {
    SmallVector<int64_t, 4> values;
    if (parseDims(parser, values))
      return failure();
    attr = parser.getBuilder().getDenseI64ArrayAttr(values);
    return success();
  };
  StringRef key;
  SMLoc loc = parser.getCurrentLocation();
  if (failed(parser.parseOptionalKeyword(&key)))
    return success();
  while (true) {
    bool isKnown = key == "stride" || key == "pad" || key == "lhs_dilate" || key == "rhs_dilate" ||
                   key == "reverse";
    bool isSecond = (key == "stride" && strides) || (key == "pad" && padding) ||
                    (key == "lhs_dilate" && lhsDilation) || (key == "rhs_dilate" && rhsDilation) ||
                    (key == "reverse" && reversal);
    if (!isKnown || isSecond)
      return parser.emitError(loc)
             << "window key '" << key << (isKnown ? "' occurs twice" : "' is unknown");
    if (parser.parseEqual() || (key == "stride"       ? parseArray(strides)
                                : key == "pad"        ? parsePadding(parser, padding)
                                : key == "lhs_dilate" ? parseArray(lhsDilation)
                                : key == "rhs_dilate" ? parseArray(rhsDilation)
                                                      : parseBools(parser, reversal)))
      return failure();
    if (failed(parser.parseOptionalComma()))
      return success();
    loc = parser.getCurrentLocation();
    if (parser.parseKeyword(&key))
      return failure();
  }
}

void printWindowAttributes(OpAsmPrinter &printer, Operation *, DenseI64ArrayAttr strides,
                           DenseIntElementsAttr padding, DenseI64ArrayAttr lhsDilation,
                           DenseI64ArrayAttr rhsDilation, DenseBoolArrayAttr reversal) {
  bool first = true;
  auto start = [&](StringRef key) {
    printer << (std::exchange(first, false) ? "" : ", ") << key << " = ";
  };
  auto printArray = [&](StringRef key, DenseI64ArrayAttr attr) {
    if (!attr)
      return;
    start(key);
    printDims(printer, attr.asArrayRef());
  };
  printArray("stride", strides);
  if (padding) {
    start("pad");
    auto values = padding.getValues<int64_t>();
    printer << '[';
    int64_t columns = padding.getType().getDimSize(1);
    for (int64_t row = 0, rows = padding.getType().getDimSize(0); row < rows; ++row) {
      printer << (row ? ", [" : "[");
      for (int64_t column = 0; column < columns; ++column)
        printer << (column ? ", " : "") << values[row * columns + column];
      printer << ']';
    }
    printer << ']';
  }
  printArray("lhs_dilate", lhsDilation);
  printArray("rhs_dilate", rhsDilation);
  if (reversal) {
    start("reverse");
    printer << '[';
    llvm::interleaveComma(reversal.asArrayRef(), printer,
                          [&](bool value) { printer << (value ? "true" : "false"); });
    printer << ']';
  }
}

//===- Calls
//---------------------------------------------------------------------------------------===//

ParseResult parseCustomCallTarget(OpAsmParser &parser, StringAttr &target) {
  return parser.parseSymbolName(target);
}
void printCustomCallTarget(OpAsmPrinter &printer, Operation *, StringAttr target) {
  printer.printSymbolName(target.getValue());
}

} // namespace spmd::stablehlo
