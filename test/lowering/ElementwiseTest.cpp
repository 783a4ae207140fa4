// Elementwise ops against expected values.
#include "Programs.h"

#include "spmd/lowering/interpreter/SmallFloat.h"
#include "spmd/lowering/interpreter/Storage.h"

#include <cmath>
#include <complex>
#include <cstring>
#include <limits>

namespace spmd::test {
namespace {

using E = ElementType;
constexpr float inf = std::numeric_limits<float>::infinity();
const float nan = std::nanf("");

template <typename R, typename T>
std::vector<R> apply(const char *op, E in, std::vector<std::vector<T>> operands, E out,
                     Attributes attributes = {}) {
  std::vector<Tensor> tensors;
  int64_t n = operands[0].size();
  for (const auto &operand : operands)
    tensors.push_back(Tensor::of(in, {n}, operand));
  auto results = runOp(op, tensors, {type(out, {n})}, std::move(attributes));
  EXPECT_TRUE(results.ok()) << op << ": " << results.status();
  return results.ok() ? elementsOf<R>((*results)[0]) : std::vector<R>();
}

using I32 = std::vector<int32_t>;
using I8 = std::vector<int8_t>;
using U8 = std::vector<uint8_t>;
using F32 = std::vector<float>;
constexpr int32_t smallest = std::numeric_limits<int32_t>::min();

I32 i32op(const char *op, std::vector<I32> operands) {
  return apply<int32_t>(op, E::i32, operands, E::i32);
}
F32 f32op(const char *op, std::vector<F32> operands) {
  return apply<float>(op, E::f32, operands, E::f32);
}

TEST(Elementwise, IntegerDivision) {
  EXPECT_EQ(i32op("divide", {{7, -7, 5, smallest}, {2, 2, 0, -1}}), (I32{3, -3, -1, smallest}));
  EXPECT_EQ(i32op("remainder", {{7, -7, 5, smallest}, {2, 2, 0, -1}}), (I32{1, -1, 5, 0}));
  EXPECT_EQ(apply<uint8_t>("divide", E::ui8, std::vector<U8>{{9}, {0}}, E::ui8), U8{255});
}

TEST(Elementwise, IntegersWrap) {
  EXPECT_EQ(i32op("subtract", {{smallest}, {1}}), I32{std::numeric_limits<int32_t>::max()});
  EXPECT_EQ(i32op("negate", {{smallest, 3}}), (I32{smallest, -3}));
  EXPECT_EQ(apply<uint16_t>("multiply", E::ui16,
                            std::vector<std::vector<uint16_t>>{{65535}, {65535}}, E::ui16),
            std::vector<uint16_t>{1});
  EXPECT_EQ(apply<int8_t>("add", E::i4, std::vector<I8>{{7, -8}, {1, -1}}, E::i4), (I8{-8, 7}));
  EXPECT_EQ(i32op("power", {{2, -1, 3, 0}, {10, -3, -1, 0}}), (I32{1024, -1, 0, 1}));
}

TEST(Elementwise, Shifts) {
  EXPECT_EQ(i32op("shift_left", {{1, 1, 1}, {4, 32, -1}}), (I32{16, 0, 0}));
  EXPECT_EQ(i32op("shift_right_logical", {{-1, -1}, {28, 32}}), (I32{15, 0}));
  EXPECT_EQ(i32op("shift_right_arithmetic", {{-16, -16, 16}, {2, 40, 40}}), (I32{-4, -1, 0}));
  EXPECT_EQ(apply<int8_t>("shift_right_logical", E::i4, std::vector<I8>{{-1}, {2}}, E::i4), I8{3});
  EXPECT_EQ(i32op("count_leading_zeros", {{0, 1, -1}}), (I32{32, 31, 0}));
  EXPECT_EQ(apply<int8_t>("popcnt", E::i8, std::vector<I8>{{-1, 5}}, E::i8), (I8{8, 2}));
}

TEST(Elementwise, Booleans) {
  std::vector<U8> both = {{0, 0, 1, 1}, {0, 1, 0, 1}};
  EXPECT_EQ(apply<uint8_t>("add", E::i1, both, E::i1), (U8{0, 1, 1, 1}));
  EXPECT_EQ(apply<uint8_t>("multiply", E::i1, both, E::i1), (U8{0, 0, 0, 1}));
  EXPECT_EQ(apply<uint8_t>("xor", E::i1, both, E::i1), (U8{0, 1, 1, 0}));
  EXPECT_EQ(apply<uint8_t>("not", E::i1, std::vector<U8>{{0, 1}}, E::i1), (U8{1, 0}));
  EXPECT_EQ(apply<uint8_t>("maximum", E::i1, both, E::i1), (U8{0, 1, 1, 1}));
}

TEST(Elementwise, ExtremesPropagateNaN) {
  for (const char *op : {"maximum", "minimum"}) {
    F32 result = f32op(op, {{nan, 1, 2}, {1, nan, 3}});
    EXPECT_TRUE(std::isnan(result[0]) && std::isnan(result[1])) << op;
    EXPECT_EQ(result[2], op[1] == 'a' ? 3 : 2);
  }
  EXPECT_EQ(f32op("clamp", {{0, 0, 0}, {-1, 0.5, 9}, {1, 1, 1}}), (F32{0, 0.5, 1}));
}

TEST(Elementwise, Rounding) {
  F32 in = {-2.5, -0.5, 0.5, 1.5, 2.5};
  EXPECT_EQ(f32op("round_nearest_afz", {in}), (F32{-3, -1, 1, 2, 3}));
  EXPECT_EQ(f32op("round_nearest_even", {in}), (F32{-2, 0, 0, 2, 2}));
  EXPECT_EQ(f32op("floor", {in}), (F32{-3, -1, 0, 1, 2}));
  EXPECT_EQ(f32op("ceil", {in}), (F32{-2, 0, 1, 2, 3}));
  EXPECT_EQ(f32op("sign", {{-3, 0, 4}}), (F32{-1, 0, 1}));
}

TEST(Elementwise, EveryUnaryFloatOpMatchesLibm) {
  std::vector<std::pair<const char *, double (*)(double)>> ops = {
      {"abs", std::fabs}, {"cbrt", std::cbrt},          {"cosine", std::cos},
      {"sine", std::sin}, {"exponential", std::exp},    {"exponential_minus_one", std::expm1},
      {"log", std::log},  {"log_plus_one", std::log1p}, {"sqrt", std::sqrt},
      {"tan", std::tan},  {"tanh", std::tanh}};
  ops.emplace_back("rsqrt", [](double x) { return 1 / std::sqrt(x); });
  ops.emplace_back("logistic", [](double x) { return 1 / (1 + std::exp(-x)); });
  ops.emplace_back("square", [](double x) { return x * x; });
  std::vector<double> in;
  for (int i = 1; i < 1500; ++i) // Several tiles and a rest.
    in.push_back(i * 0.003);
  for (const auto &[op, oracle] : ops) {
    std::vector<double> out =
        apply<double>(op, E::f64, std::vector<std::vector<double>>{in}, E::f64);
    F32 narrow = f32op(op, {F32(in.begin(), in.end())});
    for (size_t i = 0; i < in.size(); ++i) {
      EXPECT_DOUBLE_EQ(out[i], oracle(in[i])) << op;
      EXPECT_NEAR(narrow[i], oracle(in[i]), 1e-5 * std::max(1.0, std::pow(oracle(in[i]), 2))) << op;
    }
  }
}

TEST(Elementwise, Compare) {
  auto compare = [](const char *direction, const char *kind, F32 a, F32 b) {
    return apply<uint8_t>(
        "compare", E::f32, std::vector<F32>{a, b}, E::i1,
        {{"comparison_direction", std::string(direction)}, {"compare_type", std::string(kind)}});
  };
  EXPECT_EQ(compare("LT", "FLOAT", {1, 2, nan}, {2, 2, 1}), (U8{1, 0, 0}));
  EXPECT_EQ(compare("NE", "FLOAT", {1, nan}, {1, nan}), (U8{0, 1}));
  EXPECT_EQ(compare("LT", "TOTALORDER", {-0.0f, inf, nan}, {0.0f, nan, nan}), (U8{1, 1, 0}));
  auto results =
      runOp("compare", {Tensor::of<float>(E::f32, {}, {1}), Tensor::of<float>(E::f32, {}, {1})},
            {type(E::i1)}, {{"comparison_direction", std::string("LTT")}});
  EXPECT_EQ(results.status().message(), "'compare': has comparison_direction \"LTT\" on f32");
}

TEST(Elementwise, ConvertSaturates) {
  F32 in = {nan, -1, 300, 2.9f, -inf, inf};
  EXPECT_EQ(apply<uint8_t>("convert", E::f32, std::vector<F32>{in}, E::ui8),
            (U8{0, 0, 255, 2, 0, 255}));
  EXPECT_EQ(apply<int8_t>("convert", E::f32, std::vector<F32>{in}, E::i8),
            (I8{0, -1, 127, 2, -128, 127}));
  EXPECT_EQ(apply<int8_t>("convert", E::f32, std::vector<F32>{in}, E::i4),
            (I8{0, -1, 7, 2, -8, 7}));
  EXPECT_EQ(apply<int8_t>("convert", E::i32, std::vector<I32>{{300, -1}}, E::i8), (I8{44, -1}));
  EXPECT_EQ(apply<uint8_t>("convert", E::f32, std::vector<F32>{{0, 0.5, nan}}, E::i1),
            (U8{0, 1, 1}));
}

TEST(Elementwise, ConvertToSmallFloats) {
  auto to = [](E element, F32 in) {
    return apply<uint8_t>("convert", E::f32, std::vector<F32>{in}, element);
  };
  EXPECT_EQ(to(E::f8E4M3FN, {1, -2, 448, 1000, 0.001953125f}), (U8{0x38, 0xc0, 0x7e, 0x7f, 0x01}));
  EXPECT_EQ(to(E::f8E5M2, {1, 57344, 1e6, nan}), (U8{0x3c, 0x7b, 0x7c, 0x7e}));
  EXPECT_EQ(to(E::f8E4M3FNUZ, {1, -0.0f, 240, 1e6}), (U8{0x40, 0x00, 0x7f, 0x80}));
  EXPECT_EQ(to(E::f4E2M1FN, {0.5, 6, 100, -1.25f}), (U8{0x1, 0x7, 0x7, 0xa}));
  EXPECT_EQ(to(E::f8E8M0FNU, {1, 2, 3, 0.5, 1.5f, 0.75f, 2.99f}),
            (U8{127, 128, 129, 126, 128, 127, 128}));
  // 1 + 2^-8 lies between two bf16 numbers: to even. A double just above goes up, rounded once.
  EXPECT_EQ(apply<uint16_t>("convert", E::f32, std::vector<F32>{{1.00390625f}}, E::bf16),
            std::vector<uint16_t>{0x3f80});
  EXPECT_EQ(apply<uint16_t>("convert", E::f64,
                            std::vector<std::vector<double>>{{1.00390625 + 1e-12}}, E::bf16),
            std::vector<uint16_t>{0x3f81});
}

TEST(Elementwise, EveryCodeOfSmallFloatsRoundTrips) {
  for (int i = static_cast<int>(E::f4E2M1FN); i <= static_cast<int>(E::f16); ++i) {
    auto element = static_cast<E>(i);
    int64_t n = int64_t{1} << bitWidth(element);
    Tensor codes = *Tensor::allocate(type(element, {n}));
    for (int64_t c = 0; c < n; ++c)
      storedBytes(element) == 1 ? void(codes.mutableAs<uint8_t>()[c] = c)
                                : void(codes.mutableAs<uint16_t>()[c] = c);
    Tensor wide = (*runOp("convert", {codes}, {f32({n})}))[0];
    Tensor back = (*runOp("convert", {wide}, {type(element, {n})}))[0];
    for (int64_t c = 0; c < n; ++c)
      if (!std::isnan(wide.as<float>()[c])) {
        EXPECT_EQ(storedBytes(element) == 1 ? back.as<uint8_t>()[c] : back.as<uint16_t>()[c], c)
            << nameOf(element);
      }
  }
}

/// Every code of a format, what lies half-way to the next, and the f32 on both sides of each; all
/// exponents with few mantissas, and what is no number.
static std::vector<uint32_t> manyFloats(const FloatFormat &format, int64_t codes) {
  std::vector<uint32_t> bits;
  auto add = [&](double value) {
    auto narrow = static_cast<float>(value);
    uint32_t at;
    std::memcpy(&at, &narrow, sizeof(at));
    bits.insert(bits.end(), {at - 1, at, at + 1});
  };
  for (int64_t c = 0; c < codes; ++c) {
    double value = decode(format, c), next = decode(format, c + 1 < codes ? c + 1 : c);
    add(value);
    add((value + next) / 2);
  }
  for (uint32_t exponent = 0; exponent < 512; ++exponent)
    for (uint32_t mantissa : {0u, 1u, 0x3fffffu, 0x400000u, 0x400001u, 0x7fffffu, 0x2aaaaau})
      bits.push_back(exponent << 23 | mantissa);
  return bits;
}

TEST(Elementwise, RunsOfSmallFloatsAreWhatSingleOnesAre) {
  for (int i = static_cast<int>(E::f4E2M1FN); i <= static_cast<int>(E::f16); ++i) {
    auto element = static_cast<E>(i);
    if (element == E::bf16 || element == E::f8E8M0FNU)
      continue; // Neither is loaded by its bits as the others are.
    const FloatFormat &format = formatOf(element);
    const Storage &storage = storageOf(element);
    int64_t codes = int64_t{1} << bitWidth(element);
    std::vector<uint32_t> bits = manyFloats(format, codes), rounded = bits;
    auto n = static_cast<int64_t>(bits.size());
    std::vector<uint16_t> stored(n);
    storage.store(n, bits.data(), stored.data());
    storage.round(n, rounded.data());
    for (int64_t at = 0; at < n; ++at) {
      float value;
      std::memcpy(&value, &bits[at], sizeof(value));
      uint32_t code = encode(format, value);
      ASSERT_EQ(bitWidth(element) == 16 ? stored[at]
                                        : reinterpret_cast<const uint8_t *>(stored.data())[at],
                code)
          << nameOf(element) << " of " << value;
      auto back = static_cast<float>(decode(format, code));
      ASSERT_EQ(std::memcmp(&back, &rounded[at], sizeof(back)), 0)
          << nameOf(element) << " of " << value;
    }
  }
}

TEST(Elementwise, SmallFloatsRoundAfterEachStep) {
  // 256 + 1 is not a bf16 number, so (256 + 1) + 1 is 256 when each step rounds.
  FunctionBuilder body("body", {type(E::bf16, {1}), type(E::bf16)});
  ValueId once = body.add("add", {0, 1}, {type(E::bf16, {1})});
  ValueId twice = body.add("add", {once, 1}, {type(E::bf16, {1})});
  Tensor big = Tensor::of<uint16_t>(E::bf16, {1}, {0x4380}),
         one = Tensor::of<uint16_t>(E::bf16, {}, {0x3f80});
  auto result = runOp("fused", {big, one}, {type(E::bf16, {1})}, {}, {body.returning({twice})});
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(elementsOf<uint16_t>((*result)[0]), std::vector<uint16_t>{0x4380});
}

TEST(Elementwise, Complex) {
  using C = std::complex<float>;
  Tensor a = Tensor::of<C>(E::complexF32, {2}, {{3, 4}, {0, 1}});
  EXPECT_EQ(elementsOf<float>((*runOp("abs", {a}, {f32({2})}))[0]), (F32{5, 1}));
  EXPECT_EQ(elementsOf<float>((*runOp("imag", {a}, {f32({2})}))[0]), (F32{4, 1}));
  EXPECT_EQ(elementsOf<C>((*runOp("multiply", {a, a}, {a.type()}))[0]),
            (std::vector<C>{{-7, 24}, {-1, 0}}));
  Tensor real = Tensor::of<float>(E::f32, {1}, {1}), imag = Tensor::of<float>(E::f32, {1}, {2});
  EXPECT_EQ(elementsOf<C>((*runOp("complex", {real, imag}, {type(E::complexF32, {1})}))[0]),
            (std::vector<C>{{1, 2}}));
  Tensor bases = Tensor::of<C>(E::complexF32, {3}, {{0, 0}, {0, 0}, {2, 0}});
  Tensor exponents = Tensor::of<C>(E::complexF32, {3}, {{0, 0}, {2, 0}, {-1, 0}});
  EXPECT_EQ(elementsOf<C>((*runOp("power", {bases, exponents}, {bases.type()}))[0]),
            (std::vector<C>{{1, 0}, {0, 0}, {0.5f, 0}}));
}

/// The principal root: that of a negative number is complex.
TEST(Elementwise, ComplexCbrt) {
  using C = std::complex<double>;
  double third = std::sqrt(3.0), most = std::numeric_limits<double>::max();
  std::vector<C> numbers = {{8, 0}, {-8, 0}, {0, 0}, {0, -8}, {27, -0.0}, {most, most}};
  Tensor a = Tensor::of<C>(E::complexF64, {6}, numbers);
  auto result = runOp("cbrt", {a}, {a.type()});
  ASSERT_TRUE(result.ok()) << result.status();
  std::vector<C> roots = elementsOf<C>((*result)[0]);
  const C expected[] = {{2, 0}, {1, third}, {0, 0}, {third, -1}, {3, -0.0}};
  for (int i = 0; i < 5; ++i)
    EXPECT_NEAR(std::abs(roots[i] - expected[i]), 0, 1e-14) << numbers[i];
  EXPECT_TRUE(std::signbit(roots[4].imag()));
  EXPECT_TRUE(std::isfinite(roots[5].real()));
  EXPECT_NEAR(std::abs(roots[5]) / std::cbrt(most), std::cbrt(std::sqrt(2.0)), 1e-12);
}

TEST(Elementwise, ReducePrecision) {
  EXPECT_EQ(apply<float>("reduce_precision", E::f32, std::vector<F32>{{1.00390625f, 65536, 1e-30f}},
                         E::f32, {{"exponent_bits", int64_t{5}}, {"mantissa_bits", int64_t{7}}}),
            (F32{1, inf, 0}));
  // Without mantissa bits what is half-way goes to the even exponent.
  EXPECT_EQ(apply<float>("reduce_precision", E::f32,
                         std::vector<F32>{{1, 1.5f, 3, -3, 6, 0.75f, 3.001f, 2.999f}}, E::f32,
                         {{"exponent_bits", int64_t{5}}, {"mantissa_bits", int64_t{0}}}),
            (F32{1, 2, 2, -2, 8, 0.5f, 4, 2}));
}

TEST(Elementwise, FusedMatchesStepsOverManyTiles) {
  FunctionBuilder body("body", {f32({3000}), f32({3000}), f32()});
  ValueId sum = body.add("add", {0, 1}, {f32({3000})});
  ValueId scaled = body.add("multiply", {sum, 2}, {f32({3000})});
  ValueId both = body.add("subtract", {scaled, 0}, {f32({3000})});
  Tensor a = randomF32({3000}, 1), b = randomF32({3000}, 2), c = Tensor::of<float>(E::f32, {}, {3});
  auto results =
      runOp("fused", {a, b, c}, {f32({3000}), f32({3000})}, {}, {body.returning({sum, both})});
  ASSERT_TRUE(results.ok()) << results.status();
  for (int64_t i = 0; i < 3000; ++i) {
    float expected = a.as<float>()[i] + b.as<float>()[i];
    EXPECT_EQ((*results)[0].as<float>()[i], expected);
    EXPECT_EQ((*results)[1].as<float>()[i], expected * 3 - a.as<float>()[i]);
  }
}

TEST(Elementwise, WrongTypesAreReported) {
  Tensor a = Tensor::of<float>(E::f32, {2}, {1, 2}), b = Tensor::of<int32_t>(E::i32, {2}, {1, 2});
  EXPECT_EQ(runOp("add", {a, b}, {f32({2})}).status().message(),
            "'add': has operand type i32 and result type f32");
  EXPECT_EQ(runOp("add", {a}, {f32({2})}).status().message(), "'add': has 1 operands; expected 2");
  EXPECT_EQ(runOp("nothing", {a}, {f32({2})}).status().message(),
            "'nothing': no kernel has this name");
  EXPECT_EQ(runOp("sine", {b}, {i32({2})}).status().message(), "'sine': is not defined for i32");
}

} // namespace
} // namespace spmd::test
