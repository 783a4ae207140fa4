#include "spmd/lowering/interpreter/Storage.h"

#include "spmd/lowering/interpreter/Denormals.h"
#include "spmd/lowering/interpreter/SmallFloat.h"
#include "spmd/lowering/interpreter/SmallFloatLoops.h"

#include <array>
#include <cstring>

namespace spmd {

// bf16: the upper half of a float.

static uint32_t roundedBf16(uint32_t bits) {
  uint32_t rounded = bits + 0x7fff + ((bits >> 16) & 1);
  bool isNaN = (bits & 0x7fffffff) > 0x7f800000;
  return isNaN ? (bits | 0x400000) & 0xffff0000 : rounded & 0xffff0000;
}

static void loadBf16(int64_t n, const void *stored, void *native) {
  auto *in = static_cast<const uint16_t *>(stored);
  auto *out = static_cast<uint32_t *>(native);
  SPMD_INDEPENDENT
  for (int64_t i = 0; i < n; ++i)
    out[i] = static_cast<uint32_t>(in[i]) << 16;
}

static void storeBf16(int64_t n, const void *native, void *stored) {
  auto *in = static_cast<const uint32_t *>(native);
  auto *out = static_cast<uint16_t *>(stored);
  SPMD_INDEPENDENT
  for (int64_t i = 0; i < n; ++i)
    out[i] = roundedBf16(in[i]) >> 16;
}

static void roundBf16(int64_t n, void *native) {
  auto *bits = static_cast<uint32_t *>(native);
  SPMD_INDEPENDENT
  for (int64_t i = 0; i < n; ++i)
    bits[i] = roundedBf16(bits[i]);
}

// f8E8M0FNU has nothing but an exponent. The least is a denormal f32, and not to be lost.

static constexpr const FloatFormat &exponentFormat = formatOf(ElementType::f8E8M0FNU);

static void loadExponent(int64_t n, const void *stored, void *native) {
  // A table of every code; filled on first use, constant from then on.
  static const auto table = [] {
    DenormalScope scope(Denormals::keep);
    std::array<float, 256> values;
    for (uint32_t code = 0; code < values.size(); ++code)
      values[code] = static_cast<float>(decode(exponentFormat, code));
    return values;
  }();
  auto *in = static_cast<const uint8_t *>(stored);
  auto *out = static_cast<float *>(native);
  for (int64_t i = 0; i < n; ++i)
    out[i] = table[in[i]];
}

static void storeExponent(int64_t n, const void *native, void *stored) {
  DenormalScope scope(Denormals::keep);
  auto *in = static_cast<const float *>(native);
  auto *out = static_cast<uint8_t *>(stored);
  for (int64_t i = 0; i < n; ++i)
    out[i] = static_cast<uint8_t>(encode(exponentFormat, in[i]));
}

static void roundExponent(int64_t n, void *native) {
  DenormalScope scope(Denormals::keep);
  auto *values = static_cast<float *>(native);
  for (int64_t i = 0; i < n; ++i)
    values[i] = static_cast<float>(decode(exponentFormat, encode(exponentFormat, values[i])));
}

// The other small floats, by their bits.

template <ElementType element, typename Code = uint8_t> static constexpr Storage smallFloat() {
  using Loops = SmallFloatLoops<element, Code>;
  return {Native::f32, 4, &Loops::load, &Loops::store, &Loops::round};
}

// Integers of less than 8 bits: one to a byte, sign or zero extended.

template <int bits, typename T> static void roundBits(int64_t n, void *native) {
  auto *values = static_cast<T *>(native);
  SPMD_INDEPENDENT
  for (int64_t i = 0; i < n; ++i)
    values[i] =
        static_cast<T>(static_cast<T>(static_cast<uint8_t>(values[i]) << (8 - bits)) >> (8 - bits));
}

template <int bits, typename T> static void copyBits(int64_t n, const void *from, void *to) {
  if (from != to)
    std::memcpy(to, from, n);
  roundBits<bits, T>(n, to);
}

template <int bits, typename T> static constexpr Storage smallInteger(Native native) {
  return {native, 1, copyBits<bits, T>, copyBits<bits, T>, roundBits<bits, T>};
}

const Storage &storageOf(ElementType type) {
  using E = ElementType;
  // In the order of the enum.
  static constexpr Storage storages[numElementTypes] = {
      {Native::i1, 1},
      smallInteger<2, int8_t>(Native::i8),
      smallInteger<4, int8_t>(Native::i8),
      {Native::i8, 1},
      {Native::i16, 2},
      {Native::i32, 4},
      {Native::i64, 8},
      smallInteger<2, uint8_t>(Native::ui8),
      smallInteger<4, uint8_t>(Native::ui8),
      {Native::ui8, 1},
      {Native::ui16, 2},
      {Native::ui32, 4},
      {Native::ui64, 8},
      smallFloat<E::f4E2M1FN>(),
      smallFloat<E::f6E2M3FN>(),
      smallFloat<E::f6E3M2FN>(),
      smallFloat<E::f8E3M4>(),
      smallFloat<E::f8E4M3>(),
      smallFloat<E::f8E4M3FN>(),
      smallFloat<E::f8E4M3FNUZ>(),
      smallFloat<E::f8E4M3B11FNUZ>(),
      smallFloat<E::f8E5M2>(),
      smallFloat<E::f8E5M2FNUZ>(),
      {Native::f32, 4, loadExponent, storeExponent, roundExponent},
      {Native::f32, 4, loadBf16, storeBf16, roundBf16},
      smallFloat<E::f16, uint16_t>(),
      {Native::f32, 4},
      {Native::f64, 8},
      {Native::f128, 16},
      {Native::c64, 8},
      {Native::c128, 16},
      {Native::c256, 32}};
  return storages[static_cast<int>(type)];
}

} // namespace spmd
