// How deep brackets lie within each other.
#pragma once

#include "llvm/ADT/StringRef.h"

namespace spmd {

/// Brackets within brackets that are still read: MLIR's parser recurses, and so do passes. Programs
/// have some dozens.
inline constexpr size_t maxDepth = 1000;

/// Returns where brackets of `text`, in MLIR's syntax, lie deeper within each other, or npos. What
/// strings and comments hold does not count.
size_t findTooDeep(llvm::StringRef text);

} // namespace spmd
