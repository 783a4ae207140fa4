// The estimated work of instructions.
#include "spmd/lowering/program/Work.h"

#include <gtest/gtest.h>

namespace spmd {
namespace {

using Ints = std::vector<int64_t>;

/// Returns the work of `op` on operands and one result of the given shapes.
int64_t workOfOp(std::string op, const std::vector<Ints> &shapes, Attributes attributes = {},
                 int bodyLength = 0) {
  DeviceProgram program;
  Function function;
  Instruction instruction;
  instruction.op = std::move(op);
  instruction.attributes = std::move(attributes);
  for (size_t i = 0; i < shapes.size(); ++i) {
    function.values.push_back({ElementType::f32, shapes[i]});
    bool isResult = i + 1 == shapes.size();
    (isResult ? instruction.results : instruction.operands).push_back(static_cast<ValueId>(i));
  }
  if (bodyLength > 0) {
    instruction.functions = {0};
    program.functions.resize(1);
    program.functions[0].instructions.resize(bodyLength);
  }
  return workOf(program, function, instruction) - workToStart;
}

TEST(Work, CountsElementsOfOperandsAndResults) {
  EXPECT_EQ(workOfOp("add", {{2, 3}, {2, 3}, {2, 3}}), 18);
  EXPECT_EQ(workOfOp("iota", {{5}}), 5);
  EXPECT_EQ(workOfOp("map", {{5}, {5}}, {}, /*bodyLength=*/3), 40);
}

TEST(Work, OfAProductCountsTheContractedDims) {
  EXPECT_EQ(
      workOfOp("dot_general", {{2, 3}, {3, 5}, {2, 5}}, {{"lhs_contracting_dimensions", Ints{1}}}),
      6 + 15 + 10 + 10 * 3);
  EXPECT_EQ(workOfOp("convolution", {{1, 8, 2}, {3, 2, 4}, {1, 6, 4}},
                     {{"kernel_output_feature_dimension", int64_t{2}}}),
            16 + 24 + 24 + 24 * 6);
}

TEST(Work, OfWindowsCountsPadding) {
  EXPECT_EQ(workOfOp("reduce_window", {{4}, {}, {5}},
                     {{"window_dimensions", Ints{3}}, {"padding", Ints{2, 1}}}),
            7 + 5 * 3);
}

TEST(Work, OfAFrameIsThatOfItsInstructions) {
  EXPECT_EQ(workOfOp("while", {{1000}, {1000}}, {}, /*bodyLength=*/3), 0);
}

TEST(Work, Saturates) {
  Ints large = {int64_t{1} << 59};
  EXPECT_EQ(workOfOp("map", {large, large}, {}, /*bodyLength=*/1000) + workToStart,
            int64_t{1} << 62);
  EXPECT_EQ(
      workOfOp("dot_general", {large, large, {1}}, {{"lhs_contracting_dimensions", Ints{0, 7}}}),
      3 * (int64_t{1} << 59) + 1);
}

} // namespace
} // namespace spmd
