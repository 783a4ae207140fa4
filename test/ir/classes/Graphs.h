// Small graphs for the tests of dim classes, written as text.
#pragma once

#include "spmd/ir/classes/Decide.h"
#include "spmd/ir/sharding/Spec.h"

#include <gtest/gtest.h>

namespace spmd {

/// A graph on the mesh "x"=2, "y"=4 that grows value by value and op by op; all elements are f32.
class GraphText {
public:
  GraphText() : mesh(*meshFromText("<[\"x\"=2, \"y\"=4]>")) { graph.addMesh(mesh); }

  /// Adds a value, pinned if `sharding` says something.
  int32_t value(const ShardGraph::Shape &shape, const std::string &sharding = "") {
    int32_t index = graph.addValue(shape, 32);
    if (!sharding.empty())
      set(index, sharding, ShardingState::pinned);
    return index;
  }
  void set(int32_t index, const std::string &sharding, ShardingState state) {
    graph.setSharding(index, {0, *resolve(mesh, *shardingFromText(sharding))});
    graph.value(index).state = state;
  }
  void op(const std::string &rule, const std::vector<int32_t> &operands, int32_t result) {
    graph.addOp(*ruleFromText(rule), operands, {result});
  }

  /// Returns the sharding of a value, empty if it has none.
  std::string at(int32_t index) const {
    int32_t sharding = graph.value(index).sharding;
    return sharding == ShardGraph::none ? ""
                                        : toSpec(mesh, graph.sharding(sharding).sharding).str();
  }
  std::vector<bool> noneFree() const { return std::vector<bool>(graph.numValues(), false); }

  Mesh mesh;
  ShardGraph graph;
};

/// A batch of rows and two weights whose first dims lie on the batch's axis too: either the
/// weights are gathered, or the rows move.
struct TwoLayers : GraphText {
  explicit TwoLayers(int64_t batch) {
    std::string b = std::to_string(batch);
    rows = value({batch, 64}, R"([{"x"}, {}])");
    first = value({64, 32}, R"([{}, {"x"}])");
    second = value({32, 64}, R"([{"x"}, {}])");
    hidden = value({batch, 32});
    active = value({batch, 32});
    result = value({batch, 64}, R"([{"x"}, {}])");
    op("([i, k], [k, j])->([i, j]) {i=" + b + ", j=32, k=64} reduction={k}", {rows, first}, hidden);
    op("([i, j])->([i, j]) {i=" + b + ", j=32}", {hidden}, active);
    op("([i, k], [k, j])->([i, j]) {i=" + b + ", j=64, k=32} reduction={k}", {active, second},
       result);
  }

  int32_t rows, first, second, hidden, active, result;
};

} // namespace spmd
