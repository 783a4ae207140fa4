// Inputs for runs without any: values that show what a program does with signs, with rounding and
// with the ends of small types, and whose sums differ little by their order.
//
// - Floats of 16 bits and more, and the parts of complex numbers: multiples of 1/64 from -1 to 1.
//   Sums of some thousand are exact in f32 and f64; in f16 and bf16, those of few.
// - Floats of 8 bits and fewer: all that the type holds from 1/64 to 2 in magnitude, and 0; those
//   of 6 bits and fewer up to their largest.
// - Integers of 8 bits and fewer: all. Wider ones are small, since they may be indices and numbers
//   of rounds: three of four from -8 to 7, else from -128 to 127; without a sign, from 0 to 15 and
//   255.
// - Booleans: both.
#include "spmd/lowering/interpreter/Elements.h"
#include "spmd/lowering/interpreter/Storage.h"
#include "spmd/tools/spmd-run/Arrays.h"

#include <cmath>
#include <random>

namespace spmd {

/// Returns whether `value`, of a float type of `bits` bits, is one that inputs hold.
static bool isInput(double value, int bits) {
  double magnitude = std::abs(value);
  return value == 0 || (magnitude >= 0x1p-6 && (magnitude <= 2 || (bits < 8 && magnitude < 64)));
}

/// Returns a tensor of all values of `element`, which has at most 8 bits, that inputs hold.
static absl::StatusOr<Tensor> inputValues(ElementType element) {
  int64_t count = int64_t{1} << bitWidth(element);
  int64_t first = isSignedInteger(element) ? -count / 2 : 0;
  std::string bytes;
  for (int64_t i = first; i < first + count; ++i)
    bytes += static_cast<char>(i);
  absl::StatusOr<Tensor> all = Tensor::fromBytes({element, {count}}, bytes.data(), bytes.size());
  if (!all.ok() || !isFloat(element))
    return all;
  std::string kept;
  for (int64_t i = 0; i < count; ++i)
    if (isInput(toComplexDouble(*all, i).real(), bitWidth(element)))
      kept += bytes[i];
  return Tensor::fromBytes({element, {static_cast<int64_t>(kept.size())}}, kept.data(),
                           kept.size());
}

namespace {

/// Draws the elements of arrays, one after the other.
class Draws {
public:
  explicit Draws(uint64_t seed) : engine(seed) {}

  absl::StatusOr<Tensor> make(const TensorType &type) {
    absl::StatusOr<Tensor> array = Tensor::allocate(type);
    if (!array.ok())
      return array;
    if (storedBytes(type.element) > 1) {
      fill(*array);
      return array;
    }
    absl::StatusOr<Tensor> values = inputValues(type.element);
    if (!values.ok())
      return values;
    for (int64_t i = 0; i < array->numElements(); ++i)
      array->mutableAs<uint8_t>()[i] = values->as<uint8_t>()[uniform(0, values->numElements() - 1)];
    return array;
  }

private:
  int64_t uniform(int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(engine);
  }

  template <typename T> T next() {
    if constexpr (isRealFloat<T>) {
      return static_cast<T>(uniform(-64, 64)) / 64;
    } else if constexpr (std::is_integral_v<T>) {
      int64_t half = uniform(0, 3) > 0 ? 8 : 128, low = std::is_signed_v<T> ? -half : 0;
      return static_cast<T>(uniform(low, low + 2 * half - 1));
    } else {
      typename T::value_type real = next<typename T::value_type>();
      return T(real, next<typename T::value_type>());
    }
  }

  void fill(Tensor &array) {
    ElementType element = array.type().element;
    const Storage &storage = storageOf(element);
    visitNative(element, [&](auto tag) {
      using T = typename decltype(tag)::Type;
      for (int64_t i = 0; i < array.numElements(); ++i) {
        T value = next<T>();
        std::byte *stored = array.mutableData() + i * storedBytes(element);
        if (storage.isDirect())
          std::memcpy(stored, &value, sizeof(T));
        else
          storage.store(1, &value, stored);
      }
    });
  }

  std::mt19937_64 engine;
};

} // namespace

absl::StatusOr<std::vector<Tensor>> randomArrays(const std::vector<Boundary> &boundaries,
                                                 uint64_t seed) {
  std::vector<Tensor> arrays;
  Draws draws(seed);
  for (const Boundary &boundary : boundaries) {
    absl::StatusOr<Tensor> array = draws.make(boundary.global);
    if (!array.ok())
      return array.status();
    arrays.push_back(*std::move(array));
  }
  return arrays;
}

} // namespace spmd
