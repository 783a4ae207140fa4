#include "spmd/ir/choose/Sequences.h"

#include "spmd/test/ir/classes/Graphs.h"

namespace spmd {
namespace {

/// Rows of features in between, that are multiplied by weights and then by each other.
struct Rows : GraphText {
  /// Returns rows [32, h, k] that are made of a value [32, d].
  int32_t project(int32_t from) {
    int32_t weight = value({16, 8, 4}), made = value({32, 8, 4});
    op("([i, l], [l, j, k])->([i, j, k]) {i=32, j=8, k=4, l=16} reduction={l}", {from, weight},
       made);
    return made;
  }
  int32_t pinnedRows(const std::string &sharding) {
    int32_t weight = value({16, 16}), argument = value({32, 16}), made = value({32, 16}, sharding);
    op("([i, k], [k, j])->([i, j]) {i=32, j=16, k=16} reduction={k}", {argument, weight}, made);
    return made;
  }
  /// Multiplies rows [32, h, k] of two values, with h a batch dim, and what comes out again.
  void meet(int32_t left, int32_t right) {
    int32_t made = value({8, 32, 32}), third = value({8, 32, 32}), end = value({8, 32, 32});
    op("([i, k, l], [j, k, l])->([k, i, j]) {i=32, j=32, k=8, l=4} reduction={l}", {left, right},
       made);
    op("([k, i, l], [k, l, j])->([k, i, j]) {i=32, j=32, k=8, l=32} reduction={l}", {made, third},
       end);
  }
  int32_t dimOf(int32_t axis) {
    Timing timing = timingOf(graph, noneFree());
    return steadyAxesOf(graph, timing).dimOf(0, wholeAxis(mesh, axis));
  }
};

TEST(SequencesTest, RowsThatMeetThemselvesAreThoseOfASequence) {
  Rows text;
  int32_t rows = text.pinnedRows(R"([{"x"}, {}])");
  text.meet(text.project(rows), text.project(rows));
  EXPECT_EQ(text.dimOf(0), -1);
}

TEST(SequencesTest, RowsThatMeetOthersAreABatch) {
  Rows text;
  int32_t rows = text.pinnedRows(R"([{"x"}, {}])"), others = text.pinnedRows(R"([{"y"}, {}])");
  text.meet(text.project(rows), text.project(others));
  EXPECT_EQ(text.dimOf(0), 0);
  EXPECT_EQ(text.dimOf(1), 0);
}

// What is pinned stands behind what the rows meet in.
TEST(SequencesTest, RowsAreFollowedBack) {
  Rows text;
  int32_t rows = text.pinnedRows("");
  text.meet(text.project(rows), text.project(rows));
  int32_t behind = text.value({32, 16}, R"([{"x"}, {}])");
  text.op("([i, j])->([i, j]) {i=32, j=16}", {rows}, behind);
  text.project(behind);
  EXPECT_EQ(text.dimOf(0), -1);
}

// As in a contrastive loss: similarities of each with each, without a batch dim.
TEST(SequencesTest, ProductsWithoutABatchDimDoNotCount) {
  Rows text;
  int32_t rows = text.pinnedRows(R"([{"x"}, {}])"), made = text.value({32, 32});
  text.op("([i, k], [j, k])->([i, j]) {i=32, j=32, k=16} reduction={k}", {rows, rows}, made);
  EXPECT_EQ(text.dimOf(0), 0);
}

// As where rows of a batch are looked at in groups: none of them meets one of another device.
TEST(SequencesTest, RowsOfABatchDimDoNotMeet) {
  Rows text;
  int32_t rows = text.pinnedRows(R"([{"x"}, {}])"), made = text.project(rows);
  int32_t pairs = text.value({32, 8, 8});
  text.op("([k, i, l], [k, j, l])->([k, i, j]) {i=8, j=8, k=32, l=4} reduction={l}", {made, made},
          pairs);
  EXPECT_EQ(text.dimOf(0), 0);
}

} // namespace
} // namespace spmd
