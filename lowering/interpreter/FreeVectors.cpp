#include "spmd/lowering/interpreter/FreeVectors.h"

#include "spmd/lowering/interpreter/Elements.h"
#include "spmd/lowering/interpreter/Storage.h"

#include <algorithm>
#include <cmath>
#include <complex>

namespace spmd {

using Complexes = ComplexDoubles;

/// Below this cosine of their angle, two vectors are others, whatever the factor.
constexpr double leastCosine = 0.5;
/// Factors that are nearer to 1 are no choice.
constexpr double nearOne = 0.5;

namespace {

/// Where the vectors of a batch of matrices lie.
struct Layout {
  int64_t numMatrices, numVectors, length, betweenVectors, betweenElements;

  Layout(const Tensor &tensor, bool areRows) {
    const std::vector<int64_t> &shape = tensor.type().shape;
    int64_t rows = shape[shape.size() - 2], columns = shape.back();
    numMatrices = rows * columns == 0 ? 0 : tensor.numElements() / (rows * columns);
    numVectors = areRows ? rows : columns;
    length = areRows ? columns : rows;
    betweenVectors = areRows ? columns : 1;
    betweenElements = areRows ? 1 : columns;
  }
  int64_t firstOf(int64_t matrix, int64_t vector) const {
    return matrix * numVectors * length + vector * betweenVectors;
  }
};

/// The factors of the vectors of each matrix.
struct Factors {
  int64_t numVectors;
  Complexes values;
};

} // namespace

/// Returns what brings the vectors of `made` to those of `chosen`; 1 where they are others.
static Factors factorsOf(const FreeVectors &vectors, const std::vector<Tensor> &chosen,
                         absl::Span<const Tensor> made) {
  auto [result, isAdjoint] = vectors.matrices.front();
  Complexes a = toComplexDoubles(chosen[result]), b = toComplexDoubles(made[result]);
  const Layout layout(made[result], isAdjoint);
  Factors factors{layout.numVectors, {}};
  for (int64_t m = 0; m < layout.numMatrices; ++m)
    for (int64_t v = 0; v < layout.numVectors; ++v) {
      std::complex<double> product = 0;
      double sizeOfA = 0, sizeOfB = 0;
      for (int64_t e = 0; e < layout.length; ++e) {
        int64_t i = layout.firstOf(m, v) + e * layout.betweenElements;
        product += std::conj(b[i]) * a[i];
        sizeOfA += std::norm(a[i]);
        sizeOfB += std::norm(b[i]);
      }
      double size = std::abs(product);
      bool areNear = size > leastCosine * std::sqrt(sizeOfA * sizeOfB);
      std::complex<double> factor = areNear ? product / size : 1;
      factors.values.push_back(isAdjoint ? std::conj(factor) : factor);
    }
  return factors;
}

static void multiply(const Factors &factors, bool isAdjoint, Tensor &tensor) {
  const Layout layout(tensor, isAdjoint);
  visitNative(tensor.type().element, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    auto *elements = tensor.mutableAs<T>();
    for (int64_t m = 0; m < layout.numMatrices; ++m)
      for (int64_t v = 0; v < std::min(layout.numVectors, factors.numVectors); ++v) {
        std::complex<double> factor = factors.values[m * factors.numVectors + v];
        if (isAdjoint)
          factor = std::conj(factor);
        for (int64_t e = 0; e < layout.length; ++e) {
          T &element = elements[layout.firstOf(m, v) + e * layout.betweenElements];
          if constexpr (std::is_floating_point_v<T>)
            element *= static_cast<T>(factor.real());
          else if constexpr (std::is_same_v<T, std::complex<float>> ||
                             std::is_same_v<T, std::complex<double>>)
            element = T(std::complex<double>(element) * factor);
        }
      }
  });
}

void alignVectors(const FreeVectors &vectors, const std::vector<Tensor> &chosen,
                  absl::Span<Tensor> made) {
  Factors factors = factorsOf(vectors, chosen, made);
  for (auto [result, isAdjoint] : vectors.matrices)
    multiply(factors, isAdjoint, made[result]);
}

bool areAligned(const FreeVectors &vectors, const std::vector<Tensor> &chosen,
                absl::Span<const Tensor> made) {
  Complexes factors = factorsOf(vectors, chosen, made).values;
  return std::all_of(factors.begin(), factors.end(),
                     [](std::complex<double> factor) { return std::abs(factor - 1.0) < nearOne; });
}

} // namespace spmd
