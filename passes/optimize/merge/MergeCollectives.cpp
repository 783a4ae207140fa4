// Collectives that do not wait for each other become one.
//
//     %a = all_reduce(%x); %y = f(%a); %u = g(%v); %b = all_reduce(%u)
//  => %u = g(%v); %a, %b = all_reduce(%x, %u); %y = f(%a)
//
// What stands between them is done before or behind, as far as `farthest` ops may pass each other,
// and as hardly more memory is held at the worst moment than in program order.

#include "spmd/passes/optimize/Optimize.h"
#include "spmd/passes/optimize/merge/Join.h"
#include "spmd/passes/optimize/merge/Order.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

#include <numeric>
#include <optional>
#include <utility>

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
    Numbered written{BlockGraph(*inBlock.block, inBlock.numOps, effects), {}, {}};
    written.candidates = candidatesIn(written.graph, members);
    if (isAnyAlike)
      tellApartByDepth(written);
    Meetings widest;
    if (isAnyAlike)
      widest = meetingsIn(written, order == MergeOrder::any ? farthest : 0);
    bool mayMeet = !widest.groups.empty() || widest.isLimited;
    if (!mayMeet && !isInside)
      return false;
    written.footprints = footprintsIn(written.graph);
    uint64_t &peak = peakOf[parent];
    if (!mayMeet) {
      peak = std::max(peak, planAsWritten(written).peak);
      return false;
    }
    std::optional<Numbered> other;
    Plan plan = planFor(written, std::move(widest), other);
    peak = std::max(peak, plan.peak);
    if (!plan.meetings.groups.empty())
      rewrite(plan);
    return !plan.meetings.groups.empty();
  }

