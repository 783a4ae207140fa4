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

/// A copy of a box, planned once and run any number of times.
///
/// Its two innermost dims are one loop for the case at hand: runs of bytes, a fill, a transpose in
/// tiles, a stride. A run of a few bytes counts as one element.
class StridedCopy {
public:
  /// Copies nothing.
  StridedCopy() = default;
  /// Plans the copy of elements of `bytes` each.
  StridedCopy(const CopyBox &box, int64_t bytes);

  /// Copies; `source` and `target` point at the first element of the box. Requires that they do not
  /// overlap.
  void run(const std::byte *source, std::byte *target) const;

  /// Strides are in bytes.
  struct Dim {
    int64_t size, source, target;
  };
  /// The two innermost dims.
  struct Plane {
    Dim rows, columns;
  };

private:
  std::vector<Dim> outer;
  Plane plane = {};
  void (*copyPlane)(const Plane &plane, const std::byte *source, std::byte *target) = nullptr;
};

/// Copies elements of `bytes` each; `source` and `target` point at the first of the box.
/// Requires that they do not overlap.
void copyBox(const CopyBox &box, int64_t bytes, const std::byte *source, std::byte *target);

/// Copies `rows` by `columns` elements of `bytes` each, dense and row-major, as columns by rows.
void transposeElements(int64_t rows, int64_t columns, int64_t bytes, const std::byte *source,
                       std::byte *target);

/// Fills `count` elements of `bytes` each with the one at `element`.
void fillElements(std::byte *target, int64_t count, const std::byte *element, int64_t bytes);

/// Returns the dot product of index and strides.
int64_t offsetOf(const std::vector<int64_t> &index, const std::vector<int64_t> &strides);

/// Advances `index` to the next of `shape`, the last dim fastest. Returns false after the last.
bool nextIndex(std::vector<int64_t> &index, const std::vector<int64_t> &shape);

} // namespace spmd
