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
#pragma once

#include "spmd/ir/choose/ReshardCosts.h"
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
};

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
