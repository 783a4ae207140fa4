// All-reduces that do not wait for each other become one with several operands.
//
// A bucket collects all-reduces of equal groups, reducer and element type until some op needs one
// of their results; there the merged op stands. All operands were made before, so nothing else
// moves.

#include "spmd/dialect/partitioning/Families.h"
#include "spmd/dialect/spmd/ValueSharding.h"
#include "spmd/dialect/stablehlo/Dialect.h"
#include "spmd/passes/optimize/Optimize.h"

namespace spmd {

using stablehlo::AllReduceOp;

namespace {

struct BucketKey {
  mlir::Attribute groups;
  ReductionKind kind;
  mlir::Type elementType;

  friend bool operator==(const BucketKey &a, const BucketKey &b) {
    return a.groups == b.groups && a.kind == b.kind && a.elementType == b.elementType;
  }
};

struct Bucket {
  BucketKey key;
  std::vector<AllReduceOp> members;
  uint64_t bytes = 0;
};

class Merger {
public:
  Merger(mlir::Block &block, uint64_t bucketBytes) : block(block), bucketBytes(bucketBytes) {}

  void run() {
    for (mlir::Operation &op : llvm::make_early_inc_range(block)) {
      flushWhatIsNeededBy(&op);
      if (auto allReduce = llvm::dyn_cast<AllReduceOp>(op))
        add(allReduce);
    }
  }

private:
  void flushWhatIsNeededBy(mlir::Operation *op) {
    if (buckets.empty())
      return;
    auto look = [&](mlir::Operation *reader) {
      for (mlir::Value operand : reader->getOperands())
        if (auto allReduce = operand.getDefiningOp<AllReduceOp>();
            allReduce && waiting.contains(allReduce))
          flush(bucketOf(keyOf(allReduce)) - buckets.begin(), op);
    };
    look(op);
    for (mlir::Region &region : op->getRegions())
      region.walk(look);
    if (op->hasTrait<mlir::OpTrait::IsTerminator>())
      while (!buckets.empty())
        flush(0, op);
  }

  void add(AllReduceOp op) {
    if (op->getNumOperands() == 0 || !reductionOf(op.getComputation()))
      return;
    BucketKey key = keyOf(op);
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

  /// Requires a reducer of a known kind.
  static BucketKey keyOf(AllReduceOp op) {
    return {op.getReplicaGroups(), *reductionOf(op.getComputation()),
            llvm::cast<mlir::RankedTensorType>(op->getOperand(0).getType()).getElementType()};
  }

  std::vector<Bucket>::iterator bucketOf(const BucketKey &key) {
    return llvm::find_if(buckets, [&](const Bucket &bucket) { return bucket.key == key; });
  }

  void flush(size_t index, mlir::Operation *before) {
    Bucket bucket = std::move(buckets[index]);
    buckets.erase(buckets.begin() + index);
    for (AllReduceOp member : bucket.members)
      waiting.erase(member);
    if (bucket.members.size() < 2)
      return;
    llvm::SmallVector<mlir::Value> operands;
    llvm::SmallVector<mlir::Type> types;
    llvm::SmallVector<mlir::Location> locations;
    for (AllReduceOp member : bucket.members) {
      llvm::append_range(operands, member->getOperands());
      llvm::append_range(types, member->getResultTypes());
      locations.push_back(member.getLoc());
    }
    AllReduceOp first = bucket.members.front();
    mlir::OpBuilder builder(before);
    auto merged = AllReduceOp::create(builder, builder.getFusedLoc(locations), types, operands,
                                      first.getReplicaGroupsAttr(), first.getChannelHandleAttr(),
                                      first.getUseGlobalDeviceIdsAttr());
    merged.getComputation().takeBody(first.getComputation());
    size_t next = 0;
    for (AllReduceOp member : bucket.members) {
      for (mlir::Value result : member->getResults())
        result.replaceAllUsesWith(merged->getResult(next++));
      member.erase();
    }
  }

  mlir::Block &block;
  uint64_t bucketBytes;
  std::vector<Bucket> buckets;
  llvm::DenseSet<mlir::Operation *> waiting; ///< The members of all buckets.
};

} // namespace

void mergeAllReduces(mlir::ModuleOp module, uint64_t bucketBytes) {
  std::vector<mlir::Block *> blocks;
  module.walk([&](mlir::Block *block) { blocks.push_back(block); });
  for (mlir::Block *block : blocks)
    if (!block->empty() && block->mightHaveTerminator())
      Merger(*block, bucketBytes).run();
}

} // namespace spmd
