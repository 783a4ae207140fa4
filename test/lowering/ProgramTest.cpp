// Text, verifier, releases and serialisation of device programs.
#include "spmd/lowering/program/Peak.h"
#include "spmd/lowering/program/Releases.h"
#include "spmd/lowering/program/Serialization.h"

#include <gtest/gtest.h>

namespace spmd {
namespace {

TensorType f32(std::vector<int64_t> shape) { return {ElementType::f32, std::move(shape)}; }

/// main(x, y) = abs(x + y) with an unused negate of x in between.
DeviceProgram sample() {
  Function main;
  main.name = "main";
  main.values = {f32({2, 3}), f32({2, 3}), f32({2, 3}), f32({2, 3}), f32({2, 3})};
  main.numArguments = 2;
  main.instructions = {{"add", {0, 1}, {2}}, {"negate", {0}, {3}}, {"abs", {2}, {4}}};
  main.instructions[1].attributes = {{"note", std::string("a\n")},
                                     {"k", std::vector<double>{1, 2.5}},
                                     {"dims", std::vector<int64_t>{0, 1}},
                                     {"n", int64_t{-3}},
                                     {"flag", true},
                                     {"alpha", 2.0}};
  main.instructions[2].groups = 0;
  main.instructions[2].location = "file.py:3";
  main.results = {4};
  DeviceProgram program;
  program.name = "p";
  program.numDevices = 2;
  program.functions = {main};
  program.arguments = {{f32({4, 3}), "<[\"x\"=2]>", "[{\"x\"}, {}]", 0, "left", Known::sharding},
                       {f32({4, 3}), "<[\"x\"=2]>", "[{\"x\"}, {}]", -1, ""}};
  program.results = {{f32({4, 3}), "<[\"x\"=2]>", "[{\"x\"}, {}]", -1, ""}};
  program.groups = {{{0, 1}}};
  program.constants = {std::string("\0\1", 2)};
  return program;
}

TEST(ElementType, NamesRoundTrip) {
  for (int i = 0; i < numElementTypes; ++i) {
    auto type = static_cast<ElementType>(i);
    EXPECT_EQ(elementNamed(nameOf(type)), type);
  }
  EXPECT_EQ(elementNamed("f31"), std::nullopt);
  EXPECT_EQ(storedBytes(ElementType::i1), 1);
  EXPECT_EQ(storedBytes(ElementType::f6E2M3FN), 1);
  EXPECT_EQ(storedBytes(ElementType::complexF64), 16);
}

TEST(TensorType, Text) {
  EXPECT_EQ(f32({4, 8}).str(), "4x8xf32");
  EXPECT_EQ((TensorType{ElementType::complexF32, {}}).str(), "complex<f32>");
  EXPECT_EQ(checkedNumElements(f32({int64_t{1} << 40, int64_t{1} << 40})), -1);
  EXPECT_EQ(checkedNumElements(f32({-1})), -1);
}

TEST(Attributes, TypedAccess) {
  Attributes attributes = {{"b", int64_t{1}}, {"a", true}};
  EXPECT_EQ(attributes.begin()->first, "a");
  EXPECT_EQ(*attributes.get<int64_t>("b"), 1);
  EXPECT_EQ(*attributes.getOr<int64_t>("c", 7), 7);
  EXPECT_EQ(attributes.get<int64_t>("c").status().message(), "attribute 'c' is missing");
  EXPECT_EQ(attributes.get<int64_t>("a").status().message(),
            "attribute 'a' is a boolean; expected an integer");
}

TEST(DeviceProgram, Text) {
  DeviceProgram program = sample();
  planReleases(program);
  EXPECT_EQ(str(program), R"(program "p" on 2 devices
groups #0: [[0, 1]]
constant #0: 2 bytes
argument 0 "left": about 4x3xf32 on <["x"=2]> as [{"x"}, {}], donated to result 0
argument 1: 4x3xf32 on <["x"=2]> as [{"x"}, {}]
result 0: 4x3xf32 on <["x"=2]> as [{"x"}, {}]
entry function #0 "main"(%0: 2x3xf32, %1: 2x3xf32) {
  %2: 2x3xf32 = add(%0, %1)
  %3: 2x3xf32 = negate(%0) {alpha = 2.0, dims = [0, 1], flag = true, k = [1.0, 2.5], n = -3, note = "a\n"} release [%0, %3]
  %4: 2x3xf32 = abs(%2) groups #0 release [%2]
  return %4
}
)");
}

TEST(DeviceProgram, ProtoRoundTrip) {
  DeviceProgram program = sample();
  planReleases(program);
  absl::StatusOr<DeviceProgram> copy = deserialize(serialize(program));
  ASSERT_TRUE(copy.ok()) << copy.status();
  EXPECT_EQ(str(*copy), str(program));
  EXPECT_EQ(copy->constants, program.constants);
  EXPECT_EQ(copy->functions[0].instructions[2].location, "file.py:3");
}

TEST(DeviceProgram, MalformedProto) {
  EXPECT_EQ(deserialize("\xff\xff garbage").status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(deserialize("").status().message(), "program runs on 0 devices");
  proto::DeviceProgram message = toProto(sample());
  message.mutable_functions(0)->mutable_values(0)->set_element("f31");
  EXPECT_EQ(fromProto(message).status().message(), "\"f31\" is not an element type");
  message = toProto(sample());
  message.mutable_functions(0)->mutable_instructions(1)->mutable_attributes(0)->clear_value();
  EXPECT_EQ(fromProto(message).status().message(), "attribute 'alpha' has no value");
}

TEST(Verify, NamesWhatIsWrong) {
  auto messageAfter = [](auto change) {
    DeviceProgram program = sample();
    change(program);
    return std::string(verify(program).message());
  };
  EXPECT_EQ(messageAfter([](DeviceProgram &) {}), "");
  EXPECT_EQ(messageAfter([](DeviceProgram &p) { p.functions[0].instructions[0].operands[0] = 9; }),
            "function #0 \"main\": 'add': operand %9 is none of the 5 values");
  EXPECT_EQ(messageAfter([](DeviceProgram &p) { p.functions[0].instructions[0].operands[0] = 4; }),
            "function #0 \"main\": 'add': operand %4 is not defined yet");
  EXPECT_EQ(messageAfter([](DeviceProgram &p) { p.functions[0].instructions[0].results[0] = 1; }),
            "function #0 \"main\": 'add': result %1 is defined twice");
  EXPECT_EQ(messageAfter([](DeviceProgram &p) { p.functions[0].instructions[0].releases = {2}; }),
            "function #0 \"main\": 'abs' at file.py:3: operand %2 is already released");
  EXPECT_EQ(messageAfter([](DeviceProgram &p) { p.functions[0].instructions[0].functions = {0}; }),
            "function #0 \"main\" calls itself");
  EXPECT_EQ(messageAfter([](DeviceProgram &p) { p.groups[0][0][1] = 0; }),
            "groups #0 name device 0 twice");
  EXPECT_EQ(messageAfter([](DeviceProgram &p) { p.entry = 1; }),
            "entry function #1 is none of the 1");
  EXPECT_EQ(messageAfter([](DeviceProgram &p) { p.functions[0].values[1].shape[0] = -2; }),
            "function #0 \"main\": type -2x3xf32 of %1 has a negative size, or too many elements");
}

TEST(Releases, PeakCountsDonation) {
  DeviceProgram program = sample();
  planReleases(program);
  // x, y, x + y; the negate of x takes over its buffer; abs takes over that of the sum.
  EXPECT_EQ(peakBytes(program), 3 * 24);
  program.arguments[0].aliases = -1;
  planReleases(program);
  EXPECT_EQ(peakBytes(program), 4 * 24);
}

} // namespace
} // namespace spmd
