// Types of ops on tuples and tokens: one type stands for those of all operands and the result.

#include "spmd/dialect/stablehlo/Syntax.h"

using namespace mlir;

namespace spmd::stablehlo {

/// Takes the types from a function type with one result and `count` inputs.
static ParseResult takeFunctionType(OpAsmParser &parser, SMLoc loc, FunctionType function,
                                    size_t count, SmallVectorImpl<Type> &operands, Type &result) {
  if (function.getNumInputs() != count || function.getNumResults() != 1)
    return parser.emitError(loc) << "function type has " << function.getNumInputs()
                                 << " inputs and " << function.getNumResults()
                                 << " results, the op has " << count << " operands and 1 result";
  operands.assign(function.getInputs().begin(), function.getInputs().end());
  result = function.getResult(0);
  return success();
}

ParseResult parseTupleTypes(OpAsmParser &parser, SmallVectorImpl<Type> &operands, Type &result) {
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseType(result))
    return failure();
  if (auto function = dyn_cast<FunctionType>(result))
    return takeFunctionType(parser, loc, function, function.getNumInputs(), operands, result);
  auto tuple = dyn_cast<TupleType>(result);
  if (!tuple)
    return parser.emitError(loc) << "expected a tuple type, found " << result;
  operands.assign(tuple.getTypes().begin(), tuple.getTypes().end());
  return success();
}

void printTupleTypes(OpAsmPrinter &printer, Operation *, TypeRange operands, Type result) {
  if (TypeRange(cast<TupleType>(result).getTypes()) == operands)
    printer << result;
  else
    printer.printFunctionalType(operands, TypeRange(ArrayRef<Type>(result)));
}

ParseResult parseTokenTypes(OpAsmParser &parser, ArrayRef<Operand> inputs,
                            SmallVectorImpl<Type> &operands, Type &result) {
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseType(result))
    return failure();
  if (auto function = dyn_cast<FunctionType>(result))
    return takeFunctionType(parser, loc, function, inputs.size(), operands, result);
  operands.assign(inputs.size(), result);
  return success();
}

void printTokenTypes(OpAsmPrinter &printer, Operation *, OperandRange, TypeRange, Type result) {
  printer << result;
}

} // namespace spmd::stablehlo
