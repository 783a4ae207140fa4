#include "spmd/lowering/interpreter/RandomTensor.h"

#include <algorithm>

namespace spmd {

void fillRandomly(Tensor &array, std::mt19937_64 &engine) {
  const TensorType &type = array.type();
  int64_t count = type.numElements();
  auto fill = [&](auto *elements, auto next) {
    for (int64_t i = 0; i < count; ++i)
      elements[i] = next();
  };
  auto uniform = [&](int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(engine);
  };
  switch (type.element) {
  case ElementType::f32:
    fill(array.mutableAs<float>(), [&] { return static_cast<float>(uniform(-64, 64)) / 64; });
    break;
  case ElementType::f64:
    fill(array.mutableAs<double>(), [&] { return static_cast<double>(uniform(-64, 64)) / 64; });
    break;
  case ElementType::complexF32: {
    float *parts = array.mutableAs<float>();
    for (int64_t i = 0; i < 2 * count; ++i)
      parts[i] = static_cast<float>(uniform(-64, 64)) / 64;
    break;
  }
  case ElementType::complexF64: {
    double *parts = array.mutableAs<double>();
    for (int64_t i = 0; i < 2 * count; ++i)
      parts[i] = static_cast<double>(uniform(-64, 64)) / 64;
    break;
  }
  case ElementType::bf16: // Whole numbers from 1 to 2 share their sign and exponent bits.
    fill(array.mutableAs<uint16_t>(),
         [&] { return static_cast<uint16_t>(0x3f80 | (uniform(0, 127)) | (uniform(0, 1) << 15)); });
    break;
  case ElementType::f16:
    fill(array.mutableAs<uint16_t>(), [&] {
      return static_cast<uint16_t>(0x3c00 | (uniform(0, 1023)) | (uniform(0, 1) << 15));
    });
    break;
  default:
    switch (storedBytes(type.element)) {
    case 8:
      fill(array.mutableAs<int64_t>(), [&] { return uniform(0, 7); });
      break;
    case 4:
      fill(array.mutableAs<int32_t>(), [&] { return static_cast<int32_t>(uniform(0, 7)); });
      break;
    case 2:
      fill(array.mutableAs<int16_t>(), [&] { return static_cast<int16_t>(uniform(0, 7)); });
      break;
    default:
      int valueBits = bitWidth(type.element) - (isSignedInteger(type.element) ? 1 : 0);
      int64_t largest = isFloat(type.element) ? 1 : (int64_t{1} << std::min(valueBits, 3)) - 1;
      fill(array.mutableAs<int8_t>(), [&] { return static_cast<int8_t>(uniform(0, largest)); });
    }
  }
}

} // namespace spmd
