// The text form: what is read is what is printed, and each error says where and what.

#include "SmallCases.h"

#include "gtest/gtest.h"

namespace spmd {
namespace {

using namespace test;

TEST(Spec, TextRoundTrips) {
  for (const char *text : {
           R"([])",
           R"([{}])",
           R"([{?}, {"x", ?}, {"x", "y"}])",
           R"([{"x"}p0, {"y", ?}p12, {?}p1])",
           R"([{"x":(1)2, "y", "x":(2)4}])",
           R"([{}], replicated={"x"})",
           R"([{}], unreduced={"x"})",
           R"([{}], replicated={"x", "y":(2)2}, unreduced={"z"})",
           R"([{}], unreduced=max{"x"})",
           R"([{}], unreduced=min{"x"})",
           R"([{}], unreduced=product{"x"})",
           R"([{}], unreduced=and{"x"})",
           R"([{}], unreduced=or{"x"})",
           R"([{}], unreduced=xor{"x"})",
           R"([{"a\22b\\\0A"}])",
       })
    EXPECT_EQ(shardingFromText(text).value().str(), text);
}

TEST(Spec, ReadsWhatIsPrintedOtherwise) {
  auto read = [](std::string_view text) { return shardingFromText(text).value().str(); };
  EXPECT_EQ(read(R"(  [ {"x" ,?} p3,{ } ] )"), R"([{"x", ?}p3, {}])");
  EXPECT_EQ(read(R"([{}], unreduced={"y"}, replicated={"x"})"),
            R"([{}], replicated={"x"}, unreduced={"y"})");
  EXPECT_EQ(read(R"([{}], unreduced=sum{"y"})"), R"([{}], unreduced={"y"})");
  EXPECT_EQ(read(R"([{}], unreduced={}, replicated={})"), R"([{}])");
  EXPECT_EQ(read(R"([{"\"\\\n\t"}])"), R"([{"\22\\\0A\09"}])");
}

TEST(Spec, ParserSaysWhere) {
  auto error = [](std::string_view text) {
    return std::string(shardingFromText(text).status().message());
  };
  EXPECT_EQ(error(R"({})"), "1:1: expected '['");
  EXPECT_EQ(error(R"([{})"), "1:4: expected ']'");
  EXPECT_EQ(error(R"([x])"), "1:2: expected '{'");
  EXPECT_EQ(error(R"([{x}])"), "1:3: expected the name of an axis, in quotes");
  EXPECT_EQ(error(R"([{"x", }])"), "1:8: expected the name of an axis, in quotes");
  EXPECT_EQ(error(R"([{?, "x"}])"), "1:6: '?' stands last in a dim");
  EXPECT_EQ(error(R"([{"x":2}])"), "1:7: expected '('");
  EXPECT_EQ(error(R"([{"x":(y)2}])"), "1:8: expected the size before the sub-axis");
  EXPECT_EQ(error(R"([{"x":(1 2}])"), "1:10: expected ')'");
  EXPECT_EQ(error(R"([{"x":(1)}])"), "1:10: expected the size of the sub-axis");
  EXPECT_EQ(error(R"([{"x":(1)0}])"), "1:11: size of a sub-axis is not positive");
  EXPECT_EQ(error(R"([{"x"}q])"), "1:8: expected a priority such as p1, not 'q'");
  EXPECT_EQ(error(R"([{"x"}p])"), "1:8: expected a priority such as p1, not 'p'");
  EXPECT_EQ(error(R"([{"x"}p1x])"), "1:10: expected a priority such as p1, not 'p1x'");
  EXPECT_EQ(error(R"([{"x"}p01])"), "1:10: priority 'p01' has a leading zero");
  EXPECT_EQ(error(R"([{"x"}p99999999999999999999])"),
            "1:28: expected a priority such as p1, not 'p99999999999999999999'");
  EXPECT_EQ(error(R"([{}p1])"), "1:6: a dim that is closed and empty takes no priority");
  EXPECT_EQ(error("[{}],\n partial={\"x\"}"), "2:2: expected 'replicated' or 'unreduced'");
  EXPECT_EQ(error(R"([{}], replicated {"x"})"), "1:18: expected '='");
  EXPECT_EQ(error(R"([{}], replicated={}, replicated={})"), "1:32: 'replicated' is given twice");
  EXPECT_EQ(error(R"([{}], unreduced={}, unreduced={})"), "1:30: 'unreduced' is given twice");
  EXPECT_EQ(error(R"([{}], unreduced=mean{"x"})"), "1:21: unknown reduction 'mean'");
  EXPECT_EQ(error(R"([{}] [{}])"), "1:6: unexpected text after the end");
}

TEST(Spec, ResolveSaysWhatIsUnknown) {
  Mesh mesh = meshOf("<[\"x\"=2, \"y\"=8]>");
  auto error = [&](std::string_view text) {
    return std::string(resolve(mesh, shardingFromText(text).value()).status().message());
  };
  EXPECT_EQ(error(R"([{"z"}])"), R"(unknown axis "z"; the mesh has "x", "y")");
  EXPECT_EQ(error(R"([{}], replicated={"z"})"), R"(unknown axis "z"; the mesh has "x", "y")");
  EXPECT_EQ(error(R"([{}], unreduced={"z"})"), R"(unknown axis "z"; the mesh has "x", "y")");
  EXPECT_EQ(error(R"([{"y":(1)3}])"), R"("y":(1)3 is no part of axis "y" of size 8)");
  EXPECT_EQ(error(R"([{"y":(4)4}])"), R"("y":(4)4 is no part of axis "y" of size 8)");
  EXPECT_EQ(error(R"([{"y":(0)2}])"), R"("y":(0)2 is no part of axis "y" of size 8)");
  EXPECT_EQ(error(R"([{"y":(-1)2}])"), R"("y":(-1)2 is no part of axis "y" of size 8)");
  EXPECT_EQ(error(R"([{"y":(4611686018427387904)4}])"),
            R"("y":(4611686018427387904)4 is no part of axis "y" of size 8)");
  EXPECT_EQ(error(R"([{"y":(1)8}])"), R"("y":(1)8 is the whole axis; write "y")");
  EXPECT_EQ(resolve(Mesh(), AxisSpec{"x"}).status().message(),
            R"(unknown axis "x"; the mesh has no axes)");
}

TEST(Spec, NamesAndNumbersAreInverse) {
  for (const Mesh &mesh : smallMeshes())
    for (Sharding sharding : allMatrixShardings(mesh)) {
      sharding.dims[0].open = true;
      sharding.dims[0].priority = 2;
      sharding.unreduced = complement(mesh, sharding.usedAxes());
      sharding.kind = sharding.unreduced.empty() ? ReductionKind::sum : ReductionKind::min;
      ShardingSpec spec = toSpec(mesh, sharding);
      ASSERT_EQ(resolve(mesh, spec).value(), sharding);
      ASSERT_EQ(shardingFromText(spec.str()).value(), spec) << spec.str();
    }
}

} // namespace
} // namespace spmd
