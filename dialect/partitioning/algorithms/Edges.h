// Rows in front of the first one and behind the last one of a dim, as copies of these.
//
//     rows   . . a b c .      first = 2, end = 5       spread   a a a b c c
//     found  1 2 3 4 5 6                               folded   - - 6 4 11 -   (sums)
//
// Who searches windows for their largest row finds the same with copies of the outermost rows as
// without them; what falls to a copy belongs to the row that it is a copy of.
#pragma once

#include "spmd/dialect/partitioning/algorithms/Rows.h"
#include "spmd/ir/sharding/Sharding.h"

namespace spmd {

/// The first row and the one behind the last, as scalars: which may lie beyond the rows that there
/// are. Nothing is copied at an end that is null.
struct EdgeRows {
  mlir::Value first, end;
};

/// Returns `value` with copies of row `first` in front of it and of row `end` - 1 from row `end`
/// on.
mlir::Value spreadEdges(RowBuilder rows, mlir::Value value, EdgeRows edges);

/// Returns `value` with what stands in such copies combined by `kind` into rows `first` and
/// `end` - 1; the copies hold anything.
mlir::Value foldEdges(RowBuilder rows, mlir::Value value, EdgeRows edges, ReductionKind kind);

} // namespace spmd
