// What a plan costs: the whole graph, kept up to date while values change their shardings.
//
//     cost = for each op     the work of one device, and bringing results to where they should lie
//          + for each value  bringing it to each layout in which some op wants it, once
//
// What is inside a loop counts as often as the loop runs; a value from outside is moved outside.
// Each op takes its cheapest split (`choose`), which is looked up for all ops alike. An edge that
// ties several tensors to one, as what a carry starts from and what the body hands on, is a join:
// these are moved to where that one lies, not the other way. What a single op reads behind a
// constraint is moved at once to where that op wants it, if that is shorter. A change costs as much
// as the ops around the values that change.
#pragma once

#include "spmd/ir/choose/Choose.h"
#include "spmd/ir/classes/ConflictGroups.h"
#include "spmd/ir/graph/KindNumbers.h"

namespace spmd {

/// A value and the number of the layout that it should have.
struct LayoutChange {
  int32_t value;
  int32_t layout;
};

class PlanCost {
public:
  /// Costs the plan that `graph` holds; a value without a sharding lies whole. Free values cost
  /// nothing to move. `graph`, `isFree` and `uses` must outlive this.
  PlanCost(const ShardGraph &graph, const std::vector<bool> &isFree, const ValueUses &uses);

  /// Returns the layout that a value has now, by number and as it is.
  int32_t layoutOf(int32_t value) const { return layouts[value]; }
  /// Returns the layout that the graph gives a value.
  int32_t layoutInGraph(int32_t value) { return layoutIn(graph.value(value)); }
  const MeshSharding &layout(int32_t number) const { return known[number]; }
  /// Returns the number of a layout: a sharding with all dims closed.
  int32_t intern(const MeshSharding &layout) { return known.intern(layout); }

  /// Lets values lie otherwise. Returns how many seconds of the cost model that takes more; below 0
  /// if the plan became better. A value may occur once.
  double change(absl::Span<const LayoutChange> changes);

  /// Catches up with the plan that the graph holds now. Returns as `change` does.
  double update();

  /// Returns what the whole plan costs. Linear in the graph.
  double total() const;

  /// How an op runs in its surroundings.
  struct Run {
    double cost = 0;        ///< Each time it runs.
    bool movesSome = false; ///< Some source lies otherwise than the op wants it.
    /// By source (`sourcesOf`), the layout in which the op wants it; none if it is free, or if that
    /// is the one it has, unless another value is moved for it.
    absl::InlinedVector<int32_t, 3> wanted;
  };

  /// Returns what is moved so that an op can run: its operands, or what a join ties to its tensor.
  absl::Span<const int32_t> sourcesOf(const ShardGraph::Op &op) const {
    absl::Span<const int32_t> tensors = graph.tensorsOf(op);
    return isJoin[op.rule] ? tensors.subspan(1) : tensors.first(op.numOperands);
  }

  /// Returns the value that is moved when an op wants `value`: where only one op reads what a
  /// constraint makes, that is what the constraint takes.
  int32_t movedFor(int32_t value) const {
    return placedFrom.empty() || placedFrom[value] == ShardGraph::none ? value : placedFrom[value];
  }

  /// Calls `visit` for each op that may run otherwise, or whose operands may be moved otherwise,
  /// when `value` does: its uses, and what one op alone reads behind a constraint on it.
  template <typename Visit> void forEachOpAround(int32_t value, Visit visit) const {
    for (int32_t op : uses.of(value))
      for (; op != ShardGraph::none; op = placedFrom.empty() ? ShardGraph::none : readerBehind(op))
        visit(op);
  }

  /// Returns a number that is equal for ops that run alike now: of one rule, with tensors of equal
  /// kinds and layouts.
  int32_t runNumber(int32_t op) const { return runs[op]; }
  /// Returns how an op runs now.
  const Run &runNow(int32_t op) const { return allRuns[runs[op]]; }
  /// Returns how an op runs where its tensors have these layouts. Valid until the next call.
  const Run &runIn(int32_t op, absl::Span<const int32_t> tensorLayouts) {
    return allRuns[runOf(op, tensorLayouts)];
  }

  /// Returns what it takes to bring a value from one layout to another.
  double moveCost(int32_t value, int32_t from, int32_t to);

  /// Returns a number that is equal for values of equal shape, element size and freedom.
  int32_t kindOf(int32_t value) const { return kinds[value]; }

  /// A layout in which `count` ops that run equally often want a value.
  struct Wanted {
    int32_t layout, count;
    float turns; ///< How often the value is moved there for them.
  };

  /// Appends the layouts in which ops want a value now.
  void listWanted(int32_t value, std::vector<Wanted> &list) const;

private:
  /// An entry of a list, ended by none.
  struct Wish {
    Wanted wanted;
    int32_t next;
    double moves; ///< Of the first: what all moves of the value cost.
  };

  void findPassedOn();
  bool isPassedOn(int32_t value) const { return movedFor(value) != value; }
  int32_t readerBehind(int32_t op) const;
  int32_t layoutIn(const ShardGraph::Value &value);
  int32_t wholeLayout(size_t rank);
  int32_t runOf(int32_t op);
  int32_t runOf(int32_t op, absl::Span<const int32_t> tensorLayouts);
  Run compute(const ShardGraph::Op &op, absl::Span<const int32_t> tensorLayouts);
  void addWishes(int32_t op, int32_t count);
  double movesOf(int32_t value);
  double movesNow(int32_t value) const {
    return wishes[value] == ShardGraph::none ? 0 : pool[wishes[value]].moves;
  }
  double costOf(int32_t op) const { return allRuns[runs[op]].cost * graph.op(op).turns; }
  void touch(int32_t value, double &before);

  const ShardGraph &graph;
  const std::vector<bool> &isFree;
  const ValueUses &uses;
  ReshardCosts costs;
  Interned<MeshSharding> known;
  std::vector<int32_t> layoutOfSharding; ///< By sharding of the graph, none if not yet known.
  std::vector<int32_t> wholeLayouts;     ///< By rank.
  std::vector<int32_t> layouts;          ///< By value.
  /// By value that one op reads behind a constraint, what is moved for it; empty if there is none.
  std::vector<int32_t> placedFrom;
  std::vector<int32_t> kinds;  ///< By value: equal for equal shape, element size and freedom.
  std::vector<int32_t> wishes; ///< By value: the first of its list in `pool`.
  std::vector<int32_t> runs;   ///< By op, an index in `allRuns`.
  std::vector<Wish> pool;
  std::vector<Run> allRuns;
  std::vector<Strategies> strategies; ///< By rule, made when it is needed.
  std::vector<bool> isJoin;           ///< By rule: ties several tensors to one.
  std::vector<int32_t> key, layoutsOfOp, changedOps, touched;
  std::vector<bool> isChanged, isTouched; ///< By op, by value.
  KeyNumbers runIndex; ///< By rule, kinds and layouts of tensors: an index in `allRuns`.
  absl::flat_hash_map<std::tuple<int32_t, int32_t, int32_t>, double> moveCosts;
};

} // namespace spmd
