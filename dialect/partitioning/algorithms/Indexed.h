// Rows that are addressed by value, of a dim that is cut: who holds them gives them, the others
// give zero; who holds them writes them, the others nothing.
#pragma once

#include "spmd/dialect/partitioning/Localizer.h"

namespace spmd {

/// A dim of `size` rows of which a device holds the shard along `axes`.
struct CutDim {
  int64_t dim;
  int64_t size;
  absl::Span<const AxisRef> axes;
};

/// Returns integers, a tensor of any shape, within low .. high, as integers that offsets are
/// counted in. A bound that their type cannot hold is one they do not pass.
mlir::Value boundedIndex(mlir::OpBuilder &builder, mlir::Location loc, Positions &positions,
                         mlir::Value index, int64_t low, int64_t high);

/// Returns the device's share of `numRows` rows of `local` from row `start` on, a scalar that is
/// brought into bounds as a dynamic slice does: the rows it holds, and zeros. The shares add up to
/// the rows.
mlir::Value takeRows(Localizer &localizer, mlir::Value local, const CutDim &cut, mlir::Value start,
                     int64_t numRows);

/// Where the rows of an update fall in a device's shard.
struct RowsToPut {
  /// Rows at .. at + numRows - 1 of the shard may change. To these correspond as many rows of the
  /// update from `from` on, of which those outside the update mean no change.
  mlir::Value at, from;
  int64_t numRows;
};

/// Returns where `numRows` rows that are written to the global row `start` fall.
RowsToPut placeRows(Localizer &localizer, mlir::Value local, const CutDim &cut, mlir::Value start,
                    int64_t numRows);

/// Returns all dims of `indices` but the index vector, which may be behind the last: the dims that
/// a gather or scatter runs over, in order.
llvm::SmallVector<int64_t> indexDims(mlir::Value indices, int64_t indexVectorDim);

/// One component of index vectors: its bounds, and how many rows are in front of the device's
/// shard, a scalar or null for 0.
struct IndexComponent {
  /// Indices 0 .. last are counted from the shard; the others become `elsewhere`.
  struct Fitting {
    int64_t last, elsewhere;
  };

  int64_t low, high;
  mlir::Value first;
  std::optional<Fitting> fitting;
};

/// Returns each component of index vectors, brought within its bounds and counted from the device's
/// shard, as a tensor like `indices` with one component.
llvm::SmallVector<mlir::Value> localComponents(Localizer &localizer, mlir::Value indices,
                                               int64_t indexVectorDim,
                                               llvm::ArrayRef<IndexComponent> components);

} // namespace spmd
