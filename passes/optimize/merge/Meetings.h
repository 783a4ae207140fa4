// Which collectives of a block can be done as one, if others of its ops wait for them.
#pragma once

#include "spmd/passes/optimize/merge/BlockGraph.h"

namespace spmd {

/// The ops of a block that are done at once, by their numbers.
struct Meetings {
  /// Two or more members each, in ascending order.
  std::vector<std::vector<int32_t>> groups;
  std::vector<int32_t> groupOf; ///< Of each op of the block; -1 if it is in none.
  /// Whether some did not meet only because they were too large together.
  bool isLimited = false;
};

/// A collective as it looks for others.
struct Joinable {
  int32_t kind = -1; ///< Those of one kind can be one; -1 is no candidate.
  uint64_t bytes = 0;
};

/// Returns groups of candidates of one kind, up to `bucketBytes` each, such that no op waits for
/// itself when each group is one op.
///
/// Ops are taken by their numbers, but as far past the first that must wait as `lookahead` ops
/// compute; with 0 that is where a group ends: what nothing waits for until then. With more, ops
/// that wait let others pass, and further ones come in. If none meet, and not because of the limit,
/// none do with a smaller `lookahead` either: before one goes on alone, all has been looked at that
/// could have waited with it there. `candidates` has one for each op. Takes n log n in the
/// candidates.
Meetings findMeetings(const BlockGraph &graph, llvm::ArrayRef<Joinable> candidates,
                      uint64_t bucketBytes, int32_t lookahead);

} // namespace spmd
