// Several collectives as one op.
#pragma once

#include "mlir/IR/Operation.h"

#include <optional>
#include <tuple>

namespace spmd {

/// What collectives that can be one have in common.
struct JoinKey {
  mlir::OperationName name;
  mlir::Attribute groups; ///< Or pairs.
  int64_t variant;        ///< The kind of a reduction.
  mlir::Type elementType; ///< Null where others may come along.
  int64_t numbering;      ///< What numbers in groups mean.

  /// To compare by.
  std::tuple<const void *, const void *, int64_t, const void *, int64_t> tie() const {
    return {name.getAsOpaquePointer(), groups.getAsOpaquePointer(), variant,
            elementType.getAsOpaquePointer(), numbering};
  }
};

/// Returns what others must have in common with `op` to be one with it; nothing if it stays alone.
///
/// All-reduces of one element type are one with several operands, so are all-gathers along the
/// first dim, or small ones along any: what is gathered is turned then. Other collectives have one
/// operand each: small ones of one element type travel side by side, as rows of a matrix. What is
/// small costs less to copy than a collective takes to start.
std::optional<JoinKey> joinKeyOf(mlir::Operation *op);

/// Whether `op` and others are copied to be one, and what comes out to be several again.
bool isCopiedToJoin(mlir::Operation *op);

/// Makes one op of `members`, which have one key, before `before`; replaces and erases them.
void join(llvm::ArrayRef<mlir::Operation *> members, mlir::Operation *before);

} // namespace spmd
