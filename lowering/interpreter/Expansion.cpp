#include "spmd/lowering/interpreter/Expansion.h"

#include "spmd/lowering/interpreter/Storage.h"

#include <algorithm>
#include <cstring>

namespace spmd {

Expansion::Expansion(const std::vector<int64_t> &shape, const std::vector<int64_t> &strides) {
  std::vector<Dim> dims; // The innermost first, as few as possible.
  for (size_t d = shape.size(); d-- > 0;) {
    if (shape[d] == 1)
      continue;
    if (!dims.empty() && strides[d] == dims.back().stride * dims.back().size)
      dims.back().size *= shape[d];
    else
      dims.push_back({shape[d], strides[d]});
  }
  if (dims.empty())
    return;
  inner = dims[0];
  outer.assign(dims.begin() + 1, dims.end());
}

namespace {

/// Writes `count` elements, `stride` of them apart.
template <typename T>
void writeRun(const std::byte *from, int64_t stride, int64_t count, std::byte *into) {
  auto *source = reinterpret_cast<const T *>(from);
  auto *target = reinterpret_cast<T *>(into);
  if (stride == 0)
    std::fill_n(target, count, *source);
  else
    for (int64_t i = 0; i < count; ++i)
      target[i] = source[i * stride];
}

} // namespace

const std::byte *Expansion::elements(int64_t begin, int64_t count, int64_t bytes,
                                     const std::byte *small, std::byte *into) const {
  auto *write =
      visitStoredSize(bytes, [](auto tag) { return &writeRun<typename decltype(tag)::Type>; });
  int64_t position = begin % inner.size, row = begin / inner.size;
  std::byte *next = into;
  while (count > 0) {
    int64_t offset = position * inner.stride, rest = row;
    for (const Dim &dim : outer) {
      offset += rest % dim.size * dim.stride;
      rest /= dim.size;
    }
    int64_t run = std::min(count, inner.size - position);
    const std::byte *from = small + offset * bytes;
    if (inner.stride == 1 && run == count && next == into)
      return from;
    if (inner.stride == 1)
      std::memcpy(next, from, run * bytes);
    else
      write(from, inner.stride, run, next);
    next += run * bytes;
    count -= run;
    position = 0;
    ++row;
  }
  return into;
}

} // namespace spmd
