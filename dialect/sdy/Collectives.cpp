// Checks that each collective takes the sharding of its operand to the sharding it says.
//
// Both are compared as layouts: openness, priorities and explicit replication are wishes, not
// layout.

#include "spmd/dialect/sdy/Dialect.h"

#include <algorithm>

using namespace mlir;
using namespace spmd::sdy;
using spmd::AxisList;
using spmd::AxisRef;
using spmd::AxisSpec;

namespace {

/// A collective with its shardings resolved.
struct Change {
  CollectiveOpInterface op;
  const spmd::Mesh *mesh = nullptr;
  const spmd::Mesh *outMesh = nullptr;
  /// How the operand lies, changed step by step to how the result should lie.
  spmd::Sharding layout;
  spmd::Sharding outLayout;
};

} // namespace

//===- Reading the op ------------------------------------------------------===//

/// Resolves the shardings of `op`. Without one on the operand, fails unless `mayBeMissing`; then
/// `change.mesh` is null.
static LogicalResult read(CollectiveOpInterface op, Change &change, bool mayBeMissing = false) {
  change.op = op;
  ShardingAttr out = op.getOutSharding();
  if (failed(verifySharding(op, "out_sharding", out, op->getResult(0).getType())))
    return failure();
  change.outMesh = lookupMesh(op, out);
  change.outLayout = resolve(op, out)->layout();
  ShardingAttr in = getSharding(op.getTensor());
  if (!in) {
    if (mayBeMissing)
      return success();
    return op->emitOpError() << "operand has no sharding to start from";
  }
  if (failed(verifySharding(op, "operand", in, op.getTensor().getType())))
    return failure();
  change.mesh = lookupMesh(op, in);
  change.layout = resolve(op, in)->layout();
  return success();
}

/// Looks up axes that an attribute of the op names.
static FailureOr<AxisList> axesOf(const Change &change, const std::vector<AxisSpec> &specs) {
  absl::StatusOr<AxisList> axes = spmd::resolve(*change.outMesh, specs);
  if (!axes.ok())
    return report(change.op, "axes", axes.status());
  return *std::move(axes);
}

static std::string text(const Change &change, absl::Span<const AxisRef> axes) {
  return "{" + spmd::str(spmd::toSpecs(*change.outMesh, axes)) + "}";
}

static LogicalResult verifySameMesh(const Change &change) {
  if (!change.mesh || *change.mesh == *change.outMesh)
    return success();
  return change.op->emitOpError() << "operand and result are on different meshes";
}

/// Checks that there is one list of axes for each dim.
static LogicalResult verifyRank(const Change &change, size_t numLists) {
  if (static_cast<int64_t>(numLists) == change.outLayout.rank())
    return success();
  return change.op->emitOpError() << "has axes for " << numLists << " dims, the tensor has "
                                  << change.outLayout.rank();
}

/// Checks that the layout, as changed, is that of the result.
static LogicalResult verifyReached(const Change &change) {
  for (int64_t d = 0; d < change.layout.rank(); ++d)
    if (change.layout.dims[d].axes != change.outLayout.dims[d].axes)
      return change.op->emitOpError()
             << "out_sharding: dim " << d << " is over "
             << text(change, change.outLayout.dims[d].axes) << ", the collective leaves "
             << text(change, change.layout.dims[d].axes);
  if (change.layout.unreduced != change.outLayout.unreduced)
    return change.op->emitOpError()
           << "out_sharding: unreduced over " << text(change, change.outLayout.unreduced)
           << ", the collective leaves " << text(change, change.layout.unreduced);
  if (!change.layout.unreduced.empty() && change.layout.kind != change.outLayout.kind)
    return change.op->emitOpError()
           << "out_sharding: unreduced by " << spmd::nameOf(change.outLayout.kind)
           << ", the collective leaves " << spmd::nameOf(change.layout.kind);
  return success();
}

//===- Changing a layout ---------------------------------------------------===//

static void append(AxisList &list, const AxisList &axes) {
  for (const AxisRef &axis : axes)
    if (axis.size != 1)
      spmd::appendMerged(list, axis);
}

