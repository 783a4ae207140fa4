#include "spmd/lowering/interpreter/StridedCopy.h"

#include "spmd/lowering/interpreter/CopyPlane.h"

#include <algorithm>
#include <cstdlib>

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

/// Returns the same copy with the dims in the order in which the target lies.
static CopyBox inTargetOrder(const CopyBox &box) {
  std::vector<size_t> order;
  for (size_t d = 0; d < box.shape.size(); ++d) {
    auto isFiner = [&](size_t other) {
      return std::abs(box.targetStrides[other]) < std::abs(box.targetStrides[d]);
    };
    order.insert(std::find_if(order.begin(), order.end(), isFiner), d);
  }
  CopyBox out;
  for (size_t d : order) {
    out.shape.push_back(box.shape[d]);
    out.sourceStrides.push_back(box.sourceStrides[d]);
    out.targetStrides.push_back(box.targetStrides[d]);
  }
  return out;
}

/// Returns how many bytes of a run of `bytes` make one element: a size that one or two moves copy,
/// else 1.
static int64_t elementOfRun(int64_t bytes) {
  for (int64_t size : {64, 32, 16, 8, 4, 2})
    if (bytes == size)
      return size;
  return 1;
}

StridedCopy::StridedCopy(const CopyBox &given, int64_t bytes) {
  if (std::find(given.shape.begin(), given.shape.end(), 0) != given.shape.end())
    return;
  CopyBox box = simplified(inTargetOrder(given));
  for (size_t d = 0; d < box.shape.size(); ++d)
    outer.push_back({box.shape[d], box.sourceStrides[d] * bytes, box.targetStrides[d] * bytes});
  // What lies together on both sides are bytes, or one wide element.
  bool isRun = !outer.empty() && outer.back().source == bytes && outer.back().target == bytes;
  int64_t run = bytes * (isRun ? outer.back().size : 1);
  if (isRun)
    outer.pop_back();
  int64_t element = outer.empty() ? 1 : elementOfRun(run);
  if (element != run || outer.empty())
    outer.push_back({run, 1, 1});

  plane.columns = outer.back();
  outer.pop_back();
  plane.rows = {1, 0, 0};
  auto dense = std::find_if(outer.begin(), outer.end(),
                            [&](const Dim &dim) { return dim.source == element; });
  if (dense == outer.end() || element != run || plane.columns.source == 0)
    dense = outer.empty() ? outer.end() : outer.end() - 1;
  if (dense != outer.end()) {
    plane.rows = *dense;
    outer.erase(dense);
  }
  copyPlane = planeCopierFor(plane, element);
}

/// Copies all planes from dim `d` on.
static void copyOuter(const StridedCopy::Dim *dims, size_t count, PlaneCopier copyPlane,
                      const StridedCopy::Plane &plane, const std::byte *source, std::byte *target) {
  if (count == 0)
    return copyPlane(plane, source, target);
  for (int64_t i = 0; i < dims->size; ++i, source += dims->source, target += dims->target)
    copyOuter(dims + 1, count - 1, copyPlane, plane, source, target);
}

void StridedCopy::run(const std::byte *source, std::byte *target) const {
  if (copyPlane)
    copyOuter(outer.data(), outer.size(), copyPlane, plane, source, target);
}

void copyBox(const CopyBox &box, int64_t bytes, const std::byte *source, std::byte *target) {
  StridedCopy(box, bytes).run(source, target);
}

void transposeElements(int64_t rows, int64_t columns, int64_t bytes, const std::byte *source,
                       std::byte *target) {
  StridedCopy::Plane plane{{columns, bytes, rows * bytes}, {rows, columns * bytes, bytes}};
  planeCopierFor(plane, bytes)(plane, source, target);
}

void fillElements(std::byte *target, int64_t count, const std::byte *element, int64_t bytes) {
  StridedCopy::Plane plane{{1, 0, 0}, {count, 0, bytes}};
  planeCopierFor(plane, bytes)(plane, element, target);
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
