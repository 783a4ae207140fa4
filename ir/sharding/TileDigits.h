// TileDigits of a device's position: what dims of a grid and axes of a mesh have in common.
#pragma once

#include <cstdint>
#include <vector>

namespace spmd {

/// The digit p / stride % size of a position p.
struct TileDigit {
  int64_t stride, size;
};

/// A digit list, major first; neighbours that are one digit are merged.
using TileDigits = std::vector<TileDigit>;

inline void append(TileDigits &digits, TileDigit digit) {
  if (digit.size == 1)
    return;
  if (!digits.empty() && digits.back().stride == digit.stride * digit.size)
    digits.back() = {digit.stride, digits.back().size * digit.size};
  else
    digits.push_back(digit);
}

} // namespace spmd
