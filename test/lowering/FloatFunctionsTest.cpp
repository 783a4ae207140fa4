// The functions of float that run as vectors: near the true value everywhere, and the same wherever
// an element stands.
#include "Programs.h"

#include <cmath>
#include <cstring>

namespace spmd::test {
namespace {

using E = ElementType;

/// Returns how many floats lie between two.
int64_t floatsBetween(float a, float b) {
  auto place = [](float value) -> int64_t {
    int32_t bits;
    std::memcpy(&bits, &value, sizeof(bits));
    return bits < 0 ? std::numeric_limits<int32_t>::min() - static_cast<int64_t>(bits) : bits;
  };
  return std::abs(place(a) - place(b));
}

/// Floats of all sizes and signs, and many of everyday size.
std::vector<float> manyFloats() {
  std::vector<float> out = {0.f, -0.f, INFINITY, -INFINITY, NAN};
  for (uint64_t bits = 0; bits < (uint64_t{1} << 32); bits += 50021) {
    auto code = static_cast<uint32_t>(bits);
    out.emplace_back();
    std::memcpy(&out.back(), &code, sizeof(code));
  }
  for (int i = -50000; i < 50000; ++i)
    out.push_back(static_cast<float>(i) * 0.0007f);
  return out;
}

TEST(FloatFunctions, AreWithinOneFloatOfTheTrueValue) {
  using Function = double (*)(double);
  const std::pair<const char *, Function> functions[] = {
      {"exponential", [](double x) { return std::exp(x); }},
      {"exponential_minus_one", [](double x) { return std::expm1(x); }},
      {"tanh", [](double x) { return std::tanh(x); }},
      {"logistic", [](double x) { return 1 / (1 + std::exp(-x)); }},
      {"log", [](double x) { return std::log(x); }},
      {"log_plus_one", [](double x) { return std::log1p(x); }},
      {"sine", [](double x) { return std::sin(x); }},
      {"cosine", [](double x) { return std::cos(x); }}};
  std::vector<float> in = manyFloats();
  int64_t n = in.size();
  for (const auto &[op, function] : functions) {
    auto result = runOp(op, {Tensor::of(E::f32, {n}, in)}, {f32({n})});
    ASSERT_TRUE(result.ok()) << result.status();
    const float *actual = (*result)[0].as<float>();
    for (int64_t i = 0; i < n; ++i) {
      auto expected = static_cast<float>(function(in[i]));
      if (std::isnan(expected))
        ASSERT_TRUE(std::isnan(actual[i])) << op << " of " << in[i];
      else
        ASSERT_LE(floatsBetween(actual[i], expected), 1) << op << " of " << in[i];
    }
  }
}

TEST(FloatFunctions, PowersOfEveryBase) {
  std::vector<float> bases, exponents;
  for (float base : {0.f, -0.f, 1.f, -1.f, 0.5f, 2.f, -2.f, 10.f, -3.7f, 1e-40f, 3e38f, INFINITY,
                     -INFINITY, NAN, 1.0000001f, 0.9999999f})
    for (float exponent : {0.f, -0.f, 1.f, 2.f, 3.f, -1.f, -2.f, 0.5f, -0.5f, 7.25f, 126.f, -150.f,
                           1e9f, 3e38f, INFINITY, -INFINITY, NAN}) {
      bases.push_back(base);
      exponents.push_back(exponent);
    }
  int64_t n = bases.size();
  auto result = runOp("power", {Tensor::of(E::f32, {n}, bases), Tensor::of(E::f32, {n}, exponents)},
                      {f32({n})});
  ASSERT_TRUE(result.ok()) << result.status();
  for (int64_t i = 0; i < n; ++i) {
    float actual = (*result)[0].as<float>()[i];
    auto expected = static_cast<float>(
        std::pow(static_cast<double>(bases[i]), static_cast<double>(exponents[i])));
    if (std::isnan(expected))
      EXPECT_TRUE(std::isnan(actual)) << bases[i] << " ^ " << exponents[i];
    else
      EXPECT_LE(floatsBetween(actual, expected), 1) << bases[i] << " ^ " << exponents[i];
  }
}

TEST(FloatFunctions, DoNotDependOnNeighbours) {
  std::vector<float> in = manyFloats();
  in.resize(3000);
  for (const char *op : {"exponential", "tanh", "log", "sine"}) {
    auto together = runOp(op, {Tensor::of(E::f32, {3000}, in)}, {f32({3000})});
    ASSERT_TRUE(together.ok()) << together.status();
    for (int64_t i = 0; i < 3000; i += 7) {
      auto alone = runOp(op, {Tensor::of<float>(E::f32, {}, {in[i]})}, {f32()});
      ASSERT_TRUE(alone.ok()) << alone.status();
      float a = (*together)[0].as<float>()[i], b = (*alone)[0].as<float>()[0];
      if (!std::isnan(a))
        ASSERT_EQ(floatsBetween(a, b), 0) << op << " of " << in[i];
    }
  }
}

} // namespace
} // namespace spmd::test
