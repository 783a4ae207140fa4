#include "spmd/ir/graph/ShardGraph.h"

#include "spmd/ir/graph/KeyNumbers.h"
#include "spmd/ir/graph/shard_graph.pb.h"
#include "spmd/ir/sharding/Spec.h"

#include <gtest/gtest.h>

namespace spmd {
namespace {

/// A dot of two values, the first of them pinned.
ShardGraph exampleGraph() {
  ShardGraph graph;
  int32_t mesh = graph.addMesh(*meshFromText("<[\"x\"=2]>"));
  graph.addValue(ShardGraph::Shape{4, 8}, 32);
  graph.addValue(ShardGraph::Shape{8, 6}, 16);
  graph.addValue(ShardGraph::Shape{4, 6}, 32);
  graph.value(0).sharding =
      graph.internSharding({mesh, *resolve(graph.mesh(mesh), *shardingFromText("[{\"x\"}, {?}]"))});
  graph.value(0).state = ShardingState::pinned;
  graph.addOp(*ruleFromText("([i, j], [j, k])->([i, k]) {i=4, j=8, k=6} reduction={j}"), {0, 1},
              {2});
  return graph;
}

constexpr char exampleText[] = R"(mesh 0: <["x"=2]>
value 0: 4x8x32b pinned mesh 0 [{"x"}, {?}]
value 1: 8x6x16b
value 2: 4x6x32b
op 0: (0, 1) -> (2) ([i, j], [j, k])->([i, k]) {i=4, j=8, k=6} reduction={j}
)";

TEST(ShardGraphTest, PrintsALineAValueAndAnOp) { EXPECT_EQ(exampleGraph().str(), exampleText); }

TEST(ShardGraphTest, StoresEqualThingsOnce) {
  ShardGraph graph;
  graph.addValue(ShardGraph::Shape{4}, 32);
  graph.addValue(ShardGraph::Shape{4}, 16);
  EXPECT_EQ(graph.value(0).shape, graph.value(1).shape);
  graph.addEdge({0, 1});
  graph.addEdge({1, 0});
  EXPECT_EQ(graph.numRules(), 1);
  EXPECT_EQ(graph.op(0).rule, graph.op(1).rule);
}

TEST(ShardGraphTest, BytesCountTheWholeTensor) {
  ShardGraph graph = exampleGraph();
  EXPECT_EQ(graph.bytesOf(graph.value(1)), 8 * 6 * 2);
}

TEST(ShardGraphTest, OpsOfValuesInProgramOrder) {
  ShardGraph graph;
  for (int i = 0; i < 3; ++i)
    graph.addValue(ShardGraph::Shape{4}, 32);
  graph.addEdge({0, 1});
  graph.addEdge({0, 0, 2});
  std::vector<int32_t> offsets, ops;
  graph.opsOfValues(offsets, ops);
  EXPECT_EQ(offsets, (std::vector<int32_t>{0, 3, 4, 5}));
  EXPECT_EQ(ops, (std::vector<int32_t>{0, 1, 1, 0, 1}));
}

TEST(ShardGraphTest, EdgesTieEveryDim) {
  EXPECT_EQ(identityRule({4, 6}, 3).str(), "([i, j])->([i, j], [i, j]) {i=4, j=6}");
  EXPECT_EQ(identityRule({}, 2).str(), "([])->([])");
}

TEST(ShardGraphTest, SurvivesTheWire) {
  ShardGraph graph = exampleGraph();
  graph.value(2).sharding = graph.value(0).sharding;
  graph.value(2).state = ShardingState::inferred;
  graph.value(2).origin = 0;
  graph.value(1).turns = 3;
  graph.op(0).turns = 12;
  absl::StatusOr<ShardGraph> back = fromProto(toProto(graph));
  ASSERT_TRUE(back.ok()) << back.status();
  EXPECT_EQ(back->str(), graph.str());
  EXPECT_EQ(back->value(1).turns, 3);
  EXPECT_EQ(back->value(0).turns, 1);
  EXPECT_EQ(back->op(0).turns, 12);
  EXPECT_EQ(back->value(2).origin, 0);
  EXPECT_EQ(back->value(0).origin, ShardGraph::none);
  EXPECT_EQ(toProto(*back).SerializeAsString(), toProto(graph).SerializeAsString());
}

/// Values that differ in priorities alone have one sharding; what a value says stays with it.
TEST(ShardGraphTest, PrioritiesLieBesideShardings) {
  ShardGraph graph;
  int32_t mesh = graph.addMesh(*meshFromText("<[\"x\"=2]>"));
  for (const char *text : {"[{\"x\"}p3, {?}]", "[{\"x\"}, {?}]", "[{\"x\"}p5, {?}p0]"})
    graph.setSharding(graph.addValue(ShardGraph::Shape{4, 6}, 32),
                      {mesh, *resolve(graph.mesh(mesh), *shardingFromText(text))});
  EXPECT_EQ(graph.numShardings(), 1);
  EXPECT_EQ(graph.priorityOf(0, 0), 3);
  EXPECT_EQ(graph.priorityOf(0, 1), 0);
  EXPECT_EQ(graph.priorityOf(1, 0), 0);
  EXPECT_EQ(graph.shardingOf(2).sharding.dims[1].priority, 0);
  EXPECT_EQ(graph.shardingOf(0).sharding.dims[1].priority, std::nullopt);
  absl::StatusOr<ShardGraph> back = fromProto(toProto(graph));
  ASSERT_TRUE(back.ok()) << back.status();
  EXPECT_EQ(back->str(), graph.str());
  EXPECT_EQ(back->numShardings(), 1);
  EXPECT_EQ(toProto(*back).SerializeAsString(), toProto(graph).SerializeAsString());
}

TEST(ShardGraphTest, PrioritiesAreCopiedAndDropped) {
  ShardGraph graph;
  int32_t mesh = graph.addMesh(*meshFromText("<[\"x\"=2]>"));
  for (int i = 0; i < 3; ++i)
    graph.addValue(ShardGraph::Shape{4}, 32);
  graph.setSharding(1, {mesh, *resolve(graph.mesh(mesh), *shardingFromText("[{\"x\"}p3]"))});
  graph.copyPriorities(1, 2);
  EXPECT_TRUE(graph.hasPriorities(2));
  EXPECT_EQ(graph.priorityOf(2, 0), 3);
  EXPECT_FALSE(graph.hasPriorities(0));
  graph.copyPriorities(0, 2);
  EXPECT_FALSE(graph.hasPriorities(2));
  EXPECT_EQ(graph.priorityOf(1, 0), 3);
  graph.dropPriorities(1);
  EXPECT_EQ(graph.priorityOf(1, 0), 0);
}

/// An integer may have up to 2^24 bits; more than half of that counts as half.
TEST(ShardGraphTest, ElementsOfManyBitsAreLarge) {
  ShardGraph graph;
  graph.addValue(ShardGraph::Shape{4}, (1 << 24) - 1);
  EXPECT_EQ(graph.value(0).elementBits, (1 << 23) - 1);
  EXPECT_EQ(graph.value(0).state, ShardingState::unspecified);
}

TEST(KeyNumbersTest, EachKeyHasOneNumber) {
  KeyNumbers numbers;
  for (int32_t repeat = 0; repeat < 2; ++repeat)
    for (int32_t i = 0; i < 1000; ++i) {
      auto [number, isNew] = numbers.number({i % 7, i});
      EXPECT_EQ(number, i);
      EXPECT_EQ(isNew, repeat == 0);
    }
  EXPECT_EQ(numbers.number({}), std::pair(1000, true));
  EXPECT_EQ(numbers.number({0}), std::pair(1001, true)); // No prefix of another is that other.
  numbers.clear();
  EXPECT_EQ(numbers.number({0}), std::pair(0, true));
}

/// What is asked for next is guessed from the last time: also where that misleads, keys are told
/// apart.
TEST(KeyNumbersTest, OrderOfKeysDoesNotMatter) {
  KeyNumbers numbers;
  for (int round = 0; round < 2; ++round) { // The second after clearing.
    EXPECT_EQ(numbers.number({1, 2}), std::pair(0, true));
    EXPECT_EQ(numbers.number({3}), std::pair(1, true));
    EXPECT_EQ(numbers.number({1, 2}), std::pair(0, false));
    EXPECT_EQ(numbers.number({3, 4}), std::pair(2, true)); // Not {3}, which came last time.
    EXPECT_EQ(numbers.number({1, 2}), std::pair(0, false));
    EXPECT_EQ(numbers.number({3, 4}), std::pair(2, false));
    EXPECT_EQ(numbers.number({3, 4}), std::pair(2, false));
    EXPECT_EQ(numbers.number({3}), std::pair(1, false));
    numbers.clear();
  }
}

/// Kinds, reductions and windows are not in the text of a rule.
TEST(ShardGraphTest, RulesSurviveTheWireExactly) {
  ShardGraph graph;
  graph.addValue(ShardGraph::Shape{2, 3, 4, 5, 6, 7, 8, 9, 10}, 32);
  OpRule rule = identityRule(graph.shape(0), 2);
  for (int kind = 0; kind <= static_cast<int>(FactorKind::whole); ++kind)
    rule.factors[kind].kind = static_cast<FactorKind>(kind);
  for (int64_t dim : {1, 3}) // What is reduced or indexed
    rule.results[0][dim] = {};
  rule.factors[1].reduction = ReductionKind::max;
  rule.factors[2].window = {3, 2, 1, -1, 2, 4, true};
  rule.factors[3].reduction = ReductionKind::logicalXor;
  rule.factors[5].blocked = true;
  rule.factors[5].custom = true;
  rule.custom = true;
  graph.addValue(ShardGraph::Shape{2, 1, 4, 1, 6, 7, 8, 9, 10}, 32);
  graph.addOp(rule, {0}, {1});
  absl::StatusOr<ShardGraph> back = fromProto(toProto(graph));
  ASSERT_TRUE(back.ok()) << back.status();
  EXPECT_EQ(back->rule(0), rule);
  for (ReductionKind kind : allReductionKinds) {
    OpRule sum = *ruleFromText("([i])->([]) {i=4} reduction={i}");
    sum.factors[0].reduction = kind;
    ShardGraph one;
    one.addValue(ShardGraph::Shape{4}, 32);
    one.addValue(ShardGraph::Shape{}, 32);
    one.addOp(sum, {0}, {1});
    EXPECT_EQ(fromProto(toProto(one))->rule(0), sum) << nameOf(kind);
  }
}

TEST(ShardGraphTest, FindingsNameEveryOffender) {
  ShardGraph graph = exampleGraph();
  graph.addOp(*ruleFromText("([i])->([i]) {i=4}"), {0}, {1});
  graph.addOp(*ruleFromText("([i, j])->([i, j]) {i=4, j=7}"), {0}, {2});
  graph.value(1).sharding =
      graph.internSharding({0, *resolve(graph.mesh(0), *shardingFromText("[{\"x\"}]"))});
  EXPECT_EQ(verify(graph),
            (std::vector<std::string>{
                "value 1: sharding has 1 dims, the tensor has 2",
                "op 1: sharding rule gives operand 0 1 dims, the tensor has 2",
                "op 2: sharding rule gives dim 1 of operand 0 size 7, the tensor has 8"}));
}

/// Returns what is wrong with the example after `change`.
template <typename Change> std::string rejection(Change change) {
  ShardGraphProto proto = toProto(exampleGraph());
  change(proto);
  absl::StatusOr<ShardGraph> graph = fromProto(proto);
  EXPECT_EQ(graph.status().code(), absl::StatusCode::kInvalidArgument);
  return std::string(graph.status().message());
}

TEST(ShardGraphTest, RejectsIndicesOutOfRange) {
  EXPECT_EQ(rejection([](ShardGraphProto &p) { p.mutable_values(1)->set_shape(9); }),
            "value 1: shape is out of range");
  EXPECT_EQ(rejection([](ShardGraphProto &p) { p.mutable_values(1)->set_shape(-1); }),
            "value 1: shape is out of range");
  EXPECT_EQ(rejection([](ShardGraphProto &p) { p.mutable_values(1)->set_sharding(2); }),
            "value 1: sharding is out of range");
  EXPECT_EQ(rejection([](ShardGraphProto &p) { p.mutable_values(1)->set_origin(2); }),
            "value 1: origin is out of range");
  EXPECT_EQ(rejection([](ShardGraphProto &p) {
              p.mutable_values(1)->set_state(static_cast<ShardGraphProto::State>(7));
            }),
            "value 1: state is out of range");
  EXPECT_EQ(rejection([](ShardGraphProto &p) { p.mutable_ops(0)->set_rule(1); }),
            "op 0: rule is out of range");
  EXPECT_EQ(rejection([](ShardGraphProto &p) { p.mutable_rules(0)->clear_factors(); }),
            "rule 0: text has 3 factors, the message 0");
  EXPECT_EQ(rejection([](ShardGraphProto &p) {
              p.mutable_rules(0)->mutable_factors(1)->set_kind("none");
            }),
            "rule 0: factor kind is out of range");
  EXPECT_EQ(rejection([](ShardGraphProto &p) {
              p.mutable_rules(0)->mutable_factors(1)->set_reduction("none");
            }),
            "rule 0: reduction is out of range");
  EXPECT_EQ(rejection([](ShardGraphProto &p) { p.mutable_ops(0)->set_operands(0, 3); }),
            "op 0: value is out of range");
  EXPECT_EQ(rejection([](ShardGraphProto &p) { p.mutable_ops(0)->set_results(0, -1); }),
            "op 0: value is out of range");
  EXPECT_EQ(rejection([](ShardGraphProto &p) { p.mutable_shardings(0)->set_mesh(1); }),
            "sharding 0: mesh is out of range");
}

TEST(ShardGraphTest, RejectsTextThatIsNone) {
  rejection([](ShardGraphProto &p) { p.set_meshes(0, "<[\"x\"]>"); });
  rejection([](ShardGraphProto &p) { p.set_meshes(0, ""); });
  rejection([](ShardGraphProto &p) { p.mutable_rules(0)->set_text("([i, k]"); });
  rejection([](ShardGraphProto &p) { p.mutable_shardings(0)->set_sharding("[{\"y\"}, {}]"); });
  rejection([](ShardGraphProto &p) { p.mutable_shardings(0)->set_sharding("[{\"x\"}, "); });
}

TEST(ShardGraphTest, RejectsWhatDoesNotFit) {
  EXPECT_EQ(rejection([](ShardGraphProto &p) { p.mutable_shapes(0)->set_dims(0, -4); }),
            "value 0: a dim has a negative size");
  EXPECT_EQ(rejection([](ShardGraphProto &p) { p.mutable_values(1)->set_element_bits(-1); }),
            "value 1: element has a negative size");
  EXPECT_EQ(rejection([](ShardGraphProto &p) { p.mutable_ops(0)->add_results(0); }),
            "op 0: sharding rule has 2 operands and 1 results, the op has 2 and 2");
}

} // namespace
} // namespace spmd
