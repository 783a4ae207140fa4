// Denormal numbers: where they are zeros, by the mode of the run.
#include "Programs.h"

#include "spmd/lowering/interpreter/Denormals.h"

#include <cmath>

namespace spmd::test {
namespace {

using E = ElementType;

const float least = std::numeric_limits<float>::min(), tiny = least / 4;

/// Runs one instruction on one device in the given mode; on a helper thread too, as of two.
template <typename R>
std::vector<R> runAs(Denormals mode, std::string op, std::vector<Tensor> operands,
                     TensorType result, Attributes attributes = {},
                     std::vector<Function> bodies = {}) {
  std::vector<TensorType> types;
  std::vector<ValueId> ids;
  for (const Tensor &operand : operands) {
    ids.push_back(ids.size());
    types.push_back(operand.type());
  }
  FunctionBuilder main("main", types);
  std::vector<int32_t> functions;
  for (size_t i = 0; i < bodies.size(); ++i)
    functions.push_back(i + 1);
  ValueId id = main.add(op, ids, {result}, std::move(attributes), functions);
  DeviceProgram program;
  program.numDevices = 4;
  program.functions.push_back(main.returning({id}));
  for (Function &body : bodies)
    program.functions.push_back(std::move(body));
  planReleases(program);
  auto executable = Executable::prepare(program, builtins());
  EXPECT_TRUE(executable.ok()) << executable.status();
  std::vector<std::vector<Tensor>> arguments(4, operands);
  auto results = executable->run(arguments, {/*threads=*/2, mode});
  EXPECT_TRUE(results.ok()) << results.status();
  for (int device = 1; device < 4; ++device)
    EXPECT_EQ(elementsOf<R>((*results)[device][0]), elementsOf<R>((*results)[0][0]));
  return elementsOf<R>((*results)[0][0]);
}

Tensor floats(std::vector<float> values) {
  return Tensor::of(E::f32, {static_cast<int64_t>(values.size())}, values);
}

TEST(Denormals, AreZerosInComparisonsByDefault) {
  EXPECT_EQ(RunOptions().denormals, Denormals::zeroInComparisons);
  Tensor a = floats({tiny, -tiny, tiny, least, tiny}), b = floats({0, 0, -tiny, 0, least});
  TensorType bits = type(E::i1, {5});
  auto compared = [&](Denormals mode, const char *direction, const char *kind) {
    return runAs<uint8_t>(
        mode, "compare", {a, b}, bits,
        {{"comparison_direction", std::string(direction)}, {"compare_type", std::string(kind)}});
  };
  using Bits = std::vector<uint8_t>;
  for (Denormals mode : {Denormals::zeroInComparisons, Denormals::flush}) {
    EXPECT_EQ(compared(mode, "EQ", "FLOAT"), (Bits{1, 1, 1, 0, 0}));
    EXPECT_EQ(compared(mode, "GT", "FLOAT"), (Bits{0, 0, 0, 1, 0}));
    EXPECT_EQ(compared(mode, "GT", "TOTALORDER"), (Bits{1, 0, 1, 1, 0}));
    EXPECT_EQ(runAs<uint8_t>(mode, "convert", {a}, bits), (Bits{0, 0, 0, 1, 0}));
    EXPECT_EQ(runAs<float>(mode, "sign", {a}, a.type()), (std::vector<float>{0, 0, 0, 1, 0}));
  }
  EXPECT_EQ(compared(Denormals::keep, "EQ", "FLOAT"), (Bits{0, 0, 0, 0, 0}));
  EXPECT_EQ(compared(Denormals::keep, "GT", "FLOAT"), (Bits{1, 0, 1, 1, 0}));
  EXPECT_EQ(runAs<uint8_t>(Denormals::keep, "convert", {a}, bits), (Bits{1, 1, 1, 1, 1}));
  EXPECT_EQ(runAs<float>(Denormals::keep, "sign", {a}, a.type()),
            (std::vector<float>{1, -1, 1, 1, 1}));
}

TEST(Denormals, AreNumbersInArithmeticUnlessFlushed) {
  Tensor a = floats({tiny, least}), b = floats({tiny, 0.25f});
  for (Denormals mode : {Denormals::zeroInComparisons, Denormals::keep}) {
    EXPECT_EQ(runAs<float>(mode, "add", {a, b}, a.type()), (std::vector<float>{2 * tiny, 0.25f}));
    EXPECT_EQ(runAs<float>(mode, "multiply", {a, b}, a.type()), (std::vector<float>{0, tiny}));
  }
#if defined(__x86_64__) || defined(__aarch64__)
  EXPECT_EQ(runAs<float>(Denormals::flush, "add", {a, b}, a.type()),
            (std::vector<float>{0, 0.25f}));
  EXPECT_EQ(runAs<float>(Denormals::flush, "multiply", {a, b}, a.type()),
            (std::vector<float>{0, 0}));
#endif
  // Nothing of it is left on this thread.
  volatile float two = 2;
  EXPECT_EQ(tiny * two, least / 2);
}

TEST(Denormals, AreMovedAsTheyAre) {
  Tensor a = floats({tiny, -tiny, least, 0});
  EXPECT_EQ(runAs<float>(Denormals::flush, "reverse", {a}, a.type(), {{"dimensions", Ints{0}}}),
            (std::vector<float>{0, least, -tiny, tiny}));
  // The least f8E8M0FNU is a denormal f32, and the format has no zero.
  Tensor exponents = Tensor::of<uint8_t>(E::f8E8M0FNU, {2}, {0, 127});
  EXPECT_EQ(runAs<uint8_t>(Denormals::flush, "convert", {exponents}, exponents.type()),
            (std::vector<uint8_t>{0, 127}));
}

TEST(Denormals, KeepTheirPlacesInASort) {
  Tensor a = floats({tiny, 0, -tiny, -least, least, -0.0f});
  FunctionBuilder body("comparator", {type(E::f32), type(E::f32)});
  ValueId result =
      body.add("compare", {0, 1}, {type(E::i1)}, {{"comparison_direction", std::string("LT")}});
  Function comparator = body.returning({result});
  auto sorted = [&](Denormals mode) {
    return runAs<float>(mode, "sort", {a}, a.type(), {{"dimension", int64_t{0}}}, {comparator});
  };
  EXPECT_EQ(sorted(Denormals::zeroInComparisons),
            (std::vector<float>{-least, tiny, 0, -tiny, 0, least}));
  EXPECT_EQ(sorted(Denormals::keep), (std::vector<float>{-least, -tiny, 0, 0, tiny, least}));
}

} // namespace
} // namespace spmd::test
