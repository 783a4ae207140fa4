#include "spmd/lowering/compile/Boundaries.h"
#include "spmd/lowering/compile/Compiler.h"
#include "spmd/lowering/compile/ConvertAttributes.h"
#include "spmd/lowering/compile/Quantize.h"

namespace spmd {

static bool hasForm(mlir::Type type) {
  return deviceTypes(type) && (!isQuantized(type) || expressedType(type));
}

bool Compiler::haveForms(mlir::Operation *op, Function &function, Values &values) {
  llvm::SmallVector<mlir::Type> types(op->getOperandTypes());
  llvm::append_range(types, op->getResultTypes());
  if (llvm::none_of(types, isQuantized))
    return true;
  auto missing = llvm::find_if_not(types, hasForm);
  if (missing == types.end())
    return true;
  for (mlir::Value result : op->getResults())
    define(result, function, values);
  failed |= mlir::failed(op->emitOpError()
                         << "has type " << *missing << ", which has no form on a device");
  return false;
}

void Compiler::takeNumbers(mlir::Operation *op, Instruction &instruction, Function &function) {
  Emitter emit = emitterAt(op, function);
  for (auto [operand, id] : llvm::zip(op->getOperands(), instruction.operands))
    if (isQuantized(operand.getType()))
      id = dequantize(emit, id, operand.getType());
}

std::optional<TensorType> Compiler::numberType(mlir::Type type) {
  return isQuantized(type) ? expressedType(type) : convertType(type);
}

void Compiler::giveNumbers(mlir::Operation *op, Instruction instruction, Function &function,
                           Values &values) {
  for (mlir::Value result : op->getResults()) {
    std::optional<TensorType> type = isQuantized(result.getType()) ? expressedType(result.getType())
                                                                   : convertType(result.getType());
    instruction.results.push_back(function.values.size());
    function.values.push_back(type.value_or(TensorType()));
    failed |= !type && mlir::failed(op->emitOpError("has a result without a form on a device"));
  }
  std::vector<ValueId> numbers = instruction.results;
  Emitter emit = emitterAt(op, function);
  function.instructions.push_back(std::move(instruction));
  for (auto [result, number] : llvm::zip(op->getResults(), numbers))
    values[result] = {isQuantized(result.getType()) ? quantize(emit, number, result.getType())
                                                    : number};
}

void Compiler::compileRequantize(mlir::Operation *op, Function &function, Values &values) {
  mlir::Type from = op->getOperand(0).getType(), to = op->getResult(0).getType();
  if (!haveForms(op, function, values))
    return;
  Emitter emit = emitterAt(op, function);
  ValueId value = values.lookup(op->getOperand(0))[0];
  if (isQuantized(from))
    value = dequantize(emit, value, from);
  if (isQuantized(to))
    value = quantize(emit, value, to);
  values[op->getResult(0)] = {value};
}

} // namespace spmd
