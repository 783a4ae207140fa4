// Changing the block size of a dim that does not divide evenly.
//
// 11 rows over 4 shards lie in blocks of 3. To cut them finer, into 8 shards of 2, blocks must be
// of 4:
//
//     blocks of 3    0 1 2 | 3 4 5 | 6 7 8 | 9 10 .
//     blocks of 4    0 1 2 3 | 4 5 6 7 | 8 9 10 . | . . . .
//
// Each shard keeps its rows that stay, then for each distance one permute hands a window of rows to
// the shard that many places before: at distance 1, row 3 goes to shard 0, rows 6 and 7 to shard 1,
// rows 9 and 10 to shard 2. A window is as wide as the most rows that move; rows past the end never
// move.
//
// A window is the same size on all devices, so it may hold rows that the receiver did not ask for.
// It is written where its rows belong; the buffer has margins for rows that belong to a neighbour.
#pragma once

#include "spmd/ir/reshard/PlanBuilder.h"

namespace spmd {

/// A dim of `size` rows over `shards` shards, which lies in blocks of `before` rows, and should of
/// `after`.
struct Repad {
  int64_t size;
  int64_t shards;
  int64_t before;
  int64_t after;
};

/// Shards firstReceiver .. endReceiver-1 get a window of `width` rows from `distance` shards
/// further on.
struct RepadRound {
  int64_t distance;
  int64_t width;
  int64_t firstReceiver;
  int64_t endReceiver;
};

/// Returns the rounds, nearest first. Linear in the number of shards.
std::vector<RepadRound> roundsOf(const Repad &repad);

/// Returns the seconds it takes if a row of a block has `rowBytes` bytes.
double costOf(const Repad &repad, int64_t rowBytes, const CostModel &model);

/// Appends the steps, for a `dim` that is cut along `axes` of `mesh`, which stands on `side`.
void appendRepad(PlanBuilder &builder, const Mesh &mesh, MeshSide side, const AxisList &axes,
                 int dim, const Repad &repad);

} // namespace spmd
