// Collectives that do not wait for each other become one.
//
//     %a = all_reduce(%x); %y = f(%a); %u = g(%v); %b = all_reduce(%u)
//  => %u = g(%v); %a, %b = all_reduce(%x, %u); %y = f(%a)
//
// What stands between them is done before or behind, as far as `farthest` ops may pass each other,
// and as no more memory is held at the worst moment than in program order.

#include "spmd/dialect/spmd/DataFlow.h"
#include "spmd/passes/optimize/Optimize.h"
#include "spmd/passes/optimize/merge/Join.h"
#include "spmd/passes/optimize/merge/Order.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

namespace spmd {

namespace {

class Merger {
public:
  Merger(uint64_t bucketBytes, MergeOrder order) : bucketBytes(bucketBytes), order(order) {}

  void run(mlir::Block &block) {
    BlockGraph graph(block, effects);
    std::vector<Joinable> candidates = candidatesIn(graph);
    std::vector<Footprint> footprints;
    for (int32_t number = 0; number < graph.size(); ++number) {
      footprints.push_back(footprintOf(graph.op(number)));
      footprints.back().inside = peakOf.lookup(graph.op(number));
    }
    Plan plan = planFor(graph, candidates, footprints);
    uint64_t &peak = peakOf[block.getParentOp()];
    peak = std::max(peak, plan.peak);
    if (!plan.meetings.groups.empty())
      rewrite(graph, plan);
  }

private:
  struct Plan {
    Meetings meetings;
    std::vector<int32_t> order;
    uint64_t peak = 0;
  };

  static std::vector<Joinable> candidatesIn(const BlockGraph &graph) {
    llvm::DenseMap<decltype(std::declval<JoinKey>().tie()), int32_t> kinds;
    std::vector<Joinable> candidates(graph.size());
    for (int32_t number = 0; number < graph.size(); ++number)
      if (std::optional<JoinKey> key = joinKeyOf(graph.op(number)))
        candidates[number] = {
            kinds.try_emplace(key->tie(), static_cast<int32_t>(kinds.size())).first->second,
            bytesOf(graph.op(number)->getOperands())};
    return candidates;
  }

  /// The best plan, from what needs no op moved, to what moves many, that holds no more than the
  /// first.
  Plan planFor(const BlockGraph &graph, llvm::ArrayRef<Joinable> candidates,
               llvm::ArrayRef<Footprint> footprints) const {
    Plan near = planWith(graph, candidates, footprints, 0);
    if (order == MergeOrder::asWritten || isAlone(candidates))
      return near;
    for (int32_t lookahead : {farthest, farthest / 8, farthest / 64}) {
      Plan far = planWith(graph, candidates, footprints, lookahead);
      if (far.peak <= near.peak + near.peak / 16 && opsLeft(far) < opsLeft(near))
        return far;
    }
    return near;
  }

  static bool isAlone(llvm::ArrayRef<Joinable> candidates) {
    std::vector<bool> seen(candidates.size());
    for (const Joinable &candidate : candidates) {
      if (candidate.kind >= 0 && seen[candidate.kind])
        return false;
      if (candidate.kind >= 0)
        seen[candidate.kind] = true;
    }
    return true;
  }

  Plan planWith(const BlockGraph &graph, llvm::ArrayRef<Joinable> candidates,
                llvm::ArrayRef<Footprint> footprints, int32_t lookahead) const {
    Plan best;
    best.meetings = findMeetings(graph, candidates, bucketBytes, lookahead);
    best.order = orderOf(graph, best.meetings, Place::late);
    best.peak = peakBytes(graph, best.meetings, best.order, footprints);
    std::vector<int32_t> early = orderOf(graph, best.meetings, Place::early);
    if (uint64_t peak = peakBytes(graph, best.meetings, early, footprints); peak < best.peak) {
      best.order = std::move(early);
      best.peak = peak;
    }
    return best;
  }

  /// How many ops meetings leave, less those that have none.
  static int64_t opsLeft(const Plan &plan) {
    int64_t saved = 0;
    for (const std::vector<int32_t> &group : plan.meetings.groups)
      saved += static_cast<int64_t>(group.size()) - 1;
    return -saved;
  }

  static void rewrite(const BlockGraph &graph, const Plan &plan) {
    mlir::Block *block = graph.op(0)->getBlock();
    for (int32_t number : plan.order)
      graph.op(number)->moveBefore(block, block->end());
    for (const std::vector<int32_t> &group : plan.meetings.groups) {
      llvm::SmallVector<mlir::Operation *> members;
      for (int32_t number : group)
        members.push_back(graph.op(number));
      join(members, members.front());
    }
  }

  /// What is further apart in program order does not meet: it would be held for long.
  static constexpr int32_t farthest = 512;

  uint64_t bucketBytes;
  MergeOrder order;
  Effects effects;
  llvm::DenseMap<mlir::Operation *, uint64_t> peakOf; ///< What ops hold in their regions.
};

} // namespace

void mergeCollectives(mlir::ModuleOp module, uint64_t bucketBytes, MergeOrder order) {
  std::vector<mlir::Block *> blocks; // Inner ones first.
  module.walk([&](mlir::Block *block) {
    mlir::Operation *parent = block->getParentOp();
    if (llvm::isa<mlir::FunctionOpInterface, DataFlow>(parent) && !block->empty() &&
        block->mightHaveTerminator())
      blocks.push_back(block);
  });
  Merger merger(bucketBytes, order);
  for (mlir::Block *block : blocks)
    merger.run(*block);
}

} // namespace spmd
