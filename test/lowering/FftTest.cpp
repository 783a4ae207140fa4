// fft against the sum that defines it, for lengths of every kind.
#include "Programs.h"

#include <cmath>
#include <complex>

namespace spmd::test {
namespace {

using E = ElementType;
using C = std::complex<double>;

std::vector<C> randomNumbers(int64_t n, unsigned seed) {
  std::mt19937 generator(seed);
  std::vector<C> out(n);
  for (C &value : out)
    value = {static_cast<int>(generator() % 17) - 8.0, static_cast<int>(generator() % 13) - 6.0};
  return out;
}

/// The transform of lines of `n` along the last dim by definition; `sign` is -1 forwards.
std::vector<C> naive(const std::vector<C> &in, int64_t n, int sign) {
  std::vector<C> out(in.size());
  for (size_t begin = 0; begin < in.size(); begin += n)
    for (int64_t k = 0; k < n; ++k)
      for (int64_t j = 0; j < n; ++j)
        out[begin + k] += in[begin + j] * std::polar(1.0, sign * 2 * M_PI * (j * k % n) / n);
  return out;
}

void expectNear(const std::vector<C> &actual, const std::vector<C> &expected, double tolerance) {
  ASSERT_EQ(actual.size(), expected.size());
  for (size_t i = 0; i < actual.size(); ++i)
    EXPECT_NEAR(std::abs(actual[i] - expected[i]), 0, tolerance) << "at " << i;
}

constexpr int64_t lengths[] = {1, 2, 3, 4, 5, 7, 8, 12, 16, 30, 31, 37, 64, 97, 121, 210};

TEST(Fft, ForwardAndBack) {
  for (int64_t n : lengths) {
    std::vector<C> in = randomNumbers(2 * n, n);
    Tensor tensor = Tensor::of<C>(E::complexF64, {2, n}, in);
    auto forward = runOp("fft", {tensor}, {tensor.type()},
                         {{"fft_type", std::string("FFT")}, {"fft_length", Ints{n}}});
    ASSERT_TRUE(forward.ok()) << forward.status();
    expectNear(elementsOf<C>((*forward)[0]), naive(in, n, -1), 1e-10 * n);
    auto back = runOp("fft", {(*forward)[0]}, {tensor.type()},
                      {{"fft_type", std::string("IFFT")}, {"fft_length", Ints{n}}});
    ASSERT_TRUE(back.ok()) << back.status();
    expectNear(elementsOf<C>((*back)[0]), in, 1e-11 * n);
  }
}

TEST(Fft, RealInputsAndOutputs) {
  for (int64_t n : lengths) {
    std::vector<C> in = randomNumbers(n, n);
    std::vector<double> real;
    for (C &value : in) {
      value = value.real();
      real.push_back(value.real());
    }
    int64_t half = n / 2 + 1;
    auto forward =
        runOp("fft", {Tensor::of<double>(E::f64, {n}, real)}, {type(E::complexF64, {half})},
              {{"fft_type", std::string("RFFT")}, {"fft_length", Ints{n}}});
    ASSERT_TRUE(forward.ok()) << forward.status();
    std::vector<C> expected = naive(in, n, -1);
    expected.resize(half);
    expectNear(elementsOf<C>((*forward)[0]), expected, 1e-10 * n);
    auto back = runOp("fft", {(*forward)[0]}, {type(E::f64, {n})},
                      {{"fft_type", std::string("IRFFT")}, {"fft_length", Ints{n}}});
    ASSERT_TRUE(back.ok()) << back.status();
    std::vector<double> again = elementsOf<double>((*back)[0]);
    for (int64_t i = 0; i < n; ++i)
      EXPECT_NEAR(again[i], real[i], 1e-11 * n) << n;
  }
}

/// Over several dims it is one transform after the other; checked against a sum over all of them.
TEST(Fft, SeveralDims) {
  int64_t a = 3, b = 4, c = 5;
  std::vector<C> in = randomNumbers(a * b * c, 1);
  Tensor tensor = Tensor::of<C>(E::complexF64, {a, b, c}, in);
  auto result = runOp("fft", {tensor}, {tensor.type()},
                      {{"fft_type", std::string("FFT")}, {"fft_length", Ints{a, b, c}}});
  ASSERT_TRUE(result.ok()) << result.status();
  std::vector<C> actual = elementsOf<C>((*result)[0]);
  C expected = 0; // At (2, 3, 1).
  for (int64_t i = 0; i < a; ++i)
    for (int64_t j = 0; j < b; ++j)
      for (int64_t k = 0; k < c; ++k)
        expected += in[(i * b + j) * c + k] *
                    std::polar(1.0, -2 * M_PI * (2.0 * i / a + 3.0 * j / b + 1.0 * k / c));
  EXPECT_NEAR(std::abs(actual[(2 * b + 3) * c + 1] - expected), 0, 1e-10);
}

TEST(Fft, EmptyAndRefused) {
  EXPECT_TRUE(runOp("fft", {*Tensor::zeros(TypeRef(type(E::complexF32, {0, 4})))},
                    {type(E::complexF32, {0, 4})},
                    {{"fft_type", std::string("FFT")}, {"fft_length", Ints{4}}})
                  .ok());
  auto wrong = runOp("fft", {*Tensor::zeros(TypeRef(f32({4})))}, {type(E::complexF32, {4})},
                     {{"fft_type", std::string("RFFT")}, {"fft_length", Ints{4}}});
  EXPECT_EQ(wrong.status().message(),
            "'fft': result has type 4xcomplex<f32>; expected 3xcomplex<f32>");
}

} // namespace
} // namespace spmd::test
