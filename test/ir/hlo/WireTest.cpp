#include "Programs.h"

#include "spmd/ir/hlo/Hlo.h"

#include <gtest/gtest.h>

namespace spmd::hlo {
namespace {

TEST(WireTest, TheModuleIsFoundInEachMessage) {
  HloModuleProto module = *parseHloText(data("mlp_tp.hlo.txt"));
  HloProto proto;
  *proto.mutable_hlo_module() = module;
  HloSnapshot snapshot;
  *snapshot.mutable_hlo() = proto;
  snapshot.add_arguments()->add_f32s(1);
  snapshot.mutable_result()->add_f32s(2);
  for (const google::protobuf::Message *message :
       std::initializer_list<const google::protobuf::Message *>{&module, &proto, &snapshot}) {
    auto found = parseHloProto(message->SerializeAsString());
    ASSERT_TRUE(found.ok()) << message->GetTypeName() << found.status();
    EXPECT_EQ(found->name(), "jit_mlp");
    EXPECT_EQ(found->computations_size(), 2);
  }
}

TEST(WireTest, FieldsThatNobodyReadsAreKept) {
  HloModuleProto module = *parseHloText(data("mlp_tp.hlo.txt"));
  std::string bytes =
      module.SerializeAsString() + std::string("\xaa\x01\x03TPU", 6); // device_type, 21
  auto found = parseHloProto(bytes);
  ASSERT_TRUE(found.ok());
  EXPECT_EQ(found->SerializeAsString().size(), bytes.size());
}

TEST(WireTest, ASharding) {
  OpSharding sharding = *parseHloSharding("{devices=[2,2]<=[4] last_tile_dims={manual}}");
  auto read = parseHloShardingProto(sharding.SerializeAsString());
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(printHloSharding(*read), "{devices=[2,2]<=[4] last_tile_dims={manual}}");
  // Fields that none has, also inside; kinds that none is; a field that is written twice; no
  // message.
  for (std::string bytes : {"xx", "\x2a\x02xx",
                            "\x08"
                            "c",
                            "\x42\x01"
                            "c",
                            "\x08\x05\x08\x05", "{"})
    EXPECT_FALSE(parseHloShardingProto(bytes).ok()) << bytes;
}

TEST(WireTest, OtherBytesAreRejected) {
  const std::string message = "the bytes are no HloModuleProto, HloProto or HloSnapshot with "
                              "computations; they may be cut off";
  std::string bytes = data("mlp_tp.hlo.pb");
  for (const std::string &other :
       {std::string(), std::string("HloModule m"), bytes.substr(0, bytes.size() / 2)})
    EXPECT_EQ(parseHloProto(other).status().message(), message);
}

} // namespace
} // namespace spmd::hlo
