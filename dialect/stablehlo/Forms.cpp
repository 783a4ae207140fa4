// Ops whose whole text is written by hand: constant, reduce, while. Also builders and folders.

#include "spmd/dialect/stablehlo/Syntax.h"

using namespace mlir;
using namespace spmd::stablehlo;

//===- constant ------------------------------------------------------------===//

void ConstantOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), isa<IntegerType>(getType().getElementType()) ? "c" : "cst");
}

void ConstantOp::build(OpBuilder &, OperationState &state, ElementsAttr value) {
  state.getOrAddProperties<Properties>().value = value;
  state.addTypes(value.getShapedType());
}

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValue(); }

/// `{attrs} dense<..> : type`, or `() {attrs with value} : () -> type` where the value's type is
/// not the result's (quantized).
ParseResult ConstantOp::parse(OpAsmParser &parser, OperationState &state) {
  if (succeeded(parser.parseOptionalLParen())) {
    auto setValue = [&](DictionaryAttr dict) -> LogicalResult {
      auto value = dict ? dict.getAs<ElementsAttr>("value") : ElementsAttr();
      if (!value)
        return failure();
      state.getOrAddProperties<Properties>().value = value;
      return success();
    };
    SMLoc loc;
    Attribute properties;
    FunctionType type;
    if (parser.parseRParen())
      return failure();
    loc = parser.getCurrentLocation();
    if (succeeded(parser.parseOptionalLess())) {
      if (parser.parseAttribute(properties) || parser.parseGreater() ||
          failed(setValue(dyn_cast<DictionaryAttr>(properties))))
        return parser.emitError(loc) << "expected a dictionary with an elements attribute 'value'";
    }
    if (parser.parseOptionalAttrDict(state.attributes))
      return failure();
    if (!properties) {
      auto value = dyn_cast_if_present<ElementsAttr>(state.attributes.erase("value"));
      if (!value)
        return parser.emitError(loc) << "expected an elements attribute 'value'";
      state.getOrAddProperties<Properties>().value = value;
    }
    if (parser.parseColonType(type))
      return failure();
    if (type.getNumInputs() != 0 || type.getNumResults() != 1)
      return parser.emitError(loc) << "expected no inputs and one result";
    state.addTypes(type.getResult(0));
    return success();
  }
  ElementsAttr value;
  if (parser.parseOptionalAttrDict(state.attributes) || parser.parseAttribute(value))
    return failure();
  state.getOrAddProperties<Properties>().value = value;
  state.addTypes(value.getShapedType());
  return success();
}

/// Prints the next elements of a constant, as many as `shape` has, in lists of lists.
static void printList(OpAsmPrinter &printer, DenseElementsAttr::iterator<bool> &next,
                      ArrayRef<int64_t> shape) {
  if (shape.empty()) {
    printer << (*next++ ? "true" : "false");
    return;
  }
  printer << '[';
  for (int64_t i = 0; i < shape[0]; ++i) {
    if (i > 0)
      printer << ", ";
    printList(printer, next, shape.drop_front());
  }
  printer << ']';
}

/// Prints the elements of a constant. Booleans never in hexadecimal, as `dense<..>` has many of any
/// type: how these are packed depends on the version of MLIR that reads them, words do not.
static void printValue(OpAsmPrinter &printer, ElementsAttr value) {
  auto booleans = dyn_cast<DenseIntElementsAttr>(value);
  if (!booleans || !booleans.getElementType().isInteger(1) || booleans.isSplat() ||
      booleans.empty() || OpPrintingFlags().shouldElideElementsAttr(value)) {
    printer << value;
    return;
  }
  auto next = booleans.value_begin<bool>();
  printer << "dense<";
  printList(printer, next, booleans.getType().getShape());
  printer << "> : " << booleans.getType();
}

void ConstantOp::print(OpAsmPrinter &printer) {
  if (getValue().getShapedType() != getType()) {
    printer << "() <{value = " << getValueAttr() << "}>";
    printer.printOptionalAttrDict((*this)->getDiscardableAttrDictionary().getValue());
    printer << " : () -> " << getType();
    return;
  }
  printer.printOptionalAttrDict((*this)->getDiscardableAttrDictionary().getValue());
  printer << ' ';
  printValue(printer, getValue());
}

//===- reduce --------------------------------------------------------------===//

