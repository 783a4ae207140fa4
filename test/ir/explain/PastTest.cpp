#include "spmd/test/ir/explain/Told.h"

namespace spmd {
namespace {

TEST(Past, KnowsHowValuesLayAtAnyTime) {
  ToldLayers told;
  told.run();
  Past past(told.graph, told.history);
  int32_t end = told.history.changes.size();
  for (int32_t v = 0; v < told.graph.numValues(); ++v) {
    EXPECT_EQ(past.before(v, end), told.graph.value(v).sharding);
    int32_t expected = past.atFirst(v);
    for (int32_t time = 0; time < end; ++time) {
      EXPECT_EQ(past.before(v, time), expected) << "value " << v << " at " << time;
      if (told.history.changes[time].value == v)
        expected = told.history.changes[time].after;
    }
  }
  EXPECT_EQ(past.atFirst(told.hidden), ShardGraph::none);
  EXPECT_NE(past.atFirst(told.rows), ShardGraph::none);
}

TEST(Past, ListsTheChangesOfEachValueInOrder) {
  ToldLayers told;
  told.run();
  Past past(told.graph, told.history);
  size_t sum = 0;
  for (int32_t v = 0; v < told.graph.numValues(); ++v) {
    absl::Span<const int32_t> own = past.changesOf(v);
    sum += own.size();
    EXPECT_TRUE(std::is_sorted(own.begin(), own.end()));
    for (int32_t change : own)
      EXPECT_EQ(told.history.changes[change].value, v);
  }
  EXPECT_EQ(sum, told.history.changes.size());
}

TEST(Past, FindsWhereAStepBegins) {
  ToldLayers told;
  told.run();
  Past past(told.graph, told.history);
  // The last product teaches both its result and its right-hand side.
  int32_t end = told.history.changes.size();
  EXPECT_EQ(past.startOfStep(end - 1), end - 2);
  EXPECT_EQ(past.startOfStep(0), 0);
}

} // namespace
} // namespace spmd
