// Copies of boxes between strided layouts: what transposes, slices, pads and shards are made of.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace spmd {

/// Which elements a copy takes and where it puts them. Strides are in elements, possibly 0 or
/// negative.
struct CopyBox {
  std::vector<int64_t> shape;
  std::vector<int64_t> sourceStrides;
  std::vector<int64_t> targetStrides;
};

/// Returns the same copy with as few dims as possible.
CopyBox simplified(CopyBox box);

/// Copies elements of `bytes` each; `source` and `target` point at the first of the box.
/// Requires that they do not overlap.
void copyBox(const CopyBox &box, int64_t bytes, const std::byte *source, std::byte *target);

/// Fills `count` elements of `bytes` each with the one at `element`.
void fillElements(std::byte *target, int64_t count, const std::byte *element, int64_t bytes);

/// Returns the dot product of index and strides.
int64_t offsetOf(const std::vector<int64_t> &index, const std::vector<int64_t> &strides);

/// Advances `index` to the next of `shape`, the last dim fastest. Returns false after the last.
bool nextIndex(std::vector<int64_t> &index, const std::vector<int64_t> &shape);

} // namespace spmd
