// How values lay at any time during propagation, read out of its history.
#pragma once

#include "spmd/ir/graph/History.h"

#include <algorithm>
#include <numeric>

namespace spmd {

/// The history of one graph by value. Both must outlive this.
class Past {
public:
  Past(const ShardGraph &graph, const History &history) : graph(graph), history(history) {
    offsets.assign(graph.numValues() + 1, 0);
    for (const Change &change : history.changes)
      ++offsets[change.value + 1];
    std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
    indices.resize(history.changes.size());
    std::vector<int32_t> next(offsets.begin(), offsets.end() - 1);
    for (size_t i = 0; i < history.changes.size(); ++i)
      indices[next[history.changes[i].value]++] = static_cast<int32_t>(i);
  }

  /// Returns the changes of a value, by number, in order.
  absl::Span<const int32_t> changesOf(int32_t value) const {
    return absl::MakeConstSpan(indices).subspan(offsets[value],
                                                offsets[value + 1] - offsets[value]);
  }

  /// Returns the sharding that a value had just before change `time`; ShardGraph::none for none.
  int32_t before(int32_t value, int32_t time) const {
    absl::Span<const int32_t> own = changesOf(value);
    auto next = std::lower_bound(own.begin(), own.end(), time);
    return next == own.end() ? graph.value(value).sharding : history.changes[*next].before;
  }

  /// Returns the sharding that the program gave a value.
  int32_t atFirst(int32_t value) const { return before(value, 0); }

  /// Returns the first change of the step that change `time` belongs to.
  int32_t startOfStep(int32_t time) const {
    const Change &change = history.changes[time];
    while (time > 0 && history.changes[time - 1].step == change.step &&
           history.changes[time - 1].kind == Change::Cause::step)
      --time;
    return time;
  }

  const ShardGraph &graph;
  const History &history;

private:
  std::vector<int32_t> offsets, indices; ///< By value.
};

} // namespace spmd
