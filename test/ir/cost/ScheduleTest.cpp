#include "spmd/ir/cost/Schedule.h"
#include "spmd/test/ir/cost/TestProfile.h"

#include "gtest/gtest.h"

namespace spmd {
namespace {

constexpr int64_t us = microsecond;

/// Builds blocks of ops that take so many microseconds, and whose values have no bytes.
class ProgramBuilder {
public:
  void beginBlock() { program.blocks.emplace_back(); }
  CostBlock &block() { return program.blocks.back(); }

  int32_t compute(int64_t micros, const std::vector<int32_t> &operands = {}) {
    CostOp op;
    op.arithmetic = micros * us;
    return add(op, operands);
  }
  int32_t collective(int64_t micros, const std::vector<int32_t> &operands = {}) {
    CostOp op;
    op.role = OpRole::collective;
    op.collective = program.numCollectives++;
    op.collectiveTime = micros * us;
    return add(op, operands);
  }
  int32_t nested(OpRole role, const std::vector<int32_t> &blocks, int64_t runs,
                 const std::vector<int32_t> &operands = {}) {
    CostOp op;
    op.role = role;
    op.blocks = blocks;
    op.runs = runs;
    return add(op, operands);
  }

  ProgramTimes schedule() {
    program.entry = static_cast<int32_t>(program.blocks.size()) - 1;
    return scheduleProgram(program, testProfile());
  }

