// The attributes of a custom call by name, wherever the call keeps them.
//
//     stablehlo.custom_call @f(%x) {head_num = 8 : i64}
//     stablehlo.custom_call @f(%x) {api_version = 4 : i32, backend_config = {head_num = 8 : i64}}
//     stablehlo.custom_call @f(%x) {backend_config = "{\22head_num\22: 8}"}         PyTorch/XLA
//     stablehlo.custom_call @f(%x) {backend_config = "{head_num = 8 : i64}"}
//     stablehlo.custom_call @f(%x) {mhlo.frontend_attributes = {head_num = "8"}}
//
// A name with dots reaches into nested dictionaries: "fmha.dropout_rate".
#pragma once

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"

#include <optional>

namespace spmd {

/// Returns attribute `name` of `op`: its own, or else the one in its `backend_config`,
/// `mhlo.backend_config` or `mhlo.frontend_attributes`. Null if there is none. In JSON, `null` is
/// the string "null".
mlir::Attribute attributeOf(mlir::Operation *op, llvm::StringRef name);

/// Returns the dictionary that the text of a `backend_config` holds, as JSON or in MLIR's syntax;
/// null if it holds none. Linear.
mlir::DictionaryAttr dictionaryIn(mlir::StringAttr text);

/// Returns whether a `backend_config` of `op` is text that holds no dictionary. An empty text is
/// none.
bool hasUnreadableConfig(mlir::Operation *op);

/// Returns the integer that `attribute` is; none if it is another attribute. Text of digits counts:
/// Protobuf's JSON writes integers of 64 bits so.
std::optional<int64_t> integerIn(mlir::Attribute attribute);

/// Sets the integer attribute `name` of `op` (attributeOf) to `number`, in its place and form. All
/// other text of a configuration in JSON stays as it is. Returns false if `op` has no such integer.
bool setInteger(mlir::Operation *op, llvm::StringRef name, int64_t number);

} // namespace spmd
