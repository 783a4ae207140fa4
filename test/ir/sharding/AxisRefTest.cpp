#include "SmallCases.h"

#include "spmd/ir/sharding/Excluding.h"

#include "gtest/gtest.h"

#include <set>

namespace spmd {
namespace {

using namespace test;

/// The axes of `list` in unit parts of prime size, so that equal layouts have equal lists.
std::vector<AxisRef> primeParts(absl::Span<const AxisRef> list) {
  std::vector<AxisRef> parts;
  for (AxisRef ref : list)
    for (int32_t prime = 2, pre = ref.preSize; ref.size > 1; ++prime)
      for (; ref.size % prime == 0; ref.size /= prime, pre *= prime)
        parts.push_back({ref.axis, pre, prime});
  return parts;
}

AxisList concat(AxisList major, const AxisList &minor) {
  major.insert(major.end(), minor.begin(), minor.end());
  return major;
}

/// Whether each axis of `list` can stand beside the others, as `verify` says.
bool canStand(const Mesh &mesh, const AxisList &list) {
  return verify(mesh, Sharding{{{list}}, {}, {}}, {7}).ok();
}

TEST(AxisRef, CoordinateIsThatOfTheDefinition) {
  for (const Mesh &mesh : smallMeshes())
    for (const AxisList &list : allLists(allAxes(mesh), 2))
      for (int64_t p = 0; p < mesh.numDevices(); ++p) {
        int64_t expected = 0;
        for (const AxisRef &ref : list)
          expected = expected * ref.size + coordinateBySearch(mesh, p, ref);
        ASSERT_EQ(coordinateOf(mesh, p, list), expected)
            << mesh.str() << str(toSpecs(mesh, list)) << " " << p;
      }
}

TEST(AxisRef, AxesOverlapIfTheyShareAPart) {
  for (const Mesh &mesh : smallMeshes())
    for (const AxisRef &a : allAxes(mesh))
      for (const AxisRef &b : allAxes(mesh)) {
        // Positions of the axis that lie between two cuts: a part covers them from preSize up to
        // its end.
        bool share = a == b || (a.axis == b.axis &&
                                std::max(a.preSize, b.preSize) < std::min(a.end(), b.end()));
        EXPECT_EQ(overlaps(a, b), share);
        EXPECT_EQ(overlaps(a, b), overlaps(b, a));
      }
}

TEST(AxisRef, PartsExcludeEachOtherUnlessACutHasBoth) {
  for (const Mesh &mesh : smallMeshes())
    for (const AxisRef &a : allAxes(mesh))
      for (const AxisRef &b : allAxes(mesh)) {
        // The sizes where the pieces of a cut end divide each other in turn.
        std::set<int64_t> ends = {a.preSize, a.end(), b.preSize, b.end()};
        bool isCut = true;
        for (auto next = std::next(ends.begin()); next != ends.end(); ++next)
          isCut &= *next % *std::prev(next) == 0;
        EXPECT_EQ(exclude(a, b), overlaps(a, b) || (a.axis == b.axis && !isCut));
      }
}

TEST(AxisRef, MergedPartsMeanTheSame) {
  for (const Mesh &mesh : smallMeshes())
    for (const AxisList &list : allLists(allAxes(mesh), 3)) {
      AxisList merged;
      for (const AxisRef &ref : list)
        appendMerged(merged, ref);
      EXPECT_EQ(sizeOf(merged), sizeOf(list));
      for (size_t i = 1; i < merged.size(); ++i)
        EXPECT_FALSE(canMerge(merged[i - 1], merged[i]));
      for (int64_t p = 0; p < mesh.numDevices(); ++p)
        ASSERT_EQ(coordinateOf(mesh, p, merged), coordinateOf(mesh, p, list));
    }
}

TEST(AxisRef, PrefixAndRestMakeTheWhole) {
  for (const Mesh &mesh : smallMeshes()) {
    std::vector<AxisList> lists = allLists(allAxes(mesh), 2);
    for (const AxisList &list : lists) {
      EXPECT_TRUE(isPrefix(list, list));
      EXPECT_TRUE(afterPrefix(list, list).empty());
      for (const AxisList &prefix : lists) {
        if (!isPrefix(prefix, list))
          continue;
        AxisList rest = afterPrefix(prefix, list);
        EXPECT_EQ(sizeOf(prefix) * sizeOf(rest), sizeOf(list));
        EXPECT_EQ(primeParts(concat(prefix, rest)).size(), primeParts(list).size());
        for (int64_t p = 0; p < mesh.numDevices(); ++p)
          ASSERT_EQ(coordinateOf(mesh, p, concat(prefix, rest)), coordinateOf(mesh, p, list));
      }
    }
  }
}

TEST(AxisRef, PrefixesAreTheCutsThatSplitAtFinds) {
  for (const Mesh &mesh : smallMeshes())
    for (const AxisList &list : allLists(allAxes(mesh), 2)) {
      if (!canStand(mesh, list))
        continue;
      for (int64_t size = 1; size <= 2 * sizeOf(list); ++size) {
        AxisList major, minor;
        if (!splitAt(list, size, major, minor)) {
          EXPECT_TRUE(major.empty() && minor.empty());
          continue;
        }
        EXPECT_EQ(sizeOf(major), size);
        EXPECT_EQ(sizeOf(minor) * size, sizeOf(list));
        EXPECT_TRUE(isPrefix(major, list));
        for (int64_t p = 0; p < mesh.numDevices(); ++p) {
          ASSERT_EQ(coordinateOf(mesh, p, concat(major, minor)), coordinateOf(mesh, p, list));
          ASSERT_EQ(coordinateOf(mesh, p, major), coordinateOf(mesh, p, list) / sizeOf(minor));
        }
      }
    }
}

TEST(AxisRef, SplitsWhereACutExists) {
  AxisList list = {{0, 1, 6}, {1, 1, 4}}, major, minor;
  std::set<int64_t> sizes;
  for (int64_t size = 1; size <= 24; ++size)
    if (splitAt(list, size, major, minor))
      sizes.insert(size);
  EXPECT_EQ(sizes, (std::set<int64_t>{1, 2, 3, 6, 12, 24}));
  EXPECT_FALSE(splitAt(list, 0, major, minor));
}

TEST(AxisRef, ComplementIsWhatIsNotUsed) {
  for (const Mesh &mesh : smallMeshes())
    for (const AxisList &list : allLists(allAxes(mesh), 2)) {
      if (!canStand(mesh, list))
        continue;
      AxisList rest = complement(mesh, list);
      EXPECT_TRUE(std::is_sorted(rest.begin(), rest.end()));
      EXPECT_FALSE(overlaps(list, rest));
      EXPECT_EQ(sizeOf(list) * sizeOf(rest), mesh.numDevices());
      // Together they tell all devices apart.
      std::set<std::pair<int64_t, int64_t>> seen;
      for (int64_t p = 0; p < mesh.numDevices(); ++p)
        seen.insert({coordinateOf(mesh, p, list), coordinateOf(mesh, p, rest)});
      EXPECT_EQ(static_cast<int64_t>(seen.size()), mesh.numDevices());
    }
}

} // namespace
} // namespace spmd
