// Collectives one right after the other that are less together.
//
//     all_gather, then a slice of the device's own piece     of the same dim: nothing
//                                                            of another: an all_to_all, a g-th
//     reduce_scatter, then all_gather of the same dim        an all_reduce: one latency less
//     collective_permute, then collective_permute            one, or nothing; also with ops in
//                                                            between that all devices do alike

#include "spmd/dialect/spmd/ByName.h"
#include "spmd/passes/optimize/Optimize.h"
#include "spmd/passes/optimize/OwnPieces.h"
#include "spmd/passes/optimize/SameOnDevices.h"

namespace spmd {

using namespace stablehlo;

namespace {

/// Returns the op that makes `value`, if it is an `Op` of one operand in the block of `user`.
template <typename Op> Op makerOf(mlir::Value value, mlir::Operation *user) {
  auto op = value.getDefiningOp<Op>();
  return op && op->getBlock() == user->getBlock() && op->getNumOperands() == 1 ? op : Op();
}

class Pairs {
public:
  Pairs(ModuleCollectives &found, OwnPieces *pieces) : found(found), pieces(pieces) {}

  void run() {
    for (const ModuleCollectives::InBlock &block : found.blocks())
      for (int32_t member : block.members) {
        place = member;
        mlir::Operation *op = found.all()[place];
        if (auto slice = llvm::dyn_cast_if_present<DynamicSliceOp>(op))
          sliceOfGather(slice);
        else if (auto gather = llvm::dyn_cast_if_present<AllGatherOp>(op))
          gatherOfScatter(gather);
        else if (auto permute = llvm::dyn_cast_if_present<CollectivePermuteOp>(op))
          permuteOfPermute(permute);
      }
  }

private:
  void sliceOfGather(DynamicSliceOp slice) {
    auto gather = makerOf<AllGatherOp>(slice.getOperand(), slice);
    std::optional<int64_t> dim =
        gather && pieces ? pieces->dimOf(slice, gather) : std::optional<int64_t>();
    if (!dim)
      return;
    mlir::Value part = gather->getOperand(0);
    if (*dim == static_cast<int64_t>(gather.getAllGatherDim()))
      return replace(slice, part, gather, nullptr);
    if (!gather->hasOneUse())
      return; // What is gathered anyway is sliced for nothing.
    auto whole = llvm::cast<mlir::RankedTensorType>(slice.getOperand().getType());
    mlir::OpBuilder builder(slice);
    auto exchange = AllToAllOp::create(
        builder, gather.getLoc(), slice.getType(), part, builder.getI64IntegerAttr(*dim),
        gather.getAllGatherDimAttr(),
        builder.getI64IntegerAttr(whole.getDimSize(*dim) / slice.getSliceSizes()[*dim]),
        gather.getReplicaGroupsAttr(), gather.getChannelHandleAttr());
    replace(slice, exchange->getResult(0), gather, exchange);
  }

  void gatherOfScatter(AllGatherOp gather) {
    if (gather->getNumOperands() != 1)
      return;
    auto scatter = makerOf<ReduceScatterOp>(gather->getOperand(0), gather);
    if (!scatter || !scatter->hasOneUse() ||
        scatter.getReplicaGroups() != gather.getReplicaGroups() ||
        scatter.getScatterDimension() != gather.getAllGatherDim() ||
        scatter.getOperand().getType() != gather->getResult(0).getType())
      return;
    mlir::OpBuilder builder(gather);
    auto sum = AllReduceOp::create(
        builder, builder.getFusedLoc({scatter.getLoc(), gather.getLoc()}), gather->getResultTypes(),
        scatter->getOperands(), scatter.getReplicaGroupsAttr(), scatter.getChannelHandleAttr(),
        scatter.getUseGlobalDeviceIdsAttr());
    sum.getComputation().takeBody(scatter.getComputation());
    replace(gather, sum->getResult(0), scatter, sum);
  }

  using Pair = std::pair<int64_t, int64_t>;

  static std::vector<Pair> pairsOf(CollectivePermuteOp permute) {
    auto ids = llvm::to_vector(permute.getSourceTargetPairs().getValues<int64_t>());
    std::vector<Pair> pairs;
    for (size_t i = 0; i + 1 < ids.size(); i += 2)
      pairs.emplace_back(ids[i], ids[i + 1]);
    return pairs;
  }

