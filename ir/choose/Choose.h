// How one op runs, given the shardings around it: the cheapest of its strategies and splits.
//
// A split gives each factor of the op's rule the axes it is split along; all else follows: what
// each operand must look like, what each result comes out as, and which partial results are left.
// The cost of a split is moving the operands there, the work of one device, and moving the results
// to where propagation wants them. Example, dot ([i, k], [k, j]) -> ([i, j]) with lhs [{"x"}, {}],
// rhs [{"x"}, {}] and result [{"x"}, {}] (a batch and a weight sharded on the same axis):
//
//     i on "x"    gather rhs                                   the weight moves
//     k on "x"    lhs to [{}, {"x"}], reduce-scatter result    the activation moves, twice
//
// Moves of what is ahead or late (`Timing.h`) cost less, if the op waits for nothing else, and if
// they bring it to tensors that stay as the program says that its computation lies: so is a weight
// gathered for its product, and its gradient scattered.
#pragma once

#include "spmd/ir/choose/ReshardCosts.h"
#include "spmd/ir/choose/Timing.h"
#include "spmd/ir/rules/Projection.h"
#include "spmd/ir/rules/Strategy.h"

namespace spmd {

/// One tensor of the op: what it is, and how it lies (an operand) or should lie (a result).
struct TensorSituation {
  absl::Span<const int64_t> shape;
  int32_t elementBits;
  const MeshSharding *sharding;
  /// The value is made anew wherever it is needed; moving it costs nothing.
  bool isFree = false;
  /// An operand that is ahead, or a result that is late (`Timing.h`).
  bool isUnhurried = false;
  /// What moves once for all turns of a loop. A result that it collects: shares of it are, too, and
  /// reduced behind it. An operand that does not change in it: it is moved before it.
  bool isMovedOnce = false;
};

/// The share of its cost at which what is moved once for all turns counts in one of them.
inline constexpr double onceShare = 1.0 / 8;

/// The share of its cost at which a move counts that nobody waits for: it runs behind other work.
/// (From a quarter on, small batches go round rather than weights; with less, a program on three
/// axes moves more bytes than it must.)
inline constexpr double unhurriedShare = 1.0 / 8;

/// Whether `to` is `from` gathered along axes that `isAmong` holds for, and nothing else.
template <typename IsAmong>
bool isGathered(const MeshSharding &from, const MeshSharding &to, IsAmong isAmong) {
  if (from.mesh != to.mesh || !from.sharding.unreduced.empty())
    return false;
  for (size_t d = 0; d < from.sharding.dims.size(); ++d) {
    const AxisList &before = from.sharding.dims[d].axes, &after = to.sharding.dims[d].axes;
    if (before != after &&
        (after.size() > before.size() || !std::equal(after.begin(), after.end(), before.begin()) ||
         !std::all_of(before.begin() + static_cast<ptrdiff_t>(after.size()), before.end(),
                      isAmong)))
      return false;
  }
  return true;
}

/// The split that was chosen.
struct Choice {
  /// Index of the strategy.
  int32_t strategy = 0;
  FactorAxes factorAxes;
  /// What each operand must look like, and what each result comes out as.
  std::vector<MeshSharding> operands, results;
  /// In seconds of the cost model.
  double cost = 0;
  /// The part of `cost` that is no move: arithmetic and memory traffic.
  double work = 0;
};

/// Returns the cheapest way to run an op. Factors that no algorithm can split stay whole. Ties go
/// to the strategy and the split that come first: those of operand 0, then 1, and so on.
Choice choose(const Strategies &strategies, absl::Span<const TensorSituation> operands,
              absl::Span<const TensorSituation> results, ReshardCosts &costs);

} // namespace spmd
