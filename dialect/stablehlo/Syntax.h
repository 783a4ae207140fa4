// The pieces of text that several op forms share: parsers and printers behind `custom<...>` in the
// `.td` files. Each printer writes what its parser reads.
#pragma once

#include "spmd/dialect/stablehlo/Dialect.h"

namespace spmd::stablehlo {

using Operand = mlir::OpAsmParser::UnresolvedOperand;

//===- Lists ---------------------------------------------------------------===//

/// `[0, 1]`.
mlir::ParseResult parseDims(mlir::AsmParser &parser, llvm::SmallVectorImpl<int64_t> &dims);
void printDims(mlir::AsmPrinter &printer, llvm::ArrayRef<int64_t> dims);

/// ` %a, %b,`: operands before more text, each with its comma.
mlir::ParseResult parseOperandsWithCommas(mlir::OpAsmParser &parser,
                                          llvm::SmallVectorImpl<Operand> &operands);
void printOperandsWithCommas(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                             mlir::OperandRange operands);

//===- Types ---------------------------------------------------------------===//

/// `T` where all operands and the result, listed in `types` in this order, have type T, and a
/// function type elsewhere.
mlir::ParseResult parseSameTypes(mlir::OpAsmParser &parser, llvm::ArrayRef<mlir::Type *> types);
void printSameTypes(mlir::OpAsmPrinter &printer, llvm::ArrayRef<mlir::Type> types);

template <typename... Types>
mlir::ParseResult parseSameOperandsAndResultType(mlir::OpAsmParser &parser, Types &...types) {
  return parseSameTypes(parser, {&types...});
}
template <typename... Types>
void printSameOperandsAndResultType(mlir::OpAsmPrinter &printer, mlir::Operation *,
                                    Types... types) {
  printSameTypes(printer, {types...});
}

/// The complex result type; a function type where the operands do not follow from it.
mlir::ParseResult parseComplexType(mlir::OpAsmParser &parser, mlir::Type &lhs, mlir::Type &rhs,
                                   mlir::Type &result);
void printComplexType(mlir::OpAsmPrinter &printer, mlir::Operation *op, mlir::Type lhs,
                      mlir::Type rhs, mlir::Type result);

/// The types of predicate and result; a function type where the values' types differ from the
/// result's.
mlir::ParseResult parseSelectType(mlir::OpAsmParser &parser, mlir::Type &pred, mlir::Type &onTrue,
                                  mlir::Type &onFalse, mlir::Type &result);
void printSelectType(mlir::OpAsmPrinter &printer, mlir::Operation *op, mlir::Type pred,
                     mlir::Type onTrue, mlir::Type onFalse, mlir::Type result);

/// `T1, T2`: as many operands as results, of the same types.
mlir::ParseResult parsePairwiseTypes(mlir::OpAsmParser &parser,
                                     llvm::SmallVectorImpl<mlir::Type> &operands,
                                     llvm::SmallVectorImpl<mlir::Type> &results);
void printPairwiseTypes(mlir::OpAsmPrinter &printer, mlir::Operation *op, mlir::TypeRange operands,
                        mlir::TypeRange results);

/// The tuple of the operands; a function type where that is not the result.
mlir::ParseResult parseTupleTypes(mlir::OpAsmParser &parser,
                                  llvm::SmallVectorImpl<mlir::Type> &operands, mlir::Type &result);
void printTupleTypes(mlir::OpAsmPrinter &printer, mlir::Operation *op, mlir::TypeRange operands,
                     mlir::Type result);

/// The one type of all `inputs` and the result, which are tokens; a function type, too.
mlir::ParseResult parseTokenTypes(mlir::OpAsmParser &parser, llvm::ArrayRef<Operand> inputs,
                                  llvm::SmallVectorImpl<mlir::Type> &operands, mlir::Type &result);
void printTokenTypes(mlir::OpAsmPrinter &printer, mlir::Operation *op, mlir::OperandRange inputs,
                     mlir::TypeRange operands, mlir::Type result);

//===- Attributes ----------------------------------------------------------===//

/// The name of an enumeration attribute: `LT`; in full, `#stablehlo<comparison_direction LT>`, too.
template <typename EnumAttr>
mlir::ParseResult parseEnumName(mlir::AsmParser &parser, EnumAttr &attr) {
  using Enum = decltype(attr.getValue());
  llvm::SMLoc loc = parser.getCurrentLocation();
  llvm::StringRef name;
  if (failed(parser.parseOptionalKeyword(&name)))
    return parser.parseAttribute(attr); // In full: #stablehlo<precision HIGH>.
  std::optional<Enum> value = symbolizeEnum<Enum>(name);
  if (!value) {
    std::string what = EnumAttr::getMnemonic().str();
    std::replace(what.begin(), what.end(), '_', ' ');
    return parser.emitError(loc) << "'" << name << "' is no " << what;
  }
  attr = EnumAttr::get(parser.getContext(), *value);
  return mlir::success();
}
template <typename EnumAttr>
void printEnumName(mlir::AsmPrinter &printer, mlir::Operation *, EnumAttr attr) {
  printer << stringifyEnum(attr.getValue());
}

/// `, FLOAT`, or nothing.
mlir::ParseResult parseComparisonType(mlir::OpAsmParser &parser, ComparisonTypeAttr &attr);
void printComparisonType(mlir::OpAsmPrinter &printer, mlir::Operation *op, ComparisonTypeAttr attr);

/// `e5m10`.
mlir::ParseResult parseExponentMantissa(mlir::OpAsmParser &parser, mlir::IntegerAttr &exponent,
                                        mlir::IntegerAttr &mantissa);
void printExponentMantissa(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                           mlir::IntegerAttr exponent, mlir::IntegerAttr mantissa);

/// `[1:3, 4:8:2]`: start, limit, and stride if not 1.
mlir::ParseResult parseSliceRanges(mlir::OpAsmParser &parser, mlir::DenseI64ArrayAttr &start,
                                   mlir::DenseI64ArrayAttr &limit,
                                   mlir::DenseI64ArrayAttr &strides);
void printSliceRanges(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                      mlir::DenseI64ArrayAttr start, mlir::DenseI64ArrayAttr limit,
                      mlir::DenseI64ArrayAttr strides);

/// `batching_dims = [0] x [0], contracting_dims = [2] x [1]`, the first part only if not empty.
mlir::ParseResult parseDotDimensionNumbers(mlir::OpAsmParser &parser,
                                           DotDimensionNumbersAttr &numbers);
void printDotDimensionNumbers(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                              DotDimensionNumbersAttr numbers);

/// `, precision = [DEFAULT, DEFAULT]`, or nothing.
mlir::ParseResult parsePrecisionConfig(mlir::OpAsmParser &parser, mlir::ArrayAttr &precision);
void printPrecisionConfig(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                          mlir::ArrayAttr precision);

/// `, precision = [DEFAULT, DEFAULT], algorithm = <...>`, each optional.
mlir::ParseResult parsePrecisionConfigAndAlgorithm(mlir::OpAsmParser &parser,
                                                   mlir::ArrayAttr &precision,
                                                   DotAlgorithmAttr &algorithm);
void printPrecisionConfigAndAlgorithm(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                                      mlir::ArrayAttr precision, DotAlgorithmAttr algorithm);

/// `[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]`; `?` is a dim without a role.
mlir::ParseResult parseConvolutionDimensions(mlir::AsmParser &parser,
                                             ConvDimensionNumbersAttr &numbers);
void printConvolutionDimensions(mlir::AsmPrinter &printer, mlir::Operation *op,
                                ConvDimensionNumbersAttr numbers);
/// Returns whether `numbers` can be written so: no dim has two roles, none is negative or far out.
bool hasConvolutionText(ConvDimensionNumbersAttr numbers);

/// `stride = [1, 1], pad = [[1, 1], [1, 1]], ...`: what is given, in any order.
mlir::ParseResult parseWindowAttributes(mlir::OpAsmParser &parser, mlir::DenseI64ArrayAttr &strides,
                                        mlir::DenseIntElementsAttr &padding,
                                        mlir::DenseI64ArrayAttr &lhsDilation,
                                        mlir::DenseI64ArrayAttr &rhsDilation,
                                        mlir::DenseBoolArrayAttr &reversal);
void printWindowAttributes(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                           mlir::DenseI64ArrayAttr strides, mlir::DenseIntElementsAttr padding,
                           mlir::DenseI64ArrayAttr lhsDilation, mlir::DenseI64ArrayAttr rhsDilation,
                           mlir::DenseBoolArrayAttr reversal);

/// `@target`.
mlir::ParseResult parseCustomCallTarget(mlir::OpAsmParser &parser, mlir::StringAttr &target);
void printCustomCallTarget(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                           mlir::StringAttr target);

} // namespace spmd::stablehlo
