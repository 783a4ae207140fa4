// Reductions of reductions.
//
//     all_reduce, then all_reduce over others       one over the devices of both: fewer bytes
//     all_reduce, then reduce_scatter over others   the scatter, then the all-reduce of a piece

#include "spmd/dialect/groups/Groups.h"
#include "spmd/passes/optimize/Collecting.h"
#include "spmd/passes/optimize/Optimize.h"

#include <map>

namespace spmd {

using namespace stablehlo;

namespace {

using Groups = std::vector<std::vector<int64_t>>;

/// Whether a device may be counted twice.
bool isIdempotent(ReductionKind kind) {
  return kind == ReductionKind::max || kind == ReductionKind::min ||
         kind == ReductionKind::logicalAnd || kind == ReductionKind::logicalOr;
}

/// Returns, sorted, of which devices each gets data that reduces over `first` and then over
/// `second`; nothing if these are no groups of one size, or a device comes twice where it must not.
std::optional<Groups> joined(const Groups &first, const Groups &second, bool mayRepeat) {
  std::map<int64_t, const std::vector<int64_t> *> firstOf;
  for (const std::vector<int64_t> &group : first)
    for (int64_t device : group)
      firstOf[device] = &group;
  std::map<std::vector<int64_t>, size_t> unions;
  std::map<int64_t, size_t> unionOf;
  for (const std::vector<int64_t> &group : second) {
    std::vector<int64_t> all;
    for (int64_t device : group) {
      auto found = firstOf.find(device);
      if (found == firstOf.end())
        return std::nullopt;
      llvm::append_range(all, *found->second);
    }
    llvm::sort(all);
    auto last = std::unique(all.begin(), all.end());
    if (last != all.end() && !mayRepeat)
      return std::nullopt;
    all.erase(last, all.end());
    size_t number = unions.try_emplace(std::move(all), unions.size()).first->second;
    for (int64_t device : group)
      unionOf[device] = number;
  }
  Groups result;
  for (const auto &[all, number] : unions) {
    for (int64_t device : all)
      if (auto found = unionOf.find(device); found == unionOf.end() || found->second != number)
        return std::nullopt;
    if (all.size() != unions.begin()->first.size())
      return std::nullopt;
    result.push_back(all);
  }
  return result;
}

/// Whether all devices of a group of `reduced` have the same place in their groups of `scattered`.
bool havePlacesInCommon(const Groups &reduced, const Groups &scattered) {
  std::map<int64_t, size_t> places;
  for (const std::vector<int64_t> &group : scattered)
    for (size_t place = 0; place < group.size(); ++place)
      places[group[place]] = place;
  return llvm::all_of(reduced, [&](const std::vector<int64_t> &group) {
    return llvm::all_of(group, [&](int64_t device) {
      return places.count(device) && places[device] == places[group.front()];
    });
  });
}

/// Returns groups along the axes of two, whatever the number of devices; null unless both are along
/// axes of one mesh, of which none is in both.
mlir::Attribute joinedAxes(mlir::Attribute first, mlir::Attribute second) {
  auto a = llvm::dyn_cast_or_null<ReplicaGroupMeshAxesAttr>(first),
       b = llvm::dyn_cast_or_null<ReplicaGroupMeshAxesAttr>(second);
  if (!a || !b || a.getMesh() != b.getMesh())
    return nullptr;
  llvm::SmallVector<AxisRefAttr> axes(a.getAxes());
  for (AxisRefAttr axis : b.getAxes()) {
    if (llvm::any_of(a.getAxes(),
                     [&](AxisRefAttr other) { return other.getName() == axis.getName(); }))
      return nullptr;
    axes.push_back(axis);
  }
  return ReplicaGroupMeshAxesAttr::get(a.getContext(), a.getMesh(), axes);
}

mlir::Attribute groupsAttrOf(mlir::Operation *op) { return op->getAttr("replica_groups"); }

class ReduceOnce {
public:
  ReduceOnce(ModuleCollectives &found, int64_t numDevices) : found(found), numDevices(numDevices) {}

  void run() {
    for (const ModuleCollectives::InBlock &block : found.blocks())
      for (int32_t place : block.members) {
        mlir::Operation *second = found.all()[place];
        if (!llvm::isa_and_nonnull<AllReduceOp, ReduceScatterOp>(second) ||
            second->getNumOperands() != 1)
          continue;
        auto first = llvm::dyn_cast_if_present<AllReduceOp>(
            reductionFor(second->getOpOperand(0), kindOf(second)));
        if (!first || !isOfOneElement(second))
          continue;
        if (auto sum = llvm::dyn_cast<AllReduceOp>(second))
          foldInto(first, sum);
        else
          scatterBefore(first, llvm::cast<ReduceScatterOp>(second));
      }
  }

private:
  static bool isOfOneElement(mlir::Operation *op) {
    auto elementOf = [](mlir::Value value) {
      return llvm::cast<mlir::ShapedType>(value.getType()).getElementType();
    };
    return elementOf(op->getOperand(0)) == elementOf(op->getResult(0));
  }

