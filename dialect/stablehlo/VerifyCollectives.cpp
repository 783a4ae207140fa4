// Communication: groups of devices, and what the sizes have to do with them.

#include "spmd/dialect/stablehlo/Verify.h"

using namespace mlir;
using namespace spmd::stablehlo;

//===- Groups --------------------------------------------------------------===//

/// Returns the number of devices in a group along mesh axes, nothing if the mesh is a symbol.
static FailureOr<std::optional<int64_t>> axesGroupSize(Operation *op,
                                                       ReplicaGroupMeshAxesAttr groups) {
  auto mesh = dyn_cast<MeshAttr>(groups.getMesh());
  if (!mesh)
    return std::optional<int64_t>();
  Wide size = 1;
  for (AxisRefAttr axis : groups.getAxes()) {
    const MeshAxisAttr *found = llvm::find_if(
        mesh.getAxes(), [&](MeshAxisAttr each) { return each.getName() == axis.getName(); });
    if (found == mesh.getAxes().end())
      return op->emitOpError() << "replica_groups names axis " << axis.getName()
                               << ", not in the mesh",
             failure();
    size *= axis.getSubAxisInfo() ? axis.getSubAxisInfo().getSize() : found->getSize();
    if (size > INT32_MAX)
      return op->emitOpError() << "replica_groups has groups of more than 2147483647 devices",
             failure();
  }
  return std::optional<int64_t>(static_cast<int64_t>(size));
}

/// Checks a table of groups: no device twice, none left out from 0 to the largest; -1 fills short
/// rows where `isPadded`. all_gather_c2 to c4, all_reduce_c1 to c3, all_to_all_c5 to c7,
/// reduce_scatter_c3 to c5.
static LogicalResult checkTable(Operation *op, DenseIntElementsAttr table, bool isPadded) {
  int64_t count = table.getNumElements();
  if (count == 0)
    return success();
  if (table.isSplat() && count > 1) // may be far larger than what is written: not expanded
    return op->emitOpError() << "replica_groups has device " << table.getSplatValue<int64_t>()
                             << " " << count << " times";
  SmallVector<bool> seen(count, false);
  int64_t largest = -1, numDevices = 0;
  for (int64_t device : table.getValues<int64_t>()) {
    if (device == -1 && isPadded)
      continue;
    if (device < 0 || device >= count)
      return op->emitOpError() << "replica_groups has device " << device << " among " << count
                               << " entries; devices count from 0 without a gap";
    if (std::exchange(seen[device], true))
      return op->emitOpError() << "replica_groups has device " << device << " twice";
    largest = std::max(largest, device);
    ++numDevices;
  }
  if (largest + 1 != numDevices)
    for (int64_t device = 0; device < largest; ++device)
      if (!seen[device])
        return op->emitOpError() << "replica_groups lacks device " << device
                                 << " below the largest, " << largest;
  return success();
}

/// As above for an op that leaves devices out: any may be missing. collective_broadcast_c1, c2.
static LogicalResult checkSomeDevices(Operation *op, DenseIntElementsAttr table) {
  if (table.isSplat() && table.getNumElements() > 1)
    return op->emitOpError() << "replica_groups has device " << table.getSplatValue<int64_t>()
                             << " " << table.getNumElements() << " times";
  DenseSet<int64_t> seen;
  for (int64_t device : table.getValues<int64_t>()) {
    if (device < -1)
      return op->emitOpError() << "replica_groups has device " << device
                               << "; devices count from 0";
    if (device >= 0 && !seen.insert(device).second)
      return op->emitOpError() << "replica_groups has device " << device << " twice";
  }
  return success();
}

/// Checks groups of any form; returns the size of all of them, nothing if it is not known.
static FailureOr<std::optional<int64_t>> checkGroups(Operation *op, Attribute groups,
                                                     bool isPadded) {
  if (auto axes = dyn_cast<ReplicaGroupMeshAxesAttr>(groups))
    return axesGroupSize(op, axes);
  auto table = cast<DenseIntElementsAttr>(groups);
  bool mayLack = isa<CollectiveBroadcastOp, CollectiveReduceOp>(op);
  if (failed(mayLack ? checkSomeDevices(op, table) : checkTable(op, table, isPadded)))
    return failure();
  if (table.getNumElements() == 0)
    return std::optional<int64_t>();
  return std::optional<int64_t>(table.getType().getDimSize(1));
}

