// Reading of index tensors, whatever integer type they have.
#pragma once

#include "spmd/lowering/interpreter/Storage.h"
#include "spmd/lowering/interpreter/Tensor.h"

#include <algorithm>
#include <limits>

namespace spmd {

/// Reads element `i` of stored integers as int64_t; unsigned values past its range saturate.
using IndexReader = int64_t (*)(const void *data, int64_t i);

/// Returns `index` if it is one of 0 .. `last`, else the nearest of these.
template <typename T> int64_t clampedIndex(T index, int64_t last) {
  if constexpr (std::is_same_v<T, uint64_t>)
    return static_cast<int64_t>(std::min<uint64_t>(index, last));
  else
    return std::clamp<int64_t>(index, 0, last);
}

/// Returns the reader for an integer type, or null for any other.
inline IndexReader indexReaderOf(ElementType element) {
  if (!isInteger(element) || element == ElementType::i1)
    return nullptr;
  return visitNative(element, [](auto tag) -> IndexReader {
    using T = typename decltype(tag)::Type;
    if constexpr (std::is_integral_v<T>)
      return [](const void *data, int64_t i) -> int64_t {
        T value = static_cast<const T *>(data)[i];
        if constexpr (std::is_same_v<T, uint64_t>)
          return std::min<T>(value, std::numeric_limits<int64_t>::max());
        return value;
      };
    return nullptr;
  });
}

} // namespace spmd
