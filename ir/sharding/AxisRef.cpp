#include "spmd/ir/sharding/AxisRef.h"

#include <algorithm>

namespace spmd {

AxisRef wholeAxis(const Mesh &mesh, int axis) {
  return {axis, 1, static_cast<int32_t>(mesh.axes()[axis].size)};
}

bool isWhole(const Mesh &mesh, const AxisRef &ref) {
  return ref.preSize == 1 && ref.size == mesh.axes()[ref.axis].size;
}

bool overlaps(const AxisRef &a, const AxisRef &b) {
  return a == b || (a.axis == b.axis && a.preSize < b.end() && b.preSize < a.end());
}

bool overlaps(const AxisRef &a, absl::Span<const AxisRef> list) {
  return std::any_of(list.begin(), list.end(), [&](const AxisRef &b) { return overlaps(a, b); });
}

bool overlaps(absl::Span<const AxisRef> a, absl::Span<const AxisRef> b) {
  return std::any_of(a.begin(), a.end(), [&](const AxisRef &ref) { return overlaps(ref, b); });
}

bool canMerge(const AxisRef &major, const AxisRef &minor) {
  return major.axis == minor.axis && major.end() == minor.preSize;
}

void appendMerged(AxisList &list, const AxisRef &ref) {
  if (!list.empty() && canMerge(list.back(), ref))
    list.back().size *= ref.size;
  else
    list.push_back(ref);
}

int64_t sizeOf(absl::Span<const AxisRef> list) {
  int64_t size = 1;
  for (const AxisRef &ref : list)
    size *= ref.size;
  return size;
}

bool isPrefix(absl::Span<const AxisRef> prefix, absl::Span<const AxisRef> list) {
  if (prefix.empty())
    return true;
  if (prefix.size() > list.size())
    return false;
  size_t last = prefix.size() - 1;
  if (!std::equal(prefix.begin(), prefix.begin() + last, list.begin()))
    return false;
  return prefix[last].axis == list[last].axis && prefix[last].preSize == list[last].preSize &&
         list[last].size % prefix[last].size == 0;
}

AxisList afterPrefix(absl::Span<const AxisRef> prefix, absl::Span<const AxisRef> list) {
  if (prefix.empty())
    return AxisList(list.begin(), list.end());
  size_t last = prefix.size() - 1;
  AxisList rest;
  if (list[last].size != prefix[last].size)
    rest.push_back({list[last].axis, static_cast<int32_t>(prefix[last].end()),
                    list[last].size / prefix[last].size});
  rest.insert(rest.end(), list.begin() + last + 1, list.end());
  return rest;
}

bool splitAt(absl::Span<const AxisRef> list, int64_t size, AxisList &major, AxisList &minor) {
  AxisList head, tail;
  for (const AxisRef &ref : list) {
    if (size == 1) {
      tail.push_back(ref);
    } else if (size % ref.size == 0) {
      head.push_back(ref);
      size /= ref.size;
    } else if (ref.size % size == 0) {
      head.push_back({ref.axis, ref.preSize, static_cast<int32_t>(size)});
      tail.push_back({ref.axis, static_cast<int32_t>(ref.preSize * size),
                      static_cast<int32_t>(ref.size / size)});
      size = 1;
    } else {
      return false;
    }
  }
  if (size != 1)
    return false;
  major = std::move(head);
  minor = std::move(tail);
  return true;
}

int64_t coordinateOf(const Mesh &mesh, int64_t position, absl::Span<const AxisRef> list) {
  int64_t coordinate = 0;
  for (const AxisRef &ref : list) {
    int64_t along = position / mesh.strideOf(ref.axis) % mesh.axes()[ref.axis].size;
    int64_t minorSize = mesh.axes()[ref.axis].size / ref.end();
    coordinate = coordinate * ref.size + along / minorSize % ref.size;
  }
  return coordinate;
}

AxisList complement(const Mesh &mesh, absl::Span<const AxisRef> list) {
  AxisList sorted(list.begin(), list.end());
  std::sort(sorted.begin(), sorted.end());
  AxisList rest;
  auto used = sorted.begin();
  for (int axis = 0; axis < static_cast<int>(mesh.axes().size()); ++axis) {
    int64_t covered = 1;
    auto fill = [&](int64_t until) {
      if (covered < until)
        rest.push_back(
            {axis, static_cast<int32_t>(covered), static_cast<int32_t>(until / covered)});
    };
    for (; used != sorted.end() && used->axis == axis; ++used) {
      fill(used->preSize);
      covered = used->end();
    }
    fill(mesh.axes()[axis].size);
  }
  return rest;
}

} // namespace spmd
