#include "spmd/lowering/interpreter/CopyPlane.h"

#include "spmd/lowering/interpreter/TransposePlane.h"

#include <algorithm>
#include <cstring>

namespace spmd {
namespace {

using Plane = StridedCopy::Plane;

/// An element of more bytes than a register of integers. May lie anywhere, as all elements here.
template <int bytes> struct Block {
  unsigned char data[bytes];
};

template <typename T> T read(const std::byte *at) {
  T value;
  std::memcpy(&value, at, sizeof(T));
  return value;
}
template <typename T> void write(std::byte *at, const T &value) {
  std::memcpy(at, &value, sizeof(T));
}

/// Columns are bytes, dense on both sides.
void copyRuns(const Plane &plane, const std::byte *source, std::byte *target) {
  auto [rows, columns] = plane;
  for (int64_t row = 0; row < rows.size; ++row)
    std::memcpy(target + row * rows.target, source + row * rows.source, columns.size);
}

/// As above, of at least one T and less than two.
template <typename T>
void copyShortRuns(const Plane &plane, const std::byte *source, std::byte *target) {
  auto [rows, columns] = plane;
  int64_t last = columns.size - static_cast<int64_t>(sizeof(T));
  for (int64_t row = 0; row < rows.size; ++row, source += rows.source, target += rows.target) {
    write(target, read<T>(source));
    write(target + last, read<T>(source + last));
  }
}

PlaneCopier runCopierFor(int64_t bytes) {
  return bytes >= 128  ? &copyRuns
         : bytes >= 64 ? &copyShortRuns<Block<64>>
         : bytes >= 32 ? &copyShortRuns<Block<32>>
         : bytes >= 16 ? &copyShortRuns<Block<16>>
         : bytes >= 8  ? &copyShortRuns<uint64_t>
         : bytes >= 4  ? &copyShortRuns<uint32_t>
         : bytes >= 2  ? &copyShortRuns<uint16_t>
                       : &copyShortRuns<uint8_t>;
}

/// Each row is one element of the source, again and again.
template <typename T>
void fillRows(const Plane &plane, const std::byte *source, std::byte *target) {
  auto [rows, columns] = plane;
  for (int64_t row = 0; row < rows.size; ++row) {
    T value = read<T>(source + row * rows.source);
    std::byte *to = target + row * rows.target;
    for (int64_t i = 0; i < columns.size; ++i)
      write(to + i * static_cast<int64_t>(sizeof(T)), value);
  }
}

/// Takes every `step`th element of the source; the target is dense. Known steps become vectors.
template <typename T, int64_t step>
void takeSteps(const Plane &plane, const std::byte *source, std::byte *target) {
  constexpr int64_t size = sizeof(T);
  auto [rows, columns] = plane;
  for (int64_t row = 0; row < rows.size; ++row) {
    const std::byte *from = source + row * rows.source;
    std::byte *to = target + row * rows.target;
    for (int64_t i = 0; i < columns.size; ++i)
      write(to + i * size, read<T>(from + i * step * size));
  }
}

template <typename T> void copyAny(const Plane &plane, const std::byte *source, std::byte *target) {
  auto [rows, columns] = plane;
  for (int64_t row = 0; row < rows.size; ++row, source += rows.source, target += rows.target) {
    const std::byte *from = source;
    std::byte *to = target;
    for (int64_t i = 0; i < columns.size; ++i, from += columns.source, to += columns.target)
      write(to, read<T>(from));
  }
}

/// Copies in squares, whose lines stay in cache while both sides are walked. Rows are dense in the
/// source.
template <typename T>
void copySquares(const Plane &plane, int64_t firstRow, int64_t firstColumn, const std::byte *source,
                 std::byte *target) {
  constexpr int64_t size = sizeof(T), side = 64 / size > 16 ? 64 / size : 16;
  auto [rows, columns] = plane;
  for (int64_t row = firstRow; row < rows.size; row += side)
    for (int64_t column = firstColumn; column < columns.size; column += side)
      for (int64_t i = row; i < std::min(row + side, rows.size); ++i)
        for (int64_t j = column; j < std::min(column + side, columns.size); ++j)
          write(target + i * rows.target + j * columns.target,
                read<T>(source + i * size + j * columns.source));
}

/// Rows are dense in the source.
template <typename T>
void transposePlane(const Plane &plane, const std::byte *source, std::byte *target) {
  if constexpr (sizeof(T) <= 16)
    if (plane.columns.target == sizeof(T)) {
      Transposed done = transposeSquares(plane, sizeof(T), source, target);
      Plane above = plane; // What is right of the squares; then what is below.
      above.rows.size = done.rows;
      copySquares<T>(above, 0, done.columns, source, target);
      return copySquares<T>(plane, done.rows, 0, source, target);
    }
  copySquares<T>(plane, 0, 0, source, target);
}

template <typename T> PlaneCopier copierFor(const Plane &plane) {
  constexpr int64_t size = sizeof(T);
  int64_t source = plane.columns.source;
  if (plane.rows.source == size && plane.rows.size > 1 && source != size && source != 0)
    return &transposePlane<T>;
  if (plane.columns.target != size)
    return &copyAny<T>;
  if (source == 0)
    return &fillRows<T>;
  if (source == -size)
    return &takeSteps<T, -1>;
  if (source == 2 * size)
    return &takeSteps<T, 2>;
  if (source == 3 * size)
    return &takeSteps<T, 3>;
  if (source == 4 * size)
    return &takeSteps<T, 4>;
  return &copyAny<T>;
}

} // namespace

PlaneCopier planeCopierFor(const Plane &plane, int64_t bytes) {
  if (bytes == 1 && plane.columns.source == 1 && plane.columns.target == 1)
    return runCopierFor(plane.columns.size);
  return bytes == 1    ? copierFor<uint8_t>(plane)
         : bytes == 2  ? copierFor<uint16_t>(plane)
         : bytes == 4  ? copierFor<uint32_t>(plane)
         : bytes == 8  ? copierFor<uint64_t>(plane)
         : bytes == 16 ? copierFor<Block<16>>(plane)
         : bytes == 32 ? copierFor<Block<32>>(plane)
                       : copierFor<Block<64>>(plane);
}

} // namespace spmd
