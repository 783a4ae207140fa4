// What the floats on the way to a result were rounded to.
#include "spmd/lowering/program/Exactness.h"

#include <gtest/gtest.h>

namespace spmd {
namespace {

using E = ElementType;

/// A program of one function, whose values have `types`; the last is the result.
DeviceProgram programOf(std::vector<E> types, std::vector<Instruction> instructions) {
  Function function;
  for (E type : types)
    function.values.push_back({type, {4}});
  function.numArguments = 1;
  function.instructions = std::move(instructions);
  function.results = {static_cast<ValueId>(types.size() - 1)};
  DeviceProgram program;
  program.functions = {function};
  return program;
}

E leastOf(const DeviceProgram &program) { return exactnessOf(program).at(0).leastExact; }

bool isOfSums(const DeviceProgram &program) { return exactnessOf(program).at(0).isOfSums; }

TEST(Exactness, WhatIsMovedOrComputedElementByElementIsExact) {
  EXPECT_EQ(
      leastOf(programOf({E::f32, E::bf16, E::f32}, {{"convert", {0}, {1}}, {"convert", {1}, {2}}})),
      E::f32);
}

TEST(Exactness, RoundingBehindASumCounts) {
  std::vector<Instruction> ops = {{"reduce", {0}, {1}}, {"convert", {1}, {2}}, {"add", {2}, {3}}};
  EXPECT_EQ(leastOf(programOf({E::f32, E::f32, E::bf16, E::bf16}, ops)), E::bf16);
  ops[2].op = "convert";
  EXPECT_EQ(leastOf(programOf({E::f32, E::f32, E::bf16, E::f32}, ops)), E::bf16);
  EXPECT_EQ(leastOf(programOf({E::f32, E::f16, E::bf16, E::f64}, ops)), E::bf16);
}

TEST(Exactness, RoundingBeforeASumDoesNotCount) {
  EXPECT_EQ(leastOf(programOf({E::f32, E::bf16, E::f32},
                              {{"convert", {0}, {1}}, {"dot_general", {1, 1}, {2}}})),
            E::f32);
}

TEST(Exactness, TellsWhetherAnythingWasSummedUp) {
  EXPECT_FALSE(isOfSums(programOf({E::f32, E::bf16}, {{"convert", {0}, {1}}})));
  EXPECT_TRUE(isOfSums(programOf({E::f32, E::f32}, {{"reduce", {0}, {1}}})));
}

TEST(Exactness, IntegersHandItOn) {
  EXPECT_EQ(
      leastOf(programOf({E::bf16, E::bf16, E::i32, E::f32},
                        {{"reduce", {0}, {1}}, {"convert", {1}, {2}}, {"convert", {2}, {3}}})),
      E::bf16);
  EXPECT_EQ(
      leastOf(programOf({E::bf16, E::bf16, E::i32}, {{"reduce", {0}, {1}}, {"convert", {1}, {2}}})),
      E::i32);
}

TEST(Exactness, GoesRoundLoops) {
  // carry: f32; the body sums into f16 and back.
  DeviceProgram program = programOf({E::f32, E::f32}, {{"while", {0}, {1}}});
  program.functions[0].instructions[0].functions = {1, 2};
  Function condition = programOf({E::f32, E::i1}, {{"compare", {0, 0}, {1}}}).functions[0];
  Function body =
      programOf({E::f32, E::f16, E::f32}, {{"convert", {0}, {1}}, {"convert", {1}, {2}}})
          .functions[0];
  program.functions.push_back(condition);
  program.functions.push_back(body);
  EXPECT_EQ(leastOf(program), E::f32); // No sum anywhere.
  program.functions[2].values.push_back({E::f32, {4}});
  program.functions[2].instructions.push_back({"reduce", {2}, {3}});
  program.functions[2].results = {3};
  EXPECT_EQ(leastOf(program), E::f16); // The sum of one round is rounded in the next.
}

TEST(Exactness, GoesThroughBranchesAndFusedSteps) {
  DeviceProgram program =
      programOf({E::f32, E::f32, E::f32}, {{"reduce", {0}, {1}}, {"fused", {1}, {2}}});
  Function steps =
      programOf({E::f32, E::bf16, E::f32}, {{"convert", {0}, {1}}, {"convert", {1}, {2}}})
          .functions[0];
  program.functions[0].instructions[1].functions = {1};
  program.functions.push_back(steps);
  EXPECT_EQ(leastOf(program), E::bf16);
  program.functions[0].instructions[1] = {"if", {0, 1}, {2}};
  program.functions[0].instructions[1].functions = {1, 1};
  EXPECT_EQ(leastOf(program), E::bf16);
}

TEST(Exactness, GoesThroughCells) {
  EXPECT_EQ(
      leastOf(programOf({E::bf16, E::bf16, E::bf16, E::bf16, E::f32}, {{"buffer_alloc", {}, {1}},
                                                                       {"reduce", {0}, {2}},
                                                                       {"buffer_store", {1, 2}, {}},
                                                                       {"buffer_load", {1}, {3}},
                                                                       {"convert", {3}, {4}}})),
      E::bf16);
}

TEST(Exactness, DeepChainsOfCalls) {
  DeviceProgram program;
  constexpr int32_t depth = 100'000;
  for (int32_t i = 0; i < depth; ++i) {
    Function function = programOf({E::f32, E::f32}, {{"call", {0}, {1}}}).functions[0];
    function.instructions[0].functions = {i + 1};
    program.functions.push_back(function);
  }
  program.functions.push_back(
      programOf({E::f32, E::f32, E::bf16, E::f32},
                {{"reduce", {0}, {1}}, {"convert", {1}, {2}}, {"convert", {2}, {3}}})
          .functions[0]);
  EXPECT_EQ(leastOf(program), E::bf16);
}

} // namespace
} // namespace spmd