/// Takes `suffix` off the minor end of `list`, splitting an axis if needed. Returns false if `list`
/// does not end in it.
static bool dropSuffix(AxisList &list, const AxisList &suffix) {
  AxisList merged;
  append(merged, suffix);
  for (auto axis = merged.rbegin(); axis != merged.rend(); ++axis) {
    if (list.empty())
      return false;
    AxisRef &last = list.back();
    if (last.axis != axis->axis || last.end() != axis->end() || last.size % axis->size != 0)
      return false;
    last.size /= axis->size;
    if (last.size == 1)
      list.pop_back();
  }
  return true;
}

static LogicalResult dropFromDim(Change &change, int64_t d, const AxisList &axes) {
  AxisList before = change.layout.dims[d].axes;
  if (dropSuffix(change.layout.dims[d].axes, axes))
    return success();
  return change.op->emitOpError() << "operand: dim " << d << " is over " << text(change, before)
                                  << ", which does not end in " << text(change, axes);
}

/// Checks that the layout uses none of `axes`, in dims or unreduced.
static LogicalResult verifyUnused(const Change &change, const AxisList &axes) {
  for (const AxisRef &axis : axes)
    if (spmd::overlaps(axis, change.layout.usedAxes()))
      return change.op->emitOpError()
             << "operand: axis " << spmd::toSpec(*change.outMesh, axis).str()
             << " is in use already";
  return success();
}

/// Adds `axes` to those along which the value is partial. The operation has no kind of its own: it
/// is that of the result.
static LogicalResult addUnreduced(Change &change, const AxisList &axes) {
  if (failed(verifyUnused(change, axes)))
    return failure();
  if (change.layout.unreduced.empty())
    change.layout.kind = change.outLayout.kind;
  AxisList all(change.layout.unreduced);
  all.insert(all.end(), axes.begin(), axes.end());
  std::sort(all.begin(), all.end());
  change.layout.unreduced.clear();
  append(change.layout.unreduced, all);
  return success();
}

/// Takes `axes` off those along which the value is partial. Axes that are not in use are accepted:
/// the operand may leave unsaid that it is partial.
static LogicalResult reduce(Change &change, const AxisList &axes, spmd::ReductionKind kind) {
  AxisList partial = change.layout.unreduced, rest;
  for (const spmd::DimSharding &dim : change.layout.dims)
    for (const AxisRef &axis : axes)
      if (spmd::overlaps(axis, dim.axes))
        return change.op->emitOpError()
               << "operand: axis " << spmd::toSpec(*change.outMesh, axis).str()
               << " shards a dim and cannot be reduced";
  if (spmd::overlaps(axes, partial) && change.layout.kind != kind)
    return change.op->emitOpError()
           << "reduces by " << spmd::nameOf(kind) << ", the operand is partial by "
           << spmd::nameOf(change.layout.kind);
  // What is left is what neither was whole before nor is whole now.
  AxisList whole = spmd::complement(*change.outMesh, partial);
  for (const AxisRef &axis : axes)
    if (!spmd::overlaps(axis, whole))
      whole.push_back(axis);
  change.layout.unreduced.clear();
  append(change.layout.unreduced, spmd::complement(*change.outMesh, whole));
  return success();
}

/// Applies `step` to each dim and its axes.
template <typename Step>
static LogicalResult forEachDim(Change &change, ListOfAxisRefListsAttr lists, Step step) {
  if (failed(verifyRank(change, lists.getLists().size())))
    return failure();
  for (auto [d, specs] : llvm::enumerate(lists.getLists())) {
    FailureOr<AxisList> axes = axesOf(change, specs);
    if (failed(axes) || failed(step(d, *axes)))
      return failure();
  }
  return success();
}

//===- The collectives -----------------------------------------------------===//

LogicalResult AllGatherOp::verify() {
  Change change;
  auto drop = [&](int64_t d, const AxisList &axes) { return dropFromDim(change, d, axes); };
  if (failed(read(*this, change)) || failed(verifySameMesh(change)) ||
      failed(forEachDim(change, getGatheringAxes(), drop)))
    return failure();
  return verifyReached(change);
}