  CostProgram program;

private:
  int32_t add(CostOp op, const std::vector<int32_t> &operands) {
    for (int32_t operand : operands)
      op.reads.push_back({operand, 0, /*mayFuse=*/false});
    op.results = {block().addValue(0)};
    block().ops.push_back(op);
    return block().ops.back().results[0];
  }
};

void expectTimes(const ProgramTimes &times, int64_t total, int64_t compute, int64_t communication,
                 int64_t exposed) {
  EXPECT_EQ(times.total, total * us);
  EXPECT_EQ(times.compute, compute * us);
  EXPECT_EQ(times.communication, communication * us);
  EXPECT_EQ(times.exposed, exposed * us);
  EXPECT_EQ(times.total, times.compute + times.exposed);
}

// The sum of a is needed by the next op: nothing hides it.
TEST(Overlap, None) {
  ProgramBuilder builder;
  builder.beginBlock();
  int32_t a = builder.compute(10);
  int32_t sum = builder.collective(7, {a});
  builder.compute(5, {sum});
  expectTimes(builder.schedule(), 22, 15, 7, 7);
}

// Work of 20 us stands between the producer and the first consumer.
TEST(Overlap, Full) {
  ProgramBuilder builder;
  builder.beginBlock();
  int32_t a = builder.compute(10);
  int32_t sum = builder.collective(7, {a});
  int32_t b = builder.compute(20, {a});
  builder.compute(5, {sum, b});
  expectTimes(builder.schedule(), 35, 35, 7, 0);
}

// Of 7 us, 4 are hidden.
TEST(Overlap, Partial) {
  ProgramBuilder builder;
  builder.beginBlock();
  int32_t a = builder.compute(10);
  int32_t sum = builder.collective(7, {a});
  int32_t b = builder.compute(4, {a});
  builder.compute(5, {sum, b});
  ProgramTimes times = builder.schedule();
  expectTimes(times, 22, 19, 7, 3);
  EXPECT_EQ(times.collectives[0].exposed, 3 * us);
}

// The gather of a parameter needs nothing of the program, wherever its text stands.
TEST(Overlap, GathersOfArgumentsRunAhead) {
  ProgramBuilder builder;
  builder.beginBlock();
  int32_t weight = builder.block().addValue(0);
  int32_t a = builder.compute(10);
  int32_t whole = builder.collective(8, {weight});
  builder.compute(5, {a, whole});
  expectTimes(builder.schedule(), 15, 15, 8, 0);
}

// One network stream: the second collective begins when the first ends, at 18; the consumer of both
// waits for it from 13 on.
TEST(Overlap, CollectivesTakeTurns) {
  ProgramBuilder builder;
  builder.beginBlock();
  int32_t a = builder.compute(10);
  int32_t x = builder.collective(8, {a}), y = builder.collective(8, {a});
  int32_t b = builder.compute(3, {a});
  builder.compute(5, {x, y, b});
  ProgramTimes times = builder.schedule();
  expectTimes(times, 31, 18, 16, 13);
  EXPECT_EQ(times.collectives[0].exposed, 5 * us);
  EXPECT_EQ(times.collectives[1].exposed, 8 * us);
}

// An iteration takes 10 us, of which 4 are exposed; nothing overlaps with the next one.
TEST(Loops, RunOftenAndAlone) {
  ProgramBuilder builder;
  builder.beginBlock();
  int32_t a = builder.compute(6);
  builder.collective(4, {a});
  builder.beginBlock();
  builder.compute(3);
  builder.nested(OpRole::loop, {0}, 12);
  builder.compute(2);
  ProgramTimes times = builder.schedule();
  expectTimes(times, 125, 77, 48, 48);
  EXPECT_EQ(times.collectives[0].time, 48 * us);
  EXPECT_EQ(times.collectives[0].exposed, 48 * us);
}

TEST(Loops, Nest) {
  ProgramBuilder builder;
  builder.beginBlock();
  builder.collective(1);
  builder.beginBlock();
  builder.nested(OpRole::loop, {0}, 3);
  builder.beginBlock();
  builder.nested(OpRole::loop, {1}, 5);
  builder.nested(OpRole::loop, {0}, 2);
  ProgramTimes times = builder.schedule();
  EXPECT_EQ(times.total, 17 * us);
  EXPECT_EQ(times.collectives[0].time, 17 * us);
}

TEST(Loops, SumsStayAtTheLargestNumber) {
  ProgramBuilder builder;
  builder.beginBlock();
  builder.compute(1'000'000);
  builder.beginBlock();
  builder.nested(OpRole::loop, {0}, int64_t{1} << 40);
  EXPECT_EQ(builder.schedule().total, std::numeric_limits<Picoseconds>::max());
}

TEST(Branches, TheLongestRuns) {
  ProgramBuilder builder;
  builder.beginBlock();
  builder.compute(6);
  builder.beginBlock();
  int32_t a = builder.compute(1);
  builder.collective(7, {a});
  builder.beginBlock();
  builder.nested(OpRole::branch, {0, 1}, 1);
  expectTimes(builder.schedule(), 8, 1, 7, 7);
}

// A loop waits for what is before it, and what is behind it for the loop.
TEST(Loops, DoNotOverlap) {
  ProgramBuilder builder;
  builder.beginBlock();
  builder.compute(10);
  builder.beginBlock();
  int32_t sum = builder.collective(7);
  builder.nested(OpRole::loop, {0}, 1);
  builder.compute(1, {sum});
  expectTimes(builder.schedule(), 18, 11, 7, 7);
}

// f(x) = x + a gather of x, called twice: the gathers of the first call overlap with the second.
TEST(Calls, AreWrittenOut) {
  ProgramBuilder callee;
  callee.beginBlock();
  int32_t argument = callee.block().addValue(0);
  callee.block().arguments = {argument};
  int32_t work = callee.compute(4, {argument});
  callee.collective(3, {work});
  callee.block().results = {work};

  ProgramBuilder builder;
  builder.program.numCollectives = 1;
  builder.beginBlock();
  int32_t x = builder.block().addValue(0);
  const CostBlock &body = callee.program.blocks[0];
  std::vector<int32_t> first = inlineBlock(body, {x}, builder.block());
  inlineBlock(body, first, builder.block());
  ProgramTimes times = builder.schedule();
  expectTimes(times, 11, 8, 6, 3);
  EXPECT_EQ(times.collectives[0].time, 6 * us);
}

} // namespace
} // namespace spmd
