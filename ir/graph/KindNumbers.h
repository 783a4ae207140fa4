// Numbers for values that are of one kind.
#pragma once

#include "spmd/ir/graph/KeyNumbers.h"
#include "spmd/ir/graph/ShardGraph.h"

#include <cassert>

namespace spmd {

/// Numbers the kinds of a graph's values: shape, size of an element, and what else tells them
/// apart. What was of a shape last is found without a look into a table of keys.
class KindNumbers {
public:
  /// Kinds may be told apart by so many bits more.
  static constexpr int numBits = 4;

  int32_t number(const ShardGraph::Value &value, uint32_t bits = 0) {
    assert(bits >> numBits == 0 && "more would be those of the next shape");
    size_t slot = static_cast<size_t>(value.shape) << numBits | bits;
    if (slot >= known.size())
      known.resize(slot + 1);
    Known &last = known[slot];
    if (last.elementBits != value.elementBits)
      last = {value.elementBits,
              numbers.number({value.shape, value.elementBits, static_cast<int32_t>(bits)}).first};
    return last.number;
  }

private:
  struct Known {
    int32_t elementBits = -1, number = 0;
  };

  KeyNumbers numbers;
  std::vector<Known> known; ///< By shape and bits.
};

} // namespace spmd
