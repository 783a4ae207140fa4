// The judge: what is right is told from what is wrong by a program's own rounding.
#include "spmd/lowering/equality/Judge.h"
#include "spmd/lowering/equality/Widen.h"
#include "spmd/lowering/interpreter/Elements.h"
#include "spmd/lowering/interpreter/kernels/Kernels.h"
#include "spmd/test/lowering/Programs.h"

#include <cmath>

namespace spmd::test {
namespace {

using E = ElementType;

/// Runs one step on f64, of `in` and, if it has two operands, of 0.75 + `in`.
std::vector<double> runStep(const char *op, Attributes attributes, const std::vector<double> &in,
                            const Arithmetic *arithmetic = nullptr, bool isBinary = false) {
  TensorType wide = type(E::f64, {static_cast<int64_t>(in.size())});
  FunctionBuilder main("main", {wide, wide});
  std::vector<ValueId> operands = {0};
  if (isBinary)
    operands.push_back(1);
  ValueId result = main.add(op, operands, {wide}, std::move(attributes));
  DeviceProgram program;
  program.functions = {main.returning({result})};
  planReleases(program.functions[0]);
  RunOptions options;
  options.arithmetic = arithmetic;
  auto executable = Executable::prepare(program, builtins());
  EXPECT_TRUE(executable.ok()) << executable.status();
  std::vector<double> second = in;
  for (double &each : second)
    each += 0.75;
  auto results = executable->run(
      {{Tensor::of(E::f64, wide.shape, in), Tensor::of(E::f64, wide.shape, second)}}, options);
  EXPECT_TRUE(results.ok()) << results.status();
  std::vector<double> out;
  for (std::complex<double> element : toComplexDoubles((*results)[0][0]))
    out.push_back(element.real());
  return out;
}

Attributes ofType(E element) { return {{"type", static_cast<int64_t>(element)}}; }

/// Runs a function with and without the attribute `by_vectors`, on elements that fill no vector.
void expectNearByVectors(const char *op, double least, double most, bool isBinary = false) {
  std::vector<double> in = {least,
                            most,
                            0.0,
                            -0.0,
                            1e300,
                            std::numeric_limits<double>::infinity(),
                            std::numeric_limits<double>::quiet_NaN()};
  for (int i = 0; i < 1000; ++i)
    in.push_back(least + (most - least) * i / 999);
  std::vector<double> exact = runStep(op, {}, in, nullptr, isBinary),
                      fast = runStep(op, {{"by_vectors", true}}, in, nullptr, isBinary);
  for (size_t i = 0; i < in.size(); ++i) {
    EXPECT_EQ(std::isnan(exact[i]), std::isnan(fast[i])) << op << " of " << in[i];
    if (std::isfinite(exact[i]))
      EXPECT_NEAR(fast[i], exact[i], 4 * 0x1p-52 * std::fabs(exact[i])) << op << " of " << in[i];
    else if (!std::isnan(exact[i]))
      EXPECT_EQ(fast[i], exact[i]) << op << " of " << in[i];
    // The same wherever the element is.
    double alone = runStep(op, {{"by_vectors", true}}, {in[i]}, nullptr, isBinary)[0];
    EXPECT_TRUE(alone == fast[i] || std::isnan(alone)) << op << " of " << in[i];
  }
}

TEST(ByVectors, FunctionsAreAFewUlpsOffAndTheSameInAnyPlace) {
  for (const char *op : {"cbrt", "cosine", "sine", "tan", "tanh", "exponential_minus_one"})
    expectNearByVectors(op, -10, 10);
  expectNearByVectors("exponential", -800, 800);
  expectNearByVectors("logistic", -50, 50);
  expectNearByVectors("log", 0, 100);
  expectNearByVectors("log_plus_one", -1, 100);
  expectNearByVectors("atan2", -10, 10, /*isBinary=*/true);
  expectNearByVectors("power", -10, 10, /*isBinary=*/true);
}

TEST(RoundResult, KeepsPrecisionInTheRangeOfTheType) {
  const double third = 1.0 / 3, infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(
      runStep("round_result", ofType(E::f16), {third, 65519, 65520, -1e6, 0x1p-25, 0x1.1p-25}),
      (std::vector<double>{third, 65519, infinity, -infinity, 0, 0x1.1p-25}));
  EXPECT_EQ(runStep("round_result", ofType(E::f32), {third, 1e39, 1e-50}),
            (std::vector<double>{third, infinity, 0}));
  EXPECT_TRUE(std::isnan(runStep("round_result", ofType(E::f8E4M3FN), {1000})[0]));
}

TEST(RoundResult, AtRandomGoesToANeighbourAndToTheNumberOnAverage) {
  Arithmetic random;
  random.rounding = Arithmetic::Rounding::ownType;
  random.seed = 7;
  const double ulp = 0x1p-7, number = 1 + 0.3 * ulp; // Of bf16, near 1.
  std::vector<double> rounded =
      runStep("round_result", ofType(E::bf16), std::vector<double>(20000, number), &random);
  double sum = 0;
  for (double each : rounded) {
    EXPECT_TRUE(each == 1 || each == 1 + ulp) << each;
    sum += each;
  }
  EXPECT_NEAR((sum / 20000 - 1) / ulp, 0.3, 0.02);
}

TEST(RoundResult, AtRandomKeepsWhatTheTypeHas) {
  Arithmetic random;
  random.rounding = Arithmetic::Rounding::ownType;
  std::vector<double> exact = {0, 1, -3.5, 65504, 0x1p-24, 1.0009765625};
  EXPECT_EQ(runStep("round_result", ofType(E::f16), exact, &random), exact);
}

TEST(RoundResult, KeepsTheBitsThatF128HasMore) {
  TensorType wide = type(E::f128, {1});
  FunctionBuilder main("main", {wide});
  ValueId result = main.add("round_result", {0}, {wide}, ofType(E::f64));
  DeviceProgram program;
  program.functions = {main.returning({result})};
  planReleases(program.functions[0]);
  auto executable = Executable::prepare(program, builtins());
  ASSERT_TRUE(executable.ok()) << executable.status();
  auto rounded = [&](Float128 x, const Arithmetic *arithmetic) {
    RunOptions options;
    options.arithmetic = arithmetic;
    Tensor in = Tensor::of<Float128>(E::f128, wide.shape, {x});
    auto results = executable->run({{in}}, options);
    EXPECT_TRUE(results.ok()) << results.status();
    return (*results)[0][0].as<Float128>()[0];
  };
  const Float128 third = Float128(1) / 3;
  EXPECT_TRUE(rounded(third, nullptr) == third);
  EXPECT_TRUE(rounded(Float128(1e308) * 2, nullptr) == std::numeric_limits<double>::infinity());
  Arithmetic random;
  random.rounding = Arithmetic::Rounding::ownType;
  Float128 once = rounded(third, &random); // A neighbour of a third in f64.
  EXPECT_TRUE(Float128(static_cast<double>(once)) == once);
  EXPECT_LT(static_cast<double>(math::abs(once - third)), 0x1p-54);
  random.rounding = Arithmetic::Rounding::uniform;
  random.uniformBits = 97;
  once = rounded(third, &random);
  EXPECT_FALSE(once == third);
  EXPECT_LT(static_cast<double>(math::abs(once - third)), 0x1p-98);
}

TEST(RoundResult, AtRandomKeepsZeroAndWhatIsNotFinite) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const std::vector<double> in = {0, -infinity, 0, infinity, 0, -infinity, 0, infinity, -infinity};
  for (auto rounding : {Arithmetic::Rounding::ownType, Arithmetic::Rounding::uniform})
    for (E element : {E::f32, E::bf16, E::f16, E::f64})
      for (double error : {0.0, 1e-7}) {
        Arithmetic random;
        random.rounding = rounding;
        random.scale = 4;
        Attributes attributes = ofType(element);
        attributes.set("sum_error", error);
        attributes.set("sum_units", error);
        attributes.set("extra_ulps", error * 1e8);
        std::vector<double> out = runStep("round_result", attributes, in, &random);
        EXPECT_EQ(out, in) << nameOf(element);
        EXPECT_TRUE(std::isnan(runStep("round_result", attributes, {NAN}, &random)[0]));
      }
}

TEST(RoundResult, FollowsItsSeed) {
  Arithmetic random;
  random.rounding = Arithmetic::Rounding::ownType;
  std::vector<double> numbers(100, 1.0 / 3);
  std::vector<double> first = runStep("round_result", ofType(E::f32), numbers, &random);
  EXPECT_EQ(runStep("round_result", ofType(E::f32), numbers, &random), first);
  random.seed = 1;
  EXPECT_NE(runStep("round_result", ofType(E::f32), numbers, &random), first);
}

TEST(Widen, RoundsWhereTheProgramRounds) {
  FunctionBuilder main("main", {type(E::bf16, {4}), type(E::bf16, {4}), type(E::i32, {4})});
  ValueId sum = main.add("add", {0, 1}, {type(E::bf16, {4})});
  ValueId larger = main.add("maximum", {sum, 0}, {type(E::bf16, {4})});
  ValueId counted = main.add("add", {2, 2}, {type(E::i32, {4})});
  DeviceProgram program;
  program.functions = {main.returning({larger, counted})};
  const DeviceProgram widened = widen(program, 1, wideTypeFor(program));
  const Function &wide = widened.functions[0];
  std::vector<std::string> ops;
  for (const Instruction &instruction : wide.instructions)
    ops.push_back(instruction.op);
  EXPECT_EQ(ops, (std::vector<std::string>{"add", "round_result", "maximum", "add"}));
  EXPECT_EQ(wide.values[wide.results[0]].element, E::f64);
  EXPECT_EQ(wide.values[wide.results[1]].element, E::i32);
}

TEST(Widen, RunsInF128WhereTheProgramRoundsInF64) {
  auto converting = [](const char *op) {
    FunctionBuilder main("main", {type(E::f32, {4})});
    ValueId wide = main.add("convert", {0}, {type(E::f64, {4})});
    ValueId result = main.add(op, {wide}, {type(E::f64, {4})});
    DeviceProgram program;
    program.functions = {main.returning({result})};
    return program;
  };
  EXPECT_EQ(wideTypeFor(converting("negate")), E::f64);
  DeviceProgram program = converting("sqrt");
  EXPECT_EQ(wideTypeFor(program), E::f128);
  const DeviceProgram widened = widen(program, 1, E::f128);
  const Function &wide = widened.functions[0];
  for (const TensorType &value : wide.values)
    EXPECT_EQ(value.element, E::f128);
  std::vector<std::string> ops;
  for (const Instruction &instruction : wide.instructions)
    ops.push_back(instruction.op);
  EXPECT_EQ(ops, (std::vector<std::string>{"sqrt", "round_result"}));
}

TEST(Widen, LibrariesComputeInF64) {
  FunctionBuilder main("main", {type(E::f64, {2, 2})});
  ValueId result = main.add("cholesky", {0}, {type(E::f64, {2, 2})}, {{"lower", true}});
  DeviceProgram program;
  program.functions = {main.returning({result})};
  const DeviceProgram widened = widen(program, 1, E::f128);
  const Function &wide = widened.functions[0];
  std::vector<std::string> ops;
  for (const Instruction &instruction : wide.instructions) {
    ops.push_back(instruction.op);
    E element = wide.values[instruction.results[0]].element;
    bool isInF64 = instruction.op == "cholesky" || ops.size() == 2;
    EXPECT_EQ(element, isInF64 ? E::f64 : E::f128) << instruction.op;
  }
  EXPECT_EQ(ops, (std::vector<std::string>{"perturb_terms", "convert", "cholesky", "convert",
                                           "round_result"}));
}

/// main(x, y) = x - rate * sum over rows of (y * y)
DeviceProgram update(double rate, int64_t rows = 100) {
  DeviceProgram program;
  FunctionBuilder main("main", {f32({8}), f32({rows, 8})});
  auto constant = [&](float value) {
    program.constants.emplace_back(reinterpret_cast<const char *>(&value), sizeof(value));
    return static_cast<int64_t>(program.constants.size() - 1);
  };
  ValueId zero = main.add("constant", {}, {f32()}, {{"pool", constant(0)}});
  ValueId factor = main.add("constant", {}, {f32({8})},
                            {{"pool", constant(static_cast<float>(rate))}, {"splat", true}});
  ValueId square = main.add("multiply", {1, 1}, {f32({rows, 8})});
  ValueId sum = main.add("reduce", {square, zero}, {f32({8})}, {{"dimensions", Ints{0}}}, {1});
  ValueId step = main.add("multiply", {sum, factor}, {f32({8})});
  ValueId result = main.add("subtract", {0, step}, {f32({8})});
  program.functions = {main.returning({result}), binaryBody("add", f32())};
  for (int i = 0; i < 2; ++i)
    program.arguments.push_back({program.functions[0].values[i], "<[]>", i ? "[{}, {}]" : "[{}]"});
  program.results = {{f32({8}), "<[]>", "[{}]"}};
  return program;
}

std::vector<Tensor> arguments(int64_t rows = 100) {
  std::mt19937 generator(3);
  std::normal_distribution<float> normal;
  std::vector<float> x(8), y(8 * rows);
  for (float &each : x)
    each = normal(generator);
  for (float &each : y)
    each = normal(generator);
  return {Tensor::of(E::f32, {8}, x), Tensor::of(E::f32, {rows, 8}, y)};
}

Judge judgeOf(const DeviceProgram &program, const DeviceProgram &partitioned) {
  auto judge = Judge::create(program, &partitioned, builtins(), arguments(), JudgeOptions());
  EXPECT_TRUE(judge.ok()) << judge.status();
  return *std::move(judge);
}

TEST(Judge, TheSameProgramIsTheSameFunction) {
  auto report = judgeOf(update(1e-3), update(1e-3)).samePartitioned();
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_EQ(report->verdict(), Verdict::yes);
}

TEST(Judge, AProgramThatDiffersByAMillionthOfAnUpdateIsNot) {
  auto report = judgeOf(update(1e-3), update(1e-3 * (1 + 1e-6))).samePartitioned();
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_EQ(report->verdict(), Verdict::no);
  EXPECT_EQ(report->results[0].numDifferent, 8);
}

/// Returns the verdict on results of which element 3 is changed by `change`, in ulps of 1.
Verdict verdictOn(double change) {
  Judge judge = judgeOf(update(1e-3), update(1e-3));
  std::vector<float> elements(judge.results()[0].as<float>(), judge.results()[0].as<float>() + 8);
  elements[3] += static_cast<float>(change * 0x1p-23);
  auto report = judge.given({Tensor::of(E::f32, {8}, elements)}, Judge::Given::isResult);
  EXPECT_TRUE(report.ok()) << report.status();
  return report->verdict();
}

TEST(Judge, AllowsWhatRoundingMakesOfEachElement) {
  EXPECT_EQ(verdictOn(0), Verdict::yes);
  EXPECT_EQ(verdictOn(1), Verdict::yes);
  EXPECT_EQ(verdictOn(16), Verdict::no);
}

TEST(Judge, StatesTheResolutionOfAnUpdate) {
  Judge judge = judgeOf(update(1e-3), update(1e-3));
  auto report = judge.given(judge.results(), Judge::Given::isResult);
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_EQ(report->results[0].updatedArgument, 0);
  ASSERT_TRUE(report->results[0].updateResolution);
  EXPECT_LT(*report->results[0].updateResolution, 1e-4);
  EXPECT_GT(*report->results[0].updateResolution, report->results[0].resolution);
}

TEST(Judge, TakesARunThatHasRecordedItsChoices) {
  DeviceProgram program = update(1e-3);
  auto prepared = RecordedRun::prepare(program, builtins());
  ASSERT_TRUE(prepared.ok()) << prepared.status();
  auto recorded = std::make_shared<RecordedRun>(*std::move(prepared));
  ASSERT_TRUE(recorded->run(arguments(), Denormals::zeroInComparisons).ok());
  auto judge = Judge::create(program, nullptr, builtins(), arguments(), JudgeOptions(), recorded);
  ASSERT_TRUE(judge.ok()) << judge.status();
  EXPECT_TRUE(identical(judge->results()[0], recorded->joined()[0]));
  EXPECT_TRUE(identical(judge->results()[0], judgeOf(program, program).results()[0]));
}

TEST(Judge, ComparesIntegersExactly) {
  DeviceProgram program;
  FunctionBuilder main("main", {type(E::i64, {2})});
  ValueId sum = main.add("add", {0, 0}, {type(E::i64, {2})});
  program.functions = {main.returning({sum})};
  program.arguments = program.results = {{type(E::i64, {2}), "<[]>", "[{}]"}};
  std::vector<int64_t> numbers = {int64_t{1} << 60, 5}, doubled = {(int64_t{1} << 61) + 1, 10};
  auto judge = Judge::create(program, nullptr, builtins(), {Tensor::of(E::i64, {2}, numbers)},
                             JudgeOptions());
  ASSERT_TRUE(judge.ok()) << judge.status();
  auto report = judge->given({Tensor::of(E::i64, {2}, doubled)}, Judge::Given::isResult);
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_EQ(report->verdict(), Verdict::no);
  EXPECT_EQ(report->results[0].numDifferent, 1);
}

} // namespace
} // namespace spmd::test
