// The innermost two dims of a strided copy.
#pragma once

#include "spmd/lowering/interpreter/StridedCopy.h"

namespace spmd {

using PlaneCopier = void (*)(const StridedCopy::Plane &plane, const std::byte *source,
                             std::byte *target);

/// Returns the loop for elements of `bytes`: 1, 2, 4, 8, 16, 32 or 64, or any number where columns
/// are dense on both sides. Rows of the source may be dense instead of columns: a transpose.
PlaneCopier planeCopierFor(const StridedCopy::Plane &plane, int64_t bytes);

} // namespace spmd
