// Memory for tensors and scratch.
//
// A program asks for the same sizes again and again, and gives them back soon: what is given back
// is kept for the next who asks. Fresh pages, and the search of a general allocator, cost more than
// most instructions.
#pragma once

#include <cstddef>
#include <cstdint>

namespace spmd {

/// Returns `bytes` of undefined memory aligned to 64, or null if there is none.
void *takeMemory(int64_t bytes);

/// Gives back what `takeMemory(bytes)` returned, on any thread. Each thread keeps up to 256 MiB,
/// or twice what it has had in use at a time, but at most 1 GiB.
void giveMemory(void *memory, int64_t bytes);

/// Returns memory as `takeMemory` does. Where there is none, fails as the standard library does.
void *requireMemory(int64_t bytes);

/// Lets containers of the standard library have such memory.
template <typename T> struct KeepingAllocator {
  using value_type = T;

  KeepingAllocator() = default;
  template <typename Other> KeepingAllocator(const KeepingAllocator<Other> &) {}

  T *allocate(size_t n) { return static_cast<T *>(requireMemory(n * sizeof(T))); }
  void deallocate(T *memory, size_t n) { giveMemory(memory, n * sizeof(T)); }

  friend bool operator==(KeepingAllocator, KeepingAllocator) { return true; }
  friend bool operator!=(KeepingAllocator, KeepingAllocator) { return false; }
};

/// Memory for as long as the object lives.
class Scratch {
public:
  /// Requires that there is memory, as for any container of the standard library.
  explicit Scratch(int64_t bytes) : bytes(bytes), memory(requireMemory(bytes)) {}
  ~Scratch() { giveMemory(memory, bytes); }
  Scratch(const Scratch &) = delete;
  Scratch &operator=(const Scratch &) = delete;

  std::byte *data() const { return static_cast<std::byte *>(memory); }

private:
  int64_t bytes;
  void *memory;
};

} // namespace spmd
