#include "spmd/lowering/interpreter/StridedCopy.h"

#include <cstring>

namespace spmd {

CopyBox simplified(CopyBox box) {
  CopyBox out;
  for (size_t d = 0; d < box.shape.size(); ++d) {
    if (box.shape[d] == 1)
      continue;
    // The dim before runs on where this one ends.
    if (!out.shape.empty() && out.sourceStrides.back() == box.sourceStrides[d] * box.shape[d] &&
        out.targetStrides.back() == box.targetStrides[d] * box.shape[d]) {
      out.shape.back() *= box.shape[d];
      out.sourceStrides.back() = box.sourceStrides[d];
      out.targetStrides.back() = box.targetStrides[d];
      continue;
    }
    out.shape.push_back(box.shape[d]);
    out.sourceStrides.push_back(box.sourceStrides[d]);
    out.targetStrides.push_back(box.targetStrides[d]);
  }
  return out;
}

namespace {
struct Element16 {
  uint64_t halves[2];
};

template <typename T>
void copyRow(int64_t n, const std::byte *source, int64_t sourceStride, std::byte *target,
             int64_t targetStride) {
  auto *from = reinterpret_cast<const T *>(source);
  auto *to = reinterpret_cast<T *>(target);
  if (sourceStride == 1 && targetStride == 1)
    std::memcpy(to, from, n * sizeof(T));
  else
    for (int64_t i = 0; i < n; ++i)
      to[i * targetStride] = from[i * sourceStride];
}
} // namespace

static auto rowCopierOf(int64_t bytes) {
  return bytes == 1   ? &copyRow<uint8_t>
         : bytes == 2 ? &copyRow<uint16_t>
         : bytes == 4 ? &copyRow<uint32_t>
         : bytes == 8 ? &copyRow<uint64_t>
                      : &copyRow<Element16>;
}

void copyBox(const CopyBox &given, int64_t bytes, const std::byte *source, std::byte *target) {
  for (int64_t size : given.shape)
    if (size == 0)
      return;
  CopyBox box = simplified(given);
  if (box.shape.empty())
    box = {{1}, {1}, {1}};
  auto *copy = rowCopierOf(bytes);
  int64_t row = box.shape.back(), from = box.sourceStrides.back(), to = box.targetStrides.back();
  box.shape.pop_back();
  box.sourceStrides.pop_back();
  box.targetStrides.pop_back();
  std::vector<int64_t> index(box.shape.size(), 0);
  do {
    copy(row, source + offsetOf(index, box.sourceStrides) * bytes, from,
         target + offsetOf(index, box.targetStrides) * bytes, to);
  } while (nextIndex(index, box.shape));
}

void fillElements(std::byte *target, int64_t count, const std::byte *element, int64_t bytes) {
  if (count > 0)
    rowCopierOf(bytes)(count, element, 0, target, 1);
}

int64_t offsetOf(const std::vector<int64_t> &index, const std::vector<int64_t> &strides) {
  int64_t offset = 0;
  for (size_t d = 0; d < index.size(); ++d)
    offset += index[d] * strides[d];
  return offset;
}

bool nextIndex(std::vector<int64_t> &index, const std::vector<int64_t> &shape) {
  for (int64_t d = static_cast<int64_t>(shape.size()) - 1; d >= 0; --d) {
    if (++index[d] < shape[d])
      return true;
    index[d] = 0;
  }
  return false;
}

} // namespace spmd
