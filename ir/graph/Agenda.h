// A set of small numbers that gives its members out in ascending order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace spmd {

/// Numbers below a fixed size, a bit each. A bit of each level tells whether a word of the one
/// below has any, up to a level of one word: a number comes and goes in the logarithm of the size,
/// of base 64.
class Agenda {
public:
  static constexpr int32_t none = -1;

  explicit Agenda(int32_t size = 0) {
    size_t words = static_cast<size_t>(size);
    do
      levels.emplace_back(words = words / 64 + 1, 0);
    while (words > 1);
  }

  /// Requires 0 <= `number` < size. It may be in.
  void insert(int32_t number) {
    auto at = static_cast<size_t>(number);
    for (std::vector<uint64_t> &level : levels) {
      uint64_t &word = level[at / 64];
      bool hadAny = word != 0;
      word |= uint64_t(1) << at % 64;
      if (hadAny)
        return;
      at /= 64;
    }
  }

  /// Takes the least number out. Returns it, or none if there is none.
  int32_t takeFirst() {
    if (levels.back().front() == 0)
      return none;
    size_t first = 0;
    for (size_t l = levels.size(); l-- > 0;)
      first = first * 64 + static_cast<size_t>(__builtin_ctzll(levels[l][first]));
    size_t at = first;
    for (std::vector<uint64_t> &level : levels) {
      uint64_t &word = level[at / 64];
      word &= word - 1; // Its lowest bit is the one.
      if (word != 0)
        break;
      at /= 64;
    }
    return static_cast<int32_t>(first);
  }

private:
  std::vector<std::vector<uint64_t>> levels; ///< The numbers first.
};

} // namespace spmd
