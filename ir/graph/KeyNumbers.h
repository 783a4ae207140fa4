// Numbers for lists of numbers, in flat memory.
#pragma once

#include "absl/types/span.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace spmd {

/// Distinct keys by number, in the order of their first appearance. A look costs a few nanoseconds
/// where the keys in use are few: nothing is allocated for a known one.
class KeyNumbers {
public:
  /// Returns the number of `key`, and whether it is new.
  std::pair<int32_t, bool> number(absl::Span<const int32_t> key) {
    if (2 * (ends.size() + 1) > slots.size())
      grow();
    uint64_t hash = hashOf(key);
    size_t at = hash & (slots.size() - 1);
    for (; slots[at] != none; at = (at + 1) & (slots.size() - 1))
      if (hashes[slots[at]] == hash && keyOf(slots[at]) == key)
        return {slots[at], false};
    int32_t number = static_cast<int32_t>(ends.size());
    slots[at] = number;
    hashes.push_back(hash);
    words.insert(words.end(), key.begin(), key.end());
    ends.push_back(words.size());
    return {number, true};
  }

  void clear() {
    slots.assign(slots.size(), none);
    hashes.clear();
    words.clear();
    ends.clear();
  }

private:
  static constexpr int32_t none = -1;

  static uint64_t hashOf(absl::Span<const int32_t> key) {
    uint64_t hash = key.size();
    for (int32_t word : key) {
      hash = (hash ^ static_cast<uint32_t>(word)) * 0x9E3779B97F4A7C15;
      hash ^= hash >> 32;
    }
    return hash;
  }

  absl::Span<const int32_t> keyOf(int32_t number) const {
    size_t begin = number == 0 ? 0 : ends[number - 1];
    return absl::MakeConstSpan(words).subspan(begin, ends[number] - begin);
  }

  void grow() {
    slots.assign(slots.empty() ? 16 : 2 * slots.size(), none);
    for (size_t number = 0; number < ends.size(); ++number) {
      size_t at = hashes[number] & (slots.size() - 1);
      while (slots[at] != none)
        at = (at + 1) & (slots.size() - 1);
      slots[at] = static_cast<int32_t>(number);
    }
  }

  std::vector<int32_t> slots; ///< A power of two of them, at least half empty.
  std::vector<uint64_t> hashes;
  std::vector<int32_t> words; ///< Of all keys.
  std::vector<size_t> ends;   ///< By number, where its key ends in `words`.
};

} // namespace spmd
