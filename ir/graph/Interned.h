// Distinct values by index, in the order of their first appearance.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace spmd {

/// Stores equal values once. Made for the types that Interned.cpp lists: the hash map behind it is
/// compiled there, once, and not in every file that holds a graph.
template <typename T> class Interned {
public:
  Interned();
  ~Interned();
  Interned(Interned &&) noexcept;
  Interned &operator=(Interned &&) noexcept;

  /// Returns the index of `value`, which is the next one if it is new.
  int32_t intern(const T &value);
  const T &operator[](int32_t index) const { return *items[index]; }
  int32_t size() const { return static_cast<int32_t>(items.size()); }

private:
  struct Index;
  std::unique_ptr<Index> indexOf;
  std::vector<const T *> items;
};

} // namespace spmd
