#include "spmd/ir/sharding/Layout.h"

#include "spmd/ir/sharding/Excluding.h"
#include "spmd/ir/sharding/Spec.h"

#include "absl/strings/str_cat.h"

#include <algorithm>

namespace spmd {

bool Shard::isEmpty() const { return std::find(sizes.begin(), sizes.end(), 0) != sizes.end(); }

std::vector<int64_t> localShape(const Sharding &sharding, absl::Span<const int64_t> globalShape) {
  std::vector<int64_t> shape;
  shape.reserve(globalShape.size());
  for (size_t d = 0; d < globalShape.size(); ++d)
    shape.push_back(shardSize(globalShape[d], numShards(sharding.dims[d])));
  return shape;
}

std::vector<int64_t> paddedShape(const Sharding &sharding, absl::Span<const int64_t> globalShape) {
  std::vector<int64_t> shape = localShape(sharding, globalShape);
  for (size_t d = 0; d < shape.size(); ++d)
    shape[d] *= numShards(sharding.dims[d]);
  return shape;
}

Shard shardAt(const Mesh &mesh, const Sharding &sharding, absl::Span<const int64_t> globalShape,
              int64_t position) {
  Shard shard;
  std::vector<int64_t> local = localShape(sharding, globalShape);
  for (size_t d = 0; d < globalShape.size(); ++d) {
    int64_t index = coordinateOf(mesh, position, sharding.dims[d].axes);
    int64_t begin = std::min(index * local[d], globalShape[d]);
    shard.offsets.push_back(begin);
    shard.sizes.push_back(std::min(local[d], globalShape[d] - begin));
  }
  return shard;
}

bool dividesEvenly(const Sharding &sharding, absl::Span<const int64_t> globalShape) {
  for (size_t d = 0; d < globalShape.size(); ++d)
    if (globalShape[d] % numShards(sharding.dims[d]) != 0)
      return false;
  return true;
}

std::vector<std::vector<int64_t>> deviceGroups(const Mesh &mesh, absl::Span<const AxisRef> axes) {
  AxisList others = complement(mesh, axes);
  std::vector<std::vector<int64_t>> groups(sizeOf(others), std::vector<int64_t>(sizeOf(axes)));
  for (int64_t p = 0; p < mesh.numDevices(); ++p)
    groups[coordinateOf(mesh, p, others)][coordinateOf(mesh, p, axes)] = mesh.deviceAt(p);
  return groups;
}

namespace {

/// Collects the axes of a sharding as it is walked, and speaks up at the first that cannot stand
/// there.
class AxisChecker {
public:
  explicit AxisChecker(const Mesh &mesh) : mesh(mesh) {}

  absl::Status add(absl::Span<const AxisRef> axes, const std::string &where) {
    for (size_t i = 0; i < axes.size(); ++i) {
      if (absl::Status status = addOne(axes[i], where); !status.ok())
        return status;
      if (i > 0 && canMerge(axes[i - 1], axes[i]))
        return absl::InvalidArgumentError(absl::StrCat(where, ": ", text(axes[i - 1]), " and ",
                                                       text(axes[i]),
                                                       " follow each other; write them as one"));
    }
    return absl::OkStatus();
  }

private:
  absl::Status addOne(const AxisRef &ref, const std::string &where) {
    if (ref.size == 1 && !isWhole(mesh, ref))
      return absl::InvalidArgumentError(
          absl::StrCat(where, ": sub-axis ", text(ref), " has size 1; leave it out"));
    for (const auto &[other, otherWhere] : seen) {
      if (overlaps(other, ref))
        return absl::InvalidArgumentError(absl::StrCat(where, ": axis ", text(ref),
                                                       " is already used by ", otherWhere,
                                                       other == ref ? "" : " as " + text(other)));
      if (exclude(other, ref))
        return absl::InvalidArgumentError(
            absl::StrCat(where, ": ", text(ref), " cannot stand beside ", text(other), " of ",
                         otherWhere, "; no cut of the axis has both parts"));
    }
    seen.emplace_back(ref, where);
    return absl::OkStatus();
  }

  std::string text(const AxisRef &ref) const { return toSpec(mesh, ref).str(); }

  const Mesh &mesh;
  std::vector<std::pair<AxisRef, std::string>> seen;
};

} // namespace

static absl::Status checkMeshOrder(absl::Span<const AxisRef> axes, const char *name) {
  if (std::is_sorted(axes.begin(), axes.end()))
    return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(name, " axes are not in the order of the mesh"));
}

absl::Status verify(const Mesh &mesh, const Sharding &sharding,
                    absl::Span<const int64_t> globalShape, bool isTensor) {
  if (!isTensor && sharding.rank() != 0)
    return absl::InvalidArgumentError(
        absl::StrCat("sharding has ", sharding.rank(), " dims, but the value is no tensor"));
  // A maximal sharding says which device holds the value, whatever its rank.
  bool placesWhole = mesh.isMaximal() && sharding.rank() == 0;
  if (sharding.rank() != static_cast<int64_t>(globalShape.size()) && !placesWhole)
    return absl::InvalidArgumentError(absl::StrCat("sharding has ", sharding.rank(),
                                                   " dims, the tensor has ", globalShape.size()));

  AxisChecker checker(mesh);
  for (int64_t d = 0; d < sharding.rank(); ++d) {
    const DimSharding &dim = sharding.dims[d];
    std::string where = absl::StrCat("dim ", d);
    if (absl::Status status = checker.add(dim.axes, where); !status.ok())
      return status;
    if (dim.priority && dim.axes.empty() && !dim.open)
      return absl::InvalidArgumentError(
          absl::StrCat(where, " is closed and empty, where a priority has no meaning"));
  }
  if (absl::Status status = checkMeshOrder(sharding.replicated, "replicated"); !status.ok())
    return status;
  if (absl::Status status = checker.add(sharding.replicated, "replicated"); !status.ok())
    return status;
  if (absl::Status status = checkMeshOrder(sharding.unreduced, "unreduced"); !status.ok())
    return status;
  return checker.add(sharding.unreduced, "unreduced");
}

} // namespace spmd
