// The chain from an annotation to one axis of one dim of a value.
//
//     from %arg0, annotated [{"x"}, {}]                       annotation
//     through dot_general, %arg0 dim 0 -> %0 dim 0            step
//     through tanh, %0 dim 0 -> %1 dim 0                      step
//
// Read backward out of the history: the change that brought the axis, the tensor of that step that
// had it, the change that brought it there. Times only decrease, so it ends.
#pragma once

#include "spmd/ir/explain/Ties.h"

#include <memory>

namespace spmd {

/// What wanted another outcome of a step, and lost.
struct Rival {
  ValueDim from;      ///< Where its axes come from.
  AxisList axes;      ///< What it wanted.
  int32_t dim;        ///< The dim of the value that it wanted to split.
  double bytes;       ///< Of the tensors on its side, the largest.
  double winnerBytes; ///< Of the tensors on the side that won.
  bool isLater;       ///< It came up after this step was taken: nothing was weighed.
};

/// One step of a chain.
struct Link {
  enum class Kind : uint8_t {
    annotation, ///< The program says so. `to` is the annotated dim.
    inferred,   ///< The program holds it as the outcome of propagation before.
    step,       ///< An op's step.
    tie,        ///< An op ties both dims; what follows from it was decided for all together.
    hint,       ///< An earlier pass left it there, and nothing else decided.
    decision,   ///< A decision on conflict groups.
    donation    ///< The result takes over the memory of the argument.
  };
  Kind kind;
  ValueDim from, to;
  AxisRef axis;                      ///< At `to`.
  int32_t op = ShardGraph::none;     ///< Of a step or tie.
  int32_t change = ShardGraph::none; ///< In the history.
  FactorKind factor = FactorKind::pass;
  std::vector<Rival> rivals = {};
  /// Of a decision: the other dims of the value that annotations want split along the axis, and the
  /// annotated dims.
  std::vector<std::pair<int32_t, ValueDim>> others = {};
};

/// Follows axes back to where they come from, remembering what it found. Both must outlive it.
class Tracer {
public:
  Tracer(const Past &past, const std::vector<bool> &isFree) : past(past), isFree(isFree) {}

  /// Returns the chain that brought `axis` to a dim, the annotation first. Requires that the dim is
  /// split along it. Takes time in the chain; for the first decision on an axis, in the graph.
  std::vector<Link> chainOf(ValueDim place, const AxisRef &axis);

  /// Returns where that chain begins. For all dims together, takes time in the history.
  ValueDim rootOf(ValueDim place, const AxisRef &axis);

private:
  friend class Walk;
  /// A change, and what it brought to which dim.
  using Step = std::tuple<int32_t, int32_t, AxisRef>;

  const AnnotationWays &waysOf(int32_t mesh, int32_t axis);

  const Past &past;
  const std::vector<bool> &isFree;
  absl::flat_hash_map<std::pair<int32_t, int32_t>, std::unique_ptr<AnnotationWays>> ways;
  absl::flat_hash_map<Step, ValueDim> roots;
};

/// Returns the change that took `axis` from a value, or kept it off: the last decision that left it
/// in its replicated axes; ShardGraph::none if there is none.
int32_t decisionAgainst(const Past &past, int32_t value, const AxisRef &axis);

/// Returns the size of a value in bytes for each of an op's tensors.
std::vector<double> bytesOfTensors(const ShardGraph &graph, const ShardGraph::Op &op);

/// Returns the shardings of an op's tensors just before change `time`; nothing if they lie on
/// several meshes.
std::optional<std::vector<Sharding>> shardingsBefore(const Past &past, const ShardGraph::Op &op,
                                                     int32_t time);

} // namespace spmd
