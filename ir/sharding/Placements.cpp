#include "spmd/ir/sharding/Placements.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace spmd {

namespace {

using Kind = AxisPlacement::Kind;

/// A dim as nested pieces, major first: what axes cut, and what a strided shard has left for later
/// axes. The last, of unknown size, is what no axis has cut yet.
class CutDim {
public:
  CutDim() : pieces({Piece{0, std::nullopt}}) {}

  /// Cuts what lies below `splitFactor` pieces along `axis`. Returns false if that would cut
  /// through pieces.
  bool cut(const AxisRef &axis, int64_t splitFactor) {
    size_t at = 0;
    if (!skip(splitFactor, at))
      return false;
    int32_t taken = 1;
    for (; taken < axis.size; ++at) {
      if (pieces[at].taken)
        continue;
      int64_t left = axis.size / taken, size = pieces[at].size;
      if (size > left || size == 0) {
        if (!split(at, left))
          return false;
        size = left;
      }
      if (left % size != 0)
        return false;
      pieces[at].taken = AxisRef{axis.axis, taken, static_cast<int32_t>(size)};
      taken *= size;
    }
    return true;
  }

  /// Returns the axes, major first; nothing if pieces are left that no axis cuts.
  std::optional<AxisList> axes() const {
    AxisList axes;
    for (const Piece &piece : pieces)
      if (piece.taken)
        appendMerged(axes, *piece.taken);
      else if (piece.size > 1)
        return std::nullopt;
    return axes;
  }

private:
  struct Piece {
    int64_t size; ///< 0 if not known.
    std::optional<AxisRef> taken;
  };

  /// Moves `at` behind `count` free pieces.
  bool skip(int64_t count, size_t &at) {
    for (; count > 1; ++at) {
      if (pieces[at].taken)
        continue;
      if ((pieces[at].size == 0 || pieces[at].size > count) && !split(at, count))
        return false;
      if (count % pieces[at].size != 0)
        return false;
      count /= pieces[at].size;
    }
    return true;
  }

  /// Makes the first `size` of the free piece at `at` one of its own.
  bool split(size_t at, int64_t size) {
    int64_t rest = pieces[at].size / size;
    if (pieces[at].size % size != 0)
      return false;
    pieces[at].size = size;
    pieces.insert(pieces.begin() + at + 1, Piece{rest, std::nullopt});
    return true;
  }

  std::vector<Piece> pieces;
};

/// One part of a dim: its first element and how many it has.
struct Part {
  int64_t offset, size;
};

/// Returns the part that DTensor gives to coordinate `coordinate` of `placements` along `dim`, all
/// plain: as torch.chunk cuts, one axis after the other.
Part chunkAt(const Mesh &mesh, absl::Span<const int> axes, int64_t size, int64_t position) {
  Part part{0, size};
  for (int axis : axes) {
    int64_t along = position / mesh.strideOf(axis) % mesh.axes()[axis].size;
    int64_t step = shardSize(part.size, mesh.axes()[axis].size);
    int64_t begin = std::min(along * step, part.size);
    part = {part.offset + begin, std::min(step, part.size - begin)};
  }
  return part;
}

absl::Status wrong(int64_t dim, const std::string &why) {
  return absl::InvalidArgumentError(absl::StrCat("dim ", dim, ": ", why));
}

/// Checks that DTensor cuts a dim of `size` elements along `axes` as `sharding` does.
absl::Status checkParts(const Mesh &mesh, const DimSharding &sharding, absl::Span<const int> axes,
                        bool isStrided, int64_t dim, int64_t size) {
  int64_t shards = numShards(sharding);
  if (size % shards == 0)
    return absl::OkStatus();
  if (isStrided)
    return wrong(dim, absl::StrCat("its size ", size, " is no multiple of ", shards,
                                   ", which a strided shard needs"));
  int64_t step = shardSize(size, shards);
  for (int64_t position = 0; axes.size() > 1 && position < mesh.numDevices(); ++position) {
    Part part = chunkAt(mesh, axes, size, position);
    int64_t begin = std::min(coordinateOf(mesh, position, sharding.axes) * step, size);
    if (part.size != std::min(step, size - begin) || (part.size > 0 && part.offset != begin))
      return wrong(dim, absl::StrCat("device ", mesh.deviceAt(position), " has ", part.size,
                                     " of its ", size, " elements from ", part.offset,
                                     " as placements, ", std::min(step, size - begin), " from ",
                                     begin, " by a sharding over the same axes"));
  }
  return absl::OkStatus();
}

class FromPlacements {
public:
  FromPlacements(const Mesh &mesh, absl::Span<const AxisPlacement> placements,
                 absl::Span<const int64_t> shape)
      : mesh(mesh), placements(placements), shape(shape), cuts(shape.size()), axesOf(shape.size()),
        isStrided(shape.size()), sharding(Sharding::replicatedOf(shape.size())) {}

