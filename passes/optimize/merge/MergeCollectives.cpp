// Collectives that do not wait for each other become one.
//
//     %a = all_reduce(%x); %y = f(%a); %u = g(%v); %b = all_reduce(%u)
//  => %u = g(%v); %a, %b = all_reduce(%x, %u); %y = f(%a)
//
// What stands between them is done before or behind, as far as `farthest` ops may pass each other,
// and as no more memory is held at the worst moment than in program order.

#include "spmd/passes/optimize/Optimize.h"
#include "spmd/passes/optimize/merge/Join.h"
#include "spmd/passes/optimize/merge/Order.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

#include <numeric>

namespace spmd {

namespace {

class Merger {
public:
  Merger(uint64_t bucketBytes, MergeOrder order) : bucketBytes(bucketBytes), order(order) {}

  /// Returns whether any meet in `inBlock`, of what was `found`.
  bool run(const ModuleCollectives &found, const ModuleCollectives::InBlock &inBlock) {
    mlir::Operation *parent = inBlock.block->getParentOp();
    std::vector<Member> members = membersOf(found, inBlock);
    bool isAnyAlike = isAnyKindTwice(members), isInside = llvm::isa<DataFlow>(parent);
    if (!isAnyAlike && !isInside)
      return false; // Nobody asks what a function holds.
    BlockGraph graph(*inBlock.block, inBlock.numOps, effects);
    std::vector<Joinable> candidates = candidatesIn(graph, members);
    Meetings widest;
    if (isAnyAlike && order == MergeOrder::any)
      widest = findMeetings(graph, candidates, bucketBytes, farthest);
    else if (isAnyAlike)
      widest = findMeetings(graph, candidates, bucketBytes, 0);
    bool mayMeet = !widest.groups.empty() || widest.isLimited;
    if (!mayMeet && !isInside)
      return false;
    std::vector<Footprint> footprints = footprintsIn(graph);
    Plan plan = mayMeet ? planFor(graph, candidates, footprints, std::move(widest))
                        : planAsWritten(graph, footprints);
    uint64_t &peak = peakOf[parent];
    peak = std::max(peak, plan.peak);
    if (!plan.meetings.groups.empty())
      rewrite(graph, plan);
    return !plan.meetings.groups.empty();
  }

private:
  struct Plan {
    Meetings meetings;
    std::vector<int32_t> order;
    uint64_t peak = 0;
  };

  struct Member {
    mlir::Operation *op;
    Joinable joinable;
  };

  static std::vector<Member> membersOf(const ModuleCollectives &found,
                                       const ModuleCollectives::InBlock &block) {
    llvm::DenseMap<decltype(std::declval<JoinKey>().tie()), int32_t> kinds;
    std::vector<Member> members;
    for (int32_t place : block.members)
      if (mlir::Operation *op = found.all()[place])
        if (std::optional<JoinKey> key = joinKeyOf(op)) {
          auto kind = kinds.try_emplace(key->tie(), static_cast<int32_t>(kinds.size())).first;
          members.push_back({op, {kind->second, bytesOf(op->getOperands())}});
        }
    return members;
  }

  static bool isAnyKindTwice(llvm::ArrayRef<Member> members) {
    std::vector<bool> seen(members.size());
    for (const Member &member : members) {
      if (seen[member.joinable.kind])
        return true;
      seen[member.joinable.kind] = true;
    }
    return false;
  }

  static std::vector<Joinable> candidatesIn(const BlockGraph &graph,
                                            llvm::ArrayRef<Member> members) {
    std::vector<Joinable> candidates(graph.size());
    for (int32_t number = 0; number < graph.size() && !members.empty(); ++number)
      if (members.front().op == graph.op(number)) {
        candidates[number] = members.front().joinable;
        members = members.drop_front();
      }
    return candidates;
  }

  std::vector<Footprint> footprintsIn(const BlockGraph &graph) const {
    std::vector<Footprint> footprints;
    footprints.reserve(graph.size());
    for (int32_t number = 0; number < graph.size(); ++number) {
      footprints.push_back(footprintOf(graph.op(number)));
      if (graph.op(number)->getNumRegions() > 0)
        footprints.back().inside = peakOf.lookup(graph.op(number));
    }
    return footprints;
  }

  /// The best plan, from what needs no op moved, to what moves many, that holds no more than the
  /// first. `widest` are the meetings if as many ops are moved as may be.
  Plan planFor(const BlockGraph &graph, llvm::ArrayRef<Joinable> candidates,
               llvm::ArrayRef<Footprint> footprints, Meetings widest) const {
    if (order == MergeOrder::asWritten)
      return planWith(graph, std::move(widest), footprints);
    Plan near = planWith(graph, findMeetings(graph, candidates, bucketBytes, 0), footprints);
    for (int32_t lookahead : {farthest, farthest / 8, farthest / 64}) {
      Meetings meetings = lookahead == farthest
                              ? std::move(widest)
                              : findMeetings(graph, candidates, bucketBytes, lookahead);
      if (opsSaved(meetings) <= opsSaved(near.meetings))
        continue;
      Plan far = planWith(graph, std::move(meetings), footprints);
      if (far.peak <= near.peak + near.peak / 16)
        return far;
    }
    return near;
  }

  static Plan planAsWritten(const BlockGraph &graph, llvm::ArrayRef<Footprint> footprints) {
    Plan plan;
    plan.meetings.groupOf.assign(graph.size(), -1);
    plan.order.resize(graph.size());
    std::iota(plan.order.begin(), plan.order.end(), 0);
    plan.peak = peakBytes(graph, plan.meetings, plan.order, footprints);
    return plan;
  }

  static Plan planWith(const BlockGraph &graph, Meetings meetings,
                       llvm::ArrayRef<Footprint> footprints) {
    if (meetings.groups.empty())
      return planAsWritten(graph, footprints);
    Plan best;
    best.meetings = std::move(meetings);
    best.order = orderOf(graph, best.meetings, Place::late);
    best.peak = peakBytes(graph, best.meetings, best.order, footprints);
    std::vector<int32_t> early = orderOf(graph, best.meetings, Place::early);
    if (uint64_t peak = peakBytes(graph, best.meetings, early, footprints); peak < best.peak) {
      best.order = std::move(early);
      best.peak = peak;
    }
    return best;
  }

  /// How many collectives fewer `meetings` leave.
  static int64_t opsSaved(const Meetings &meetings) {
    int64_t saved = 0;
    for (const std::vector<int32_t> &group : meetings.groups)
      saved += static_cast<int64_t>(group.size()) - 1;
    return saved;
  }

  static void rewrite(const BlockGraph &graph, const Plan &plan) {
    mlir::Block *block = graph.op(0)->getBlock();
    mlir::Block::iterator next = block->begin(); // What stands before it stays.
    for (int32_t number : plan.order)
      if (mlir::Operation *op = graph.op(number); &*next == op)
        ++next;
      else
        op->moveBefore(block, next);
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

void mergeCollectives(ModuleCollectives &found, uint64_t bucketBytes, MergeOrder order) {
  Merger merger(bucketBytes, order);
  bool hasMerged = false;
  for (const ModuleCollectives::InBlock &block : found.blocks()) // Inner ones first.
    if (llvm::isa<mlir::FunctionOpInterface, DataFlow>(block.block->getParentOp()) &&
        !block.block->empty() && block.block->mightHaveTerminator())
      hasMerged |= merger.run(found, block);
  if (hasMerged)
    found.findAgain();
}

} // namespace spmd
