// Permutes between different devices become one.
//
// A device sends, and receives, once. So two permutes of which no two have a sender or a receiver
// in common are one: what wraps around a ring, beside what goes on to the next device. Receivers of
// one have zeros from the other.

#include "spmd/dialect/partitioning/algorithms/Shards.h"
#include "spmd/dialect/stablehlo/Dialect.h"
#include "spmd/passes/optimize/Optimize.h"

#include "mlir/IR/OperationSupport.h"
#include "llvm/ADT/MapVector.h"

namespace spmd {

using namespace stablehlo;

namespace {

/// Who sends and who receives, in ascending order.
struct Ends {
  std::vector<int64_t> senders, receivers;

  explicit Ends(CollectivePermuteOp op) {
    auto ids = op.getSourceTargetPairs().getValues<int64_t>();
    for (auto id = ids.begin(); id != ids.end(); ++id) {
      senders.push_back(*id);
      receivers.push_back(*++id);
    }
    llvm::sort(senders);
    llvm::sort(receivers);
  }
};

bool areDisjoint(const std::vector<int64_t> &a, const std::vector<int64_t> &b) {
  for (size_t i = 0, k = 0; i < a.size() && k < b.size();) {
    if (a[i] == b[k])
      return false;
    ++(a[i] < b[k] ? i : k);
  }
  return true;
}

/// Whether `a` and `b` are one value, or two ops without effects that compute the same.
bool areEqual(mlir::Value a, mlir::Value b) {
  if (a == b)
    return true;
  mlir::Operation *first = a.getDefiningOp(), *second = b.getDefiningOp();
  return first && second && first->getNumResults() == 1 && mlir::isMemoryEffectFree(first) &&
         mlir::OperationEquivalence::isEquivalentTo(first, second,
                                                    mlir::OperationEquivalence::IgnoreLocations);
}

class Merger {
public:
  Merger(ModuleCollectives &found, int64_t numDevices) : found(found), numDevices(numDevices) {}

  void run(const ModuleCollectives::InBlock &inBlock) {
    block = inBlock.block;
    byType.clear();
    for (int32_t place : inBlock.members)
      if (auto permute = llvm::dyn_cast_if_present<CollectivePermuteOp>(found.all()[place]);
          permute && isAmongDevices(permute))
        add(permute, place);
  }

private:
  /// Only these lie beside each other in a halo; what is further away would be held for long.
  static constexpr size_t maxCandidates = 8;
  /// Who takes part is told by so many comparisons, or by a table of so many devices.
  static constexpr size_t maxLevels = 4;
  static constexpr int64_t mostInTable = 64;

  struct Candidate {
    CollectivePermuteOp op;
    const Ends *ends;
    int32_t place; ///< In the list of all collectives.
  };

  /// Permutes alike have their ends in common.
  const Ends *endsOf(CollectivePermuteOp op) {
    std::unique_ptr<const Ends> &known = endsOfPairs[op.getSourceTargetPairsAttr()];
    if (!known)
      known = std::make_unique<const Ends>(op);
    return known.get();
  }

  static bool isAmongDevices(CollectivePermuteOp op) {
    std::optional<ChannelHandleAttr> channel = op.getChannelHandle();
    return op->getNumOperands() == 1 && channel && channel->getHandle() > 0 &&
           channel->getType() == 1;
  }

  bool areDevices(const std::vector<int64_t> &ids) const {
    return ids.empty() || (ids.front() >= 0 && ids.back() < numDevices);
  }

  void add(CollectivePermuteOp op, int32_t at) {
    Candidate next{op, endsOf(op), at};
    if (!areDevices(next.ends->senders) || !areDevices(next.ends->receivers))
      return;
    std::vector<Candidate> &candidates = byType[op->getResult(0).getType()];
    for (Candidate &earlier : candidates)
      if (areDisjoint(earlier.ends->senders, next.ends->senders) &&
          areDisjoint(earlier.ends->receivers, next.ends->receivers) &&
          isToldShortly(next.ends->senders) && isToldShortly(next.ends->receivers))
        if (mlir::Operation *place = placeFor(earlier.op, op)) {
          earlier = merge(earlier, next, place == op.getOperation() ? next.place : earlier.place);
          return;
        }
    if (candidates.size() == maxCandidates)
      candidates.erase(candidates.begin());
    candidates.push_back(next);
  }

