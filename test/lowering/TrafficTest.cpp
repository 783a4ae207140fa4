// What the devices send, through calls and loops.
#include "spmd/lowering/program/Traffic.h"

#include <gtest/gtest.h>

namespace spmd {
namespace {

/// A function of one f32[256] argument.
Function named(std::string name) {
  Function function;
  function.name = std::move(name);
  function.values = {{ElementType::f32, {256}}, {ElementType::f32, {256}}};
  function.numArguments = 1;
  function.results = {1};
  return function;
}

Function calling(int32_t callee) {
  Function function = named("caller");
  Instruction call{"call", {0}, {1}};
  call.functions = {callee};
  function.instructions = {call};
  return function;
}

/// `depth` functions, each of which calls the next; the last one adds over pairs of four devices.
DeviceProgram callChain(int32_t depth) {
  DeviceProgram program;
  program.numDevices = 4;
  program.groups = {{{0, 1}, {2, 3}}};
  for (int32_t i = 1; i < depth; ++i)
    program.functions.push_back(calling(i));
  Function last = named("last");
  Instruction allReduce{"all_reduce", {0}, {1}};
  allReduce.groups = 0;
  last.instructions = {allReduce};
  program.functions.push_back(last);
  return program;
}

TEST(Traffic, OfACallChainOfAnyDepth) {
  Traffic traffic = trafficOf(callChain(200'000)).at("all_reduce");
  EXPECT_EQ(traffic.count, 1);
  EXPECT_EQ(traffic.operandBytes, 1024);
  EXPECT_EQ(traffic.wireBytes, 1024); // 2 * 1024 * 1/2.
}

TEST(Traffic, OfALoopIsThatOfItsTrips) {
  DeviceProgram program = callChain(2);
  Instruction &loop = program.functions[0].instructions[0];
  loop.op = "while";
  loop.attributes = {{"trip_count", int64_t{7}}};
  EXPECT_EQ(trafficOf(program).at("all_reduce").count, 7);
  EXPECT_FALSE(trafficOf(program).at("all_reduce").hasUnknownTrips);
  loop.attributes = {};
  EXPECT_EQ(trafficOf(program).at("all_reduce").count, 1);
  EXPECT_TRUE(trafficOf(program).at("all_reduce").hasUnknownTrips);
}

} // namespace
} // namespace spmd
