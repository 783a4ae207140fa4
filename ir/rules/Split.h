// How an op runs on shards: its strategy, the split of its factors, and what stays partial.
//
//     dot ([i, k], [k, j]) -> ([i, j])    [{}, {"x"}]  [{"x"}, {}]  ->  [{}, {}], unreduced={"x"}
//     add ([i, j], [i, j]) -> ([i, j])    both unreduced={"x"}      ->  unreduced={"x"}
//
// A reduce factor that is split leaves a partial result. A partial operand leaves one where the op
// commutes with the reduction (`Strategy::commuting`).
#pragma once

#include "spmd/ir/rules/Projection.h"
#include "spmd/ir/rules/Strategy.h"

namespace spmd {

/// The axes that a value is partial over, in mesh order, and how its shares combine.
struct PartialState {
  AxisList axes;
  ReductionKind kind = ReductionKind::sum;

  friend bool operator==(const PartialState &a, const PartialState &b) {
    return a.axes == b.axes && a.kind == b.kind;
  }
};

/// Returns what partial operands leave in the result of an op: no axes if none is partial, nothing
/// if the op does not let them pass. A null sharding stands for what is no tensor.
std::optional<PartialState> passedOn(const Strategy &strategy,
                                     absl::Span<const Sharding *const> operands);

/// Returns what the results of an op are partial over if its factors are split along `factorAxes`
/// and its operands leave `passed`; nothing if that cannot be one state.
std::optional<PartialState> partialResult(const OpRule &rule, const FactorAxes &factorAxes,
                                          const PartialState &passed);

/// Returns how the factors are split if the tensors of an op, operands first, lie as one split has
/// them: each factor has the same axes wherever it occurs, and each result is partial as
/// partialResult says. Nothing otherwise. A null sharding stands for what is no tensor.
std::optional<FactorAxes> splitOf(const Strategy &strategy,
                                  absl::Span<const Sharding *const> tensors);

/// How an op runs: its strategy, and how the factors of the strategy's rule are split.
struct Split {
  const Strategy *strategy = nullptr;
  FactorAxes factorAxes;
};

} // namespace spmd
