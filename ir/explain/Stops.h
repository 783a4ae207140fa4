// Why a dim is not split: where axes that could have come to it stopped.
//
// A search from the dim outward, through dims that share factors, ends at dims that are split, or
// closed, or behind which nothing passes. What stands there is the answer.
#pragma once

#include "spmd/ir/explain/Ties.h"
#include "spmd/ir/rules/Propagation.h"

namespace spmd {

/// Where axes of one dim do not reach another.
struct DimStop {
  ValueDim from;         ///< Split along `axes`.
  ValueDim to;           ///< Not split along them.
  AxisList axes;         ///< The first that do not come through, and those behind them.
  int32_t op;            ///< Between them.
  StepObstacle obstacle; ///< StepObstacle::none: they lie on different meshes.
  FactorKind factor;     ///< That both dims share.
  bool custom;           ///< What is said of the factor is the user's.
  int64_t size;          ///< Of the factor.
  int32_t otherDim;      ///< Of `to`, which one of the axes splits instead; -1 if there is none.
  int32_t decision;      ///< The change that keeps the axis off `to`; ShardGraph::none if none.
  double fromBytes, toBytes; ///< Of the two values.
};

/// What the search found.
struct StopSearch {
  /// The dim itself is closed by the program, or lies where all axes are manual.
  bool isClosed = false;
  /// The nearest first, at most as many as asked for.
  std::vector<DimStop> stops;
  /// Closed dims without axes that were come to first: the program wants the dim whole.
  std::vector<ValueDim> closed;
  /// Ops that let nothing through to where the search was.
  std::vector<int32_t> barriers;
  /// All values that it came through, the nearest first.
  std::vector<int32_t> reached;
};

/// Searches around a dim that is not split. Linear in the dims that are tied to it.
StopSearch findStops(const Past &past, ValueDim place, size_t mostStops);

/// Returns what keeps axes of the tensors that the ops of a value have besides from one of its
/// dims, which may be split along others: at most `mostStops`. Linear in the graph.
std::vector<DimStop> findStopsBeside(const Past &past, ValueDim place, size_t mostStops);

} // namespace spmd
