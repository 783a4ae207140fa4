#include "spmd/passes/propagate/Spread.h"

#include "spmd/dialect/sdy/InlineComputations.h"
#include "spmd/dialect/spmd/DataFlow.h"
#include "spmd/dialect/spmd/Donation.h"
#include "spmd/dialect/spmd/PartitionedModule.h"
#include "spmd/ir/classes/Decide.h"
#include "spmd/passes/legalize/Legalize.h"
#include "spmd/passes/propagate/Constraints.h"
#include "spmd/passes/propagate/Contradictions.h"
#include "spmd/passes/propagate/Donations.h"
#include "spmd/passes/propagate/Engine.h"
#include "spmd/passes/propagate/EvenBoundary.h"
#include "spmd/passes/propagate/FirstLook.h"
#include "spmd/passes/propagate/Hints.h"

#include "absl/container/flat_hash_set.h"
#include "llvm/ADT/Sequence.h"

#include <limits>

namespace spmd {

static std::vector<int32_t> pinnedShardings(const ShardGraph &graph) {
  std::vector<int32_t> pinned;
  for (int32_t v : llvm::seq(graph.numValues()))
    if (graph.value(v).state == ShardingState::pinned)
      pinned.push_back(graph.value(v).sharding);
  return pinned;
}

namespace {

/// The plan that a graph held when it was kept, to go back to.
class KeptPlan {
public:
  /// Keeps the plan that there is. `history` may be null.
  KeptPlan(ShardGraph &graph, History *history) : graph(graph), history(history) { keep(); }

  void keep() {
    shardings.resize(graph.numValues());
    states.resize(graph.numValues());
    origins.resize(history ? graph.numValues() : 0);
    for (int32_t v : llvm::seq(graph.numValues())) {
      shardings[v] = graph.value(v).sharding;
      states[v] = graph.value(v).state;
      if (history)
        origins[v] = graph.value(v).origin;
    }
    withPriorities.clear();
    for (int32_t v : llvm::seq(graph.numValues()))
      if (graph.hasPriorities(v) && graph.value(v).state != ShardingState::pinned)
        withPriorities.emplace_back(v, graph.shardingOf(v)); // Which it may forget.
    if (history)
      kept = {history->changes.size(), history->decisions.size(), history->numSteps};
  }

  /// Brings the plan back, and makes nothing known of those after it.
  void restore() {
    for (int32_t v : llvm::seq(graph.numValues())) {
      ShardGraph::Value &value = graph.value(v);
      value.sharding = shardings[v];
      value.state = states[v];
      if (history)
        value.origin = origins[v];
    }
    for (const auto &[v, sharding] : withPriorities)
      graph.setSharding(v, sharding);
    if (!history)
      return;
    history->changes.resize(kept.numChanges);
    history->decisions.resize(kept.numDecisions);
    history->numSteps = kept.numSteps;
  }

private:
  struct Told {
    size_t numChanges, numDecisions;
    int32_t numSteps;
  };

  ShardGraph &graph;
  History *history;
  /// By value; origins only where somebody will ask for them: all of it is held as long as turns
  /// are taken.
  std::vector<int32_t> shardings, origins;
  std::vector<ShardingState> states;
  std::vector<std::pair<int32_t, MeshSharding>> withPriorities;
  Told kept = {};
};

class Spreader {
public:
  Spreader(ProgramGraph &program, Conflicts conflicts, History *history)
      : program(program), graph(program.graph), isFree(program.freeValues()), conflicts(conflicts),
        history(history), uses(*program.uses),
        propagator(graph, uses, history, conflicts == Conflicts::shardy) {
    if (conflicts == Conflicts::shardy) // Which sees one function.
      propagator.setOrder(program.opsAsInlined());
    propagator.addTight(program.groupEdges);
    propagator.addTight(program.entries);
  }

  /// Rounds first; where they leave a conflict that is better decided otherwise, rounds go on from
  /// there. What they spread may open or settle another conflict.
  void run() {
    spreadPinsOfGroups();
    if (conflicts == Conflicts::shardy)
      return propagator.run();
    std::vector<int32_t> claims = pinnedShardings(graph);
    noteInferred();
    ConflictDecider decider(graph, isFree, uses);
    propagator.run();
    settle(decider);
    settleFurther(std::move(claims));
  }

  /// What hints spread may open a conflict, too, which is decided as any other.
  void takeHints() { goOnFrom(applyHints(program, history)); }

