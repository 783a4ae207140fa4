// A transpose reads lines of the cache that lie a row of the source apart, and writes lines that
// lie a row of the target apart. Where rows are a power of two apart, such lines share a few places
// in the cache and drive each other out. Hence every line is touched once, whole, beside its
// neighbours: lines of the source are staged in a small buffer, squares of it are turned in
// registers into a block, and the block goes out in long runs.
#include "spmd/lowering/interpreter/TransposePlane.h"

#include "spmd/lowering/interpreter/Vectorized.h"

#include <algorithm>
#include <cstring>
#include <type_traits>
#include <utility>

namespace spmd {
namespace {

#if defined(__clang__) || __GNUC__ >= 12
using Plane = StridedCopy::Plane;

/// Vectors of `width` bytes; elements of 16 bytes are two words, which are never parted.
template <typename Element, int width> struct VectorOf {
  using Word = std::conditional_t<sizeof(Element) == 16, uint64_t, Element>;
  typedef Word Type __attribute__((vector_size(width)));
  static constexpr auto words = std::make_integer_sequence<int, width / int{sizeof(Word)}>();
};

/// An element that no integer is as wide as.
struct Wide {
  uint64_t words[2];
};

template <typename V> SPMD_INLINE V load(const std::byte *from) {
  V vector;
  std::memcpy(&vector, from, sizeof(V));
  return vector;
}

template <typename V, int... i> SPMD_INLINE auto join(V a, V b, std::integer_sequence<int, i...>) {
  return __builtin_shufflevector(a, b, i...);
}

/// Returns pieces of 16 bytes, `stride` apart, as one vector.
template <typename Element, int width>
SPMD_INLINE typename VectorOf<Element, width>::Type loadPieces(const std::byte *from,
                                                               int64_t stride) {
  if constexpr (width == 16) {
    return load<typename VectorOf<Element, 16>::Type>(from);
  } else {
    constexpr int half = width / 2;
    return join(loadPieces<Element, half>(from, stride),
                loadPieces<Element, half>(from + half / 16 * stride, stride),
                VectorOf<Element, width>::words);
  }
}

/// Returns, in each piece of 16 bytes, elements of `a` and `b` in turn, from the first or from the
/// middle of the piece on. Shuffles that stay within a piece are one instruction.
template <int isUpper, int lanes, typename V, int... i>
SPMD_INLINE V interleave(V a, V b, std::integer_sequence<int, i...>) {
  return __builtin_shufflevector(
      a, b,
      (i / lanes * lanes + isUpper * (lanes / 2) + i % lanes / 2 + i % 2 * int{sizeof...(i)})...);
}

/// Turns pieces of 16 bytes, `fromStride` apart, as many as `width` bytes hold elements, into
/// vectors of `width` bytes, `toStride` apart, as many as 16 bytes hold elements.
template <typename Element, int width>
SPMD_INLINE void turnSquare(const std::byte *from, int64_t fromStride, std::byte *to,
                            int64_t toStride) {
  using V = typename VectorOf<Element, width>::Type;
  constexpr int lanes = 16 / sizeof(Element);
  constexpr auto words = VectorOf<Element, width>::words;
  V rows[lanes], mixed[lanes];
  for (int i = 0; i < lanes; ++i)
    rows[i] = loadPieces<Element, width>(from + i * fromStride, lanes * fromStride);
  // Each round brings together what lies half of all rows apart.
  for (int round = 1; round < lanes; round *= 2) {
    for (int i = 0; i < lanes / 2; ++i) {
      mixed[2 * i] = interleave<0, lanes>(rows[i], rows[i + lanes / 2], words);
      mixed[2 * i + 1] = interleave<1, lanes>(rows[i], rows[i + lanes / 2], words);
    }
    for (int i = 0; i < lanes; ++i)
      rows[i] = mixed[i];
  }
  for (int i = 0; i < lanes; ++i)
    std::memcpy(to + i * toStride, &rows[i], width);
}

/// Copies `bytes`, which mostly are a multiple of `usual`: then in moves that the compiler knows.
template <int width, int64_t usual>
SPMD_INLINE void copyRun(const std::byte *from, std::byte *to, int64_t bytes) {
  using V = typename VectorOf<uint8_t, width>::Type;
  for (; bytes >= usual; bytes -= usual, from += usual, to += usual) {
#pragma GCC unroll 32
    for (int64_t at = 0; at < usual; at += width) {
      V vector = load<V>(from + at);
      std::memcpy(to + at, &vector, width);
    }
  }
  if (bytes > 0)
    std::memcpy(to, from, bytes);
}

/// How much a block takes: runs of `source` bytes turn into runs of `target` bytes. Short runs miss
/// what the processor fetches ahead; a block larger than the first cache costs more than they do.
/// Where lines of the source are turned from piece by piece and drive each other out in between,
/// they are staged: copied, whole, to where they do not. Measured: see bench/Transposes.cpp.
template <int64_t sourceBytes, int64_t targetBytes, bool isStagedFirst> struct BlockShape {
  static constexpr int64_t source = sourceBytes, target = targetBytes;
  static constexpr bool isStaged = isStagedFirst;
};

/// Turns `numRows` dense rows of the source, whole squares, into the first of the rows of `block`.
template <typename Element, int width, typename Shape>
SPMD_INLINE void turnStaged(int64_t stride, int64_t numRows, int64_t numColumns,
                            const std::byte *source, std::byte *block, int64_t pitch) {
  constexpr int64_t size = sizeof(Element), lanes = 16 / size, wide = width / size;
  constexpr int64_t stagedPitch = Shape::source + 16;
  alignas(64) std::byte staged[2][wide * stagedPitch];
  int64_t numSquares = numRows / lanes;
  auto stage = [&](int64_t column, int64_t i) SPMD_INLINE_LAMBDA {
    copyRun<width, Shape::source>(source + (column + i) * stride,
                                  staged[column / wide % 2] + i * stagedPitch, numRows * size);
  };
  for (int64_t i = 0; i < wide; ++i)
    stage(0, i);
  // While these lines are turned, the next are on their way.
  int64_t perSquare = 1; // A power of two, as `wide` is.
  while (perSquare * numSquares < wide)
    perSquare *= 2;
  for (int64_t column = 0; column < numColumns; column += wide) {
    const std::byte *lines = staged[column / wide % 2];
    int64_t next = column + wide < numColumns ? 0 : wide;
    for (int64_t square = 0; square < numSquares; ++square) {
      turnSquare<Element, width>(lines + square * 16, stagedPitch,
                                 block + square * lanes * pitch + column * size, pitch);
      if (next < wide)
        for (int64_t i = 0; i < perSquare; ++i)
          stage(column + wide, next++);
    }
  }
}

/// Copies a block: `numRows` and `numColumns` are whole squares.
template <typename Element, int width, typename Shape>
SPMD_INLINE void turnBlock(const Plane &plane, int64_t numRows, int64_t numColumns,
                           const std::byte *source, std::byte *target) {
  constexpr int64_t size = sizeof(Element), lanes = 16 / size, wide = width / size;
  constexpr int64_t pitch = Shape::target + 64;
  alignas(64) std::byte block[Shape::source / size * pitch];
  int64_t stride = plane.columns.source;
  if constexpr (Shape::isStaged)
    turnStaged<Element, width, Shape>(stride, numRows, numColumns, source, block, pitch);
  else
    for (int64_t column = 0; column < numColumns; column += wide)
      for (int64_t row = 0; row < numRows; row += lanes)
        turnSquare<Element, width>(source + row * size + column * stride, stride,
                                   block + row * pitch + column * size, pitch);
  for (int64_t row = 0; row < numRows; ++row)
    copyRun<width, Shape::target>(block + row * pitch, target + row * plane.rows.target,
                                  numColumns * size);
}

/// Copies all whole squares of `width` bytes.
template <typename Element, int width, typename Shape>
SPMD_INLINE Transposed turnBlocks(const Plane &plane, const std::byte *source, std::byte *target) {
  constexpr int64_t size = sizeof(Element), lanes = 16 / size, wide = width / size;
  constexpr int64_t mostRows = Shape::source / size;
  constexpr int64_t mostColumns = Shape::target / size;
  int64_t numRows = plane.rows.size / lanes * lanes, numColumns = plane.columns.size / wide * wide;
  for (int64_t row = 0; row < numRows; row += mostRows)
    for (int64_t column = 0; column < numColumns; column += mostColumns) {
      int64_t rows = std::min(mostRows, numRows - row);
      int64_t columns = std::min(mostColumns, numColumns - column);
      const std::byte *from = source + row * size + column * plane.columns.source;
      std::byte *to = target + row * plane.rows.target + column * size;
      if (rows == mostRows) // Most blocks: loops of known lengths.
        turnBlock<Element, width, Shape>(plane, mostRows, columns, from, to);
      else
        turnBlock<Element, width, Shape>(plane, rows, columns, from, to);
    }
  return {numRows, numColumns};
}

template <typename Element, int width>
SPMD_INLINE Transposed turnAll(const Plane &plane, const std::byte *source, std::byte *target) {
  constexpr int64_t size = sizeof(Element);
  auto turn = [&](auto shape) SPMD_INLINE_LAMBDA {
    return turnBlocks<Element, width, decltype(shape)>(plane, source, target);
  };
  bool collides = plane.columns.source % 512 == 0 || plane.rows.target % 512 == 0;
  if constexpr (size >= 4)
    return collides ? turn(BlockShape<256, 512, false>()) : turn(BlockShape<64, 512, false>());
  if (!collides)
    return turn(BlockShape<64, 256, false>());
  if constexpr (size == 2)
    return turn(BlockShape<128, 512, true>());
  if (plane.rows.target % 4096 == 0) // All lines of a column share one place: long runs only.
    return turn(BlockShape<64, 512, true>());
  return turn(BlockShape<128, 256, true>());
}

template <typename Element>
Transposed turnPlain(const Plane &plane, const std::byte *source, std::byte *target) {
  return turnAll<Element, 16>(plane, source, target);
}

#ifdef SPMD_WIDE_TARGET
template <typename Element>
SPMD_WIDE_TARGET Transposed turnWide(const Plane &plane, const std::byte *source,
                                     std::byte *target) {
  return turnAll<Element, 32>(plane, source, target);
}
#endif

template <typename Element>
Transposed turn(const Plane &plane, const std::byte *source, std::byte *target) {
#ifdef SPMD_WIDE_TARGET
  constexpr int64_t size = sizeof(Element);
  if (hasWideVectors() && plane.columns.size >= 32 / size) {
    Transposed done = turnWide<Element>(plane, source, target);
    Plane right = plane; // A square of 16 bytes may be left.
    right.columns.size -= done.columns;
    Transposed rest = turnPlain<Element>(right, source + done.columns * plane.columns.source,
                                         target + done.columns * size);
    return {done.rows, done.columns + rest.columns};
  }
#endif
  return turnPlain<Element>(plane, source, target);
}
#endif

} // namespace

Transposed transposeSquares(const Plane &plane, int64_t bytes, const std::byte *source,
                            std::byte *target) {
#if defined(__clang__) || __GNUC__ >= 12
  return bytes == 1   ? turn<uint8_t>(plane, source, target)
         : bytes == 2 ? turn<uint16_t>(plane, source, target)
         : bytes == 4 ? turn<uint32_t>(plane, source, target)
         : bytes == 8 ? turn<uint64_t>(plane, source, target)
                      : turn<Wide>(plane, source, target);
#else
  return {0, 0};
#endif
}

} // namespace spmd