/// Returns the op that `body` consists of if the compact form can say it: one commutative op of
/// this dialect on both arguments in order, without attributes, on the element type of the input.
static Operation *compactOp(ReduceOp reduce) {
  if (reduce.getInputs().size() != 1 || !llvm::hasSingleElement(reduce.getBody()))
    return nullptr;
  Block &block = reduce.getBody().front();
  if (block.getNumArguments() != 2 || !llvm::hasNItems(block, 2))
    return nullptr;
  Operation &op = block.front(), &end = block.back();
  auto input = dyn_cast<RankedTensorType>(reduce.getInputs()[0].getType());
  if (!input || !isa<ReturnOp>(end))
    return nullptr;
  auto scalar = RankedTensorType::get({}, input.getElementType());
  bool isPlain = op.hasTrait<OpTrait::IsCommutative>() && op.getDialect() == reduce->getDialect() &&
                 op.getNumOperands() == 2 && op.getNumResults() == 1 && op.getAttrs().empty() &&
                 op.getOperand(0) == block.getArgument(0) &&
                 op.getOperand(1) == block.getArgument(1) && end.getAttrs().empty() &&
                 end.getNumOperands() == 1 && end.getOperand(0) == op.getResult(0);
  auto isScalar = [&](Type type) { return type == scalar; };
  return isPlain && llvm::all_of(op.getOperandTypes(), isScalar) &&
                 isScalar(op.getResult(0).getType())
             ? &op
             : nullptr;
}

void ReduceOp::print(OpAsmPrinter &printer) {
  llvm::interleaveComma(llvm::zip(getInputs(), getInitValues()), printer, [&](auto pair) {
    printer << '(' << std::get<0>(pair) << " init: " << std::get<1>(pair) << ')';
  });
  Operation *compact = compactOp(*this);
  if (compact)
    printer << " applies " << compact->getName().getStringRef();
  printer << " across dimensions = ";
  printDims(printer, getDimensions());
  printer.printOptionalAttrDict((*this)->getAttrs(), {"dimensions"});
  printer << " : ";
  printer.printFunctionalType(*this);
  if (compact)
    return;
  printer.printNewline();
  printer << " reducer";
  // The arguments are printed in pairs, in the region all first ones come before all second ones.
  if (!getBody().empty()) {
    Block &block = getBody().front();
    unsigned pairs = block.getNumArguments() / 2;
    for (unsigned i = 0; i < pairs; ++i) {
      printer << '(';
      printer.printRegionArgument(block.getArgument(i));
      printer << ", ";
      printer.printRegionArgument(block.getArgument(i + pairs));
      printer << ") ";
    }
  }
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

/// Builds the body of the compact form: `name` on two scalars of the first input's element type.
static ParseResult buildCompactBody(OpAsmParser &parser, SMLoc loc, OperationName name,
                                    Type inputType, Region &body) {
  auto input = dyn_cast<RankedTensorType>(inputType);
  if (!input)
    return parser.emitError(loc) << "expected a ranked tensor to reduce, found " << inputType;
  if (name.getDialectNamespace() != "stablehlo" || !name.hasTrait<OpTrait::IsCommutative>())
    return parser.emitError(loc) << "'" << name << "' is no commutative op of 'stablehlo'";
  auto scalar = RankedTensorType::get({}, input.getElementType());
  Location location = parser.getEncodedSourceLoc(loc);
  Block &block = body.emplaceBlock();
  block.addArguments({scalar, scalar}, {location, location});
  OpBuilder builder(parser.getContext());
  builder.setInsertionPointToEnd(&block);
  OperationState state(location, name);
  state.addOperands(block.getArguments());
  state.addTypes(scalar);
  ReturnOp::create(builder, location, builder.create(state)->getResults());
  return success();
}

/// Parses `(%a: T, %b: T) (%c: T, %d: T) {...}`.
static ParseResult parseReducer(OpAsmParser &parser, Region &body) {
  SmallVector<OpAsmParser::Argument> lhs, rhs;
  while (succeeded(parser.parseOptionalLParen()))
    if (parser.parseArgument(lhs.emplace_back(), /*allowType=*/true) || parser.parseComma() ||
        parser.parseArgument(rhs.emplace_back(), /*allowType=*/true) || parser.parseRParen())
      return failure();
  llvm::append_range(lhs, rhs);
  return parser.parseRegion(body, lhs);
}

ParseResult ReduceOp::parse(OpAsmParser &parser, OperationState &state) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<Operand> inputs, inits;
  if (parser.parseCommaSeparatedList([&]() -> ParseResult {
        return failure(parser.parseLParen() || parser.parseOperand(inputs.emplace_back()) ||
                       parser.parseKeyword("init") || parser.parseColon() ||
                       parser.parseOperand(inits.emplace_back()) || parser.parseRParen());
      }))
    return failure();
  SMLoc bodyLoc = parser.getCurrentLocation();
  FailureOr<OperationName> compact = failure();
  if (succeeded(parser.parseOptionalKeyword("applies")) &&
      failed(compact = parser.parseCustomOperationName()))
    return failure();
  SmallVector<int64_t> dims;
  FunctionType type;
  if (parser.parseKeyword("across") || parser.parseKeyword("dimensions") || parser.parseEqual() ||
      parseDims(parser, dims) || parser.parseOptionalAttrDict(state.attributes) ||
      parser.parseColonType(type))
    return failure();
  state.getOrAddProperties<Properties>().dimensions =
      parser.getBuilder().getDenseI64ArrayAttr(dims);
  llvm::append_range(inputs, inits);
  if (parser.resolveOperands(inputs, type.getInputs(), loc, state.operands))
    return failure();
  state.addTypes(type.getResults());
  Region &body = *state.addRegion();
  if (succeeded(compact))
    return buildCompactBody(parser, bodyLoc, *compact, type.getInput(0), body);
  return failure(parser.parseKeyword("reducer") || parseReducer(parser, body));
}