  /// Results that take over the memory of arguments lie as these, and what they are made of may
  /// learn from them; to Shardy, only from those that are pinned, and have grown. Arguments may
  /// have learnt more then. How a result lies is spread once: it may be decided otherwise behind
  /// that, but then is as it was.
  void takeDonations() {
    absl::flat_hash_set<std::pair<int32_t, int32_t>> known;
    auto isKnown = [&](int32_t v) { return !known.emplace(v, graph.value(v).sharding).second; };
    while (true) {
      std::vector<int32_t> changed = alignDonations(program, conflicts, history);
      llvm::erase_if(changed, isKnown);
      if (conflicts == Conflicts::shardy)
        llvm::erase_if(changed,
                       [&](int32_t v) { return graph.value(v).state != ShardingState::pinned; });
      if (changed.empty())
        return;
      goOnFrom(changed);
    }
  }

private:
  /// Where a member of a sharding group is pinned, the others lie so from the start; to Shardy, so
  /// they do where it is known for another reason, as for what a function returns.
  void spreadPinsOfGroups() {
    for (int32_t edge : program.groupEdges) {
      absl::Span<const int32_t> members = graph.tensorsOf(graph.op(edge));
      if (conflicts != Conflicts::shardy)
        joinPins(members, edge);
      auto first = llvm::find_if(
          members, [&](int32_t v) { return graph.value(v).state == ShardingState::pinned; });
      if (first == members.end() && conflicts == Conflicts::shardy)
        first = llvm::find_if(
            members, [&](int32_t v) { return graph.value(v).sharding != ShardGraph::none; });
      if (first == members.end())
        continue;
      for (int32_t v : members)
        if (graph.value(v).state != ShardingState::pinned)
          follow(v, *first, edge);
    }
  }

  /// What the pins of a group say together.
  struct Joint {
    std::optional<MeshSharding> sharding; ///< The longest list of axes of each dim.
    std::vector<bool> isClosed;           ///< By dim, whether some pin closes it.
  };

  /// Pinned members of a group agree, but one may leave open what another says: it lies so, too,
  /// and takes up no more than the other would. Dims whose priority is not yet up say nothing, and
  /// members of other sizes wait for the rounds.
  void joinPins(absl::Span<const int32_t> members, int32_t edge) {
    std::vector<int32_t> pinned;
    for (int32_t v : members)
      if (graph.value(v).state == ShardingState::pinned &&
          (pinned.empty() || graph.value(v).shape == graph.value(pinned.front()).shape))
        pinned.push_back(v);
    Joint joint;
    for (int32_t v : pinned)
      join(v, joint);
    for (int32_t v : pinned) {
      MeshSharding sharding = graph.sharding(graph.value(v).sharding);
      if (sharding.mesh != joint.sharding->mesh)
        continue;
      for (auto [d, dim] : llvm::enumerate(sharding.sharding.dims))
        if (dim.open && graph.priorityOf(v, d) == 0)
          dim = {joint.sharding->sharding.dims[d].axes, /*open=*/!joint.isClosed[d]};
      setSharding(v, graph.internSharding(sharding), edge);
    }
  }

  /// Adds what a pin says to `joint`.
  void join(int32_t v, Joint &joint) {
    const MeshSharding &pin = graph.sharding(graph.value(v).sharding);
    joint.isClosed.resize(pin.sharding.dims.size(), false);
    for (auto [d, dim] : llvm::enumerate(pin.sharding.dims))
      if (!dim.open && graph.priorityOf(v, d) == 0)
        joint.isClosed[d] = true;
    std::optional<MeshSharding> &known = joint.sharding;
    if (!known || known->sharding.isFullyReplicated()) {
      known = pin;
      for (auto [d, dim] : llvm::enumerate(known->sharding.dims))
        if (graph.priorityOf(v, d) != 0)
          dim.axes.clear();
    } else if (pin.mesh == known->mesh) {
      for (auto [d, dim] : llvm::enumerate(pin.sharding.dims))
        if (graph.priorityOf(v, d) == 0 && isPrefix(known->sharding.dims[d].axes, dim.axes))
          known->sharding.dims[d].axes = dim.axes;
    }
  }

  void follow(int32_t v, int32_t pinned, int32_t edge) {
    ShardGraph::Value &value = graph.value(v);
    int32_t sharding = graph.value(pinned).sharding;
    if (value.sharding == sharding || value.shape != graph.value(pinned).shape)
      return;
    // Else it was decided otherwise when the program was propagated before.
    if (conflicts != Conflicts::shardy && value.sharding != ShardGraph::none)
      return;
    setSharding(v, sharding, edge);
    value.origin = edge;
    value.state = ShardingState::inferred;
    graph.copyPriorities(pinned, v);
  }

  void setSharding(int32_t v, int32_t sharding, int32_t edge) {
    ShardGraph::Value &value = graph.value(v);
    if (value.sharding == sharding)
      return;
    if (history)
      history->changes.push_back(
          {v, value.sharding, sharding, edge, history->numSteps, Change::Cause::step});
    value.sharding = sharding;
  }

  /// Spreads what changed, and decides the conflicts that this opens.
  void goOnFrom(const std::vector<int32_t> &changed) {
    if (changed.empty())
      return;
    propagator.runFrom(changed);
    if (conflicts == Conflicts::shardy)
      return;
    noteDecided(changed);
    settleFurther({});
  }

  /// Decides as long as what is pinned claims something else than `claims`. Pinned dims that are
  /// open may have grown, and then claim more than at first: as they do when the outcome is read
  /// again. They never become less, so this ends.
  void settleFurther(std::vector<int32_t> claims) {
    for (std::vector<int32_t> now = pinnedShardings(graph); now != claims;
         now = pinnedShardings(graph)) {
      claims = std::move(now);
      ConflictDecider decider(graph, isFree, uses);
      settle(decider);
    }
  }