  /// Returns which of two permutes can stand for both: what they read is known there, if need be as
  /// the op that makes it goes there, and nobody reads what they give before. Null if neither can.
  mlir::Operation *placeFor(CollectivePermuteOp earlier, CollectivePermuteOp later) {
    mlir::Value read = later->getOperand(0);
    mlir::Operation *maker = read.getDefiningOp();
    if (areEqual(earlier->getOperand(0), read) || !maker || maker->getBlock() != block ||
        maker->isBeforeInBlock(earlier) || goesBefore(maker, earlier))
      return earlier;
    for (mlir::Operation *user : earlier->getUsers())
      if (mlir::Operation *at = block->findAncestorOpInBlock(*user);
          !at || !later->isBeforeInBlock(at))
        return nullptr;
    return later;
  }

  /// Moves `op` to before `place`, if all that it reads is known there: a cut out of what another
  /// device holds, say, at a place that is computed for each device.
  bool goesBefore(mlir::Operation *op, mlir::Operation *place) {
    auto isKnown = [&](mlir::Value value) {
      mlir::Operation *maker = value.getDefiningOp();
      return !maker || maker->getBlock() != block || maker->isBeforeInBlock(place);
    };
    if (!llvm::isa<SliceOp, DynamicSliceOp>(op) || !llvm::all_of(op->getOperands(), isKnown))
      return false;
    op->moveBefore(place);
    return true;
  }

  /// Makes one of `a` and `b`, where that at `place` stands.
  Candidate merge(Candidate a, Candidate b, int32_t place) {
    mlir::OpBuilder builder(found.all()[place]);
    mlir::Location loc = builder.getFusedLoc({a.op->getLoc(), b.op->getLoc()});
    mlir::Value read = a.op->getOperand(0), other = b.op->getOperand(0);
    if (!areEqual(read, other))
      read = select(builder, loc, isAmong(builder, loc, b.ends->senders), other, read);
    mlir::OperationState state(loc, CollectivePermuteOp::getOperationName(), read,
                               a.op->getResultTypes(), {});
    auto merged = llvm::cast<CollectivePermuteOp>(builder.create(state));
    merged.setChannelHandleAttr(a.op.getChannelHandleAttr());
    merged.setSourceTargetPairsAttr(joinedPairs(a.op, b.op));
    mlir::Value zero = fillConstant(
        builder, loc, llvm::cast<mlir::RankedTensorType>(merged->getResult(0).getType()),
        FillValue::zero);
    mlir::Value isOther = isAmong(builder, loc, b.ends->receivers), all = merged->getResult(0);
    a.op->getResult(0).replaceAllUsesWith(select(builder, loc, isOther, zero, all));
    b.op->getResult(0).replaceAllUsesWith(select(builder, loc, isOther, all, zero));
    found.erase(a.place + b.place - place);
    found.replace(place, merged);
    return {merged, endsOf(merged), place};
  }

  static mlir::Value select(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value mask,
                            mlir::Value yes, mlir::Value no) {
    return SelectOp::create(builder, loc, yes.getType(), mask, yes, no);
  }

  static mlir::DenseIntElementsAttr joinedPairs(CollectivePermuteOp a, CollectivePermuteOp b) {
    llvm::SmallVector<int64_t> ids(a.getSourceTargetPairs().getValues<int64_t>());
    llvm::append_range(ids, b.getSourceTargetPairs().getValues<int64_t>());
    auto type = a.getSourceTargetPairs().getType().clone({static_cast<int64_t>(ids.size()) / 2, 2});
    return mlir::DenseIntElementsAttr::get(type, ids);
  }

  /// Returns a scalar: whether the device is one of `ids`.
  mlir::Value isAmong(mlir::OpBuilder &builder, mlir::Location loc,
                      const std::vector<int64_t> &ids) {
    mlir::Value own = PartitionIdOp::create(
        builder, loc,
        mlir::RankedTensorType::get({}, builder.getIntegerType(32, /*isSigned=*/false)));
    if (std::optional<Runs> runs = runsOf(ids))
      return isInRuns(builder, loc, own, *runs);
    llvm::SmallVector<bool> table(numDevices);
    for (int64_t id : ids)
      table[id] = true;
    auto type = mlir::RankedTensorType::get({numDevices}, builder.getI1Type());
    mlir::Value all = ConstantOp::create(builder, loc, mlir::DenseElementsAttr::get(type, table));
    mlir::Value found = DynamicSliceOp::create(builder, loc, type.clone({1}), all, own,
                                               builder.getDenseI64ArrayAttr({1}));
    return ReshapeOp::create(builder, loc, type.clone(llvm::ArrayRef<int64_t>()), found);
  }

