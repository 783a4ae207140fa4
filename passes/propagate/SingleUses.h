// Which ops come first in Shardy's propagation: those whose operands nothing else uses.
//
//     %r = while(%c = %a) do { .. }      here %a, %c and %r are one value; there %c has the uses in
//                                        the loop, %r those behind it, and what ties them is an op
//                                        that uses %r alone
#pragma once

#include "spmd/ir/graph/ShardGraph.h"

#include "absl/functional/function_ref.h"

#include <functional>
#include <vector>

namespace spmd {

class SingleUses {
public:
  /// `placeOf` says where ops of `graph` stand. An op for which `isGroup` holds ties the members of
  /// a sharding group, and not one value at several places. Linear in the uses of values.
  SingleUses(const ShardGraph &graph, const ValueUses &uses,
             std::function<int32_t(int32_t)> placeOf, absl::FunctionRef<bool(int32_t)> isGroup);

  /// Whether each operand of an op has no other use.
  bool areOperandsSingle(int32_t index) const;

private:
  bool isHandedOnOnce(const ShardGraph::Op &edge) const;

  /// The op that ties a value of a region op to what comes in, and how many uses there are before
  /// and behind it.
  struct Flow {
    int32_t edge = ShardGraph::none;
    int32_t numInside = 0, numBehind = 0;
  };

  const ShardGraph &graph;
  const ValueUses &uses;
  std::function<int32_t(int32_t)> placeOf;
  std::vector<Flow> flows; ///< By value.
};

} // namespace spmd
