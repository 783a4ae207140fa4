// What to write so that a dim is split.
#pragma once

#include "spmd/passes/explain/Annotations.h"
#include "spmd/passes/propagate/SplitAlike.h"

namespace spmd {

/// What a dim could be split along.
struct Suggestion {
  int32_t from = ShardGraph::none; ///< A value on the mesh of the axes.
  AxisList axes;                   ///< Those that were on their way to the dim; may be empty.
  /// Those of values that lie alike, with their meshes: others come first.
  std::vector<std::pair<int32_t, AxisRef>> taken;
  /// What is said of the value as a whole: for this dim it is said again.
  std::optional<DimSplit> chosen;

  /// Adds the axes of `value` to those that are taken.
  void avoid(const ShardGraph &graph, int32_t value);
};

/// What to write so that a dim is split.
struct Advice {
  std::string line; ///< Empty if no axis is left, or the value has no line of its own.
  std::vector<Follower> followers; ///< Further lines that it takes.
  std::string unsplit;             ///< Why no axis is left.
};

/// Returns the line that splits a dim: an argument or result of a function with its attribute, an
/// annotation in other words, or else a constraint behind the value, whose result is then used;
/// where one splits that dim and the value is whole nevertheless, a pin of the value itself. The
/// axes are those of `suggestion`, or else the first axis of the mesh that the value does not use
/// yet, one that divides the dim before others.
Advice adviceToSplit(Places &places, ValueDim place, const Suggestion &suggestion);

/// The same for a dim that other axes split: along those of `axes` that fit, which are of the mesh
/// of value `from`, and no others.
Advice adviceToSplitAlong(Places &places, ValueDim place, int32_t from, const AxisList &axes);

} // namespace spmd
