#include "spmd/lowering/interpreter/StridedCopy.h"

#include <algorithm>
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
  else if (sourceStride == 0 && targetStride == 1)
    std::fill_n(to, n, *from);
  else
    for (int64_t i = 0; i < n; ++i)
      to[i * targetStride] = from[i * sourceStride];
}

/// Two dims of a box, the outer one of which the source stores densely.
struct Plane {
  int64_t rows, columns, rowTarget, columnSource, columnTarget; // Strides; that of rows is 1 there.
};

#if defined(__clang__) || __GNUC__ >= 12
#define SPMD_HAS_SHUFFLES
typedef uint32_t Lanes __attribute__((vector_size(16), aligned(4)));

/// Turns four rows of four elements into columns, in registers.
void transposeSquare(const uint32_t *from, int64_t fromStride, uint32_t *to, int64_t toStride) {
  Lanes a, b, c, d;
  std::memcpy(&a, from, 16);
  std::memcpy(&b, from + fromStride, 16);
  std::memcpy(&c, from + 2 * fromStride, 16);
  std::memcpy(&d, from + 3 * fromStride, 16);
  Lanes ab = __builtin_shufflevector(a, b, 0, 4, 1, 5),
        cd = __builtin_shufflevector(c, d, 0, 4, 1, 5);
  Lanes ef = __builtin_shufflevector(a, b, 2, 6, 3, 7),
        gh = __builtin_shufflevector(c, d, 2, 6, 3, 7);
  const Lanes rows[] = {
      __builtin_shufflevector(ab, cd, 0, 1, 4, 5), __builtin_shufflevector(ab, cd, 2, 3, 6, 7),
      __builtin_shufflevector(ef, gh, 0, 1, 4, 5), __builtin_shufflevector(ef, gh, 2, 3, 6, 7)};
  for (int i = 0; i < 4; ++i)
    std::memcpy(to + i * toStride, &rows[i], 16);
}

/// Copies what of a dense plane of 32-bit elements makes whole tiles; returns how many rows and
/// columns that is. A tile goes through a buffer, so that every line of either side is touched
/// once: lines that are a power of two apart drive each other out of the cache.
std::pair<int64_t, int64_t> copyTiles(const Plane &plane, const uint32_t *from, uint32_t *to) {
  constexpr int64_t side = 16; // One line of the cache.
  int64_t rows = plane.rows / side * side, columns = plane.columns / side * side;
  alignas(64) uint32_t tile[side * side];
  for (int64_t row = 0; row < rows; row += side)
    for (int64_t column = 0; column < columns; column += side) {
      for (int64_t j = 0; j < side; j += 4)
        for (int64_t i = 0; i < side; i += 4)
          transposeSquare(from + row + i + (column + j) * plane.columnSource, plane.columnSource,
                          tile + i * side + j, side);
      for (int64_t i = 0; i < side; ++i)
        std::memcpy(to + (row + i) * plane.rowTarget + column, tile + i * side, sizeof(*to) * side);
    }
  return {rows, columns};
}
#endif

/// Copies in squares, whose lines stay in cache while both sides are walked.
template <typename T>
void copyPlane(const Plane &plane, const std::byte *source, std::byte *target) {
  constexpr int64_t side = 64 / sizeof(T) > 16 ? 64 / sizeof(T) : 16;
  auto *from = reinterpret_cast<const T *>(source);
  auto *to = reinterpret_cast<T *>(target);
#ifdef SPMD_HAS_SHUFFLES
  if constexpr (std::is_same_v<T, uint32_t>)
    if (plane.columnTarget == 1) {
      auto [rows, columns] = copyTiles(plane, from, to);
      for (int64_t i = 0; i < plane.rows; ++i)
        for (int64_t j = i < rows ? columns : 0; j < plane.columns; ++j)
          to[i * plane.rowTarget + j] = from[i + j * plane.columnSource];
      return;
    }
#endif
  for (int64_t row = 0; row < plane.rows; row += side)
    for (int64_t column = 0; column < plane.columns; column += side)
      for (int64_t i = row; i < std::min(row + side, plane.rows); ++i)
        for (int64_t j = column; j < std::min(column + side, plane.columns); ++j)
          to[i * plane.rowTarget + j * plane.columnTarget] = from[i + j * plane.columnSource];
}
} // namespace

static auto planeCopierOf(int64_t bytes) {
  return bytes == 1   ? &copyPlane<uint8_t>
         : bytes == 2 ? &copyPlane<uint16_t>
         : bytes == 4 ? &copyPlane<uint32_t>
         : bytes == 8 ? &copyPlane<uint64_t>
                      : &copyPlane<Element16>;
}

/// Removes dim `d` of `box`.
static void removeDim(CopyBox &box, size_t d) {
  for (std::vector<int64_t> *list : {&box.shape, &box.sourceStrides, &box.targetStrides})
    list->erase(list->begin() + d);
}

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
  int64_t row = box.shape.back(), from = box.sourceStrides.back(), to = box.targetStrides.back();
  removeDim(box, box.shape.size() - 1);
  auto dense = std::find(box.sourceStrides.begin(), box.sourceStrides.end(), 1);
  bool isTransposed = from != 1 && dense != box.sourceStrides.end();
  Plane plane = {};
  if (isTransposed) {
    size_t d = dense - box.sourceStrides.begin();
    plane = {box.shape[d], row, box.targetStrides[d], from, to};
    removeDim(box, d);
  }
  auto *copyRow = rowCopierOf(bytes);
  auto *copyPlane = planeCopierOf(bytes);
  std::vector<int64_t> index(box.shape.size(), 0);
  do {
    const std::byte *first = source + offsetOf(index, box.sourceStrides) * bytes;
    std::byte *into = target + offsetOf(index, box.targetStrides) * bytes;
    if (isTransposed)
      copyPlane(plane, first, into);
    else
      copyRow(row, first, from, into, to);
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