  /// Whether `isAmong` takes a few ops, or a table that is short: nothing else in a program grows
  /// with the devices.
  bool isToldShortly(const std::vector<int64_t> &ids) const {
    return numDevices <= mostInTable || runsOf(ids);
  }

  /// All first + k0 * stride0 + k1 * stride1 + .., each k below its count: who stands in a stretch
  /// of coordinates along some axes, if devices are in the order of the mesh. Inner levels come
  /// first, and end before the next stride.
  struct Runs {
    struct Level {
      int64_t stride, count;
    };
    int64_t first;
    llvm::SmallVector<Level, 4> levels;
  };

  static std::optional<Runs> runsOf(const std::vector<int64_t> &ids) {
    if (ids.empty())
      return std::nullopt;
    Runs runs{ids[0], {}};
    for (size_t known = 1, span = 1; known < ids.size();) {
      int64_t stride = ids[known] - ids[0];
      if (stride < static_cast<int64_t>(span) || runs.levels.size() == maxLevels)
        return std::nullopt;
      size_t inner = known; // Ids of one turn of this level.
      while (known < ids.size() && ids[known] == ids[known - inner] + stride)
        ++known;
      if (known % inner != 0)
        return std::nullopt;
      runs.levels.push_back({stride, static_cast<int64_t>(known / inner)});
      span = ids[known - 1] - ids[0] + 1;
    }
    return runs;
  }

  mlir::Value isInRuns(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value own,
                       const Runs &runs) const {
    auto type = llvm::cast<mlir::RankedTensorType>(own.getType());
    auto number = [&](int64_t value) -> mlir::Value {
      return ConstantOp::create(builder, loc,
                                mlir::DenseElementsAttr::get(type, llvm::APInt(32, value)));
    };
    auto isBelow = [&](mlir::Value value, int64_t limit) -> mlir::Value {
      return CompareOp::create(
          builder, loc, type.clone(builder.getI1Type()), value, number(limit),
          ComparisonDirection::LT,
          ComparisonTypeAttr::get(builder.getContext(), ComparisonType::UNSIGNED));
    };
    mlir::Value all;
    int64_t first = runs.first;
    auto require = [&](int64_t limit) { // What is below `first` becomes large.
      if (first != 0)
        own = SubtractOp::create(builder, loc, type, own, number(std::exchange(first, 0)));
      mlir::Value each = isBelow(own, limit);
      all = all ? AndOp::create(builder, loc, all, each).getResult() : each;
    };
    llvm::ArrayRef<Runs::Level> levels = runs.levels;
    for (; !levels.empty(); levels = levels.drop_back()) {
      auto [stride, count] = levels.back();
      bool takesAll = !all && stride > 1 && stride * count >= numDevices;
      for (const Runs::Level &inner : levels.drop_back())
        takesAll &= first + inner.stride * inner.count <= stride;
      if (!takesAll)
        require(stride * count);
      if (stride > 1)
        own = RemOp::create(builder, loc, type, own, number(stride));
    }
    if (runs.levels.empty() || runs.levels.front().stride > 1)
      require(1);
    return all;
  }

  ModuleCollectives &found;
  mlir::Block *block = nullptr; ///< The one at hand.
  int64_t numDevices;
  llvm::DenseMap<mlir::Type, std::vector<Candidate>> byType;
  llvm::DenseMap<mlir::Attribute, std::unique_ptr<const Ends>> endsOfPairs;
};

} // namespace

void mergePermutes(ModuleCollectives &found) {
  auto count = found.getModule()->getAttrOfType<mlir::IntegerAttr>("mhlo.num_partitions");
  if (!count)
    return;
  Merger merger(found, count.getInt());
  for (const ModuleCollectives::InBlock &block : found.blocks())
    merger.run(block);
}

} // namespace spmd
