// Text of convolutions: the roles of the dims and the window.

#include "spmd/dialect/stablehlo/Syntax.h"

using namespace mlir;

namespace spmd::stablehlo {

//===- Roles of dims -------------------------------------------------------===//

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

//===- Windows -------------------------------------------------------------===//

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

} // namespace spmd::stablehlo