/// all_gather_c5, all_reduce_c4, reduce_scatter_c6: flattened ids need a channel.
static LogicalResult checkFlattened(Operation *op, bool useGlobalDeviceIds,
                                    std::optional<ChannelHandleAttr> channel, Attribute groups) {
  if (!useGlobalDeviceIds)
    return success();
  if (!channel || channel->getHandle() <= 0)
    return op->emitOpError() << "use_global_device_ids is given without a positive channel handle";
  auto table = dyn_cast<DenseIntElementsAttr>(groups);
  if (table && table.getNumElements() == 0)
    return op->emitOpError() << "use_global_device_ids is given without replica groups";
  return success();
}

/// Checks that there is an operand and a result for each.
static LogicalResult checkVariadic(Operation *op) {
  if (op->getNumOperands() == 0)
    return op->emitOpError() << "has no operands";
  if (op->getNumOperands() != op->getNumResults())
    return op->emitOpError() << "has " << op->getNumOperands() << " operands and "
                             << op->getNumResults() << " results";
  return success();
}

//===- Ops -----------------------------------------------------------------===//

/// all_gather_c6: a result holds the operands of all devices of a group. Where ids are flattened or
/// axes are named, the group is known; elsewhere it depends on the process grid, which whoever runs
/// the program knows, and any whole number of operands may be right.
static LogicalResult checkGathered(AllGatherOp op, unsigned i, std::optional<int64_t> groupSize) {
  Dims operand = shapeOf(op.getOperand(i)), result = shapeOf(op.getResult(i));
  int64_t axis = op.getAllGatherDim();
  SmallVector<int64_t> expected(operand);
  expected[axis] = ShapedType::kDynamic;
  bool isKnown = op.getUseGlobalDeviceIds() || isa<ReplicaGroupMeshAxesAttr>(op.getReplicaGroups());
  if (!isDynamic(operand[axis]) && isKnown && groupSize) {
    FailureOr<int64_t> size = narrow(op, "gathered size of dim " + Twine(axis),
                                     static_cast<Wide>(operand[axis]) * *groupSize);
    if (failed(size))
      return failure();
    expected[axis] = *size;
  }
  if (failed(checkSizes(op, resultSubject(op, i), expected)))
    return failure();
  if (isDynamic(operand[axis]) || isDynamic(result[axis]) ||
      (operand[axis] == 0 ? result[axis] == 0 : result[axis] % operand[axis] == 0))
    return success();
  return op.emitOpError() << "result " << i << " has size " << result[axis] << " in dim " << axis
                          << ", no multiple of the operand's " << operand[axis];
}

LogicalResult AllGatherOp::verify() {
  FailureOr<std::optional<int64_t>> groupSize =
      checkGroups(*this, getReplicaGroups(), /*isPadded=*/false);
  if (failed(checkVariadic(*this)) || failed(groupSize) ||
      failed(
          checkFlattened(*this, getUseGlobalDeviceIds(), getChannelHandle(), getReplicaGroups())))
    return failure();
  for (unsigned i = 0; i < getNumOperands(); ++i) {
    Subject subject = operandSubject(*this, i);
    // all_gather_c1
    if (failed(checkDim(*this, "all_gather_dim", getAllGatherDim(), shapeOf(getOperand(i)).size(),
                        subject.name)) ||
        failed(checkElements(*this, resultSubject(*this, i), subject)) ||
        failed(checkGathered(*this, i, *groupSize)))
      return failure();
  }
  return success();
}

LogicalResult AllReduceOp::verify() {
  if (failed(checkVariadic(*this)) ||
      failed(checkGroups(*this, getReplicaGroups(), /*isPadded=*/true)) ||
      failed(
          checkFlattened(*this, getUseGlobalDeviceIds(), getChannelHandle(), getReplicaGroups())))
    return failure();
  // all_reduce_c6
  for (unsigned i = 0; i < getNumOperands(); ++i)
    if (failed(checkShape(*this, resultSubject(*this, i), operandSubject(*this, i))))
      return failure();
  return success();
}

LogicalResult AllReduceOp::verifyRegions() {
  // all_reduce_c5, c7: the one body serves each pair of an operand and its result
  for (unsigned i = 0; i < getNumOperands(); ++i)
    if (failed(checkReducer(*this, getComputation(), "computation", getOperand(i).getType(),
                            getResult(i).getType())))
      return failure();
  return success();
}

