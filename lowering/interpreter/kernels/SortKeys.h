// Comparators that say: sort by these keys.
#pragma once

#include "spmd/lowering/interpreter/Body.h"

namespace spmd {

/// What elements are ordered by, the most important key first.
class SortKeys {
public:
  /// Recognises the body of a sort of `count` operands whose result is made of comparisons of the
  /// same function of both sides, as in `f(lhs) < f(rhs) || (f(lhs) == f(rhs) && g(lhs) > g(rhs))`.
  /// Returns nothing for any other body.
  static std::optional<SortKeys> recognise(const DeviceProgram &program, const Function &body,
                                           size_t count, const KernelRegistry &registry);

  size_t size() const { return keys.size(); }

  /// Returns for key number `key` of `n` elements, of which `operands` hold one part each, unsigned
  /// integers that sort as the key does; nothing if the order has gaps (a NaN in a plain
  /// comparison).
  std::optional<std::vector<uint64_t>> codes(size_t key, int64_t n,
                                             absl::Span<const void *const> operands) const;

  /// The bits that codes of key number `key` use.
  int bits(size_t key) const;

private:
  struct Key {
    TileProgram value; ///< From one element of each operand to the key.
    ElementType element = ElementType::f32;
    bool descending = false, total = false;
  };
  std::vector<Key> keys;

  friend class Recogniser;
};

} // namespace spmd
