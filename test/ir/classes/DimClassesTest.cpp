#include "spmd/ir/classes/DimClasses.h"

#include "spmd/test/ir/classes/Graphs.h"

namespace spmd {
namespace {

TEST(DimClassesTest, DimsThatShareAFactorAreOneClass) {
  GraphText text;
  int32_t a = text.value({4, 8}), w = text.value({8, 6}), r = text.value({4, 6});
  text.op("([i, k], [k, j])->([i, j]) {i=4, j=6, k=8} reduction={k}", {a, w}, r);
  DimClasses classes(text.graph, text.noneFree());
  EXPECT_EQ(classes.classOf(a, 0), classes.classOf(r, 0));
  EXPECT_EQ(classes.classOf(a, 1), classes.classOf(w, 0));
  EXPECT_EQ(classes.classOf(w, 1), classes.classOf(r, 1));
  EXPECT_NE(classes.classOf(a, 0), classes.classOf(a, 1));
  EXPECT_FALSE(classes.wantsAnything());
}

TEST(DimClassesTest, APinnedDimClaimsForBothSidesAndTiesNeither) {
  GraphText text;
  int32_t a = text.value({8}), pin = text.value({8}, R"([{"x"}])"), b = text.value({8});
  text.op("([i])->([i]) {i=8}", {a}, pin);
  text.op("([i])->([i]) {i=8}", {pin}, b);
  DimClasses classes(text.graph, text.noneFree());
  EXPECT_EQ(classes.classOf(pin, 0), ShardGraph::none);
  EXPECT_NE(classes.classOf(a, 0), classes.classOf(b, 0));
  for (int32_t v : {a, b}) {
    const Want *want = classes.wantOf(classes.classOf(v, 0));
    ASSERT_TRUE(want);
    ASSERT_EQ(want->axes.size(), 1u);
    EXPECT_EQ(want->axes[0].axis, wholeAxis(text.mesh, 0));
  }
  // What they want is the same, and stored once.
  EXPECT_EQ(classes.wantIndexOf(classes.classOf(a, 0)), classes.wantIndexOf(classes.classOf(b, 0)));
}

TEST(DimClassesTest, AConstantTiesNothing) {
  GraphText text;
  int32_t one = text.value({8}), a = text.value({8}, R"([{"x", ?}])"), b = text.value({8});
  int32_t r = text.value({8}), s = text.value({8});
  text.op("([i], [i])->([i]) {i=8}", {one, a}, r);
  text.op("([i], [i])->([i]) {i=8}", {one, b}, s);
  std::vector<bool> isFree = text.noneFree();
  isFree[one] = true;
  DimClasses classes(text.graph, isFree);
  EXPECT_NE(classes.classOf(r, 0), classes.classOf(s, 0));
  EXPECT_TRUE(classes.wantOf(classes.classOf(r, 0)));
  EXPECT_FALSE(classes.wantOf(classes.classOf(s, 0)));
}

TEST(DimClassesTest, AMergedDimIsOfItsMajorPart) {
  GraphText text;
  int32_t split = text.value({4, 8}), merged = text.value({32});
  text.op("([i, j])->([ij]) {i=4, j=8}", {split}, merged);
  DimClasses classes(text.graph, text.noneFree());
  EXPECT_EQ(classes.classOf(merged, 0), classes.classOf(split, 0));
  EXPECT_NE(classes.classOf(merged, 0), classes.classOf(split, 1));
}

// Rows that a loop takes chunk by chunk want what the chunks want; those that nothing takes do not.
TEST(DimClassesTest, RowsWantWhatIsTakenInTurns) {
  auto rowsWant = [](float turns) {
    GraphText text;
    int32_t merged = text.value({32}, R"([{"y"}])"), chunks = text.value({4, 8});
    int32_t chunk = text.value({1, 8});
    text.op("([ij])->([i, j]) {i=4, j=8}", {merged}, chunks);
    OpRule slice = *ruleFromText("([i, j])->([k, j]) {i=4, j=8, k=1}");
    slice.factors[0].kind = FactorKind::index;
    text.graph.addOp(slice, {chunks}, {chunk});
    text.graph.op(1).turns = turns;
    DimClasses classes(text.graph, text.noneFree());
    EXPECT_TRUE(classes.wantOf(classes.classOf(chunks, 0)));
    return classes.wantOf(classes.classOf(chunk, 1)) != nullptr;
  };
  EXPECT_TRUE(rowsWant(4));
  EXPECT_FALSE(rowsWant(1));
}

TEST(DimClassesTest, ThePriorityComesFirstThenTheLargerTensor) {
  GraphText text;
  int32_t small = text.value({8}, R"([{"x"}p0])"), large = text.value({8, 64}, R"([{"y"}p1, {}])");
  int32_t r = text.value({8, 64});
  text.op("([i], [i, j])->([i, j]) {i=8, j=64}", {small, large}, r);
  DimClasses classes(text.graph, text.noneFree());
  const Want *want = classes.wantOf(classes.classOf(r, 0));
  ASSERT_TRUE(want);
  ASSERT_EQ(want->axes.size(), 2u);
  EXPECT_EQ(want->axes[0].axis, wholeAxis(text.mesh, 0));
  EXPECT_EQ(want->axes[1].axis, wholeAxis(text.mesh, 1));
  EXPECT_EQ(want->axes[1].priority, 1);
}

// "x" alone agrees with "x" in front of "y"; "y" alone has it elsewhere, and "x" has nothing in
// common with it.
TEST(DimClassesTest, ClaimsThatShareAxesMayHaveThemInAnotherOrder) {
  auto otherwise = [](const std::string &first, const std::string &second) {
    GraphText text;
    int32_t a = text.value({64, 4}, "[{" + first + "}, {}]"),
            b = text.value({64, 4}, "[{" + second + "}, {}]");
    int32_t r = text.value({64, 4});
    text.op("([i, j], [i, j])->([i, j]) {i=64, j=4}", {a, b}, r);
    DimClasses classes(text.graph, text.noneFree());
    std::string order;
    for (const WantedAxis &wanted : classes.wantOf(classes.classOf(r, 0))->otherwise)
      order += text.mesh.axes()[wanted.axis.axis].name;
    return order;
  };
  EXPECT_EQ(otherwise(R"("x", "y")", R"("x")"), "");
  EXPECT_EQ(otherwise(R"("x")", R"("y")"), "");
  EXPECT_EQ(otherwise(R"("x", "y")", R"("y")"), "yx");
  EXPECT_EQ(otherwise(R"("y")", R"("x", "y")"), "xy");
}

// A pinned part of a dim may have the major part of an axis only, the rest of it lies in the part
// behind it: others want all of the axis as before, in no other order.
TEST(DimClassesTest, AMajorPartOfAnAxisAgreesWithAllOfIt) {
  for (bool isPartLarger : {false, true}) {
    GraphText text;
    std::string part = R"([{"x", "y":(1)2}, {}])", all = R"([{"x", "y"}, {}])";
    int32_t a = text.value({64, 4}, isPartLarger ? part : all),
            b = text.value({64}, isPartLarger ? R"([{"x", "y"}])" : R"([{"x", "y":(1)2}])");
    int32_t r = text.value({64, 4});
    text.op("([i, j], [i])->([i, j]) {i=64, j=4}", {a, b}, r);
    DimClasses classes(text.graph, text.noneFree());
    const Want *want = classes.wantOf(classes.classOf(r, 0));
    ASSERT_TRUE(want);
    EXPECT_TRUE(want->otherwise.empty());
    ASSERT_EQ(want->axes.size(), 2u);
    EXPECT_EQ(want->axes[0].axis, wholeAxis(text.mesh, 0));
    EXPECT_EQ(want->axes[1].axis, wholeAxis(text.mesh, 1));
  }
}

// Two parts on four devices: what is left of the axis may split the rows of a part, if it does so
// evenly. What follows a part with padding would stand elsewhere.
TEST(DimClassesTest, RowsOfPartsTakeWhatTheseLeaveIfItSplitsThemEvenly) {
  for (int64_t rows : {5, 6}) {
    GraphText text;
    int32_t all = text.value({2 * rows}, R"([{"y"}])"), parts = text.value({2, rows});
    std::string j = std::to_string(rows);
    text.op("([ij])->([i, j]) {i=2, j=" + j + "}", {all}, parts);
    DimClasses classes(text.graph, text.noneFree());
    const Want *ofParts = classes.wantOf(classes.classOf(parts, 0)),
               *ofRows = classes.wantOf(classes.classOf(parts, 1));
    ASSERT_TRUE(ofParts);
    EXPECT_TRUE(ofParts->leavesRest);
    EXPECT_EQ(ofParts->sharesRest, rows == 6);
    ASSERT_EQ(ofRows != nullptr, rows == 6);
    if (ofRows)
      EXPECT_EQ(ofRows->axes[0].axis, (AxisRef{1, 2, 2}));
  }
}

// Along an axis of one device nothing is split: it is wanted nowhere, and in no order.
TEST(DimClassesTest, AnAxisOfSizeOneIsNotWanted) {
  for (bool hasOthers : {false, true}) {
    ShardGraph graph;
    Mesh mesh = *meshFromText(R"(<["one"=1, "y"=4]>)");
    graph.addMesh(mesh);
    int32_t a = graph.addValue({8}, 32), b = graph.addValue({8}, 32), r = graph.addValue({8}, 32);
    auto pin = [&](int32_t value, const std::string &text) {
      graph.setSharding(value, {0, *resolve(mesh, *shardingFromText(text))});
      graph.value(value).state = ShardingState::pinned;
    };
    pin(a, R"([{"one"}])");
    if (hasOthers) {
      pin(a, R"([{"y"}])");
      pin(b, R"([{"one", "y"}])");
    }
    graph.addOp(*ruleFromText("([i], [i])->([i]) {i=8}"), {a, b}, {r});
    std::vector<bool> isFree(graph.numValues(), false);
    DimClasses classes(graph, isFree);
    EXPECT_EQ(classes.wantsAnything(), hasOthers);
    EXPECT_FALSE(classes.hasOrders());
    if (const Want *want = classes.wantOf(classes.classOf(r, 0))) {
      ASSERT_EQ(want->axes.size(), 1u);
      EXPECT_EQ(want->axes[0].axis, wholeAxis(mesh, 1));
    }
  }
}

TEST(DimClassesTest, NothingPassesWhereAxesAreReplicatedByPin) {
  GraphText text;
  int32_t a = text.value({8}, R"([{"x"}])"), pin = text.value({8}, R"([{?}], replicated={"x"})");
  int32_t b = text.value({8});
  text.op("([i])->([i]) {i=8}", {a}, pin);
  text.op("([i])->([i]) {i=8}", {pin}, b);
  DimClasses classes(text.graph, text.noneFree());
  EXPECT_FALSE(classes.wantOf(classes.classOf(b, 0)));
}

} // namespace
} // namespace spmd