  absl::StatusOr<Sharding> run() {
    if (placements.size() != mesh.axes().size())
      return absl::InvalidArgumentError(absl::StrCat("there are ", placements.size(),
                                                     " placements for the ", mesh.axes().size(),
                                                     " axes of mesh ", mesh.str()));
    for (size_t axis = 0; axis < placements.size(); ++axis)
      if (absl::Status status = add(axis, placements[axis]); !status.ok())
        return status;
    for (size_t dim = 0; dim < shape.size(); ++dim) {
      std::optional<AxisList> axes = cuts[dim].axes();
      if (!axes)
        return wrong(dim, "a strided shard takes it for more pieces than later axes cut it into");
      sharding.dims[dim].axes = *std::move(axes);
      if (absl::Status status =
              checkParts(mesh, sharding.dims[dim], axesOf[dim], isStrided[dim], dim, shape[dim]);
          !status.ok())
        return status;
    }
    return sharding;
  }

private:
  absl::Status add(int axis, const AxisPlacement &placement) {
    const std::string &name = mesh.axes()[axis].name;
    if (placement.kind == Kind::partial) {
      if (!sharding.unreduced.empty() && sharding.kind != placement.reduction)
        return absl::InvalidArgumentError(absl::StrCat(
            "axis \"", name, "\": its addends combine by ", nameOf(placement.reduction),
            ", those before by ", nameOf(sharding.kind), "; a sharding has one kind"));
      sharding.kind = placement.reduction;
      sharding.unreduced.push_back(wholeAxis(mesh, axis));
    }
    if (placement.kind != Kind::shard)
      return absl::OkStatus();
    int64_t rank = shape.size(), dim = placement.dim + (placement.dim < 0 ? rank : 0);
    if (dim < 0 || dim >= rank)
      return absl::InvalidArgumentError(absl::StrCat("axis \"", name, "\" cuts dim ", placement.dim,
                                                     " of a tensor of rank ", rank));
    if (placement.splitFactor < 1 || !cuts[dim].cut(wholeAxis(mesh, axis), placement.splitFactor))
      return absl::InvalidArgumentError(absl::StrCat("axis \"", name, "\" cuts dim ", dim,
                                                     " below ", placement.splitFactor,
                                                     " pieces, which are not those that it has"));
    axesOf[dim].push_back(axis);
    isStrided[dim] = isStrided[dim] || placement.splitFactor > 1;
    return absl::OkStatus();
  }

  const Mesh &mesh;
  absl::Span<const AxisPlacement> placements;
  absl::Span<const int64_t> shape;
  std::vector<CutDim> cuts;
  std::vector<std::vector<int>> axesOf; ///< By dim, in the order of the mesh.
  std::vector<bool> isStrided;
  Sharding sharding;
};

/// Returns what `axis` does in `sharding`: nothing if it is used in two places.
std::optional<AxisPlacement> placementOf(const Sharding &sharding, int axis) {
  AxisPlacement placement;
  for (const AxisRef &ref : sharding.unreduced)
    if (ref.axis == axis)
      placement = {Kind::partial, 0, 1, sharding.kind};
  for (int64_t dim = 0; dim < sharding.rank(); ++dim) {
    int64_t pieces = 1;
    bool isHere = false;
    for (const AxisRef &ref : sharding.dims[dim].axes) {
      if (ref.axis == axis && !isHere) {
        if (placement.kind != Kind::replicate)
          return std::nullopt;
        isHere = true;
        placement = {Kind::shard, dim, pieces, ReductionKind::sum};
      }
      if (ref.axis > axis) // Cuts later, but outside of it.
        pieces *= ref.size;
    }
  }
  return placement;
}

} // namespace

absl::StatusOr<Sharding> shardingOf(const Mesh &mesh, absl::Span<const AxisPlacement> placements,
                                    absl::Span<const int64_t> globalShape) {
  return FromPlacements(mesh, placements, globalShape).run();
}

absl::StatusOr<std::vector<AxisPlacement>> placementsOf(const Mesh &mesh, const Sharding &sharding,
                                                        absl::Span<const int64_t> globalShape) {
  if (sharding.rank() != static_cast<int64_t>(globalShape.size()))
    return absl::InvalidArgumentError(absl::StrCat("the sharding is of rank ", sharding.rank(),
                                                   ", the tensor of rank ", globalShape.size()));
  std::vector<AxisPlacement> placements;
  Sharding plain = sharding.layout();
  for (int axis = 0; axis < static_cast<int>(mesh.axes().size()); ++axis) {
    std::optional<AxisPlacement> placement = placementOf(plain, axis);
    if (!placement)
      return absl::InvalidArgumentError(absl::StrCat("axis \"", mesh.axes()[axis].name,
                                                     "\" is used in two places; a placement "
                                                     "says one thing of an axis"));
    placements.push_back(*placement);
  }
  absl::StatusOr<Sharding> back = shardingOf(mesh, placements, globalShape);
  if (!back.ok())
    return back.status();
  if (back->layout() == plain)
    return placements;
  return absl::InvalidArgumentError(
      absl::StrCat("no placements say ", toSpec(mesh, sharding).str(),
                   "; each axis is used whole, in the order of its parts"));
}

} // namespace spmd
