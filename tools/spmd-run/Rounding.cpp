#include "spmd/tools/spmd-run/Rounding.h"

#include "spmd/lowering/interpreter/Compare.h"
#include "spmd/lowering/interpreter/Elements.h"
#include "spmd/lowering/interpreter/Storage.h"

#include <cmath>
#include <cstring>
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

/// Returns the distance of the next number above 1.
static double unitOf(ElementType element) {
  switch (element) {
  case ElementType::f64:
  case ElementType::complexF64:
    return std::numeric_limits<double>::epsilon();
  case ElementType::f32:
  case ElementType::complexF32:
    return std::numeric_limits<float>::epsilon();
  case ElementType::f16:
    return 0x1p-10;
  default:
    return 0x1p-7; // bf16
  }
}

Nudge nudgeOf(ElementType element) {
  return isWide(element) ? Nudge{512 * unitOf(element), 4} : Nudge{unitOf(element), 16};
}

/// Whether a number of the size that `bits` stand for becomes larger: by chance, but all of that
/// size alike. Of equal ones a sort, a maximum or a comparison picks by rules, not by rounding.
static bool becomesLarger(uint64_t bits, unsigned seed) {
  uint64_t mixed = (bits + 1) * 0x9e3779b97f4a7c15u + (uint64_t(seed) << 32 | seed);
  for (int round = 0; round < 2; ++round) {
    mixed ^= mixed >> 31;
    mixed *= 0xbf58476d1ce4e5b9u;
  }
  return mixed >> 63;
}

/// What stands for a number of 16 bits, its sign apart, goes up or down by some in the last bit.
static void nudge16(Tensor &tensor, int by, unsigned seed) {
  const int infinity = tensor.type().element == ElementType::f16 ? 0x7c00 : 0x7f80;
  auto *values = tensor.mutableAs<uint16_t>();
  std::vector<std::complex<double>> numbers = toComplexDoubles(tensor);
  for (int64_t i = 0; i < tensor.numElements(); ++i) {
    int size = values[i] & 0x7fff, next = size + (becomesLarger(size, seed) ? by : -by);
    double number = numbers[i].real();
    if (number != std::rint(number) && next > 0 && next < infinity)
      values[i] = static_cast<uint16_t>((values[i] & 0x8000) | next);
  }
}

static uint64_t bitsOfSize(double value) {
  value = std::fabs(value);
  uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

static void nudgeWide(Tensor &tensor, double step, unsigned seed) {
  visitFloats(tensor, [&](auto *values, int64_t count) {
    using T = std::decay_t<decltype(*values)>;
    for (int64_t i = 0; i < count; ++i) {
      T value = values[i];
      if (value == std::rint(value))
        continue;
      auto next =
          static_cast<T>(value * (becomesLarger(bitsOfSize(value), seed) ? 1 + step : 1 - step));
      values[i] = std::isfinite(next) ? next : value;
    }
  });
}

/// Each number that is not 0 becomes the next above or below, by chance.
static void nudgeLeast(Tensor &tensor, std::mt19937 &engine) {
  visitFloats(tensor, [&](auto *values, int64_t count) {
    using T = std::decay_t<decltype(*values)>;
    for (int64_t i = 0; i < count; ++i) {
      T end = std::numeric_limits<T>::infinity(), value = values[i];
      T next = std::nextafter(value, engine() & 1 ? end : -end);
      if (value != 0 && std::isfinite(next))
        values[i] = next;
    }
  });
}

absl::StatusOr<std::vector<Tensor>> nudgedArguments(const std::vector<Tensor> &arguments,
                                                    double step, unsigned seed) {
  std::vector<Tensor> copies = arguments;
  std::mt19937 engine; // The same on every machine.
  for (Tensor &copy : copies) {
    ElementType element = copy.type().element;
    bool isNarrow = element == ElementType::f16 || element == ElementType::bf16;
    if (!isWide(element) && (!isNarrow || step < unitOf(element)))
      continue;
    absl::StatusOr<Tensor> own = Tensor::fromBytes(copy.type(), copy.data(), copy.sizeInBytes());
    if (!own.ok())
      return own.status();
    copy = *std::move(own);
    if (isNarrow)
      nudge16(copy, static_cast<int>(step / unitOf(element)), seed);
    else if (step > 0)
      nudgeWide(copy, step, seed);
    else
      nudgeLeast(copy, engine);
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

RoundingSpread::RoundingSpread(const std::vector<Tensor> &results) {
  for (const Tensor &result : results) {
    bool moves = result && !isInteger(result.type().element);
    values.push_back(moves ? toComplexDoubles(result) : std::vector<std::complex<double>>());
    distances.emplace_back(values.back().size());
  }
}

void RoundingSpread::add(const std::vector<Tensor> &others, double numSteps) {
  for (size_t r = 0; r < values.size(); ++r) {
    if (values[r].empty() || !others[r])
      continue;
    std::vector<std::complex<double>> moved = toComplexDoubles(others[r]);
    for (size_t i = 0; i < moved.size(); ++i)
      if (double distance = std::abs(moved[i] - values[r][i]); std::isfinite(distance))
        distances[r][i] = std::max(distances[r][i], distance / numSteps);
  }
}

std::vector<double> RoundingSpread::furthest(size_t i, double times) const {
  std::vector<double> scaled = distances[i];
  for (double &each : scaled)
    each *= times;
  return scaled;
}

} // namespace spmd
