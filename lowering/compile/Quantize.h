// Quantized tensors: integers with a scale and a zero point, on a device the integers alone.
#pragma once

#include "spmd/lowering/compile/Emitter.h"

#include "mlir/IR/Operation.h"

namespace spmd {

/// Returns whether `type` is a tensor of quantized elements.
bool isQuantized(mlir::Type type);

/// Returns the type of the real numbers that a quantized tensor `type` stands for.
std::optional<TensorType> expressedType(mlir::Type type);

/// Returns whether `op` computes with the numbers that its operands stand for: then it runs on
/// those, and its results are quantized again. Any other op moves elements, and runs on the
/// integers.
bool computesOnNumbers(mlir::Operation *op);

/// Appends the instructions that take integers `value` of quantized type `type` to real numbers,
/// and back. Follows the specification: (q - zero point) * scale, and clamp(x / scale + zero point)
/// rounded to even.
ValueId dequantize(Emitter &emit, ValueId value, mlir::Type type);
ValueId quantize(Emitter &emit, ValueId value, mlir::Type type);

} // namespace spmd
