#include "spmd/ir/cost/Collectives.h"
#include "spmd/test/ir/cost/TestProfile.h"

#include "gtest/gtest.h"

namespace spmd {
namespace {

constexpr int64_t us = microsecond;

using Ids = std::vector<int64_t>;
using Widths = std::vector<int64_t>;

TierSpan spanOf(const Ids &group) {
  DeviceProfile profile = testProfile();
  return CollectiveModel(profile).spanOf(group);
}

CollectiveCost costOf(CollectiveKind kind, int64_t bytes, const Ids &group,
                      const DeviceProfile &profile = testProfile()) {
  CollectiveModel model(profile);
  return model.costOf(kind, bytes, model.spanOf(group));
}

/// Both tiers as rings: 4 devices, and 16 of all.
DeviceProfile ringProfile() {
  DeviceProfile profile = testProfile();
  profile.tiers[0].isRing = profile.tiers[1].isRing = true;
  profile.tiers[1].devices = 16;
  return profile;
}

TEST(TierSpan, WidthsAreMembersOfEachTier) {
  EXPECT_EQ(spanOf({0, 1, 2, 3}).widths, (Widths{4, 1}));
  EXPECT_EQ(spanOf({0, 4, 8, 12}).widths, (Widths{1, 4}));
  EXPECT_EQ(spanOf({0, 1, 4, 5}).widths, (Widths{2, 2}));
  EXPECT_EQ(spanOf({5, 0, 4, 1}).widths, (Widths{2, 2}));
  EXPECT_EQ(spanOf({7}).widths, (Widths{1, 1}));
  EXPECT_TRUE(spanOf({0, 1, 4, 5}).isRegular);
  EXPECT_FALSE(spanOf({0, 1, 2, 4}).isRegular);
}

// 4 members take ceil(log2 4) = 2 steps of 1 us, and 3/4 of 4e6 bytes at 100e9 bytes/s: 30 us.
TEST(Collectives, WithinTheFastTier) {
  Ids node = {0, 1, 2, 3};
  EXPECT_EQ(costOf(CollectiveKind::allGather, 4'000'000, node).time, 32 * us);
  EXPECT_EQ(costOf(CollectiveKind::reduceScatter, 4'000'000, node).time, 32 * us);
  EXPECT_EQ(costOf(CollectiveKind::allReduce, 4'000'000, node).time, 64 * us);
  EXPECT_EQ(costOf(CollectiveKind::broadcast, 4'000'000, node).time, 42 * us);
  // Directly: 3 steps and 30 us. By Bruck: 2 steps and 2 times 20 us.
  EXPECT_EQ(costOf(CollectiveKind::allToAll, 4'000'000, node).time, 33 * us);
  EXPECT_EQ(costOf(CollectiveKind::allGather, 4'000'000, node).tier, 0);
}

// The same at 10 us a step and 10e9 bytes/s.
TEST(Collectives, AcrossTheSlowTier) {
  Ids strided = {0, 4, 8, 12};
  EXPECT_EQ(costOf(CollectiveKind::allGather, 4'000'000, strided).time, 320 * us);
  EXPECT_EQ(costOf(CollectiveKind::reduceScatter, 4'000'000, strided).time, 320 * us);
  EXPECT_EQ(costOf(CollectiveKind::allReduce, 4'000'000, strided).time, 640 * us);
  EXPECT_EQ(costOf(CollectiveKind::broadcast, 4'000'000, strided).time, 420 * us);
  EXPECT_EQ(costOf(CollectiveKind::allToAll, 4'000'000, strided).time, 330 * us);
  EXPECT_EQ(costOf(CollectiveKind::allGather, 4'000'000, strided).tier, 1);
}

// At once: 4 members at the pace of the slow tier, as above. Tier by tier: of 4e6 bytes, half is in
// the nodes, and 1/2 of that crosses: 10 + 100 us; then 1 us and 1/2 of 4e6 bytes: 20 us.
TEST(Collectives, HierarchicalWhereThatIsBetter) {
  Ids both = {0, 1, 4, 5};
  CollectiveCost gather = costOf(CollectiveKind::allGather, 4'000'000, both);
  EXPECT_TRUE(gather.isHierarchical);
  EXPECT_EQ(gather.time, (110 + 21) * us);
  EXPECT_EQ(gather.tier, 1);
  EXPECT_EQ(costOf(CollectiveKind::reduceScatter, 4'000'000, both).time, (110 + 21) * us);
  EXPECT_EQ(costOf(CollectiveKind::allReduce, 4'000'000, both).time, 2 * (110 + 21) * us);
  // An exchange sends half of all it has over each tier: 10 + 200 and 1 + 20 us.
  EXPECT_EQ(costOf(CollectiveKind::allToAll, 4'000'000, both).time, (210 + 21) * us);
}

TEST(Collectives, IrregularGroupsPayByTheSlowestLink) {
  CollectiveCost cost = costOf(CollectiveKind::allGather, 4'000'000, {0, 1, 2, 4});
  EXPECT_FALSE(cost.isHierarchical);
  EXPECT_EQ(cost.time, 320 * us);
}

// A direct exchange takes 3 steps; Bruck's takes 2, with as many bytes each as all at once.
TEST(Collectives, SmallExchangesTakeFewSteps) {
  EXPECT_EQ(costOf(CollectiveKind::allToAll, 4, {0, 1, 2, 3}).time, 2 * us + 40);
}

TEST(Collectives, GroupsOfOneSendNothing) {
  CollectiveCost cost = costOf(CollectiveKind::allReduce, 4'000'000, {3});
  EXPECT_EQ(cost.time, 0);
  EXPECT_EQ(cost.tier, -1);
}

TEST(Collectives, StartIsPaidOnce) {
  DeviceProfile profile = testProfile();
  profile.collectiveStartSeconds = 5e-6;
  EXPECT_EQ(costOf(CollectiveKind::allReduce, 4'000'000, {0, 1, 2, 3}, profile).time, 69 * us);
  EXPECT_EQ(costOf(CollectiveKind::allReduce, 4'000'000, {3}, profile).time, 0);
}

// A ring of 4 goes both ways: 2 steps. An exchange in it moves each byte 1 hop on average.
TEST(Collectives, InARing) {
  Ids ring = {0, 1, 2, 3};
  EXPECT_EQ(costOf(CollectiveKind::allGather, 4'000'000, ring, ringProfile()).time, 32 * us);
  EXPECT_EQ(costOf(CollectiveKind::allToAll, 4'000'000, ring, ringProfile()).time, 42 * us);
  EXPECT_EQ(costOf(CollectiveKind::allToAll, 3'000'000, {0, 1, 2}, ringProfile()).time, 21 * us);
}

TEST(Permutes, TakeTheSlowestPair) {
  DeviceProfile profile = testProfile();
  CollectiveModel model(profile);
  EXPECT_EQ(model.costOfPermute(1'000'000, Ids{0, 1, 1, 0}).time, 11 * us);
  EXPECT_EQ(model.costOfPermute(1'000'000, Ids{0, 1, 3, 4}).time, 110 * us);
  EXPECT_EQ(model.costOfPermute(1'000'000, Ids{0, 1, 3, 4}).tier, 1);
  EXPECT_EQ(model.costOfPermute(1'000'000, Ids{2, 2}).time, 0);
}

// Two hops of 1 us and of 1e6 bytes at 50e9, the bandwidth of one direction; the last device is
// next to the first.
TEST(Permutes, HopInARing) {
  DeviceProfile profile = ringProfile();
  CollectiveModel model(profile);
  EXPECT_EQ(model.costOfPermute(1'000'000, Ids{0, 2}).time, 2 * 21 * us);
  EXPECT_EQ(model.costOfPermute(1'000'000, Ids{3, 0}).time, 21 * us);
  EXPECT_EQ(model.costOfPermute(1'000'000, Ids{0, 8}).time, 2 * 210 * us);
}

TEST(Kinds, AreThoseOfOps) {
  EXPECT_EQ(collectiveKindOf("all_gather"), CollectiveKind::allGather);
  EXPECT_EQ(collectiveKindOf("ragged_all_to_all"), CollectiveKind::allToAll);
  EXPECT_EQ(collectiveKindOf("add"), std::nullopt);
}

// Latency aside, times are inverse to the bandwidth of the tier that is crossed, and of no other.
TEST(Collectives, ScaleWithTheirLinks) {
  for (double scale : {4.0, 0.25})
    for (auto [group, tier] : {std::pair(Ids{0, 1, 2, 3}, 0), std::pair(Ids{0, 4, 8, 12}, 1)})
      for (CollectiveKind kind :
           {CollectiveKind::allGather, CollectiveKind::allReduce, CollectiveKind::reduceScatter,
            CollectiveKind::allToAll, CollectiveKind::broadcast}) {
        DeviceProfile profile = testProfile();
        for (LinkTier &each : profile.tiers)
          each.latencySeconds = 0;
        double before = static_cast<double>(costOf(kind, 4'000'000, group, profile).time);
        DeviceProfile scaled = profile, other = profile;
        scaled.tiers[tier].bytesPerSecond *= scale;
        other.tiers[1 - tier].bytesPerSecond *= scale;
        EXPECT_NEAR(before, scale * costOf(kind, 4'000'000, group, scaled).time, scale);
        EXPECT_EQ(before, costOf(kind, 4'000'000, group, other).time);
      }
}

} // namespace
} // namespace spmd
