#include "spmd/ir/hlo/Hlo.h"

#include <gtest/gtest.h>

namespace spmd::hlo {
namespace {

OpSharding sharding(const std::string &text) {
  auto parsed = parseHloSharding(text);
  EXPECT_TRUE(parsed.ok()) << text << parsed.status();
  return parsed.ok() ? *parsed : OpSharding();
}

TEST(ShardingTest, EachNotationIsPrintedAsItWasRead) {
  for (const char *text : {
           "{replicated}",
           "{manual}",
           "{unknown}",
           "{unreduced}",
           "{maximal device=3}",
           "{}",
           "{devices=[2,1,2]0,2,1,3 last_tile_dim_replicate}",
           "{devices=[2,4]<=[8]}",
           "{devices=[2,1,4]<=[4,2]T(1,0) last_tile_dims={manual, replicated}}",
           "{devices=[2]0,1 shard_as 4}",
           "{replicated shard_like 4}",
           "{replicated metadata={op_name=\"a\" stack_frame_id=2}}",
           "{devices=[2]<=[2] metadata={{op_name=\"a\"}, {op_name=\"b\"}}}",
           "{{replicated}, {devices=[2]<=[2]}}",
           "{mesh['x'=2,'y'=4], [{'x','y':(1)2}, {?}, {'y':(2)2,?}, {}]}",
           "{mesh['x'=2,'y'=4], device_ids=([4,2]T(1,0)), [{'x'}], replicated={'y'}}",
           "{mesh['x'=2], device_ids=(1,0), [{}], unreduced=max{'x'}}",
           "{mesh['x'=2,'y'=2], [{}], unreduced={'x'}, manual={'y'}}",
           "{mesh['x'=2], replicated}",
           "{mesh['x'=2,'y'=2], manual}",
           "{mesh['x'=2,'y'=2], unreduced=max}",
           "{mesh['x'=2,'y'=2], [], manual={'y'}}",
           "{mesh['x'=2,'y'=2], [], replicated={'x'}, unreduced={'y'}}",
           "{maximal_mesh[device_id=3]}",
           "{mesh[]}",
       })
    EXPECT_EQ(printHloSharding(sharding(text)), text);
}

TEST(ShardingTest, OuterBracesMayBeAbsent) {
  EXPECT_EQ(printHloSharding(sharding("devices=[2]0,1")), "{devices=[2]0,1}");
}

TEST(ShardingTest, OtherSpellingsAreRead) {
  EXPECT_EQ(printHloSharding(sharding("{mesh[\"x\"=2], [{\"x\"}]}")), "{mesh['x'=2], [{'x'}]}");
  EXPECT_EQ(printHloSharding(sharding("{single_device[device_id=3]}")),
            "{maximal_mesh[device_id=3]}");
  EXPECT_EQ(printHloSharding(sharding("{mesh['x'=2] [{0}]}")), "{mesh['x'=2], [{'x'}]}");
  EXPECT_EQ(printHloSharding(sharding("{mesh['x'=2,'y'=2] manual}")),
            "{mesh['x'=2,'y'=2], manual}");
  EXPECT_EQ(printHloSharding(sharding("{mesh['x'=2], unreduced=min}")),
            "{mesh['x'=2], unreduced=min}");
  EXPECT_EQ(printHloSharding(sharding("{mesh['x'=2], [{}], unreduced=[sum]{'x'}}")),
            "{mesh['x'=2], [{}], unreduced={'x'}}");
}

TEST(ShardingTest, FieldsAreThoseOfTheWire) {
  OpSharding tiled = sharding("{devices=[2,1,4]<=[4,2]T(1,0) last_tile_dim_replicate}");
  EXPECT_EQ(tiled.type(), OpSharding::OTHER);
  EXPECT_EQ(tiled.tile_assignment_dimensions_size(), 3);
  EXPECT_EQ(tiled.iota_reshape_dims(0), 4);
  EXPECT_EQ(tiled.iota_transpose_perm(0), 1);
  EXPECT_TRUE(tiled.replicate_on_last_tile_dim());
  OpSharding named = sharding("{mesh['x'=2,'y'=4], [{'y':(2)2,?}]}");
  EXPECT_EQ(named.named_sharding().dim_shardings(0).axes(0).mesh_axis_index(), 1);
  EXPECT_EQ(named.named_sharding().dim_shardings(0).axes(0).sub_axis_info().pre_size(), 2);
  EXPECT_FALSE(named.named_sharding().dim_shardings(0).is_closed());
}

} // namespace
} // namespace spmd::hlo
