#include "spmd/passes/propagate/Donations.h"

#include "spmd/dialect/spmd/Donation.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseSet.h"

namespace spmd {

/// Returns the number of the result that lies as argument `index` does, or nothing.
static std::optional<unsigned> resultAlignedWith(mlir::func::FuncOp func, unsigned index) {
  mlir::DictionaryAttr attributes = func.getArgAttrDict(index);
  auto donated = attributes ? attributes.getAs<mlir::IntegerAttr>(donationName) : nullptr;
  bool mayLieOtherwise = attributes && attributes.contains(donorName);
  if (!donated || mayLieOtherwise || donated.getInt() < 0 ||
      donated.getInt() >= static_cast<int64_t>(func.getNumResults()))
    return std::nullopt;
  return donated.getInt();
}

/// Whether a sharding was found that says nothing: it splits nothing and leaves nothing whole.
static bool isUnknown(ValueSharding sharding) {
  auto isOpen = [](const DimSpec &dim) { return dim.axes.empty() && dim.open; };
  return !sharding ||
         (sharding.state != ShardingState::pinned && sharding.attr.getSpec().unreduced.empty() &&
          sharding.attr.getSpec().replicated.empty() &&
          llvm::all_of(sharding.attr.getSpec().dims, isOpen));
}

/// Returns `sharding` as it was before it was left with what divides evenly, if that is noted.
static ValueSharding beforeEven(ValueSharding sharding, mlir::Attribute noted) {
  if (auto uneven = llvm::dyn_cast_if_present<sdy::ShardingAttr>(noted))
    sharding.attr = uneven;
  return sharding;
}

llvm::SmallBitVector alignedResults(mlir::func::FuncOp func) {
  llvm::SmallBitVector aligned(func.getNumResults());
  for (mlir::BlockArgument argument : func.getArguments()) {
    std::optional<unsigned> result = resultAlignedWith(func, argument.getArgNumber());
    if (!result)
      continue;
    ValueSharding given =
        beforeEven(shardingOf(argument), func.getArgAttr(argument.getArgNumber(), unevenAttrName));
    ValueSharding taken =
        beforeEven(shardingOfResult(func, *result), func.getResultAttr(*result, unevenAttrName));
    aligned[*result] = !isUnknown(given) && given.attr == taken.attr;
  }
  return aligned;
}

/// Whether nothing is known of how a value lies: what the outcome of propagation says of such a
/// one, that all dims are open, says no more than the lack of it; that it is best left whole does.
static bool isUnknown(const ShardGraph &graph, const ShardGraph::Value &value) {
  if (value.sharding == ShardGraph::none)
    return true;
  const Sharding &known = graph.sharding(value.sharding).sharding;
  return value.state != ShardingState::pinned && known.isFullyReplicated() &&
         known.replicated.empty() &&
         llvm::all_of(known.dims, [](const DimSharding &dim) { return dim.open; });
}

/// Whether some dim of a sharding is split along what does not split it in `before`, which may be
/// none.
static bool splitsMore(const ShardGraph &graph, int32_t sharding, int32_t before) {
  const std::vector<DimSharding> &dims = graph.sharding(sharding).sharding.dims;
  for (size_t d = 0; d < dims.size(); ++d)
    if (!isPrefix(dims[d].axes, before == ShardGraph::none
                                    ? AxisList()
                                    : graph.sharding(before).sharding.dims[d].axes))
      return true;
  return false;
}

/// Returns by number the instances that some other one calls.
static llvm::BitVector calledInstances(const ProgramGraph &program) {
  llvm::BitVector called(program.instances.size());
  for (const ProgramGraph::Instance &instance : program.instances)
    for (int32_t child : instance.children)
      called.set(child);
  return called;
}

/// Returns the members of all sharding groups.
static llvm::DenseSet<int32_t> membersOfGroups(const ProgramGraph &program) {
  llvm::DenseSet<int32_t> members;
  for (int32_t edge : program.groupEdges)
    for (int32_t value : program.graph.tensorsOf(program.graph.op(edge)))
      members.insert(value);
  return members;
}

/// Gives `to` the sharding of `from`.
static void alignWith(ShardGraph &graph, int32_t from, int32_t to, History *history) {
  ShardGraph::Value &value = graph.value(to);
  if (history && value.sharding != graph.value(from).sharding)
    history->changes.push_back({to, value.sharding, graph.value(from).sharding, from,
                                history->numSteps, Change::Cause::donation});
  value.sharding = graph.value(from).sharding;
  graph.copyPriorities(from, to);
  if (value.state == ShardingState::unspecified)
    value.state = ShardingState::inferred;
}

std::vector<int32_t> alignDonations(ProgramGraph &program, Conflicts conflicts, History *history) {
  std::vector<int32_t> changed;
  llvm::BitVector called = calledInstances(program);
  const llvm::DenseSet<int32_t> members = membersOfGroups(program);
  for (const auto &[number, instance] : llvm::enumerate(program.instances)) {
    const ProgramGraph::Body &body = program.bodies[instance.body];
    mlir::func::FuncOp func = body.func;
    for (mlir::BlockArgument argument : func.getArguments()) {
      std::optional<unsigned> index = resultAlignedWith(func, argument.getArgNumber());
      if (!index)
        continue;
      int32_t from = program.valueOf(instance, argument);
      if (from == ShardGraph::none)
        continue;
      int32_t to = instance.firstValue + body.firstResult + static_cast<int32_t>(*index);
      ShardGraph::Value &giver = program.graph.value(from);
      ShardGraph::Value &taker = program.graph.value(to);
      // What was inferred for an argument may be just what its result is pinned to.
      ValueSharding pin = pinOf(argument);
      bool isWantedAlike = pin && shardingOfResult(func, *index).attr == pin.attr;
      if (giver.shape != taker.shape)
        continue;
      if (taker.state == ShardingState::pinned && !isWantedAlike) {
        // Callers and groups know how it lies, Shardy tells nobody, and shares stay with the
        // result.
        if (giver.state == ShardingState::pinned || giver.sharding == taker.sharding ||
            conflicts == Conflicts::shardy || called[number] ||
            !program.graph.sharding(taker.sharding).sharding.unreduced.empty() ||
            members.contains(from))
          continue;
        alignWith(program.graph, to, from, history);
        changed.push_back(from);
      } else if (!isUnknown(program.graph, giver)) {
        if (taker.sharding != giver.sharding &&
            splitsMore(program.graph, giver.sharding, taker.sharding))
          changed.push_back(to);
        alignWith(program.graph, from, to, history);
      }
    }
  }
  return changed;
}

} // namespace spmd
