// Runs of small floats from and to f32, in integer arithmetic on the bits, so that loops become
// vectors. What `decode` and `encode` say (`SmallFloat.h`), of an f32.
#pragma once

#include "spmd/lowering/interpreter/SmallFloat.h"
#include "spmd/lowering/interpreter/Storage.h"
#include "spmd/lowering/interpreter/Vectorized.h"

#include <cstring>

namespace spmd {

/// Of a format with a sign and at least one bit of mantissa, whose least number is far above the
/// denormals of f32.
template <ElementType element> struct SmallFloatBits {
  using Specials = FloatFormat::Specials;
  static constexpr FloatFormat format = formatOf(element);
  static_assert(format.specials != Specials::exponentOnly && format.exponentBits < 8);

  static constexpr uint32_t signBit = 1u << (format.exponentBits + format.mantissaBits),
                            allOnes = signBit - 1,
                            infinity = allOnes & ~((1u << format.mantissaBits) - 1);
  static constexpr uint32_t infinityOfF32 = 0x7f800000, nanOfF32 = 0x7fc00000;
  /// Bits of an f32's mantissa that the format does not have.
  static constexpr int dropped = 23 - format.mantissaBits;
  /// The exponent of the least number that has a whole mantissa, as an f32 has it.
  static constexpr uint32_t leastExponent = 128 - format.bias;
  static constexpr uint32_t leastNormal = leastExponent << 23;
  /// An f32 whose last bit counts as much as the format's least number: adding it rounds to one.
  static constexpr uint32_t unitsOfLeast = (leastExponent + static_cast<uint32_t>(dropped)) << 23;

  static constexpr uint32_t largest = format.specials == Specials::ieee         ? infinity - 1
                                      : format.specials == Specials::allOnesNaN ? allOnes - 1
                                                                                : allOnes;
  static constexpr uint32_t overflow = format.specials == Specials::ieee         ? infinity
                                       : format.specials == Specials::negZeroNaN ? signBit
                                                                                 : allOnes;
  static constexpr uint32_t nan = format.specials == Specials::ieee
                                      ? infinity | (1u << (format.mantissaBits - 1))
                                  : format.specials == Specials::allOnesNaN ? allOnes
                                                                            : signBit;
  /// What has no sign is neither negative zero nor NaN with it.
  static constexpr bool hasSignedZero = format.specials != Specials::negZeroNaN;

  static SPMD_INLINE float asFloat(uint32_t bits) {
    float value;
    std::memcpy(&value, &bits, sizeof(value));
    return value;
  }
  static SPMD_INLINE uint32_t asBits(float value) {
    uint32_t bits;
    std::memcpy(&bits, &value, sizeof(bits));
    return bits;
  }

  static SPMD_INLINE uint32_t encode(uint32_t bits) {
    uint32_t magnitude = bits & 0x7fffffff, sign = (bits >> 31) * signBit;
    // Codes of equal sign are consecutive: a mantissa that rounds up carries into the exponent.
    uint32_t normal =
        ((magnitude + ((1u << (dropped - 1)) - 1) + ((magnitude >> dropped) & 1)) >> dropped) -
        ((leastExponent - 1) << format.mantissaBits);
    uint32_t denormal = asBits(asFloat(magnitude) + asFloat(unitsOfLeast)) - unitsOfLeast;
    uint32_t code = magnitude < leastNormal ? denormal : normal;
    uint32_t signedCode = hasSignedZero || code != 0 ? sign | code : 0;
    uint32_t signedOverflow = hasSignedZero ? sign | overflow : overflow;
    uint32_t signedNaN = nan == signBit ? nan : sign | nan;
    uint32_t number = code > largest ? signedOverflow : signedCode;
    return magnitude > infinityOfF32 ? signedNaN : number;
  }

  /// Bits of the code that the format does not have are not looked at.
  static SPMD_INLINE uint32_t decode(uint32_t code) {
    uint32_t magnitude = code & allOnes, sign = (code & signBit ? 1u : 0u) << 31;
    uint32_t normal = (magnitude << dropped) + ((leastExponent - 1) << 23);
    uint32_t denormal =
        asBits(asFloat(unitsOfLeast + magnitude) - asFloat(unitsOfLeast)) & 0x7fffffff;
    uint32_t number = magnitude < (1u << format.mantissaBits) ? denormal : normal;
    if constexpr (format.specials == Specials::ieee)
      number = magnitude < infinity ? number : magnitude == infinity ? infinityOfF32 : nanOfF32;
    else if constexpr (format.specials == Specials::allOnesNaN)
      number = magnitude == allOnes ? nanOfF32 : number;
    else if constexpr (format.specials == Specials::negZeroNaN)
      return (code & (allOnes | signBit)) == signBit ? nanOfF32 : sign | number;
    return sign | number;
  }
};

template <ElementType element, typename Code> class SmallFloatLoops {
public:
  static void load(int64_t n, const void *stored, void *native) { run<Load>(n, stored, native); }
  static void store(int64_t n, const void *native, void *stored) { run<Store>(n, native, stored); }
  static void round(int64_t n, void *native) { run<Round>(n, native, native); }

private:
  using Bits = SmallFloatBits<element>;

  struct Load {
    using From = Code;
    using To = uint32_t;
    static SPMD_INLINE To of(From code) { return Bits::decode(code); }
  };
  struct Store {
    using From = uint32_t;
    using To = Code;
    static SPMD_INLINE To of(From bits) { return static_cast<Code>(Bits::encode(bits)); }
  };
  struct Round {
    using From = uint32_t;
    using To = uint32_t;
    static SPMD_INLINE To of(From bits) { return Bits::decode(Bits::encode(bits)); }
  };

  template <typename Op> static SPMD_INLINE void loop(int64_t n, const void *from, void *to) {
    auto *in = static_cast<const typename Op::From *>(from);
    auto *out = static_cast<typename Op::To *>(to);
    SPMD_INDEPENDENT
    for (int64_t i = 0; i < n; ++i)
      out[i] = Op::of(in[i]);
  }

#ifdef SPMD_WIDE_TARGET
  template <typename Op>
  SPMD_WIDE_TARGET static void wideLoop(int64_t n, const void *from, void *to) {
    loop<Op>(n, from, to);
  }
#endif

  template <typename Op> static void run(int64_t n, const void *from, void *to) {
#ifdef SPMD_WIDE_TARGET
    if (hasWideVectors())
      return wideLoop<Op>(n, from, to);
#endif
    loop<Op>(n, from, to);
  }
};

} // namespace spmd
