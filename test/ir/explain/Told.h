// Small graphs with a history for the tests of explanations, written as text.
#pragma once

#include "spmd/ir/explain/Past.h"
#include "spmd/ir/rules/Propagation.h"
#include "spmd/ir/sharding/Spec.h"

#include <gtest/gtest.h>

namespace spmd {

/// A graph on the mesh "x"=2, "y"=4 whose ops take their steps one by one; all elements are f32.
class ToldGraph {
public:
  ToldGraph() : mesh(*meshFromText("<[\"x\"=2, \"y\"=4]>")) { graph.addMesh(mesh); }

  /// Adds a value, pinned if `sharding` says something.
  int32_t value(const ShardGraph::Shape &shape, const std::string &sharding = "") {
    int32_t index = graph.addValue(shape, 32);
    if (sharding.empty())
      return index;
    graph.setSharding(index, {0, spec(sharding)});
    graph.value(index).state = ShardingState::pinned;
    return index;
  }

  /// Adds an op with one result; returns its number.
  int32_t op(const std::string &rule, const std::vector<int32_t> &operands, int32_t result) {
    graph.addOp(*ruleFromText(rule), operands, {result});
    return graph.numOps() - 1;
  }

  /// Takes the step of an op, as propagation does, and notes what changed. Returns whether anything
  /// did.
  bool step(int32_t index) {
    const ShardGraph::Op &op = graph.op(index);
    std::vector<Sharding> shardings;
    std::vector<double> bytes;
    for (int32_t v : graph.tensorsOf(op)) {
      const ShardGraph::Value &value = graph.value(v);
      bytes.push_back(graph.bytesOf(value));
      shardings.push_back(value.sharding == ShardGraph::none
                              ? Sharding::replicatedOf(graph.shape(value.shape).size(), true)
                              : graph.sharding(value.sharding).sharding);
    }
    if (!propagateStep(graph.rule(op.rule), absl::MakeSpan(shardings), bytes))
      return false;
    ++history.numSteps;
    for (size_t t = 0; t < shardings.size(); ++t)
      note(graph.tensorsOf(op)[t], shardings[t], Change::Cause::step, index);
    return true;
  }

  /// Changes a value as something else than a step does.
  void note(int32_t v, const Sharding &sharding, Change::Cause kind,
            int32_t cause = ShardGraph::none) {
    int32_t before = graph.value(v).sharding;
    graph.setSharding(v, {0, sharding});
    int32_t after = graph.value(v).sharding;
    bool isWhole = before == ShardGraph::none && sharding.isFullyReplicated();
    if (isWhole)
      graph.value(v).sharding = before;
    else if (after != before)
      history.changes.push_back({v, before, after, cause, history.numSteps, kind, 4});
  }

  Sharding spec(const std::string &text) const { return *resolve(mesh, *shardingFromText(text)); }
  std::vector<bool> noneFree() const { return std::vector<bool>(graph.numValues(), false); }

  Mesh mesh;
  ShardGraph graph;
  History history;
};

/// rows [8, 64] on "x" times first [64, 32] on "y", then tanh, then times second [32, 16]: "x"
/// reaches the rows of all, "y" the columns of hidden and active, and is summed over in the end.
struct ToldLayers : ToldGraph {
  ToldLayers() {
    rows = value({8, 64}, R"([{"x"}, {}])");
    first = value({64, 32}, R"([{}, {"y"}])");
    hidden = value({8, 32});
    active = value({8, 32});
    second = value({32, 16});
    result = value({8, 16});
    product =
        op("([i, k], [k, j])->([i, j]) {i=8, j=32, k=64} reduction={k}", {rows, first}, hidden);
    tanh = op("([i, j])->([i, j]) {i=8, j=32}", {hidden}, active);
    last =
        op("([i, k], [k, j])->([i, j]) {i=8, j=16, k=32} reduction={k}", {active, second}, result);
  }
  void run() {
    for (int32_t each : {product, tanh, last})
      EXPECT_TRUE(step(each));
  }

  int32_t rows, first, hidden, active, second, result;
  int32_t product, tanh, last;
};

} // namespace spmd
