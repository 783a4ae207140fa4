// The roles of the dims of a ragged dot, worked out.
#pragma once

#include "spmd/dialect/chlo/Dialect.h"

namespace spmd::chlo {

/// The roles of the dims of a `chlo.ragged_dot`, see its description. Its lists name existing dims.
struct RaggedDims {
  enum class Mode { free, contracting, batching };

  explicit RaggedDims(RaggedDotOp op);

  /// The kind of the ragged dim, in words.
  llvm::StringRef modeName() const;

  Mode mode;
  int64_t ragged;     ///< Dim of lhs that falls into groups.
  int64_t group = -1; ///< Dim of rhs that has an entry a group; -1 unless `mode` is free.
  /// Dims of lhs over which the group sizes vary, where they have more than rank 1.
  llvm::SmallVector<int64_t, 4> prefix;
  /// Dims that are neither batching, contracting nor group dims, ascending.
  llvm::SmallVector<int64_t, 4> lhsFree, rhsFree;
};

} // namespace spmd::chlo
