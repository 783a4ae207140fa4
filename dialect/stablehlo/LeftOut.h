// Constants whose elements a dump of the program leaves out.
#pragma once

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"

namespace spmd {

/// What to do about it, for messages.
inline constexpr llvm::StringLiteral leftOutHint =
    "dump the program with all of them (XLA: --xla_dump_large_constants, or the .pb)";

/// Whether `value` has a type and no elements: `dense_resource<__elided__>`, or another resource
/// without data. Such a program can be partitioned, but not run.
bool isLeftOut(mlir::Attribute value);

/// Returns such a value, as MLIR writes it.
mlir::ElementsAttr leftOutValue(mlir::RankedTensorType type);

} // namespace spmd