  /// Whether every device gets something.
  bool reachesAll(CollectivePermuteOp permute) const {
    return pieces && permute.getSourceTargetPairs().getType().getDimSize(0) == pieces->devices();
  }

  /// Returns the one operand of `op` that devices may have otherwise, if they all make the result
  /// of it in the same way: of one device's operand, any other device makes what that one would.
  static mlir::Value variedOperand(mlir::Operation *op) {
    constexpr size_t mostValues = 8; // That make what pads or scales.
    if (op->getNumRegions() || op->getNumResults() != 1 || !isPureByName(op) ||
        op->hasTrait<stablehlo::Collective>())
      return nullptr;
    if (op->getNumOperands() == 1)
      return op->getOperand(0);
    mlir::Value varied;
    for (mlir::Value operand : op->getOperands())
      if (!isSameOnDevices(operand, mostValues)) {
        if (varied)
          return nullptr;
        varied = operand;
      }
    return varied;
  }

  /// Returns the permute that what `second` sends is made of, by nothing else. Where ops stand in
  /// between, every device has its data of another one both times: of zeros they may make anything.
  CollectivePermuteOp permuteBehind(CollectivePermuteOp second) const {
    constexpr int mostOps = 16;
    mlir::Value value = second.getOperand();
    for (int numOps = 0; numOps <= mostOps && value.hasOneUse(); ++numOps) {
      if (auto first = makerOf<CollectivePermuteOp>(value, second))
        return !numOps || (reachesAll(first) && reachesAll(second)) ? first : CollectivePermuteOp();
      mlir::Operation *maker = value.getDefiningOp();
      if (!maker || maker->getBlock() != second->getBlock() || !(value = variedOperand(maker)))
        break;
    }
    return {};
  }

  /// A device that gets nothing has zeros, and hands on zeros, as one that gets nothing.
  void permuteOfPermute(CollectivePermuteOp second) {
    CollectivePermuteOp first = permuteBehind(second);
    if (!first)
      return;
    llvm::DenseMap<int64_t, int64_t> sourceOf;
    for (auto [source, target] : pairsOf(first))
      sourceOf[target] = source;
    std::vector<Pair> composed;
    bool isIdentity = pieces != nullptr;
    for (auto [source, target] : pairsOf(second))
      if (auto found = sourceOf.find(source); found != sourceOf.end()) {
        composed.emplace_back(found->second, target);
        isIdentity &= found->second == target;
      }
    llvm::sort(composed);
    llvm::SmallVector<int64_t> flat;
    for (auto [source, target] : composed)
      flat.append({source, target});
    // What stands in between works on what the device itself has.
    first.getResult().replaceAllUsesWith(first.getOperand());
    if (isIdentity && static_cast<int64_t>(flat.size()) == 2 * pieces->devices())
      return replace(second, second.getOperand(), first, nullptr);
    mlir::OpBuilder builder(second);
    auto type = mlir::RankedTensorType::get({static_cast<int64_t>(flat.size()) / 2, 2},
                                            builder.getI64Type());
    auto both = CollectivePermuteOp::create(
        builder, builder.getFusedLoc({first.getLoc(), second.getLoc()}), second.getType(),
        second.getOperand(), mlir::DenseIntElementsAttr::get(type, flat),
        second.getChannelHandleAttr());
    replace(second, both.getResult(), first, both);
  }

  /// Puts `value`, which `made` gives unless it is null, in the place of what `op`, the one at
  /// hand, makes, and erases what only `op` needed.
  void replace(mlir::Operation *op, mlir::Value value, mlir::Operation *maker,
               mlir::Operation *made) {
    op->getResult(0).replaceAllUsesWith(value);
    found.replace(place, made);
    if (maker->use_empty())
      found.erase(maker);
  }

  ModuleCollectives &found;
  int32_t place = 0; ///< Of the op at hand.
  OwnPieces *pieces; ///< Null where the number of devices is not known.
};

} // namespace

void simplifyPairs(ModuleCollectives &found) {
  auto count = found.getModule()->getAttrOfType<mlir::IntegerAttr>("mhlo.num_partitions");
  std::optional<OwnPieces> pieces;
  if (count)
    pieces.emplace(count.getInt());
  Pairs(found, pieces ? &*pieces : nullptr).run();
}

} // namespace spmd