LogicalResult ReduceScatterOp::verify() {
  FailureOr<std::optional<int64_t>> groupSize =
      checkGroups(*this, getReplicaGroups(), /*isPadded=*/false);
  Dims operand = shapeOf(getOperand());
  int64_t axis = getScatterDimension();
  if (failed(groupSize) ||
      failed(
          checkFlattened(*this, getUseGlobalDeviceIds(), getChannelHandle(), getReplicaGroups())) ||
      // reduce_scatter_c2
      failed(checkDim(*this, "scatter_dimension", axis, operand.size(), "operand 0")))
    return failure();
  // reduce_scatter_c1
  if (*groupSize && !isDynamic(operand[axis]) && operand[axis] % **groupSize != 0)
    return emitOpError() << "operand 0 has size " << operand[axis] << " in dim " << axis
                         << ", no multiple of the group size " << **groupSize;
  // reduce_scatter_c8; with a channel and without flattened ids, a group holds all partitions of
  // its replicas, of which whoever runs the program knows the number
  bool isKnown = getUseGlobalDeviceIds() || isa<ReplicaGroupMeshAxesAttr>(getReplicaGroups()) ||
                 !getChannelHandle() || getChannelHandle()->getHandle() <= 0;
  SmallVector<int64_t> expected(operand);
  expected[axis] = isKnown && *groupSize && !isDynamic(operand[axis]) ? operand[axis] / **groupSize
                                                                      : ShapedType::kDynamic;
  if (failed(checkSizes(*this, resultSubject(*this, 0), expected)))
    return failure();
  int64_t size = shapeOf(getResult())[axis];
  if (isKnown || isDynamic(size) || isDynamic(operand[axis]) ||
      (size == 0 ? operand[axis] == 0 : operand[axis] % size == 0))
    return success();
  return emitOpError() << "result 0 has size " << size << " in dim " << axis
                       << ", no whole part of the operand's " << operand[axis];
}

LogicalResult ReduceScatterOp::verifyRegions() {
  // reduce_scatter_c7, c9
  return checkReducer(*this, getComputation(), "computation", getOperand().getType(),
                      getResult().getType());
}

LogicalResult AllToAllOp::verify() {
  FailureOr<std::optional<int64_t>> groupSize =
      checkGroups(*this, getReplicaGroups(), /*isPadded=*/false);
  if (failed(checkVariadic(*this)) || failed(groupSize))
    return failure();
  int64_t split = getSplitDimension(), concat = getConcatDimension(), count = getSplitCount();
  // all_to_all_c4
  if (count < 1)
    return emitOpError() << "split_count is " << count << "; it is at least 1";
  // all_to_all_c8
  if (auto table = dyn_cast<DenseIntElementsAttr>(getReplicaGroups())) // empty ones too
    *groupSize = table.getType().getDimSize(1);
  if (*groupSize && **groupSize != count)
    return emitOpError() << "split_count is " << count << ", the groups have size " << **groupSize;
  for (unsigned i = 0; i < getNumOperands(); ++i) {
    Dims operand = shapeOf(getOperand(i));
    Subject subject = operandSubject(*this, i);
    // all_to_all_c1, c3
    if (failed(checkDim(*this, "split_dimension", split, operand.size(), subject.name)) ||
        failed(checkDim(*this, "concat_dimension", concat, operand.size(), subject.name)) ||
        failed(checkElements(*this, resultSubject(*this, i), subject)))
      return failure();
    // all_to_all_c2
    if (!isDynamic(operand[split]) && operand[split] % count != 0)
      return emitOpError() << subject.name << " has size " << operand[split] << " in dim " << split
                           << ", no multiple of split_count " << count;
    // all_to_all_c9
    SmallVector<int64_t> expected(operand);
    if (split != concat) {
      expected[split] = isDynamic(operand[split]) ? operand[split] : operand[split] / count;
      FailureOr<int64_t> size = isDynamic(operand[concat])
                                    ? FailureOr<int64_t>(operand[concat])
                                    : narrow(*this, "concatenated size of dim " + Twine(concat),
                                             static_cast<Wide>(operand[concat]) * count);
      if (failed(size))
        return failure();
      expected[concat] = *size;
    }
    if (failed(checkSizes(*this, resultSubject(*this, i), expected)))
      return failure();
  }
  return success();
}

