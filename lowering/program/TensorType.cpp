#include "spmd/lowering/program/TensorType.h"

#include "absl/strings/str_cat.h"

namespace spmd {

int64_t TensorType::numElements() const {
  int64_t count = 1;
  for (int64_t size : shape)
    count *= size;
  return count;
}

std::string TensorType::str() const {
  std::string text;
  for (int64_t size : shape)
    absl::StrAppend(&text, size, "x");
  return text + nameOf(element);
}

int64_t checkedNumElements(const TensorType &type) {
  int64_t limit = (int64_t{1} << 62) / storedBytes(type.element), count = 1;
  bool empty = false;
  for (int64_t size : type.shape) {
    if (size < 0)
      return -1;
    empty |= size == 0;
    if (size > 0 && count > limit / size)
      return -1;
    count *= size == 0 ? 1 : size;
  }
  return empty ? 0 : count;
}

std::vector<int64_t> rowMajorStrides(const std::vector<int64_t> &shape) {
  std::vector<int64_t> strides(shape.size(), 1);
  for (int64_t d = static_cast<int64_t>(shape.size()) - 2; d >= 0; --d)
    strides[d] = strides[d + 1] * shape[d + 1];
  return strides;
}

} // namespace spmd
