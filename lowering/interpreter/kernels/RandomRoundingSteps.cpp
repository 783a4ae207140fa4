// The steps by which a wide program rounds (Arithmetic.h). Both take and give f64 or f128, or
// complex numbers of such parts.
//
//     round_result(x) {type, number, extra_ulps, sum_error, sum_units}
//         A result of element type number `type`. Always: what passes the largest number of the
//         type becomes what the type has beyond it, and what is nearer to 0 than half of its least
//         number becomes 0, unless the run is unbounded. In a run that rounds at random, too: x
//         goes up or down to a neighbouring number of the type, by chance and on average to x;
//         `extra_ulps` is by how many ulps, in all, a function of a library may be off, half of it
//         alike for all elements of instruction `number`, since an approximation is off one way; a
//         sum also takes a relative error with standard deviation `sum_error` (`sum_units` units of
//         rounding where all types are alike).
//     perturb_terms(x) {sum_error, sum_units, type}
//         Terms of a sum. In a run that rounds at random each takes such a relative error, which
//         is what the rounding of partial sums makes of their sum (docs/equality.md). One that
//         rounds by its own types makes them numbers of `type`, as above.
#include "spmd/lowering/interpreter/Arithmetic.h"
#include "spmd/lowering/interpreter/SmallFloat.h"
#include "spmd/lowering/interpreter/kernels/Steps.h"

#include <array>
#include <cmath>
#include <cstring>

// Vectors of random bits have eight elements where those of doubles have four.
#if defined(__clang__)
#define SPMD_INDEPENDENT_BY_EIGHT _Pragma("clang loop vectorize(assume_safety) vectorize_width(8)")
#else
#define SPMD_INDEPENDENT_BY_EIGHT SPMD_INDEPENDENT
#endif