LogicalResult spmd::stablehlo::checkSourceTargetPairs(Operation *op, DenseIntElementsAttr pairs) {
  // collective_permute_c1
  if (pairs.getType().getDimSize(1) != 2)
    return op->emitOpError() << "source_target_pairs has " << pairs.getType().getDimSize(1)
                             << " columns, expected 2";
  if (pairs.isSplat() && pairs.getNumElements() > 2)
    return op->emitOpError() << "source_target_pairs has source " << pairs.getSplatValue<int64_t>()
                             << " " << pairs.getNumElements() / 2 << " times";
  // collective_permute_c2 to c4
  llvm::DenseSet<int64_t> sources, targets;
  bool isSource = true;
  for (int64_t device : pairs.getValues<int64_t>()) {
    StringRef role = isSource ? "source" : "target";
    if (device < 0)
      return op->emitOpError() << "source_target_pairs has " << role << " " << device
                               << "; devices count from 0";
    // The two largest values are a hash set's own; no mesh has such devices.
    if (device > INT32_MAX)
      return op->emitOpError() << "source_target_pairs has " << role << " " << device
                               << "; devices are below 2147483648";
    if (!(isSource ? sources : targets).insert(device).second)
      return op->emitOpError() << "source_target_pairs has " << role << " " << device << " twice";
    isSource = !isSource;
  }
  return success();
}

LogicalResult CollectivePermuteOp::verify() {
  if (failed(checkSourceTargetPairs(*this, getSourceTargetPairs())))
    return failure();
  // collective_permute_c5
  return checkTensor(*this, resultSubject(*this, 0), operandSubject(*this, 0));
}

/// Checks the operands of an op with a root: as many as results, and the roots where they are
/// given.
static LogicalResult checkRooted(Operation *op, bool hasDynamicRoot) {
  unsigned count = op->getNumOperands() - (hasDynamicRoot && op->getNumOperands() ? 1 : 0);
  if (count == 0)
    return op->emitOpError() << "has no operands";
  if (count != op->getNumResults())
    return op->emitOpError() << "has " << count << " operands to send and " << op->getNumResults()
                             << " results";
  if (!hasDynamicRoot)
    return success();
  RankedTensorType roots = tensorType(op->getOperand(count));
  if (roots.getRank() != 1 || !roots.getElementType().isSignlessInteger(32))
    return op->emitOpError() << "operand " << count << " has type " << roots
                             << ", expected the roots as 1-D i32";
  // collective_broadcast_c4
  if (!agree(roots.getDimSize(0), count))
    return op->emitOpError() << "operand " << count << " has " << roots.getDimSize(0)
                             << " roots for " << count << " operands to send";
  return success();
}

LogicalResult CollectiveBroadcastOp::verify() {
  if (failed(checkGroups(*this, getReplicaGroups(), /*isPadded=*/true)) ||
      failed(checkRooted(*this, getHasDynamicRoot())))
    return failure();
  // collective_broadcast_c3
  for (unsigned i = 0; i < getNumResults(); ++i)
    if (failed(checkTensor(*this, resultSubject(*this, i), operandSubject(*this, i))))
      return failure();
  return success();
}

LogicalResult CollectiveReduceOp::verify() {
  if (failed(checkGroups(*this, getReplicaGroups(), /*isPadded=*/true)) ||
      failed(
          checkFlattened(*this, getUseGlobalDeviceIds(), getChannelHandle(), getReplicaGroups())) ||
      failed(checkRooted(*this, getHasDynamicRoot())))
    return failure();
  for (unsigned i = 0; i < getNumResults(); ++i)
    if (failed(checkShape(*this, resultSubject(*this, i), operandSubject(*this, i))))
      return failure();
  return success();
}

LogicalResult CollectiveReduceOp::verifyRegions() {
  // The one body serves each pair of an operand and its result.
  for (unsigned i = 0; i < getNumResults(); ++i)
    if (failed(checkReducer(*this, getComputation(), "computation", getOperand(i).getType(),
                            getResult(i).getType())))
      return failure();
  return success();
}

LogicalResult CrossReplicaSumOp::verify() {
  if (failed(checkGroups(*this, getReplicaGroups(), /*isPadded=*/true)))
    return failure();
  return checkTensor(*this, resultSubject(*this, 0), operandSubject(*this, 0));
}

//===- Meshes by name ------------------------------------------------------===//

/// Checks that a mesh named by `groups` is there.
LogicalResult spmd::stablehlo::verifyMeshSymbol(Operation *op, SymbolTableCollection &symbols) {
  auto groups = dyn_cast_if_present<ReplicaGroupMeshAxesAttr>(
      op->getInherentAttr("replica_groups").value_or(Attribute()));
  auto name = groups ? dyn_cast<FlatSymbolRefAttr>(groups.getMesh()) : FlatSymbolRefAttr();
  if (!name || symbols.lookupNearestSymbolFrom(op, name))
    return success();
  return op->emitOpError() << "replica_groups names mesh " << name << ", which does not exist";
}
