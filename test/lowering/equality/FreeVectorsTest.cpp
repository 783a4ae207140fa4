// Vectors of any sign or phase are brought to those that another run has chosen.
#include "spmd/lowering/interpreter/FreeVectors.h"
#include "spmd/lowering/interpreter/Elements.h"
#include "spmd/test/lowering/Programs.h"

namespace spmd::test {
namespace {

using E = ElementType;
using Complex = std::complex<double>;

TEST(FreeVectors, ColumnsTakeTheSignThatWasChosen) {
  FreeVectors columns{{{0}}};
  // The second column is flipped, and a little off.
  std::vector<Tensor> chosen = {Tensor::of<float>(E::f32, {2, 2}, {0.6f, 0.8f, 0.8f, -0.6f})};
  std::vector<Tensor> made = {Tensor::of<double>(E::f64, {2, 2}, {0.6, -0.79, 0.8, 0.61})};
  EXPECT_FALSE(areAligned(columns, chosen, made));
  alignVectors(columns, chosen, absl::MakeSpan(made));
  EXPECT_TRUE(areAligned(columns, chosen, made));
  EXPECT_TRUE(identical(made[0], Tensor::of<double>(E::f64, {2, 2}, {0.6, 0.79, 0.8, -0.61})));
}

TEST(FreeVectors, OtherVectorsStay) {
  FreeVectors columns{{{0}}};
  std::vector<Tensor> chosen = {Tensor::of<double>(E::f64, {2, 2}, {1, 0, 0, 1})};
  const Tensor swapped = Tensor::of<double>(E::f64, {2, 2}, {0, -1, -1, 0});
  std::vector<Tensor> made = {*Tensor::fromBytes(swapped.type(), swapped.data(), 32)};
  EXPECT_TRUE(areAligned(columns, chosen, made));
  alignVectors(columns, chosen, absl::MakeSpan(made));
  EXPECT_TRUE(identical(made[0], swapped));
}

TEST(FreeVectors, AdjointRowsTakeTheConjugateOfThePhase) {
  // u v^H stays what it is.
  FreeVectors both{{{0}, {1, true}}};
  const Complex phase(0, 1);
  std::vector<Complex> u = {{0.6, 0}, {0, 0.8}}, v = {{0.8, 0}, {0.6, 0}}, turnedU, turnedV;
  for (size_t i = 0; i < 2; ++i) {
    turnedU.push_back(u[i] * phase);
    turnedV.push_back(v[i] * std::conj(phase));
  }
  std::vector<Tensor> chosen = {Tensor::of(E::complexF64, {2, 1}, u),
                                Tensor::of(E::complexF64, {1, 2}, v)};
  std::vector<Tensor> made = {Tensor::of(E::complexF64, {2, 1}, turnedU),
                              Tensor::of(E::complexF64, {1, 2}, turnedV)};
  EXPECT_FALSE(areAligned(both, chosen, made));
  alignVectors(both, chosen, absl::MakeSpan(made));
  for (size_t r = 0; r < 2; ++r)
    for (int64_t i = 0; i < 2; ++i)
      EXPECT_LT(std::abs(toComplexDouble(made[r], i) - toComplexDouble(chosen[r], i)), 1e-15);
}

} // namespace
} // namespace spmd::test