private:
  /// The ops of a block in some order, and what is known of each.
  struct Numbered {
    BlockGraph graph;
    std::vector<Joinable> candidates;
    std::vector<Footprint> footprints;
  };

  struct Plan {
    const Numbered *ops;
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

  /// Makes other kinds of those that are copied to be one and stand at other depths: what can be
  /// had early, and all that is made of it, would wait for what cannot, in whatever order a
  /// scheduler behind us takes the ops.
  static void tellApartByDepth(Numbered &ops) {
    std::vector<int32_t> copied;
    int32_t numKinds = 0;
    for (int32_t number = 0; number < ops.graph.size(); ++number)
      if (int32_t kind = ops.candidates[number].kind; kind >= 0) {
        numKinds = std::max(numKinds, kind + 1);
        if (isCopiedToJoin(ops.graph.op(number)))
          copied.push_back(number);
      }
    if (copied.size() < 2)
      return;
    std::vector<int32_t> depths = depthsOf(ops.graph);
    llvm::stable_sort(copied, [&](int32_t a, int32_t b) {
      return std::pair(ops.candidates[a].kind, depths[a]) <
             std::pair(ops.candidates[b].kind, depths[b]);
    });
    int32_t kind = -1, newKind = -1, lowest = 0;
    for (int32_t number : copied) {
      bool isOfKind = ops.candidates[number].kind == kind;
      kind = ops.candidates[number].kind;
      if (!isOfKind || depths[number] - lowest > deepest) {
        newKind = isOfKind ? numKinds++ : kind;
        lowest = depths[number];
      }
      ops.candidates[number].kind = newKind;
    }
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

  Meetings meetingsIn(const Numbered &ops, int32_t lookahead) const {
    return findMeetings(ops.graph, ops.candidates, bucketBytes, lookahead);
  }

  /// Returns the same with numbers that say in which order results can be had soonest.
  static Numbered depthFirst(const Numbered &written) {
    std::vector<int32_t> order = depthFirstOrder(written.graph);
    Numbered result{BlockGraph(written.graph, order), {}, {}};
    llvm::DenseMap<int32_t, int32_t> kinds; // Numbered anew, too: the lowest goes first.
    for (int32_t old : order) {
      Joinable candidate = written.candidates[old];
      if (candidate.kind >= 0)
        candidate.kind =
            kinds.try_emplace(candidate.kind, static_cast<int32_t>(kinds.size())).first->second;
      result.candidates.push_back(candidate);
      result.footprints.push_back(written.footprints[old]);
    }
    return result;
  }

  /// A plan that leaves few collectives, and holds hardly more than what needs no op moved. Ops are
  /// numbered as written and, in `other`, depth first: who meets should not hang on the order in
  /// which somebody wrote down what does not wait for each other, unless that is clearly better.
  /// `widest` are the meetings of what is written if as many ops are moved as may be.
  Plan planFor(const Numbered &written, Meetings widest, std::optional<Numbered> &other) const {
    if (order == MergeOrder::asWritten)
      return planWith(written, std::move(widest));
    Plan unmoved = planWith(written, meetingsIn(written, 0));
    if (opsSaved(widest) <= opsSaved(unmoved.meetings))
      return unmoved;
    uint64_t limit = withMargin(unmoved.peak), savedUnmoved = opsSaved(unmoved.meetings);
    other = depthFirst(written);
    Plan deep = unmoved, plan = std::move(unmoved);
    lookFurther(*other, meetingsIn(*other, farthest), limit, deep);
    uint64_t savedDeep = opsSaved(deep.meetings);
    auto isClearlyBetter = [&](const Meetings &meetings) {
      return savedDeep == savedUnmoved || opsSaved(meetings) > withMargin(savedDeep);
    };
    if (!isClearlyBetter(widest)) // Nor is what moves fewer ops.
      return deep;
    lookFurther(written, std::move(widest), limit, plan);
    return isClearlyBetter(plan.meetings) ? std::move(plan) : std::move(deep);
  }

  static uint64_t withMargin(uint64_t number) { return number + number / 16; }

  /// Replaces `best` by a plan that leaves fewer collectives, or as many and holds less; and no
  /// more than `limit`, unless `best` does.
  void lookFurther(const Numbered &ops, Meetings widest, uint64_t limit, Plan &best) const {
    for (int32_t lookahead : {farthest, farthest / 8, farthest / 64}) {
      Meetings meetings = lookahead == farthest ? std::move(widest) : meetingsIn(ops, lookahead);
      uint64_t saved = opsSaved(meetings), most = opsSaved(best.meetings);
      if (saved == 0 || saved < most)
        continue;
      Plan plan = planWith(ops, std::move(meetings));
      if (plan.peak <= limit && (saved > most || plan.peak < best.peak))
        best = std::move(plan);
    }
  }

  static Plan planAsWritten(const Numbered &ops) {
    Plan plan{&ops, {}, {}};
    plan.meetings.groupOf.assign(ops.graph.size(), -1);
    plan.order.resize(ops.graph.size());
    std::iota(plan.order.begin(), plan.order.end(), 0);
    plan.peak = peakBytes(ops.graph, plan.meetings, plan.order, ops.footprints);
    return plan;
  }

  static Plan planWith(const Numbered &ops, Meetings meetings) {
    if (meetings.groups.empty())
      return planAsWritten(ops);
    Plan best{&ops, std::move(meetings), {}};
    best.order = orderOf(ops.graph, best.meetings, Place::late);
    best.peak = peakBytes(ops.graph, best.meetings, best.order, ops.footprints);
    std::vector<int32_t> early = orderOf(ops.graph, best.meetings, Place::early);
    if (uint64_t peak = peakBytes(ops.graph, best.meetings, early, ops.footprints);
        peak < best.peak) {
      best.order = std::move(early);
      best.peak = peak;
    }
    return best;
  }

  /// How many collectives fewer `meetings` leave.
  static uint64_t opsSaved(const Meetings &meetings) {
    uint64_t saved = 0;
    for (const std::vector<int32_t> &group : meetings.groups)
      saved += group.size() - 1;
    return saved;
  }

  static void rewrite(const Plan &plan) {
    const BlockGraph &graph = plan.ops->graph;
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
  /// How much deeper than another what is copied with it may stand.
  static constexpr int32_t deepest = farthest / 2;

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
