// The graph that the planner decides on: one node for each op, one edge for each use of a value.
//
//     x = argument           one option: the layout that the user gave
//     y = dot x, w           one option for each split of the op
//     return y               one option: the layout of the result
//
// A plan picks one option for each node. It pays for the option itself, and for each value the
// moves that bring it from the layout in which it is made to all layouts in which it is read.
#pragma once

#include "spmd/ir/planner/Options.h"

#include <memory>

namespace spmd {

class DecisionGraph {
public:
  static constexpr int32_t none = -1;

  struct Value {
    int32_t kind;   ///< Of the layout table.
    int32_t maker;  ///< The node that makes it.
    int32_t tensor; ///< Its number among the tensors of the maker.
    double weight;  ///< How often it is moved: in a loop, more than once.
  };

  struct Node {
    int32_t options;     ///< Number of an option set.
    int32_t firstTensor; ///< In the list of values of all nodes.
    double weight;       ///< How often it runs.
    bool isFlow = false; ///< It hands a value on through a loop or branch.
  };

  /// One use of a value: tensor `tensor` of node `user`.
  struct Use {
    int32_t user, tensor;
  };

  explicit DecisionGraph(LayoutTable &table) : table(table) {}

  int32_t addOptions(OptionSet set) {
    sets.push_back(std::make_unique<OptionSet>(std::move(set)));
    return static_cast<int32_t>(sets.size()) - 1;
  }

  /// Adds a node that reads `operands` and makes one new value for each entry of `resultKinds`;
  /// `none` stands for a tensor that is made anew for each user, or for a result that is no tensor.
  /// Returns its number.
  int32_t addNode(int32_t options, absl::Span<const int32_t> operands,
                  absl::Span<const int32_t> resultKinds, double weight = 1);
  /// Lets a node read `v` as operand `operand`, which was `none`: a loop reads what its body makes.
  void setOperand(int32_t n, int32_t operand, int32_t v) {
    tensors[nodes[n].firstTensor + operand] = v;
  }
  void markFlow(int32_t n) { nodes[n].isFlow = hasAnyFlow = true; }
  bool hasFlows() const { return hasAnyFlow; }
  /// Says how often a value is moved, where that is not as often as it is made: a move of a value
  /// that does not change in a loop is hoisted.
  void setMoveWeight(int32_t v, double weight) { values[v].weight = weight; }

  /// Lists the uses of values. Call it once, when all nodes are there.
  void finish();

  int32_t numNodes() const { return static_cast<int32_t>(nodes.size()); }
  int32_t numValues() const { return static_cast<int32_t>(values.size()); }
  const Node &node(int32_t n) const { return nodes[n]; }
  const Value &value(int32_t v) const { return values[v]; }
  const OptionSet &optionsOf(int32_t n) const { return *sets[nodes[n].options]; }
  /// Returns the value that is tensor `tensor` of a node, or `none`.
  int32_t valueOf(int32_t n, int32_t tensor) const {
    return tensors[nodes[n].firstTensor + tensor];
  }
  absl::Span<const Use> usesOf(int32_t v) const {
    return absl::MakeConstSpan(uses).subspan(firstUse[v], firstUse[v + 1] - firstUse[v]);
  }

  LayoutTable &table;

private:
  std::vector<std::unique_ptr<OptionSet>> sets;
  std::vector<Node> nodes;
  std::vector<int32_t> tensors;
  std::vector<Value> values;
  std::vector<Use> uses; ///< By value.
  std::vector<int32_t> firstUse;
  bool hasAnyFlow = false;
};

/// A choice of one option for each node, and what it costs.
///
/// Keeps, for each value, the layouts in which it is read and how many uses want each: a value may
/// have hundreds of thousands of uses, and few layouts.
class PlanState {
public:
  /// A layout in which a value is read, and the number of uses that want it.
  struct Want {
    int32_t layout, count;
  };
  /// Sorted by layout.
  using Wants = absl::InlinedVector<Want, 2>;

  /// All nodes take their first options.
  explicit PlanState(const DecisionGraph &graph);

  int32_t option(int32_t n) const { return chosen[n]; }
  const std::vector<int32_t> &options() const { return chosen; }
  void set(int32_t n, int32_t option);
  void setAll(const std::vector<int32_t> &options) {
    for (int32_t n = 0; n < graph.numNodes(); ++n)
      set(n, options[n]);
  }

  /// Returns the layout in which a value is made.
  int32_t layoutOf(int32_t v) const {
    const DecisionGraph::Value &value = graph.value(v);
    return graph.optionsOf(value.maker).layoutOf(chosen[value.maker], value.tensor);
  }
  const Wants &wantsOf(int32_t v) const { return wants[v]; }

  /// Returns the cost of all moves of a value.
  double costOfValue(int32_t v);
  /// Returns the cost of bringing a value made in layout `made` to all `wanted` layouts, each from
  /// the nearest one that is there. `wanted` is sorted, without repetitions.
  double costOfMoves(int32_t kind, int32_t made, absl::Span<const int32_t> wanted);
  /// Returns a lower bound of `costOfMoves`, without planning any move.
  double leastCostOfMoves(int32_t kind, int32_t made, absl::Span<const int32_t> wanted);
  /// Returns the cost of the whole plan. Linear in the graph.
  double total();

private:
  void want(int32_t v, int32_t layout, int32_t change);

  const DecisionGraph &graph;
  std::vector<int32_t> chosen; ///< By node.
  std::vector<Wants> wants;    ///< By value.
  KeyNumbers keys;             ///< Of moves that were priced before.
  std::vector<double> known;   ///< By number of the key.
  std::vector<int32_t> key, wanted;
};

} // namespace spmd