namespace spmd {
namespace {

/// What a type can represent, in numbers of the wide type T.
template <typename T> struct Range {
  int precision = std::numeric_limits<T>::digits; ///< Bits of mantissa, with the leading one.
  T leastUlp = std::numeric_limits<T>::min();
  T overflowFrom = std::numeric_limits<T>::infinity();
  T overflow = std::numeric_limits<T>::infinity();
  T underflowUpTo = 0;
};

template <typename T>
Range<T> rangeOf(int precision, int leastExponent, double largest, double overflow) {
  Range<T> range;
  range.precision = precision;
  range.leastUlp = math::ldexp(T(1), leastExponent - precision + 1);
  T largestUlp = math::ldexp(T(1), std::ilogb(largest) - precision + 1);
  range.overflowFrom = T(largest) + largestUlp / 2;
  range.overflow = overflow;
  range.underflowUpTo = range.leastUlp / 2;
  return range;
}

bool isF64(ElementType type) { return type == ElementType::f64 || type == ElementType::complexF64; }

template <typename T> Range<T> rangeOfSmall(const FloatFormat &format) {
  if (format.specials == FloatFormat::Specials::exponentOnly)
    return {}; // It has neither sign nor zero; conversions alone make it.
  // The larger a code, the larger its number; the largest may be no finite one.
  uint32_t code = (1u << (format.exponentBits + format.mantissaBits)) - 1;
  while (!std::isfinite(decode(format, code)))
    --code;
  double largest = decode(format, code);
  double overflow = decode(format, encode(format, std::numeric_limits<double>::infinity()));
  return rangeOf<T>(format.mantissaBits + 1, 1 - format.bias, largest, overflow);
}

template <typename T> const Range<T> &rangeOf(ElementType type) {
  static const std::array<Range<T>, numElementTypes> ranges = [] {
    std::array<Range<T>, numElementTypes> all;
    for (int i = 0; i < numElementTypes; ++i) {
      auto each = static_cast<ElementType>(i);
      if (isSmallFloat(each))
        all[i] = rangeOfSmall<T>(formatOf(each));
      else if (each == ElementType::f32 || each == ElementType::complexF32)
        all[i] = rangeOf<T>(24, -126, std::numeric_limits<float>::max(),
                            std::numeric_limits<double>::infinity());
      else if (isF64(each) && !std::is_same_v<T, double>)
        all[i] = rangeOf<T>(53, -1022, std::numeric_limits<double>::max(),
                            std::numeric_limits<double>::infinity());
    }
    return all;
  }();
  return ranges[static_cast<int>(type)];
}

/// How the bits of a float are laid out.
template <typename T> struct Layout {
  using Bits = std::conditional_t<sizeof(T) == sizeof(uint64_t), uint64_t, unsigned __int128>;
  static constexpr Bits ulpOfExponent = Bits(1) << (std::numeric_limits<T>::digits - 1);
  static constexpr Bits exponents = (2 * std::numeric_limits<T>::max_exponent - 1) * ulpOfExponent;
};

/// Returns 32 random bits, the same for the same number and seed. Follows the finalizer of
/// MurmurHash3, twice.
SPMD_INLINE uint32_t randomBits(uint32_t number, uint32_t seed) {
  uint32_t h = number * 0x9e3779b1u ^ seed;
  h ^= h >> 16;
  h *= 0x85ebca6bu;
  h ^= h >> 13;
  h *= 0xc2b2ae35u;
  h ^= h >> 16;
  return h;
}

/// Returns a number in [-0.5, 0.5).
SPMD_INLINE double randomNumber(uint32_t number, uint32_t seed) {
  return static_cast<int32_t>(randomBits(number, seed)) * 0x1p-32;
}

/// Two numbers in [-0.5, 0.5).
struct Random {
  double first, second;
};
SPMD_INLINE Random randomPair(uint32_t number, uint32_t seed) {
  uint32_t bits = randomBits(number, seed);
  return {static_cast<int32_t>(bits << 16) * 0x1p-32,
          static_cast<int32_t>(bits & 0xffff0000u) * 0x1p-32};
}

/// Standard deviation of a number that is uniform in [-0.5, 0.5).
constexpr double uniformDeviation = 0.28867513459481287;

struct Noise {
  uint32_t first, seed;
};
Noise nextNoise(int64_t n, const Arithmetic &arithmetic) {
  uint64_t first = ArithmeticScope::take(n);
  uint64_t seed = (first >> 32) * 0x9e3779b97f4a7c15u + arithmetic.seed * 0xbf58476d1ce4e5b9u + 1;
  seed ^= seed >> 29;
  return {static_cast<uint32_t>(first), static_cast<uint32_t>(seed ^ (seed >> 32))};
}

float floatAt(int64_t params, int half) {
  auto bits = static_cast<uint32_t>(static_cast<uint64_t>(params) >> (32 * half));
  float value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

int64_t packed(uint32_t low, float high) {
  uint32_t bits;
  std::memcpy(&bits, &high, sizeof(bits));
  return static_cast<int64_t>(static_cast<uint64_t>(bits) << 32 | low);
}

uint32_t bitsOf(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

template <typename T> SPMD_INLINE T clampToRange(T x, const Range<T> &range) {
  T size = math::fabs(x);
  x = size >= range.overflowFrom ? math::copysign(range.overflow, x) : x;
  return size <= range.underflowUpTo ? math::copysign(T(0), x) : x;
}

template <typename T>
SPMD_INLINE void keepRange(int64_t n, const T *in, T *out, const Range<T> &range) {
  SPMD_INDEPENDENT
  for (int64_t i = 0; i < n; ++i)
    out[i] = clampToRange(in[i], range);
}

/// Rounds to numbers of a type. Those of the wide type's own precision are rounded already: their
/// error comes on top (`rounds` is false).
template <typename T, bool rounds> class Rounder {
public:
  explicit Rounder(const Range<T> &range)
      : range(range), ulpOfOne(math::ldexp(T(1), 1 - range.precision)),
        leastPower(std::max<T>(range.leastUlp / ulpOfOne, std::numeric_limits<T>::min())) {}

  /// Returns x, with a relative error and one of some ulps, rounded. 0 and what is not finite stay:
  /// no error makes other numbers of these.
  SPMD_INLINE T operator()(T x, double relative, double ulps) const {
    // The power of two in x, as far as it has an ulp and what is added below is finite.
    using Bits = typename Layout<T>::Bits;
    Bits bits;
    std::memcpy(&bits, &x, sizeof(bits));
    bits &= Layout<T>::exponents;
    T ownPower;
    std::memcpy(&ownPower, &bits, sizeof(ownPower));
    bool isOrdinary = ownPower > 0 && ownPower < std::numeric_limits<T>::infinity();
    T power = std::min(std::max(ownPower, leastPower), largestPower);
    T moved = x + x * relative + power * (ulps * ulpOfOne);
    // Beside this number the wide type has nothing between the multiples of an ulp.
    T coarse = power * (roundToInteger * ulpOfOne);
    T rounded = rounds ? (moved + coarse) - coarse : moved;
    return clampToRange(isOrdinary ? rounded : x, range);
  }

private:
  const Range<T> range;
  const T ulpOfOne, leastPower;
  static constexpr int digits = std::numeric_limits<T>::digits;
  const T largestPower = math::ldexp(T(1), std::numeric_limits<T>::max_exponent - digits - 11);
  const T roundToInteger = 3 * math::ldexp(T(1), digits - 2);
};

/// Returns the relative standard deviation of what a step adds, beside roundings.
double deviationOf(const int64_t *params, const Arithmetic &arithmetic) {
  bool isUniform = arithmetic.rounding == Arithmetic::Rounding::uniform;
  return floatAt(params[1], isUniform) * arithmetic.scale *
         (isUniform ? std::ldexp(1.0, -arithmetic.uniformBits) : 1);
}

/// Returns `range` for numbers of that many bits of mantissa.
template <typename T> Range<T> uniformly(Range<T> range, int bits) {
  range.leastUlp = std::max(range.leastUlp * math::ldexp(T(1), range.precision - bits),
                            std::numeric_limits<T>::min());
  range.precision = bits;
  return range;
}

template <typename T> struct RoundResult {
  static SPMD_INLINE void run(int64_t n, void *out, const void *const *in, const int64_t *params) {
    auto *a = static_cast<const T *>(in[0]);
    auto *r = static_cast<T *>(out);
    const Arithmetic *arithmetic = ArithmeticScope::current();
    Range<T> range = rangeOf<T>(static_cast<ElementType>(params[0] & 0xff));
    if (arithmetic && arithmetic->unbounded)
      range = Range<T>();
    if (!arithmetic || arithmetic->rounding == Arithmetic::Rounding::none)
      return keepRange(n, a, r, range);
    bool isUniform = arithmetic->rounding == Arithmetic::Rounding::uniform;
    const Range<T> rounded = isUniform ? uniformly(range, arithmetic->uniformBits) : range;
    if (rounded.precision < std::numeric_limits<T>::digits - 1)
      roundAll(Rounder<T, true>(rounded), n, a, r, params, *arithmetic);
    else
      roundAll(Rounder<T, false>(rounded), n, a, r, params, *arithmetic);
  }

private:
  template <typename Round>
  static SPMD_INLINE void roundAll(const Round &round, int64_t n, const T *in, T *out,
                                   const int64_t *params, const Arithmetic &arithmetic) {
    const double width = arithmetic.scale,
                 relative = deviationOf(params, arithmetic) / uniformDeviation,
                 extra = floatAt(params[0], 1) * arithmetic.scale * M_SQRT1_2;
    const Noise noise = nextNoise(n, arithmetic);
    if (relative == 0 && extra == 0) {
      SPMD_INDEPENDENT_BY_EIGHT
      for (int64_t i = 0; i < n; ++i)
        out[i] = round(in[i], 0,
                       width * randomNumber(noise.first + static_cast<uint32_t>(i), noise.seed));
      return;
    }
    auto number = static_cast<uint32_t>(params[0]) >> 8;
    const double common = extra * randomPair(number, static_cast<uint32_t>(arithmetic.seed)).first;
    SPMD_INDEPENDENT_BY_EIGHT
    for (int64_t i = 0; i < n; ++i) {
      Random random = randomPair(noise.first + static_cast<uint32_t>(i), noise.seed);
      double ulps = width * random.first + extra * random.second + common;
      out[i] = round(in[i], relative * random.second, ulps);
    }
  }
};

template <typename T> struct PerturbTerms {
  static SPMD_INLINE void run(int64_t n, void *out, const void *const *in, const int64_t *params) {
    auto *a = static_cast<const T *>(in[0]);
    auto *r = static_cast<T *>(out);
    const Arithmetic *arithmetic = ArithmeticScope::current();
    if (!arithmetic || arithmetic->rounding == Arithmetic::Rounding::none) {
      if (a != r)
        std::memcpy(r, a, n * sizeof(T));
      return;
    }
    const double size = deviationOf(params, *arithmetic) / uniformDeviation;
    const Noise noise = nextNoise(n, *arithmetic);
    auto type = static_cast<ElementType>(params[0] & 0xff);
    if (type == ElementType::f64 || arithmetic->rounding == Arithmetic::Rounding::uniform) {
      SPMD_INDEPENDENT
      for (int64_t i = 0; i < n; ++i)
        r[i] = a[i] *
               (T(1) + size * randomPair(noise.first + static_cast<uint32_t>(i), noise.seed).first);
      return;
    }
    const Rounder<T, true> round(rangeOf<T>(type));
    SPMD_INDEPENDENT_BY_EIGHT
    for (int64_t i = 0; i < n; ++i) {
      Random random = randomPair(noise.first + static_cast<uint32_t>(i), noise.seed);
      r[i] = round(a[i], size * random.first, random.second);
    }
  }
};

/// A complex number is two.
template <typename Loop> struct Parts {
  static SPMD_INLINE void run(int64_t n, void *out, const void *const *in, const int64_t *params) {
    Loop::run(2 * n, out, in, params);
  }
};

/// Returns the loop for a wide type, or null.
template <template <typename> class Loop> StepFunction wideStepFor(ElementType element) {
  switch (element) {
  case ElementType::f64:
    return stepOf<Loop<double>>();
  case ElementType::f128:
    return stepOf<Loop<Float128>>();
  case ElementType::complexF64:
    return stepOf<Parts<Loop<double>>>();
  case ElementType::complexF128:
    return stepOf<Parts<Loop<Float128>>>();
  default:
    return nullptr;
  }
}

template <template <typename> class Loop>
absl::StatusOr<TileStep> prepareStep(const Attributes &attributes,
                                     absl::Span<const ElementType> operands, ElementType result) {
  SPMD_RETURN_IF_ERROR(expectOperands(operands, 1));
  TileStep step;
  step.function = wideStepFor<Loop>(result);
  if (operands[0] != result || !step.function)
    return invalid("takes ", nameOf(operands[0]), " to ", nameOf(result), "; expected f64");
  SPMD_ASSIGN_OR_RETURN(int64_t type,
                        attributes.getOr<int64_t>("type", static_cast<int64_t>(ElementType::f64)));
  SPMD_ASSIGN_OR_RETURN(int64_t number, attributes.getOr<int64_t>("number", 0));
  SPMD_ASSIGN_OR_RETURN(double extraUlps, attributes.getOr<double>("extra_ulps", 0));
  SPMD_ASSIGN_OR_RETURN(double error, attributes.getOr<double>("sum_error", 0));
  SPMD_ASSIGN_OR_RETURN(double units, attributes.getOr<double>("sum_units", 0));
  if (type < 0 || type >= numElementTypes)
    return invalid("attribute 'type' is ", type);
  step.params[0] =
      packed(static_cast<uint32_t>(type | (number & 0xffffff) << 8), static_cast<float>(extraUlps));
  step.params[1] = packed(bitsOf(static_cast<float>(error)), static_cast<float>(units));
  return step;
}

} // namespace

void addRandomRoundingSteps(KernelRegistry &registry) {
  registry.addStep("perturb_terms", prepareStep<PerturbTerms>);
  registry.addStep("round_result", prepareStep<RoundResult>);
}

} // namespace spmd
