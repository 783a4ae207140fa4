#include "spmd/lowering/interpreter/Memory.h"

#include <algorithm>
#include <cstdlib>
#include <new>
#include <sys/mman.h>

#if defined(__SANITIZE_ADDRESS__)
#define SPMD_KEEPS_MEMORY 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SPMD_KEEPS_MEMORY 0 // Or it would not see who uses what is given back.
#endif
#endif
#ifndef SPMD_KEEPS_MEMORY
#define SPMD_KEEPS_MEMORY 1
#endif

namespace spmd {
namespace {

constexpr std::align_val_t alignment{64};

// Sizes are rounded up to classes: multiples of 64 up to 1024, then eighths of powers of two.
constexpr int64_t smallest = 64, smallBytes = 1024, largestBytes = int64_t{1} << 27;
constexpr int numSmall = smallBytes / smallest, stepsPerPower = 8, numClasses = numSmall + 17 * 8;

struct SizeClass {
  int index;
  int64_t bytes;
};

/// Requires 0 < bytes <= largestBytes.
SizeClass classOf(int64_t bytes) {
  if (bytes <= smallBytes) {
    int index = static_cast<int>((bytes - 1) / smallest);
    return {index, (index + 1) * smallest};
  }
  int power = 63 - __builtin_clzll(bytes - 1); // 2^power < bytes <= 2^(power+1).
  int shift = power - 3;
  int step = static_cast<int>((bytes - 1) >> shift) - stepsPerPower;
  return {numSmall + (power - 10) * stepsPerPower + step,
          static_cast<int64_t>(stepsPerPower + step + 1) << shift};
}

/// What one thread keeps, as a list for each class.
class Kept {
public:
  ~Kept() {
    clear();
    isGone = true;
  }

  void *take(int index, int64_t bytes) {
    usedBytes += bytes;
    mostUsed = std::max(mostUsed, usedBytes);
    Link *link = lists[index];
    if (link) {
      lists[index] = link->next;
      keptBytes -= bytes;
    }
    return link;
  }

  void give(void *memory, int index, int64_t bytes) {
    usedBytes -= bytes;
    if (keptBytes + bytes > std::clamp(2 * mostUsed, leastLimit, largestLimit)) {
      clear(); // What was asked for earlier may never be again.
      mostUsed = std::max<int64_t>(usedBytes, 0);
    }
    keptBytes += bytes;
    lists[index] = new (memory) Link{lists[index]};
  }

  /// Whether the thread is ending: then nothing is kept.
  static thread_local bool isGone;

private:
  static constexpr int64_t leastLimit = int64_t{1} << 28, largestLimit = int64_t{1} << 30;

  struct Link {
    Link *next;
  };

  void clear() {
    for (Link *&list : lists)
      while (list) {
        Link *next = list->next;
        std::free(list);
        list = next;
      }
    keptBytes = 0;
  }

  Link *lists[numClasses] = {};
  int64_t keptBytes = 0;
  /// Taken and not given back, and the most of that since lists were cleared. Both count what this
  /// thread did: others may give back what it took.
  int64_t usedBytes = 0, mostUsed = 0;
};

thread_local bool Kept::isGone = false;
thread_local Kept kept;

} // namespace

/// Not by `new`, which may end the program where a caller can say more of what is missing. Large
/// memory gets large pages, where the system has them: to get 2 MiB of small ones takes longer than
/// to write to them.
static void *allocate(int64_t bytes) {
  constexpr int64_t largePage = int64_t{1} << 21;
  bool isLarge = bytes >= largePage;
  void *memory = nullptr;
  if (posix_memalign(&memory, isLarge ? largePage : static_cast<size_t>(alignment), bytes) != 0)
    return nullptr;
#ifdef MADV_HUGEPAGE
  if (isLarge)
    madvise(memory, bytes / largePage * largePage, MADV_HUGEPAGE); // Advice: it may be refused.
#endif
  return memory;
}

void *takeMemory(int64_t bytes) {
  bytes = bytes > 0 ? bytes : 1;
  if (SPMD_KEEPS_MEMORY && bytes <= largestBytes) {
    SizeClass size = classOf(bytes);
    bytes = size.bytes;
    if (!Kept::isGone)
      if (void *memory = kept.take(size.index, bytes))
        return memory;
  }
  return allocate(bytes);
}

void giveMemory(void *memory, int64_t bytes) {
  if (!memory)
    return;
  bytes = bytes > 0 ? bytes : 1;
  if (!SPMD_KEEPS_MEMORY || bytes > largestBytes || Kept::isGone)
    return std::free(memory);
  SizeClass size = classOf(bytes);
  kept.give(memory, size.index, size.bytes);
}

void *requireMemory(int64_t bytes) {
  void *memory = takeMemory(bytes);
  while (!memory) { // A kernel cannot say so; the ordinary allocation throws.
    ::operator delete(::operator new(std::max<int64_t>(bytes, 1), alignment), alignment);
    memory = takeMemory(bytes);
  }
  return memory;
}

} // namespace spmd
