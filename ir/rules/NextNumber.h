// What comes next in a sequence of numbers that repeats itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace spmd {

/// Guesses the next number of a sequence: what came the last time after the five before it.
/// Programs repeat themselves, and layers of a model are found so from the second one on.
class NextNumber {
public:
  static constexpr int32_t none = -1;

  /// Returns what came here the last time, or none. It may be wrong.
  int32_t guess() const { return guesses[place]; }

  /// Says what came. Requires a number of at least 0.
  void came(int32_t number) {
    guesses[place] = number;
    // What is further back than five numbers was shifted out.
    recent = recent << 7U ^ static_cast<uint32_t>(number);
    place = (recent ^ recent >> 15U) * 0x9E3779B1U >> shift;
  }

  /// Makes room for what is told apart of `count` numbers, and forgets what came if it does.
  void reserve(size_t count) {
    if (count <= guesses.size() / 16 || shift == minShift)
      return;
    while (count > (size_t(1) << (32 - shift)) / 16 && shift > minShift)
      --shift;
    clear();
  }

  /// Forgets what came.
  void clear() {
    guesses.assign(size_t(1) << (32 - shift), none);
    recent = place = 0;
  }

private:
  static constexpr uint32_t minShift = 19; ///< Where nothing repeats itself, more is in the way.

  uint32_t shift = 28; ///< Its hash is 32 bits less these.
  std::vector<int32_t> guesses = std::vector<int32_t>(16, none);
  uint32_t recent = 0, place = 0;
};

} // namespace spmd
