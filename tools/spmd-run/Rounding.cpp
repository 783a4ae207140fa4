#include "spmd/tools/spmd-run/Rounding.h"

#include "spmd/lowering/interpreter/Compare.h"
#include "spmd/lowering/interpreter/Elements.h"
#include "spmd/lowering/interpreter/Storage.h"

#include <cmath>
#include <limits>
#include <random>

namespace spmd {

DefaultTolerance defaultTolerance(ElementType element) {
  if (element == ElementType::f64 || element == ElementType::complexF64)
    return {1e-10, 1e-11};
  if (element == ElementType::f32 || element == ElementType::complexF32)
    return {1e-4, 1e-5};
  if (element == ElementType::f16)
    return {1e-2, 2e-3};
  if (element == ElementType::bf16)
    return {4e-2, 1e-2};
  return {0.25, 0.0625}; // 8 bits and fewer; integers are compared exactly.
}

static bool isWide(ElementType element) {
  return (isFloat(element) || isComplex(element)) && bitWidth(element) >= 32;
}

/// Calls `visit` with the floats that `tensor` holds, those of complex numbers one by one.
template <typename Fn> static void visitFloats(const Tensor &tensor, Fn visit) {
  visitNative(tensor.type().element, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    if constexpr (std::is_floating_point_v<T>)
      visit(tensor.mutableAs<T>(), tensor.numElements());
    else if constexpr (!std::is_integral_v<T>)
      visit(tensor.mutableAs<typename T::value_type>(), 2 * tensor.numElements());
  });
}

absl::StatusOr<std::vector<Tensor>> nudged(const std::vector<Tensor> &arguments) {
  std::vector<Tensor> copies = arguments;
  std::mt19937 engine;
  for (Tensor &copy : copies) {
    if (!isWide(copy.type().element))
      continue;
    absl::StatusOr<Tensor> own = Tensor::fromBytes(copy.type(), copy.data(), copy.sizeInBytes());
    if (!own.ok())
      return own.status();
    copy = *std::move(own);
    visitFloats(copy, [&](auto *values, int64_t count) {
      using T = std::decay_t<decltype(*values)>;
      for (int64_t i = 0; i < count; ++i) {
        T end = std::numeric_limits<T>::infinity(), value = values[i];
        T next = std::nextafter(value, engine() & 1 ? end : -end);
        values[i] = value != 0 && std::isfinite(next) ? next : value;
      }
    });
  }
  return copies;
}

double largestOf(const Tensor &tensor) {
  double largest = 0;
  for (const std::complex<double> &element : toComplexDoubles(tensor))
    if (double size = std::abs(element); std::isfinite(size))
      largest = std::max(largest, size);
  return largest;
}

/// Returns the unit of rounding of 1 in a wide type.
static double unitOf(ElementType element) {
  bool isDouble = element == ElementType::f64 || element == ElementType::complexF64;
  return isDouble ? std::numeric_limits<double>::epsilon() : std::numeric_limits<float>::epsilon();
}

std::vector<double> roundingErrors(const std::vector<Tensor> &arguments,
                                   const std::vector<Tensor> &results,
                                   const std::vector<Tensor> &nudgedResults) {
  double largest = 0;
  for (const std::vector<Tensor> *tensors : {&arguments, &results})
    for (const Tensor &tensor : *tensors)
      if (tensor && isWide(tensor.type().element))
        largest = std::max(largest, largestOf(tensor));
  std::vector<double> errors;
  for (size_t i = 0; i < results.size(); ++i) {
    errors.push_back(0);
    if (!results[i] || !isWide(results[i].type().element))
      continue;
    absl::StatusOr<Comparison> change = compare(nudgedResults[i], results[i], 0, 0);
    if (change.ok() && std::isfinite(change->maxAbsError))
      errors.back() =
          16 * std::min(change->maxAbsError, unitOf(results[i].type().element) * largest);
  }
  return errors;
}

} // namespace spmd
