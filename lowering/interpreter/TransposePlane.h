// Transposes of the two innermost dims of a copy, in blocks that fit the cache.
#pragma once

#include "spmd/lowering/interpreter/StridedCopy.h"

namespace spmd {

/// Copies what of `plane` makes whole squares of vectors, and returns how much that is: all rows
/// and columns before `rows` and `columns`. Elements have `bytes`: 1, 2, 4, 8 or 16; rows are dense
/// in the source, columns in the target.
struct Transposed {
  int64_t rows, columns;
};
Transposed transposeSquares(const StridedCopy::Plane &plane, int64_t bytes, const std::byte *source,
                            std::byte *target);

} // namespace spmd