  /// Deciding and spreading what was decided take turns. The cheapest plan of those that were
  /// spread stays, be it the first; turns go on behind it while what is decided becomes cheaper. So
  /// they depend on that plan alone, and find no other one when it is read again. What that plan
  /// leaves without support goes if it is cheaper so, and turns go on from there.
  void settle(ConflictDecider &decider) {
    KeptPlan cheapest(graph, history);
    double level = 0;
    while (takeTurns(decider, cheapest, level) && dropUnsupported(decider, cheapest, level)) {
    }
  }

  /// Leaves the cheapest plan in the graph. Returns whether it is another than before.
  bool takeTurns(ConflictDecider &decider, KeptPlan &cheapest, double &level) {
    double lowestDecided = std::numeric_limits<double>::infinity();
    bool isKept = true, isOther = false;
    std::vector<int32_t> decided; // Since the cheapest.
    while (true) {
      Decisions decisions = decider.decide(history);
      if (decisions.all.empty())
        break;
      decided.insert(decided.end(), decisions.changed.begin(), decisions.changed.end());
      propagator.runFrom(decisions.changed);
      isKept = false;
      bool isLower = decisions.level < lowestDecided - leastGain;
      lowestDecided = decisions.level;
      if (double now = decider.levelNow(); now < level - leastGain) {
        level = now;
        lowestDecided = std::numeric_limits<double>::infinity();
        cheapest.keep();
        isKept = isOther = true;
        noteDecided(decided);
        decided.clear();
      } else if (!isLower) {
        break;
      }
    }
    if (!isKept)
      cheapest.restore();
    return isOther;
  }

  /// Returns whether that is cheaper; if not, the plan stays as it was.
  bool dropUnsupported(ConflictDecider &decider, KeptPlan &cheapest, double &level) {
    std::vector<int32_t> changed = decider.dropUnsupported(isDecided, history);
    if (changed.empty())
      return false;
    propagator.runFrom(changed);
    double now = decider.levelNow();
    if (now >= level - leastGain) {
      cheapest.restore();
      return false;
    }
    level = now;
    cheapest.keep();
    return true;
  }

  /// What is inferred from the start was decided when the program was propagated before.
  void noteInferred() {
    std::vector<int32_t> inferred;
    for (int32_t v : llvm::seq(graph.numValues()))
      if (graph.value(v).state == ShardingState::inferred)
        inferred.push_back(v);
    if (!inferred.empty())
      noteDecided(inferred);
  }

  void noteDecided(const std::vector<int32_t> &values) {
    isDecided.resize(graph.numValues(), false);
    for (int32_t v : values)
      isDecided[v] = true;
  }

  ProgramGraph &program;
  ShardGraph &graph;
  std::vector<bool> isFree;
  /// By value, whether decisions, hints or donations changed it, now or before; empty if none.
  std::vector<bool> isDecided;
  Conflicts conflicts;
  History *history;
  const ValueUses &uses;
  Propagator propagator;
};

} // namespace

mlir::FailureOr<std::unique_ptr<ProgramGraph>> propagateModule(mlir::ModuleOp module,
                                                               Conflicts conflicts, Hints hints,
                                                               History *history,
                                                               ConstantCopies *copies) {
  if (module->hasAttr(partitionedAttrName))
    return module->emitError() << "module is the program of one device already ('"
                               << partitionedAttrName << "'); spmd-run executes it as it is";
  mlir::FailureOr<FirstLook> found = lookFirst(module);
  if (mlir::failed(found) || mlir::failed(checkDonations(module)))
    return mlir::failure();
  if (found->hasComputations)
    sdy::inlineNamedComputations(module);
  if (found->hasComposites)
    legalize::callDecompositions(module);
  if (found->hasComputations || found->hasShardingsInBodies)
    clearScalarBodies(module);
  if (conflicts == Conflicts::shardy)
    lengthenConstraints(module);
  ConstantCopies made = splitConstants(module, conflicts, *found);
  if (copies)
    *copies = std::move(made);
  mlir::FailureOr<std::unique_ptr<ProgramGraph>> program =
      ProgramGraph::build(module, *found, /*keepsOrigins=*/history != nullptr,
                          /*readsOpen=*/conflicts == Conflicts::shardy);
  if (mlir::failed(program) || mlir::failed(checkMembers(**program, conflicts)))
    return mlir::failure();
  (*program)->uses.emplace((*program)->graph);
  (*program)->hasBareMarkers = found->hasBareMarkers;
  if (conflicts == Conflicts::shardy) {
    restoreUneven(**program);
    applyConstraints(**program, history);
  }
  Spreader spreader(**program, conflicts, history);
  spreader.run();
  if (hints == Hints::use)
    spreader.takeHints();
  dropHints(**program);
  spreader.takeDonations();
  if (conflicts == Conflicts::shardy) {
    keepBoundaryEven(**program, history);
    alignDonations(**program, conflicts, history); // What the user says of an argument stayed.
  }
  return program;
}

} // namespace spmd
