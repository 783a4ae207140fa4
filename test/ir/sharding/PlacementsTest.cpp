#include "spmd/ir/sharding/Placements.h"

#include "SmallCases.h"

#include "gtest/gtest.h"

#include <numeric>

namespace spmd::test {
namespace {

using Kind = AxisPlacement::Kind;
using Indices = std::vector<int64_t>;

AxisPlacement shard(int64_t dim, int64_t splitFactor = 1) {
  return {Kind::shard, dim, splitFactor, ReductionKind::sum};
}

//===- What each device holds, by definition -------------------------------------===//

/// Cuts a list into `count` parts: the first have ceil(size / count) elements, the last what is
/// left.
std::vector<Indices> chunks(const Indices &list, int64_t count) {
  size_t step = (list.size() + count - 1) / count;
  std::vector<Indices> parts(count);
  for (size_t i = 0; i < list.size(); ++i)
    parts[i / step].push_back(list[i]);
  return parts;
}

/// The part of coordinate `along` of a shard: of a strided one, every `count`th of equal chunks.
Indices partOf(const Indices &list, int64_t count, int64_t splitFactor, int64_t along) {
  std::vector<Indices> parts = chunks(list, count * splitFactor);
  Indices part;
  for (int64_t piece = 0; piece < splitFactor; ++piece)
    part.insert(part.end(), parts[along + piece * count].begin(),
                parts[along + piece * count].end());
  return part;
}

/// The indices of each dim that the device at `position` holds; nothing if a strided shard does not
/// come out even.
std::optional<std::vector<Indices>> heldByDefinition(const Mesh &mesh,
                                                     const std::vector<AxisPlacement> &placements,
                                                     const std::vector<int64_t> &shape,
                                                     int64_t position) {
  std::vector<Indices> held;
  for (int64_t size : shape) {
    held.emplace_back(size);
    std::iota(held.back().begin(), held.back().end(), 0);
  }
  for (size_t axis = 0; axis < placements.size(); ++axis) {
    const AxisPlacement &placement = placements[axis];
    if (placement.kind != Kind::shard)
      continue;
    int64_t count = mesh.axes()[axis].size;
    Indices &list = held[placement.dim];
    if (placement.splitFactor > 1 && list.size() % (count * placement.splitFactor) != 0)
      return std::nullopt;
    int64_t along = coordinateBySearch(mesh, position, wholeAxis(mesh, axis));
    list = partOf(list, count, placement.splitFactor, along);
  }
  return held;
}

std::vector<Indices> heldBySharding(const Mesh &mesh, const Sharding &sharding,
                                    const std::vector<int64_t> &shape, int64_t position) {
  Shard part = shardAt(mesh, sharding, shape, position);
  std::vector<Indices> held;
  for (size_t dim = 0; dim < shape.size(); ++dim) {
    held.emplace_back(part.sizes[dim]);
    std::iota(held.back().begin(), held.back().end(), part.offsets[dim]);
  }
  return held;
}

/// Returns whether every device holds by `sharding` what it holds as `placements`, dim by dim.
bool liesAs(const Mesh &mesh, const std::vector<AxisPlacement> &placements,
            const Sharding &sharding, const std::vector<int64_t> &shape) {
  for (int64_t position = 0; position < mesh.numDevices(); ++position) {
    auto held = heldByDefinition(mesh, placements, shape, position);
    if (!held || *held != heldBySharding(mesh, sharding, shape, position))
      return false;
  }
  return true;
}

//===- All small cases -----------------------------------------------------------===//

/// Every list of placements of a matrix, one for each axis.
std::vector<std::vector<AxisPlacement>> allPlacements(const Mesh &mesh) {
  std::vector<AxisPlacement> choices = {{}, shard(0), shard(1), {Kind::partial, 0, 1, {}}};
  for (int64_t factor : {2, 3, 4, 6})
    choices.push_back(shard(0, factor));
  std::vector<std::vector<AxisPlacement>> all = {{}};
  for (size_t axis = 0; axis < mesh.axes().size(); ++axis) {
    std::vector<std::vector<AxisPlacement>> longer;
    for (const auto &list : all)
      for (const AxisPlacement &choice : choices) {
        longer.push_back(list);
        longer.back().push_back(choice);
      }
    all = std::move(longer);
  }
  return all;
}

// What a sharding can say, it says; what is refused, no sharding of the mesh says.
TEST(Placements, EveryListOfUpToTwelveDevices) {
  int converted = 0, refused = 0;
  for (const Mesh &mesh : meshesOfUpTo(12)) {
    std::vector<Sharding> all = allMatrixShardings(mesh);
    for (const auto &placements : allPlacements(mesh)) {
      std::vector<int64_t> shape = {144, 48};
      auto sharding = shardingOf(mesh, placements, shape);
      SCOPED_TRACE(mesh.str() + " " + str(placements));
      if (!sharding.ok()) {
        ++refused;
        for (const Sharding &other : all)
          EXPECT_FALSE(liesAs(mesh, placements, other, shape)) << toSpec(mesh, other).str();
        continue;
      }
      ++converted;
      EXPECT_TRUE(liesAs(mesh, placements, *sharding, shape)) << toSpec(mesh, *sharding).str();
      EXPECT_TRUE(verify(mesh, *sharding, shape).ok());
      auto back = placementsOf(mesh, *sharding, shape);
      ASSERT_TRUE(back.ok()) << back.status();
      EXPECT_EQ(shardingOf(mesh, *back, shape)->layout(), sharding->layout()) << str(*back);
      for (size_t axis = 0; axis < placements.size(); ++axis)
        EXPECT_EQ((*back)[axis].kind, placements[axis].kind) << str(*back);
      EXPECT_EQ(*placementsFromText(str(placements)), placements);
    }
  }
  EXPECT_GT(converted, 500);
  EXPECT_GT(refused, 100);
}

// On sizes that do not divide, too: they are those of torch.chunk, or the pair is refused.
TEST(Placements, UnevenSizes) {
  int converted = 0, refused = 0;
  for (const Mesh &mesh : meshesOfUpTo(12))
    for (const auto &placements : allPlacements(mesh))
      for (int64_t size : {1, 2, 3, 5, 7, 9, 10, 11, 12, 13, 16}) {
        std::vector<int64_t> shape = {size, 14 - size % 14};
        auto sharding = shardingOf(mesh, placements, shape);
        if (sharding.ok())
          EXPECT_TRUE(liesAs(mesh, placements, *sharding, shape))
              << mesh.str() << " " << str(placements) << " " << size;
        ++(sharding.ok() ? converted : refused);
      }
  EXPECT_GT(converted, 4000);
  EXPECT_GT(refused, 1000);
}

// Every sharding whose axes are whole has placements where it comes out even; no other has.
TEST(Placements, EverySharding) {
  for (const Mesh &mesh : meshesOfUpTo(12)) {
    std::vector<int64_t> shape = {2 * mesh.numDevices(), mesh.numDevices()};
    for (const Sharding &sharding : allMatrixShardings(mesh)) {
      SCOPED_TRACE(mesh.str() + " " + toSpec(mesh, sharding).str());
      auto placements = placementsOf(mesh, sharding, shape);
      bool allWhole = true;
      for (const AxisRef &axis : sharding.usedAxes())
        allWhole &= isWhole(mesh, axis);
      if (allWhole)
        EXPECT_TRUE(placements.ok()) << placements.status();
      if (placements.ok())
        EXPECT_TRUE(liesAs(mesh, *placements, sharding, shape)) << str(*placements);
    }
  }
}

//===- One by one ------------------------------------------------------------------===//

/// The sharding that `text` says of a tensor of `shape`, as text, or the error.
std::string shardingText(const char *mesh, const char *text, std::vector<int64_t> shape) {
  auto placements = placementsFromText(text);
  if (!placements.ok())
    return std::string(placements.status().message());
  auto sharding = shardingOf(meshOf(mesh), *placements, shape);
  return sharding.ok() ? toSpec(meshOf(mesh), *sharding).str()
                       : std::string(sharding.status().message());
}

constexpr const char *grid = "<[\"dp\"=2, \"tp\"=4]>";

TEST(Placements, SayWhatTheyMean) {
  EXPECT_EQ(shardingText(grid, "[Shard(0), Replicate()]", {8, 8}), "[{\"dp\"}, {}]");
  EXPECT_EQ(shardingText(grid, "[Shard(0), Shard(0)]", {8, 8}), "[{\"dp\", \"tp\"}, {}]");
  EXPECT_EQ(shardingText(grid, "[Shard(-1), Shard(0)]", {8, 8}), "[{\"tp\"}, {\"dp\"}]");
  EXPECT_EQ(shardingText(grid, "[_StridedShard(dim=0, sf=4), Shard(0)]", {8, 8}),
            "[{\"tp\", \"dp\"}, {}]");
  EXPECT_EQ(shardingText(grid, "[_StridedShard(dim=0, sf=2), Shard(0)]", {16, 8}),
            "[{\"tp\":(1)2, \"dp\", \"tp\":(2)2}, {}]");
  EXPECT_EQ(shardingText(grid, "[Partial(max), Partial(max)]", {8, 8}),
            "[{}, {}], unreduced=max{\"dp\", \"tp\"}");
  EXPECT_EQ(shardingText(grid, "[Replicate(), Shard(0)]", {5}), "[{\"tp\"}]");
  EXPECT_EQ(
      shardingText("<[\"a\"=2, \"b\"=2], device_ids=[3, 1, 2, 0]>", "[Shard(0), Shard(1)]", {2, 2}),
      "[{\"a\"}, {\"b\"}]");
}

TEST(Placements, SayWhatIsWrong) {
  EXPECT_EQ(shardingText(grid, "[Shard(0)]", {8}),
            "there are 1 placements for the 2 axes of mesh <[\"dp\"=2, \"tp\"=4]>");
  EXPECT_EQ(shardingText(grid, "[Shard(2), Replicate()]", {8, 8}),
            "axis \"dp\" cuts dim 2 of a tensor of rank 2");
  EXPECT_EQ(shardingText(grid, "[Shard(-3), Replicate()]", {8, 8}),
            "axis \"dp\" cuts dim -3 of a tensor of rank 2");
  EXPECT_EQ(shardingText(grid, "[Partial(sum), Partial(max)]", {8}),
            "axis \"tp\": its addends combine by max, those before by sum; a sharding has one "
            "kind");
  EXPECT_EQ(shardingText(grid, "[_StridedShard(0, 4), Replicate()]", {8}),
            "dim 0: a strided shard takes it for more pieces than later axes cut it into");
  EXPECT_EQ(shardingText(grid, "[_StridedShard(0, 3), Shard(0)]", {24}),
            "axis \"tp\" cuts dim 0 below 1 pieces, which are not those that it has");
  EXPECT_EQ(shardingText(grid, "[_StridedShard(0, 4), Shard(0)]", {12}),
            "dim 0: its size 12 is no multiple of 8, which a strided shard needs");
  EXPECT_EQ(shardingText("<[\"a\"=2, \"b\"=2]>", "[Shard(0), Shard(0)]", {10}),
            "dim 0: device 1 has 2 of its 10 elements from 3 as placements, 3 from 3 by a sharding "
            "over the same axes");
}

TEST(Placements, SomeShardingsHaveNone) {
  Mesh mesh = meshOf(grid);
  auto messageOf = [&](const char *text, std::vector<int64_t> shape) {
    auto placements = placementsOf(mesh, shardingOf(mesh, text), shape);
    return placements.ok() ? str(*placements) : std::string(placements.status().message());
  };
  EXPECT_EQ(messageOf("[{\"tp\", \"dp\"}, {?}]", {8, 8}), "[_StridedShard(dim=0, sf=4), Shard(0)]");
  EXPECT_EQ(messageOf("[{\"tp\":(1)2}, {\"tp\":(2)2}]", {8, 8}),
            "axis \"tp\" is used in two places; a placement says one thing of an axis");
  EXPECT_EQ(messageOf("[{\"tp\":(1)2}, {}]", {8, 8}),
            "no placements say [{\"tp\":(1)2}, {}]; each axis is used whole, in the order of its "
            "parts");
  EXPECT_EQ(messageOf("[{\"dp\"}]", {8, 8}), "the sharding is of rank 1, the tensor of rank 2");
}

TEST(Placements, ReadsEveryForm) {
  for (auto [text, printed] : std::initializer_list<std::pair<const char *, const char *>>{
           {"[]", "[]"},
           {"[Shard(0), Replicate()]", "[Shard(0), Replicate()]"},
           {"(Shard(dim=0),)", "[Shard(0)]"},
           {"(S(1), R, P)", "[Shard(1), Replicate(), Partial(sum)]"},
           {"[Partial(), P(\"min\"), Partial(product)]",
            "[Partial(sum), Partial(min), Partial(product)]"},
           {"[ _StridedShard ( dim = -1 , split_factor = 2 ) ]", "[_StridedShard(dim=-1, sf=2)]"},
           {"[_StridedShard(dim=0, sf=1)]", "[Shard(0)]"}}) {
    auto placements = placementsFromText(text);
    ASSERT_TRUE(placements.ok()) << text << ": " << placements.status();
    EXPECT_EQ(str(*placements), printed);
    EXPECT_EQ(*placementsFromText(printed), *placements);
  }
}

TEST(Placements, SaysWhatItCannotRead) {
  for (auto [text, message] : std::initializer_list<std::pair<const char *, const char *>>{
           {"", "1:1: expected '['"},
           {"[Shard(0)", "1:10: expected ']'"},
           {"(Shard(0)]", "1:10: expected ')'"},
           {"[Shard(0)] x", "1:12: unexpected text after the end"},
           {"[Shard()]", "1:8: expected an integer"},
           {"[Shard(dim 0)]", "1:12: expected '='"},
           {"[Shard 0]", "1:8: expected '('"},
           {"[_StridedShard(0)]", "1:17: expected ','"},
           {"[_StridedShard(0, 0)]", "1:20: the split factor is not positive"},
           {"[Partial(mean)]", "1:14: expected 'sum', 'max', 'min' or 'product'"},
           {"[Partial(avg)]",
            "1:13: an average has no addends here; divide by their number and write Partial(sum)"},
           {"[_NormPartial(2)]",
            "1:14: the addends of a norm or of a masked lookup have no counterpart"},
           {"[Split(0)]", "1:2: expected 'Shard', 'Replicate', 'Partial' or '_StridedShard'"},
           {"[Shard(99999999999999999999)]", "1:8: expected an integer"}}) {
    auto placements = placementsFromText(text);
    EXPECT_EQ(placements.ok() ? "none" : std::string(placements.status().message()), message)
        << text;
  }
}

} // namespace
} // namespace spmd::test