//===- while ---------------------------------------------------------------===//

void WhileOp::getAsmBlockArgumentNames(Region &region, OpAsmSetValueNameFn setName) {
  for (BlockArgument argument : region.getArguments())
    setName(argument, "iterArg");
}

/// Parses what follows the operands of the form in which regions declare their own arguments:
/// `({...}, {...}) {attrs} : function type`.
static ParseResult parseWhileRegions(OpAsmParser &parser, SMLoc loc, ArrayRef<Operand> operands,
                                     OperationState &state) {
  FunctionType type;
  if (parser.parseLParen() || parser.parseRegion(*state.addRegion()) || parser.parseComma() ||
      parser.parseRegion(*state.addRegion()) || parser.parseRParen() ||
      parser.parseOptionalAttrDict(state.attributes) || parser.parseColonType(type))
    return failure();
  state.addTypes(type.getResults());
  return parser.resolveOperands(operands, type.getInputs(), loc, state.operands);
}

ParseResult WhileOp::parse(OpAsmParser &parser, OperationState &state) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<Operand> operands;
  bool isNamed = true;
  if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren, [&]() -> ParseResult {
        if (parser.parseArgument(arguments.emplace_back()))
          return failure();
        if (operands.empty())
          isNamed = succeeded(parser.parseOptionalEqual());
        else if (isNamed && parser.parseEqual())
          return failure();
        if (isNamed)
          return parser.parseOperand(operands.emplace_back());
        operands.push_back(arguments.back().ssaName);
        return success();
      }))
    return failure();
  if (!isNamed)
    return parseWhileRegions(parser, loc, operands, state);
  SmallVector<Type> types;
  if (!operands.empty() && parser.parseColonTypeList(types))
    return failure();
  ArrayRef<Type> operandTypes = types;
  if (auto function = types.size() == 1 ? dyn_cast<FunctionType>(types[0]) : FunctionType()) {
    operandTypes = function.getInputs();
    state.addTypes(function.getResults());
  } else {
    state.addTypes(types);
  }
  if (state.types.size() != operands.size())
    return parser.emitError(loc) << operands.size() << " operands, " << state.types.size()
                                 << " types";
  if (parser.resolveOperands(operands, operandTypes, loc, state.operands))
    return failure();
  for (auto [argument, type] : llvm::zip(arguments, state.types))
    argument.type = type;
  return failure(parser.parseOptionalAttrDictWithKeyword(state.attributes) ||
                 parser.parseKeyword("cond") || parser.parseRegion(*state.addRegion(), arguments) ||
                 parser.parseKeyword("do") || parser.parseRegion(*state.addRegion(), arguments));
}

void WhileOp::print(OpAsmPrinter &printer) {
  // Upstream's text has no place for arguments that are more or less static than the results.
  TypeRange types = getResultTypes();
  if (getCond().getArgumentTypes() != types || getBody().getArgumentTypes() != types) {
    printer << '(' << getOperands() << ") (";
    printer.printRegion(getCond());
    printer << ", ";
    printer.printRegion(getBody());
    printer << ')';
    printer.printOptionalAttrDict((*this)->getAttrs());
    printer << " : ";
    printer.printFunctionalType(*this);
    return;
  }
  printer << '(';
  llvm::interleaveComma(llvm::zip(getBody().getArguments(), getOperand()), printer, [&](auto pair) {
    printer << std::get<0>(pair) << " = " << std::get<1>(pair);
  });
  printer << ')';
  if (getNumOperands()) {
    printer << " : ";
    if (getOperandTypes() == types)
      llvm::interleaveComma(types, printer);
    else
      printer.printFunctionalType(*this);
  }
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs());
  printer.printNewline();
  printer << "cond ";
  printer.printRegion(getCond(), /*printEntryBlockArgs=*/false);
  printer << " do ";
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

//===- Effects -------------------------------------------------------------===//

void CustomCallOp::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  auto isMutable = [](Type type) {
    return !isCarriedValue(type) && !isa<UnrankedTensorType>(type);
  };
  if (!getHasSideEffect() && llvm::none_of(getOperandTypes(), isMutable))
    return;
  effects.emplace_back(MemoryEffects::Read::get());
  effects.emplace_back(MemoryEffects::Write::get());
}
