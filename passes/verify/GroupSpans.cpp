#include "spmd/passes/verify/GroupSpans.h"

#include "spmd/dialect/groups/Groups.h"
#include "spmd/dialect/stablehlo/Dialect.h"

#include "llvm/ADT/EquivalenceClasses.h"

namespace spmd {

using namespace stablehlo;

using Groups = std::vector<std::vector<int64_t>>;

GroupSpans::GroupSpans(const Mesh &mesh) : mesh(mesh), positions(mesh.numDevices()) {
  for (int64_t position = 0; position < mesh.numDevices(); ++position)
    positions[mesh.deviceAt(position)] = position;
}

int64_t GroupSpans::firstOnLine(int64_t device, int axis) const {
  int64_t position = positions[device], stride = mesh.strideOf(axis);
  int64_t coordinate = position / stride % mesh.axes()[axis].size;
  return mesh.deviceAt(position - coordinate * stride);
}

AxisSet GroupSpans::axesOf(const PerDevice &number) const {
  AxisSet axes = 0;
  for (size_t axis = 0; axis < mesh.axes().size(); ++axis)
    for (int64_t device = 0; device < mesh.numDevices(); ++device)
      if (number[device] != number[firstOnLine(device, axis)]) {
        axes |= AxisSet(1) << axis;
        break;
      }
  return axes;
}

AxisSet GroupSpans::wholeLines(llvm::ArrayRef<int64_t> groupOf) const {
  AxisSet whole = 0;
  for (size_t axis = 0; axis < mesh.axes().size(); ++axis) {
    bool isWhole = true;
    for (int64_t device = 0; device < mesh.numDevices() && isWhole; ++device)
      isWhole = groupOf[device] >= 0 && groupOf[device] == groupOf[firstOnLine(device, axis)];
    if (isWhole)
      whole |= AxisSet(1) << axis;
  }
  return whole;
}

/// Returns the devices that hand on to each other, one after another; fails if one is none.
static mlir::FailureOr<Groups> chainsOf(CollectivePermuteOp permute, int64_t numDevices) {
  llvm::EquivalenceClasses<int64_t> chains;
  std::optional<int64_t> source;
  for (int64_t device : permute.getSourceTargetPairs().getValues<int64_t>()) {
    if (device < 0 || device >= numDevices)
      return mlir::failure();
    if (source)
      chains.unionSets(*source, device);
    source = source ? std::nullopt : std::optional(device);
  }
  Groups groups;
  for (const auto &chain : chains)
    if (chain->isLeader())
      groups.emplace_back(chains.member_begin(*chain), chains.member_end());
  return groups;
}

static int64_t numTargets(CollectivePermuteOp permute) {
  llvm::DenseSet<int64_t> targets;
  for (auto [i, device] : llvm::enumerate(permute.getSourceTargetPairs().getValues<int64_t>()))
    if (i % 2 == 1)
      targets.insert(device);
  return targets.size();
}

static mlir::FailureOr<Groups> groupsOf(mlir::Operation *op, int64_t numDevices) {
  if (auto permute = llvm::dyn_cast<CollectivePermuteOp>(op))
    return chainsOf(permute, numDevices);
  // What is wrong with them is reported where the program is checked for one device.
  mlir::ScopedDiagnosticHandler quiet(op->getContext(),
                                      [](mlir::Diagnostic &) { return mlir::success(); });
  return expandGroups(op, op->getAttr("replica_groups"), numDevices);
}

std::optional<GroupSpan> GroupSpans::spanOf(mlir::Operation *op) {
  mlir::FailureOr<Groups> groups = groupsOf(op, mesh.numDevices());
  if (mlir::failed(groups))
    return std::nullopt;
  GroupSpan span;
  std::vector<int64_t> groupOf(mesh.numDevices(), -1);
  for (auto [i, group] : llvm::enumerate(*groups))
    for (int64_t device : group) {
      if (device < 0 || device >= mesh.numDevices())
        return std::nullopt;
      groupOf[device] = i;
      for (size_t axis = 0; axis < mesh.axes().size(); ++axis) {
        int64_t stride = mesh.strideOf(axis), size = mesh.axes()[axis].size;
        if (positions[device] / stride % size != positions[group.front()] / stride % size)
          span.some |= AxisSet(1) << axis;
      }
    }
  span.whole = wholeLines(groupOf) & span.some;
  if (auto permute = llvm::dyn_cast<CollectivePermuteOp>(op))
    span.reachesAll = numTargets(permute) == mesh.numDevices();
  return span;
}

const GroupSpan *GroupSpans::of(mlir::Operation *op) {
  auto permute = llvm::dyn_cast<CollectivePermuteOp>(op);
  mlir::Attribute attr =
      permute ? mlir::Attribute(permute.getSourceTargetPairs()) : op->getAttr("replica_groups");
  if (!attr)
    return nullptr;
  // Pairs and groups may be the same table.
  auto key = mlir::ArrayAttr::get(op->getContext(),
                                  {attr, mlir::BoolAttr::get(op->getContext(), bool(permute))});
  auto [entry, isNew] = known.try_emplace(key);
  if (isNew)
    entry->second = spanOf(op);
  return entry->second ? &*entry->second : nullptr;
}

} // namespace spmd
