// Numbers for lists of numbers, in flat memory.
#pragma once

#include "spmd/ir/rules/NextNumber.h"

#include "absl/types/span.h"

#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

namespace spmd {

/// Distinct keys by number, in the order of their first appearance. A look costs a few nanoseconds
/// where the keys in use are few: nothing is allocated for a known one. Programs repeat themselves,
/// so the key that came at such a place before is compared first, and mostly nothing is hashed.
class KeyNumbers {
public:
  /// Returns the number of `key`, and whether it is new.
  std::pair<int32_t, bool> number(absl::Span<const int32_t> key) {
    int32_t guess = next.guess();
    if (guess != none && isKey(guess, key)) {
      next.came(guess);
      return {guess, false};
    }
    auto [number, isNew] = lookUp(key);
    next.came(number);
    return {number, isNew};
  }

  /// Takes time in the keys that there are, not in those that there once were.
  void clear() {
    if (slots.size() > 8 * begins.size()) {
      slots.clear();
      next = {};
    }
    slots.assign(slots.size(), Slot());
    words.clear();
    begins.assign(1, 0);
    next.clear();
  }

private:
  static constexpr int32_t none = NextNumber::none;

  struct Slot {
    uint32_t hash = 0;
    int32_t number = none;
  };

  std::pair<int32_t, bool> lookUp(absl::Span<const int32_t> key) {
    if (2 * begins.size() > slots.size())
      grow();
    uint64_t hash = hashOf(key);
    size_t at = hash & (slots.size() - 1);
    for (; slots[at].number != none; at = (at + 1) & (slots.size() - 1))
      if (slots[at].hash == static_cast<uint32_t>(hash) && isKey(slots[at].number, key))
        return {slots[at].number, false};
    int32_t number = static_cast<int32_t>(begins.size()) - 1;
    slots[at] = {static_cast<uint32_t>(hash), number};
    words.insert(words.end(), key.begin(), key.end());
    begins.push_back(words.size());
    return {number, true};
  }

  static uint64_t hashOf(absl::Span<const int32_t> key) {
    uint64_t hash = key.size();
    auto mix = [&](uint64_t more) {
      hash = (hash ^ more) * 0x9E3779B97F4A7C15;
      hash ^= hash >> 32;
    };
    size_t i = 0;
    for (; i + 1 < key.size(); i += 2)
      mix(pairAt(key.data() + i));
    if (i < key.size())
      mix(static_cast<uint32_t>(key[i]));
    return hash;
  }

  /// Keys are short: a loop takes less than a call. It compares two numbers at a time.
  bool isKey(int32_t number, absl::Span<const int32_t> key) const {
    size_t begin = begins[number], length = key.size();
    if (begins[number + 1] - begin != length)
      return false;
    const int32_t *known = words.data() + begin, *own = key.data();
    size_t i = 0;
    for (; i + 1 < length; i += 2)
      if (pairAt(known + i) != pairAt(own + i))
        return false;
    return i == length || known[i] == own[i];
  }

  static uint64_t pairAt(const int32_t *numbers) {
    uint64_t pair;
    std::memcpy(&pair, numbers, sizeof(pair));
    return pair;
  }

  void grow() {
    std::vector<Slot> larger(slots.empty() ? 16 : 2 * slots.size());
    for (const Slot &slot : slots) {
      if (slot.number == none)
        continue;
      size_t at = slot.hash & (larger.size() - 1);
      while (larger[at].number != none)
        at = (at + 1) & (larger.size() - 1);
      larger[at] = slot;
    }
    slots = std::move(larger);
    next.reserve(slots.size() / 4);
  }

  std::vector<Slot> slots;    ///< A power of two of them, at least half empty.
  std::vector<int32_t> words; ///< Of all keys.
  /// By number, where its key begins in `words`; and where the last one ends.
  std::vector<size_t> begins = {0};
  NextNumber next;
};

} // namespace spmd
