#include "spmd/ir/cost/Fusion.h"
#include "spmd/ir/cost/Roofline.h"
#include "spmd/test/ir/cost/TestProfile.h"

#include "gtest/gtest.h"

namespace spmd {
namespace {

/// Builds a block of values of 1000 bytes.
class BlockBuilder {
public:
  int32_t value() { return block.addValue(1000); }

  /// Adds an op with `arithmetic` picoseconds of work, and returns its result.
  int32_t add(OpRole role, const std::vector<int32_t> &operands, Picoseconds arithmetic = 0) {
    CostOp op;
    op.role = role;
    op.arithmetic = arithmetic;
    op.bytesWritten = 1000;
    for (int32_t operand : operands)
      op.reads.push_back({operand, 1000});
    op.results = {value()};
    block.ops.push_back(op);
    return op.results[0];
  }

  std::vector<FusedOp> fuse(const std::vector<int32_t> &results) {
    block.results = results;
    return fuseChains(block);
  }

  CostBlock block;
};

// e = exp(x); s = e + y; r = reduce(s): one op that reads x and y and writes r.
TEST(Fusion, ChainsCountOnce) {
  BlockBuilder builder;
  int32_t x = builder.value(), y = builder.value();
  int32_t e = builder.add(OpRole::fusible, {x}, 7);
  int32_t s = builder.add(OpRole::fusible, {e, y}, 5);
  int32_t r = builder.add(OpRole::absorbing, {s}, 3);
  std::vector<FusedOp> ops = builder.fuse({r});
  ASSERT_EQ(ops.size(), 1u);
  EXPECT_EQ(ops[0].bytes, 3000);
  EXPECT_EQ(ops[0].arithmetic, 15);
  EXPECT_EQ(ops[0].last, 2);
}

// What a product reads is in memory.
TEST(Fusion, ProductsReadMemory) {
  BlockBuilder builder;
  int32_t x = builder.value();
  int32_t e = builder.add(OpRole::fusible, {x});
  int32_t p = builder.add(OpRole::apart, {e, x});
  int32_t n = builder.add(OpRole::fusible, {p});
  std::vector<FusedOp> ops = builder.fuse({n});
  ASSERT_EQ(ops.size(), 3u);
  EXPECT_EQ(ops[0].bytes, 2000);
  EXPECT_EQ(ops[1].bytes, 3000);
  EXPECT_EQ(ops[2].bytes, 2000);
  EXPECT_EQ(ops[1].producers, std::vector<int32_t>{0});
  EXPECT_EQ(ops[2].producers, std::vector<int32_t>{1});
}

// A softmax: e goes to two chains, and is written once and read by each.
TEST(Fusion, SeveralChainsReadMemory) {
  BlockBuilder builder;
  int32_t x = builder.value();
  int32_t e = builder.add(OpRole::fusible, {x});
  int32_t s = builder.add(OpRole::absorbing, {e});
  int32_t d = builder.add(OpRole::fusible, {e, s});
  std::vector<FusedOp> ops = builder.fuse({d});
  ASSERT_EQ(ops.size(), 3u);
  EXPECT_EQ(ops[0].bytes + ops[1].bytes + ops[2].bytes, 2000 + 2000 + 3000);
  EXPECT_EQ(ops[2].producers, (std::vector<int32_t>{0, 1}));
}

// Both consumers of e are in one chain: e stays inside, and x is read once.
TEST(Fusion, DiamondsStayInside) {
  BlockBuilder builder;
  int32_t x = builder.value();
  int32_t e = builder.add(OpRole::fusible, {x});
  int32_t a = builder.add(OpRole::fusible, {e, x});
  int32_t b = builder.add(OpRole::fusible, {e, a});
  std::vector<FusedOp> ops = builder.fuse({b});
  ASSERT_EQ(ops.size(), 1u);
  EXPECT_EQ(ops[0].bytes, 2000);
}

// A broadcast of a scalar (here 4 bytes) costs nothing where it is fused, and memory where a
// product reads it.
TEST(Fusion, BroadcastsAreMadeWhereTheyAreRead) {
  BlockBuilder builder;
  int32_t scalar = builder.block.addValue(4), x = builder.value();
  int32_t wide = builder.add(OpRole::free, {scalar});
  builder.block.ops.back().reads[0].bytes = 4;
  int32_t a = builder.add(OpRole::fusible, {x, wide});
  std::vector<FusedOp> fused = builder.fuse({a});
  ASSERT_EQ(fused.size(), 1u);
  EXPECT_EQ(fused[0].bytes, 2004);

  int32_t p = builder.add(OpRole::apart, {a, wide});
  fused = builder.fuse({p});
  ASSERT_EQ(fused.size(), 3u);
  EXPECT_EQ(fused[0].bytes, 1004); // The broadcast.
  EXPECT_EQ(fused[2].bytes, 3000);
}

// Two slices that together are more than the whole read the whole once.
TEST(Fusion, ReadsOfOneValueAreAtMostTheValue) {
  BlockBuilder builder;
  int32_t x = builder.value();
  int32_t a = builder.add(OpRole::fusible, {x});
  builder.block.ops.back().reads[0].bytes = 300;
  int32_t b = builder.add(OpRole::fusible, {x, a});
  builder.block.ops.back().reads[0].bytes = 400;
  EXPECT_EQ(builder.fuse({b})[0].bytes, 1700);
  builder.block.ops.back().reads[0].bytes = 900;
  EXPECT_EQ(builder.fuse({b})[0].bytes, 2000);
}

TEST(Fusion, ResultsAreWritten) {
  BlockBuilder builder;
  int32_t x = builder.value();
  int32_t a = builder.add(OpRole::fusible, {x});
  int32_t b = builder.add(OpRole::fusible, {a});
  std::vector<FusedOp> ops = builder.fuse({a, b});
  ASSERT_EQ(ops.size(), 2u);
  EXPECT_EQ(ops[0].bytes, 2000);
  EXPECT_EQ(ops[1].bytes, 2000);
}

// [1000, 500] x [500, 2000] of f32: 2e9 operations at 50e12 a second take 40 us; 14e6 bytes at 1e12
// take 14 us. Of bf16, 20 us and 7 us.
TEST(Roofline, ADot) {
  DeviceProfile profile = testProfile();
  Roofline model(profile);
  Picoseconds work = model.arithmetic(WorkKind::product, "f32", 2e9);
  EXPECT_EQ(work, 40 * microsecond);
  EXPECT_EQ(model.timeOf(work, 14'000'000), 40 * microsecond);
  EXPECT_EQ(model.arithmetic(WorkKind::product, "bf16", 2e9), 20 * microsecond);
  // [1, 500] x [500, 2000]: 0.04 us of work, and 4,010,000 bytes.
  EXPECT_EQ(model.timeOf(model.arithmetic(WorkKind::product, "f32", 2e6), 4'010'000), 4'010'000);
}

TEST(Roofline, StartIsPaidByOpsThatDoSomething) {
  DeviceProfile profile = testProfile();
  profile.opStartSeconds = 2e-6;
  EXPECT_EQ(Roofline(profile).timeOf(0, 1'000'000), 3 * microsecond);
  EXPECT_EQ(Roofline(profile).timeOf(0, 0), 0);
}

} // namespace
} // namespace spmd
