// A reference to a mesh axis or to a part of one, and lists of them.
//
// An axis of size 8 can be cut into sub-axes: "x":(1)2 is its major part of size 2, "x":(2)4 what
// is left. In "x":(p)s, p is the product of the sizes before the part and s the size of the part,
// so a device at coordinate c of "x" (of size n) stands at (c / (n / (p * s))) % s of "x":(p)s.
//
//     x = 8:   |   (1)2   |         (2)4          |
//              |        (1)4          |   (4)2    |
#pragma once

#include "spmd/ir/sharding/Mesh.h"

#include "absl/container/inlined_vector.h"

namespace spmd {

/// An axis of a mesh, or the part `(preSize)size` of it. A whole axis has preSize 1 and its full
/// size.
struct AxisRef {
  int32_t axis;
  int32_t preSize;
  int32_t size;

  /// One past the last size that the part covers: preSize * size.
  int64_t end() const { return static_cast<int64_t>(preSize) * size; }

  friend bool operator==(const AxisRef &a, const AxisRef &b) {
    return a.axis == b.axis && a.preSize == b.preSize && a.size == b.size;
  }
  friend bool operator!=(const AxisRef &a, const AxisRef &b) { return !(a == b); }
  /// Mesh order: by axis, then major parts first.
  friend bool operator<(const AxisRef &a, const AxisRef &b) {
    return std::tie(a.axis, a.preSize, a.size) < std::tie(b.axis, b.preSize, b.size);
  }
  template <typename H> friend H AbslHashValue(H h, const AxisRef &ref) {
    return H::combine(std::move(h), ref.axis, ref.preSize, ref.size);
  }
};

/// Axes of one dim, major first, or a set of axes in mesh order.
using AxisList = absl::InlinedVector<AxisRef, 2>;

/// Returns the whole of axis number `axis`.
AxisRef wholeAxis(const Mesh &mesh, int axis);

/// Returns whether `ref` is a whole axis of `mesh`.
bool isWhole(const Mesh &mesh, const AxisRef &ref);

/// Returns whether some device coordinate is in both: (1)4 and (2)4 overlap, (1)2 and (2)4 do not.
bool overlaps(const AxisRef &a, const AxisRef &b);
bool overlaps(const AxisRef &a, absl::Span<const AxisRef> list);
bool overlaps(absl::Span<const AxisRef> a, absl::Span<const AxisRef> b);

/// Returns whether `minor` directly follows `major` on the same axis, so that both are one part.
bool canMerge(const AxisRef &major, const AxisRef &minor);

/// Appends `ref` to `list`, merged with the last element where that is possible.
void appendMerged(AxisList &list, const AxisRef &ref);

/// Returns the number of positions along all of `list`.
int64_t sizeOf(absl::Span<const AxisRef> list);

/// Returns whether `prefix` stands at the start of `list`, where the last element of `prefix` may
/// be the major part of an element of `list`.
bool isPrefix(absl::Span<const AxisRef> prefix, absl::Span<const AxisRef> list);

/// Returns what remains of `list` after its prefix `prefix`. Requires isPrefix(prefix, list).
AxisList afterPrefix(absl::Span<const AxisRef> prefix, absl::Span<const AxisRef> list);

/// Cuts `list` so that the first part has size `size`, splitting an axis if needed. Returns false,
/// and leaves the outputs alone, if no cut has that size.
bool splitAt(absl::Span<const AxisRef> list, int64_t size, AxisList &major, AxisList &minor);

/// Returns the coordinate of grid position `position` along `list`, in 0 .. sizeOf(list)-1.
int64_t coordinateOf(const Mesh &mesh, int64_t position, absl::Span<const AxisRef> list);

/// Returns the parts of `mesh` that `list` does not use, in mesh order.
AxisList complement(const Mesh &mesh, absl::Span<const AxisRef> list);

} // namespace spmd
