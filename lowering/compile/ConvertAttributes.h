// Attributes of ops as attributes of instructions.
#pragma once

#include "spmd/lowering/program/DeviceProgram.h"

#include "mlir/IR/BuiltinAttributes.h"

namespace spmd {

/// Adds what `value` says to `attributes`: numbers, strings and lists under `name`, dimension
/// numbers as one list for each of their fields. What no kernel looks at (precision, layouts,
/// channels) is left out.
void addAttribute(Attributes &attributes, llvm::StringRef name, mlir::Attribute value);

/// Returns the type of a tensor, or of what a buffer holds; nothing if its element type has no
/// stored form.
std::optional<TensorType> convertType(mlir::Type type);

/// Returns the elements of a constant as bytes, one element if all are equal (`isSplat`); nothing
/// for a constant that has no bytes.
std::optional<std::string> constantBytes(mlir::ElementsAttr value, bool &isSplat);

} // namespace spmd