LogicalResult AllSliceOp::verify() {
  Change change;
  auto add = [&](int64_t d, const AxisList &axes) {
    if (failed(verifyUnused(change, axes)))
      return failure();
    append(change.layout.dims[d].axes, axes);
    return success();
  };
  if (failed(read(*this, change)) || failed(verifySameMesh(change)) ||
      failed(forEachDim(change, getSlicingAxes(), add)))
    return failure();
  return verifyReached(change);
}

LogicalResult AllToAllOp::verify() {
  Change change;
  if (failed(read(*this, change)) || failed(verifySameMesh(change)))
    return failure();
  SmallVector<bool> moved(change.layout.rank(), false);
  for (const AllToAllParam &param : getParams().getParams()) {
    for (int64_t d : {param.from, param.to}) {
      if (d >= change.layout.rank())
        return emitOpError() << "names dim " << d << ", the tensor has " << change.layout.rank();
      if (moved[d])
        return emitOpError() << "names dim " << d << " twice";
      moved[d] = true;
    }
    FailureOr<AxisList> axes = axesOf(change, param.axes);
    if (failed(axes) || failed(dropFromDim(change, param.from, *axes)))
      return failure();
    append(change.layout.dims[param.to].axes, *axes);
  }
  return verifyReached(change);
}

LogicalResult CollectivePermuteOp::verify() {
  Change change;
  if (failed(read(*this, change)))
    return failure();
  if (change.mesh->axes() != change.outMesh->axes())
    return emitOpError() << "operand and result are on meshes with different axes";
  for (int64_t d = 0; d < change.layout.rank(); ++d) {
    int64_t before = spmd::numShards(change.layout.dims[d]),
            after = spmd::numShards(change.outLayout.dims[d]);
    if (before != after)
      return emitOpError() << "dim " << d << " has " << before << " shards before and " << after
                           << " after";
  }
  int64_t before = spmd::sizeOf(change.layout.unreduced),
          after = spmd::sizeOf(change.outLayout.unreduced);
  if (before != after)
    return emitOpError() << "operand is partial over " << before << " devices, the result over "
                         << after;
  if (before != 1 && change.layout.kind != change.outLayout.kind)
    return emitOpError() << "operand is partial by " << spmd::nameOf(change.layout.kind)
                         << ", the result by " << spmd::nameOf(change.outLayout.kind);
  return success();
}

LogicalResult AllReduceOp::verify() {
  Change change;
  if (failed(read(*this, change, /*mayBeMissing=*/true)))
    return failure();
  FailureOr<AxisList> axes = axesOf(change, getReductionAxes().getAxes());
  if (failed(axes))
    return failure();
  if (!change.mesh)
    return success();
  if (failed(verifySameMesh(change)) || failed(reduce(change, *axes, getReduction())))
    return failure();
  return verifyReached(change);
}

LogicalResult ReduceScatterOp::verify() {
  Change change;
  auto scatter = [&](int64_t d, const AxisList &axes) {
    if (failed(reduce(change, axes, getReduction())))
      return failure();
    append(change.layout.dims[d].axes, axes);
    return success();
  };
  if (failed(read(*this, change)) || failed(verifySameMesh(change)) ||
      failed(forEachDim(change, getReduceScatterAxes(), scatter)))
    return failure();
  return verifyReached(change);
}

LogicalResult ShardedToUnreducedOp::verify() {
  Change change;
  auto move = [&](int64_t d, const AxisList &axes) {
    return failure(failed(dropFromDim(change, d, axes)) || failed(addUnreduced(change, axes)));
  };
  if (failed(read(*this, change)) || failed(verifySameMesh(change)) ||
      failed(forEachDim(change, getAxes(), move)))
    return failure();
  return verifyReached(change);
}

LogicalResult ReplicatedToUnreducedOp::verify() {
  Change change;
  if (failed(read(*this, change)) || failed(verifySameMesh(change)))
    return failure();
  FailureOr<AxisList> axes = axesOf(change, getAxes().getAxes());
  if (failed(axes) || failed(addUnreduced(change, *axes)))
    return failure();
  return verifyReached(change);
}
