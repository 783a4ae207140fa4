// Calls: what is put in place, what stays, and that the results stay the same.
#include "spmd/test/lowering/Programs.h"

#include "spmd/lowering/compile/Inline.h"

namespace spmd::test {
namespace {

/// Inlines, and expects the same results as without, bit for bit, on every device.
void expectSame(DeviceProgram &program, const std::vector<Tensor> &arguments) {
  DeviceProgram apart = program;
  inlineCalls(program);
  ASSERT_TRUE(verify(program).ok()) << verify(program) << str(program);
  std::vector<std::vector<Tensor>> all(program.numDevices, arguments);
  auto before = run(apart, all), after = run(program, all);
  ASSERT_TRUE(before.ok()) << before.status();
  ASSERT_TRUE(after.ok()) << after.status() << str(program);
  for (size_t device = 0; device < all.size(); ++device)
    for (size_t i = 0; i < (*before)[device].size(); ++i)
      EXPECT_TRUE(identical((*before)[device][i], (*after)[device][i])) << "result " << i;
}

int64_t countOf(const Function &function, const std::string &op) {
  return std::count_if(function.instructions.begin(), function.instructions.end(),
                       [&](const Instruction &instruction) { return instruction.op == op; });
}

/// (%0, %1) -> (%0 - %1, %0): results may be arguments.
Function difference() {
  FunctionBuilder body("difference", {f32({3}), f32({3})});
  ValueId result = body.add("subtract", {0, 1}, {f32({3})});
  return body.returning({result, 0});
}

/// A chain of `length` additions of its argument to itself.
Function doublings(int64_t length) {
  FunctionBuilder body("doublings", {f32({3})});
  ValueId value = 0;
  for (int64_t i = 0; i < length; ++i)
    value = body.add("add", {value, value}, {f32({3})});
  return body.returning({value});
}

TEST(Inline, ArgumentsAndResultsAreRenamed) {
  FunctionBuilder main("main", {f32({3}), f32({3})});
  ValueId first = main.add("call", {0, 1}, {f32({3}), f32({3})}, {}, {1});
  ValueId second = main.add("call", {1, first}, {f32({3}), f32({3})}, {}, {1});
  ValueId product = main.add("multiply", {second, first + 1}, {f32({3})});
  DeviceProgram program;
  program.functions = {main.returning({product, second + 1, first, first}), difference()};
  expectSame(program, {randomF32({3}, 1), randomF32({3}, 2)});
  EXPECT_EQ(countOf(program.functions[0], "call"), 0);
  EXPECT_EQ(countOf(program.functions[0], "subtract"), 2);
  EXPECT_TRUE(program.functions[1].instructions.empty()); // Nothing runs it any more.
}

TEST(Inline, LargeFunctionGoesToOnePlaceOnly) {
  for (int calls : {1, 2}) {
    FunctionBuilder main("main", {f32({3})});
    ValueId value = 0;
    for (int i = 0; i < calls; ++i)
      value = main.add("call", {value}, {f32({3})}, {}, {1});
    DeviceProgram program;
    program.functions = {main.returning({value}), doublings(33)};
    expectSame(program, {randomF32({3}, 1)});
    EXPECT_EQ(countOf(program.functions[0], "call"), calls == 1 ? 0 : 2);
    EXPECT_EQ(program.functions[1].instructions.empty(), calls == 1);
  }
}

TEST(Inline, ChainOfCallsGrowsNoFurtherThanTheLimit) {
  // Each calls the next twice: without a limit the first would have 2^12 instructions.
  DeviceProgram program;
  constexpr int32_t depth = 12;
  for (int32_t i = 0; i < depth; ++i) {
    FunctionBuilder body("level", {f32({3})});
    ValueId once = body.add("call", {0}, {f32({3})}, {}, {i + 1});
    ValueId twice = body.add("call", {once}, {f32({3})}, {}, {i + 1});
    program.functions.push_back(body.returning({twice}));
  }
  program.functions.push_back(doublings(1));
  expectSame(program, {randomF32({3}, 1)});
  for (const Function &function : program.functions)
    EXPECT_LE(function.instructions.size(), 64u);
}

TEST(Inline, CollectivesAndLoopsMove) {
  // A loop in a callee, of which the body calls what meets: while (%0 < 3) { %0 + 1, sum of all %1
  // }.
  FunctionBuilder condition("condition", {f32(), f32({3})});
  ValueId three = condition.add("constant", {}, {f32()}, {{"pool", int64_t{0}}, {"splat", true}});
  ValueId less = condition.add("compare", {0, three}, {type(ElementType::i1)},
                               {{"comparison_direction", std::string("LT")}});
  FunctionBuilder body("body", {f32(), f32({3})});
  ValueId one = body.add("constant", {}, {f32()}, {{"pool", int64_t{1}}, {"splat", true}});
  ValueId next = body.add("add", {0, one}, {f32()});
  ValueId met = body.add("call", {1}, {f32({3})}, {}, {4});
  FunctionBuilder meeting("meeting", {f32({3})});
  ValueId sum = meeting.add("all_reduce", {0}, {f32({3})}, {}, {5});
  FunctionBuilder looping("looping", {f32(), f32({3})});
  ValueId looped = looping.add("while", {0, 1}, {f32(), f32({3})}, {}, {2, 3});
  FunctionBuilder main("main", {f32(), f32({3})});
  ValueId result = main.add("call", {0, 1}, {f32(), f32({3})}, {}, {1});

  DeviceProgram program;
  program.numDevices = 2;
  float limits[] = {3, 1};
  for (float limit : limits)
    program.constants.emplace_back(reinterpret_cast<const char *>(&limit), sizeof(limit));
  program.functions = {main.returning({result, result + 1}),
                       looping.returning({looped, looped + 1}),
                       condition.returning({less}),
                       body.returning({next, met}),
                       meeting.returning({sum}),
                       binaryBody("add", f32())};
  expectSame(program, {*Tensor::zeros(TypeRef(f32())), randomF32({3}, 1)});
  EXPECT_EQ(countOf(program.functions[0], "while"), 1);
  EXPECT_EQ(countOf(program.functions[3], "all_reduce"), 1);
}

TEST(Inline, RecursionIsLeftToTheVerifier) {
  DeviceProgram program;
  FunctionBuilder main("main", {f32()});
  ValueId value = main.add("call", {0}, {f32()}, {}, {0});
  program.functions = {main.returning({value})};
  inlineCalls(program);
  EXPECT_EQ(countOf(program.functions[0], "call"), 1);
  EXPECT_FALSE(verify(program).ok());
}

} // namespace
} // namespace spmd::test
