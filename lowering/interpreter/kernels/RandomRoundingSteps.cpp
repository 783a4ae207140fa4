// The steps by which a wide program rounds (Arithmetic.h). Both take and give f64 or complex<f64>.
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

/// What a type can represent.
struct Range {
  int precision = 53; ///< Bits of mantissa, with the leading one.
  double leastUlp = 0;
  double overflowFrom = std::numeric_limits<double>::infinity();
  double overflow = std::numeric_limits<double>::infinity();
  double underflowUpTo = 0;
};

Range rangeOf(int precision, int leastExponent, double largest, double overflow) {
  Range range;
  range.precision = precision;
  range.leastUlp = std::ldexp(1.0, leastExponent - precision + 1);
  double largestUlp = std::ldexp(1.0, std::ilogb(largest) - precision + 1);
  range.overflowFrom = largest + largestUlp / 2;
  range.overflow = overflow;
  range.underflowUpTo = range.leastUlp / 2;
  return range;
}

Range rangeOfSmall(const FloatFormat &format) {
  if (format.specials == FloatFormat::Specials::exponentOnly)
    return {}; // It has neither sign nor zero; conversions alone make it.
  // The larger a code, the larger its number; the largest may be no finite one.
  uint32_t code = (1u << (format.exponentBits + format.mantissaBits)) - 1;
  while (!std::isfinite(decode(format, code)))
    --code;
  double largest = decode(format, code);
  double overflow = decode(format, encode(format, std::numeric_limits<double>::infinity()));
  return rangeOf(format.mantissaBits + 1, 1 - format.bias, largest, overflow);
}

const Range &rangeOf(ElementType type) {
  static const std::array<Range, numElementTypes> ranges = [] {
    std::array<Range, numElementTypes> all;
    for (int i = 0; i < numElementTypes; ++i) {
      auto each = static_cast<ElementType>(i);
      if (isSmallFloat(each))
        all[i] = rangeOfSmall(formatOf(each));
      else if (each == ElementType::f32 || each == ElementType::complexF32)
        all[i] = rangeOf(24, -126, std::numeric_limits<float>::max(),
                         std::numeric_limits<double>::infinity());
      else
        all[i].leastUlp = std::numeric_limits<double>::min();
    }
    return all;
  }();
  return ranges[static_cast<int>(type)];
}

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

SPMD_INLINE double clampToRange(double x, const Range &range) {
  double size = std::fabs(x);
  x = size >= range.overflowFrom ? std::copysign(range.overflow, x) : x;
  return size <= range.underflowUpTo ? std::copysign(0.0, x) : x;
}

SPMD_INLINE void keepRange(int64_t n, const double *in, double *out, const Range &range) {
  SPMD_INDEPENDENT
  for (int64_t i = 0; i < n; ++i)
    out[i] = clampToRange(in[i], range);
}

/// Rounds to numbers of a type. Those of f64's own precision are rounded already: their error comes
/// on top (`rounds` is false).
template <bool rounds> class Rounder {
public:
  explicit Rounder(const Range &range)
      : range(range), ulpOfOne(std::ldexp(1.0, 1 - range.precision)),
        leastPower(std::max(range.leastUlp / ulpOfOne, std::numeric_limits<double>::min())) {}

  /// Returns x, with a relative error and one of some ulps, rounded. 0 and what is not finite stay:
  /// no error makes other numbers of these.
  SPMD_INLINE double operator()(double x, double relative, double ulps) const {
    // The power of two in x, as far as it has an ulp and what is added below is finite.
    uint64_t bits;
    std::memcpy(&bits, &x, sizeof(bits));
    bits &= 0x7ff0000000000000u;
    double ownPower;
    std::memcpy(&ownPower, &bits, sizeof(ownPower));
    bool isOrdinary = ownPower > 0 && ownPower < std::numeric_limits<double>::infinity();
    double power = std::min(std::max(ownPower, leastPower), 0x1p960);
    double moved = x + x * relative + power * (ulps * ulpOfOne);
    // Beside this number f64 has nothing between the multiples of an ulp.
    double coarse = power * (0x1.8p52 * ulpOfOne);
    double rounded = rounds ? (moved + coarse) - coarse : moved;
    return clampToRange(isOrdinary ? rounded : x, range);
  }

private:
  const Range range;
  const double ulpOfOne, leastPower;
};

