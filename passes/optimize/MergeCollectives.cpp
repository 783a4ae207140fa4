// Collectives that do not wait for each other become one with several operands.
//
// A bucket collects all-reduces of equal groups, reducer and element type, or all-gathers of equal
// groups, dim and element type, until some op needs one of their results; there the merged op
// stands. All operands were made before, so nothing else moves.

#include "spmd/dialect/partitioning/Families.h"
#include "spmd/dialect/spmd/ValueSharding.h"
#include "spmd/dialect/stablehlo/Dialect.h"
#include "spmd/passes/optimize/Optimize.h"

namespace spmd {

using stablehlo::AllGatherOp;
using stablehlo::AllReduceOp;

namespace {

struct BucketKey {
  mlir::OperationName name;
  mlir::Attribute groups;
  int64_t variant; ///< The kind of a reduction, the dim of a gather.
  mlir::Type elementType;

  friend bool operator==(const BucketKey &a, const BucketKey &b) {
    return a.name == b.name && a.groups == b.groups && a.variant == b.variant &&
           a.elementType == b.elementType;
  }
};

struct Bucket {
  BucketKey key;
  std::vector<mlir::Operation *> members;
  uint64_t bytes = 0;
};

/// Returns the bucket that `op` may join; nothing if it joins none.
std::optional<BucketKey> keyOf(mlir::Operation *op) {
  if (op->getNumOperands() == 0)
    return std::nullopt;
  auto key = [&](mlir::Attribute groups, int64_t variant) {
    return BucketKey{
        op->getName(), groups, variant,
        llvm::cast<mlir::RankedTensorType>(op->getOperand(0).getType()).getElementType()};
  };
  if (auto gather = llvm::dyn_cast<AllGatherOp>(op))
    return key(gather.getReplicaGroups(), gather.getAllGatherDim());
  auto reduce = llvm::dyn_cast<AllReduceOp>(op);
  std::optional<ReductionKind> kind;
  if (reduce)
    kind = reductionOf(reduce.getComputation());
  return kind ? std::optional(key(reduce.getReplicaGroups(), static_cast<int64_t>(*kind)))
              : std::nullopt;
}

class Merger {
public:
  Merger(mlir::Block &block, uint64_t bucketBytes) : block(block), bucketBytes(bucketBytes) {}

  void run() {
    for (mlir::Operation &op : llvm::make_early_inc_range(block)) {
      flushWhatIsNeededBy(&op);
      if (std::optional<BucketKey> key = keyOf(&op))
        add(&op, *key);
    }
  }

private:
  void flushWhatIsNeededBy(mlir::Operation *op) {
    if (buckets.empty())
      return;
    auto look = [&](mlir::Operation *reader) {
      for (mlir::Value operand : reader->getOperands())
        if (mlir::Operation *member = operand.getDefiningOp(); member && waiting.contains(member))
          flush(bucketOf(*keyOf(member)) - buckets.begin(), op);
    };
    look(op);
    for (mlir::Region &region : op->getRegions())
      region.walk(look);
    if (op->hasTrait<mlir::OpTrait::IsTerminator>())
      while (!buckets.empty())
        flush(0, op);
  }

  void add(mlir::Operation *op, const BucketKey &key) {
    uint64_t bytes = 0;
    for (mlir::Value operand : op->getOperands())
      bytes += static_cast<uint64_t>(numElements(operand)) *
               std::max<uint64_t>(1, elementBits(key.elementType) / 8);
    auto found = bucketOf(key);
    if (found != buckets.end() && found->bytes + bytes > bucketBytes) {
      flush(found - buckets.begin(), op);
      found = buckets.end();
    }
    if (found == buckets.end())
      found = buckets.insert(buckets.end(), Bucket{key, {}, 0});
    found->members.push_back(op);
    waiting.insert(op);
    found->bytes += bytes;
  }

  std::vector<Bucket>::iterator bucketOf(const BucketKey &key) {
    return llvm::find_if(buckets, [&](const Bucket &bucket) { return bucket.key == key; });
  }

  void flush(size_t index, mlir::Operation *before) {
    Bucket bucket = std::move(buckets[index]);
    buckets.erase(buckets.begin() + index);
    for (mlir::Operation *member : bucket.members)
      waiting.erase(member);
    if (bucket.members.size() < 2)
      return;
    llvm::SmallVector<mlir::Value> operands;
    llvm::SmallVector<mlir::Type> types;
    llvm::SmallVector<mlir::Location> locations;
    for (mlir::Operation *member : bucket.members) {
      llvm::append_range(operands, member->getOperands());
      llvm::append_range(types, member->getResultTypes());
      locations.push_back(member->getLoc());
    }
    mlir::Operation *merged = merge(bucket.members.front(), before, operands, types, locations);
    size_t next = 0;
    for (mlir::Operation *member : bucket.members) {
      for (mlir::Value result : member->getResults())
        result.replaceAllUsesWith(merged->getResult(next++));
      member->erase();
    }
  }

  /// Makes an op as `first` with more operands.
  static mlir::Operation *merge(mlir::Operation *first, mlir::Operation *before,
                                mlir::ValueRange operands, mlir::TypeRange types,
                                llvm::ArrayRef<mlir::Location> locations) {
    mlir::OpBuilder builder(before);
    mlir::Location loc = builder.getFusedLoc(locations);
    if (auto gather = llvm::dyn_cast<AllGatherOp>(first))
      return AllGatherOp::create(builder, loc, types, operands, gather.getAllGatherDimAttr(),
                                 gather.getReplicaGroupsAttr(), gather.getChannelHandleAttr(),
                                 gather.getUseGlobalDeviceIdsAttr());
    auto reduce = llvm::cast<AllReduceOp>(first);
    auto merged =
        AllReduceOp::create(builder, loc, types, operands, reduce.getReplicaGroupsAttr(),
                            reduce.getChannelHandleAttr(), reduce.getUseGlobalDeviceIdsAttr());
    merged.getComputation().takeBody(reduce.getComputation());
    return merged;
  }

  mlir::Block &block;
  uint64_t bucketBytes;
  std::vector<Bucket> buckets;
  llvm::DenseSet<mlir::Operation *> waiting; ///< The members of all buckets.
};

} // namespace

void mergeCollectives(mlir::ModuleOp module, uint64_t bucketBytes) {
  std::vector<mlir::Block *> blocks;
  module.walk([&](mlir::Block *block) { blocks.push_back(block); });
  for (mlir::Block *block : blocks)
    if (!block->empty() && block->mightHaveTerminator())
      Merger(*block, bucketBytes).run();
}

} // namespace spmd