  static bool countsDevices(mlir::Operation *op) {
    constexpr int64_t devicesAmongAll = 3;
    return numberingOf(op) == devicesAmongAll;
  }

  /// The groups of `op`, if it lists them.
  std::optional<Groups> listedGroupsOf(mlir::Operation *op) const {
    mlir::Attribute groups = groupsAttrOf(op);
    if (!llvm::isa_and_nonnull<mlir::DenseIntElementsAttr>(groups))
      return std::nullopt;
    mlir::ScopedDiagnosticHandler quiet(op->getContext(),
                                        [](mlir::Diagnostic &) { return mlir::success(); });
    auto expanded = expandGroups(op, groups, numDevices);
    return mlir::succeeded(expanded) ? std::optional<Groups>(*std::move(expanded)) : std::nullopt;
  }

  /// Returns the groups of the devices of both; null if there are none that reduce the same.
  mlir::Attribute groupsOfBoth(AllReduceOp first, AllReduceOp second) const {
    if (mlir::Attribute axes = joinedAxes(groupsAttrOf(first), groupsAttrOf(second)))
      return axes;
    std::optional<Groups> inner = listedGroupsOf(first), outer = listedGroupsOf(second);
    if (!inner || !outer)
      return nullptr;
    auto all = joined(*inner, *outer, isIdempotent(*kindOf(second)));
    if (!all)
      return nullptr;
    llvm::SmallVector<int64_t> ids;
    for (const std::vector<int64_t> &group : *all)
      ids.append(group.begin(), group.end());
    auto type = mlir::RankedTensorType::get(
        {static_cast<int64_t>(all->size()), static_cast<int64_t>(all->front().size())},
        mlir::IntegerType::get(first.getContext(), 64));
    return mlir::DenseIntElementsAttr::get(type, ids);
  }

  void foldInto(AllReduceOp first, AllReduceOp second) {
    mlir::Attribute groups =
        countsDevices(first) && countsDevices(second) ? groupsOfBoth(first, second) : nullptr;
    if (!groups)
      return;
    second->setAttr("replica_groups", groups);
    second->setLoc(mlir::FusedLoc::get(first.getContext(), {first.getLoc(), second.getLoc()}));
    second->setOperand(0, first->getOperand(0));
    found.erase(first);
  }

  /// Whether devices that `first` reduces over have the same place among those that `second`
  /// scatters to, and neither sees one twice.
  bool areApart(AllReduceOp first, ReduceScatterOp second) const {
    if (!countsDevices(first) || !countsDevices(second))
      return false;
    if (joinedAxes(groupsAttrOf(first), groupsAttrOf(second)))
      return true;
    std::optional<Groups> inner = listedGroupsOf(first), outer = listedGroupsOf(second);
    if (!inner || !outer || !havePlacesInCommon(*inner, *outer))
      return false;
    auto all = joined(*inner, *outer, /*mayRepeat=*/false);
    return all && all == joined(*outer, *inner, /*mayRepeat=*/false);
  }

  void scatterBefore(AllReduceOp first, ReduceScatterOp second) {
    if (!areApart(first, second))
      return;
    mlir::OpBuilder builder(first);
    auto scatter = ReduceScatterOp::create(
        builder, second.getLoc(), second->getResult(0).getType(), first->getOperand(0),
        second.getScatterDimensionAttr(), second.getReplicaGroupsAttr(),
        second.getChannelHandleAttr(), second.getUseGlobalDeviceIdsAttr());
    scatter.getComputation().takeBody(second.getComputation());
    builder.setInsertionPoint(second);
    auto sum = AllReduceOp::create(builder, first.getLoc(), second->getResultTypes(),
                                   scatter->getResults(), first.getReplicaGroupsAttr(),
                                   first.getChannelHandleAttr(), first.getUseGlobalDeviceIdsAttr());
    sum.getComputation().takeBody(first.getComputation());
    second->getResult(0).replaceAllUsesWith(sum->getResult(0));
    found.replace(second, sum);
    found.replace(first, scatter);
  }

  ModuleCollectives &found;
  int64_t numDevices;
};

} // namespace

void reduceOnce(ModuleCollectives &found) {
  auto count = found.getModule()->getAttrOfType<mlir::IntegerAttr>("mhlo.num_partitions");
  auto replicas = found.getModule()->getAttrOfType<mlir::IntegerAttr>("mhlo.num_replicas");
  if (count && (!replicas || replicas.getInt() == 1))
    ReduceOnce(found, count.getInt()).run();
}

} // namespace spmd