/// Returns the relative standard deviation of what a step adds, beside roundings.
double deviationOf(const int64_t *params, const Arithmetic &arithmetic) {
  bool isUniform = arithmetic.rounding == Arithmetic::Rounding::uniform;
  return floatAt(params[1], isUniform) * arithmetic.scale *
         (isUniform ? std::ldexp(1.0, -arithmetic.uniformBits) : 1);
}

/// Returns `range` for numbers of that many bits of mantissa.
Range uniformly(Range range, int bits) {
  range.leastUlp = std::max(range.leastUlp * std::ldexp(1.0, range.precision - bits),
                            std::numeric_limits<double>::min());
  range.precision = bits;
  return range;
}

struct RoundResult {
  static SPMD_INLINE void run(int64_t n, void *out, const void *const *in, const int64_t *params) {
    auto *a = static_cast<const double *>(in[0]);
    auto *r = static_cast<double *>(out);
    const Arithmetic *arithmetic = ArithmeticScope::current();
    Range range = rangeOf(static_cast<ElementType>(params[0] & 0xff));
    if (arithmetic && arithmetic->unbounded)
      range = rangeOf(ElementType::f64);
    if (!arithmetic || arithmetic->rounding == Arithmetic::Rounding::none)
      return keepRange(n, a, r, range);
    bool isUniform = arithmetic->rounding == Arithmetic::Rounding::uniform;
    const Range rounded = isUniform ? uniformly(range, arithmetic->uniformBits) : range;
    if (rounded.precision < 52)
      roundAll(Rounder<true>(rounded), n, a, r, params, *arithmetic);
    else
      roundAll(Rounder<false>(rounded), n, a, r, params, *arithmetic);
  }

private:
  template <typename Round>
  static SPMD_INLINE void roundAll(const Round &round, int64_t n, const double *in, double *out,
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

struct PerturbTerms {
  static SPMD_INLINE void run(int64_t n, void *out, const void *const *in, const int64_t *params) {
    auto *a = static_cast<const double *>(in[0]);
    auto *r = static_cast<double *>(out);
    const Arithmetic *arithmetic = ArithmeticScope::current();
    if (!arithmetic || arithmetic->rounding == Arithmetic::Rounding::none) {
      if (a != r)
        std::memcpy(r, a, n * sizeof(double));
      return;
    }
    const double size = deviationOf(params, *arithmetic) / uniformDeviation;
    const Noise noise = nextNoise(n, *arithmetic);
    auto type = static_cast<ElementType>(params[0] & 0xff);
    if (type == ElementType::f64 || arithmetic->rounding == Arithmetic::Rounding::uniform) {
      SPMD_INDEPENDENT
      for (int64_t i = 0; i < n; ++i)
        r[i] = a[i] *
               (1 + size * randomPair(noise.first + static_cast<uint32_t>(i), noise.seed).first);
      return;
    }
    const Rounder<true> round(rangeOf(type));
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

template <typename Loop>
absl::StatusOr<TileStep> prepareStep(const Attributes &attributes,
                                     absl::Span<const ElementType> operands, ElementType result) {
  SPMD_RETURN_IF_ERROR(expectOperands(operands, 1));
  bool isComplexStep = result == ElementType::complexF64;
  if (operands[0] != result || (result != ElementType::f64 && !isComplexStep))
    return invalid("takes ", nameOf(operands[0]), " to ", nameOf(result), "; expected f64");
  SPMD_ASSIGN_OR_RETURN(int64_t type,
                        attributes.getOr<int64_t>("type", static_cast<int64_t>(ElementType::f64)));
  SPMD_ASSIGN_OR_RETURN(int64_t number, attributes.getOr<int64_t>("number", 0));
  SPMD_ASSIGN_OR_RETURN(double extraUlps, attributes.getOr<double>("extra_ulps", 0));
  SPMD_ASSIGN_OR_RETURN(double error, attributes.getOr<double>("sum_error", 0));
  SPMD_ASSIGN_OR_RETURN(double units, attributes.getOr<double>("sum_units", 0));
  if (type < 0 || type >= numElementTypes)
    return invalid("attribute 'type' is ", type);
  TileStep step;
  step.function = isComplexStep ? stepOf<Parts<Loop>>() : stepOf<Loop>();
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
