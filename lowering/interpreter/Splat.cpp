#include "spmd/lowering/interpreter/Splat.h"

#include "spmd/lowering/interpreter/Memory.h"
#include "spmd/lowering/interpreter/Storage.h"

#include "absl/container/flat_hash_map.h"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <utility>

namespace spmd {

template <typename Bits> static void splatAs(std::byte *data, int64_t n) {
  Bits *elements = reinterpret_cast<Bits *>(data);
  std::fill(elements + 1, elements + n, elements[0]);
}

void splat(std::byte *data, int64_t n, int64_t bytes) {
  visitStoredSize(bytes, [&](auto tag) { splatAs<typename decltype(tag)::Type>(data, n); });
}

const std::byte *keptSplat(const std::string &element, int64_t n) {
  using Key = std::pair<std::string, int64_t>;
  constexpr size_t mostKept = 1024; // Some megabytes.
  static std::mutex mutex;
  static auto &kept =
      *new absl::flat_hash_map<Key, const std::byte *>; // Never freed, as its tiles.
  std::lock_guard<std::mutex> lock(mutex);
  if (auto known = kept.find(Key(element, n)); known != kept.end())
    return known->second;
  void *memory =
      kept.size() < mostKept ? takeMemory(n * static_cast<int64_t>(element.size())) : nullptr;
  if (!memory)
    return nullptr;
  auto *tile = static_cast<std::byte *>(memory);
  std::memcpy(tile, element.data(), element.size());
  splat(tile, n, static_cast<int64_t>(element.size()));
  return kept[Key(element, n)] = tile;
}

} // namespace spmd
