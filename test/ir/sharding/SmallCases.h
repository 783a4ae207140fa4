// All small meshes, axes and shardings, for tests that try each.
#pragma once

#include "spmd/ir/sharding/Spec.h"

namespace spmd::test {

/// Returns the mesh that `text` describes, such as `<["x"=2]>`.
inline Mesh meshOf(std::string_view text) { return meshFromText(text).value(); }

/// Returns the sharding that `text` describes on `mesh`.
inline Sharding shardingOf(const Mesh &mesh, std::string_view text) {
  return resolve(mesh, shardingFromText(text).value()).value();
}

/// Meshes that differ in what may go wrong: one axis, several, odd sizes, size 1, devices out of
/// order.
inline std::vector<Mesh> smallMeshes() {
  return {meshOf("<[\"x\"=2]>"),
          meshOf("<[\"x\"=8]>"),
          meshOf("<[\"x\"=2, \"y\"=3]>"),
          meshOf("<[\"x\"=4, \"y\"=2], device_ids=[7, 6, 5, 4, 0, 1, 2, 3]>"),
          meshOf("<[\"x\"=6], device_ids=[5, 0, 4, 1, 3, 2]>"),
          meshOf("<[\"x\"=2, \"y\"=1, \"z\"=2]>")};
}

/// Every mesh of up to three axes and up to `most` devices, axes of size 1 left out.
inline std::vector<Mesh> meshesOfUpTo(int64_t most) {
  std::vector<Mesh> meshes;
  for (int64_t x = 2; x <= most; ++x)
    for (int64_t y = 1; x * y <= most; ++y)
      for (int64_t z = 1; x * y * z <= most; ++z) {
        std::vector<MeshAxis> axes = {{"x", x}};
        if (y > 1)
          axes.push_back({"y", y});
        if (z > 1)
          axes.push_back({"z", z});
        if (y > 1 || z == 1) // Otherwise named twice.
          meshes.push_back(*Mesh::create(std::move(axes)));
      }
  return meshes;
}

/// Every axis of `mesh`, and every part of one.
inline std::vector<AxisRef> allAxes(const Mesh &mesh) {
  std::vector<AxisRef> axes;
  for (int axis = 0; axis < static_cast<int>(mesh.axes().size()); ++axis) {
    int32_t size = mesh.axes()[axis].size;
    axes.push_back(wholeAxis(mesh, axis));
    for (int32_t pre = 1; pre <= size; ++pre)
      for (int32_t part = 2; part < size; ++part)
        if (size % (pre * part) == 0)
          axes.push_back({axis, pre, part});
  }
  return axes;
}

/// Every list of at most `length` of `axes`.
inline std::vector<AxisList> allLists(const std::vector<AxisRef> &axes, int length) {
  std::vector<AxisList> lists = {{}};
  for (size_t begin = 0; length-- > 0;) {
    size_t end = lists.size();
    for (; begin < end; ++begin)
      for (const AxisRef &axis : axes) {
        AxisList longer = lists[begin];
        longer.push_back(axis);
        lists.push_back(longer);
      }
  }
  return lists;
}

/// Every sharding of a matrix over at most two axes a dim that `verify` accepts.
inline std::vector<Sharding> allMatrixShardings(const Mesh &mesh) {
  std::vector<AxisList> lists = allLists(allAxes(mesh), 2);
  std::vector<Sharding> shardings;
  for (const AxisList &rows : lists)
    for (const AxisList &columns : lists) {
      Sharding sharding{{{rows}, {columns}}, {}, {}};
      if (verify(mesh, sharding, {7, 5}).ok())
        shardings.push_back(sharding);
    }
  return shardings;
}

/// Returns the coordinate along `ref` of grid position `position`, by search: the axis as three
/// nested loops over what is before, in and after the part.
inline int64_t coordinateBySearch(const Mesh &mesh, int64_t position, const AxisRef &ref) {
  // The grid, walked with the last axis running fastest.
  std::vector<int64_t> grid(mesh.axes().size(), 0);
  for (int64_t p = 0; p < position; ++p)
    for (int axis = grid.size() - 1; axis >= 0; --axis) {
      if (++grid[axis] < mesh.axes()[axis].size)
        break;
      grid[axis] = 0;
    }
  int64_t along = 0, rest = mesh.axes()[ref.axis].size / ref.end();
  for (int64_t before = 0; before < ref.preSize; ++before)
    for (int64_t in = 0; in < ref.size; ++in)
      for (int64_t after = 0; after < rest; ++after)
        if (along++ == grid[ref.axis])
          return in;
  return -1;
}

} // namespace spmd::test
