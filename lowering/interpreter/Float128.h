// Floats of 128 bits, and the functions of analysis under one name for every float type.
//
// Only wide programs have elements of f128 (lowering/equality/Widen.h). The compiler's runtime has
// their arithmetic, the C library their functions: correct to a few roundings, and as slow as that
// takes.
//
//     template <typename T> T realLogistic(T a) { return T(1) / (T(1) + math::exp(-a)); }
#pragma once

#include <cmath>
#include <complex>
#include <limits>
#include <type_traits>

namespace spmd::math {

/// As the compiler has it: IEEE 754's binary128, of 113 bits of mantissa.
typedef float Binary128 __attribute__((mode(TF)));
typedef _Complex float ComplexBinary128 __attribute__((mode(TC)));

/// A class, so that C++ knows neither fewer nor more conversions than those of other floats.
class Float128 {
public:
  Float128() = default;
  constexpr explicit Float128(Binary128 value) : value(value) {}
  template <typename T, typename = std::enable_if_t<std::is_arithmetic_v<T>>>
  constexpr Float128(T value) : value(value) {}

  constexpr Binary128 get() const { return value; }
  template <typename T, typename = std::enable_if_t<std::is_arithmetic_v<T>>>
  constexpr explicit operator T() const {
    return static_cast<T>(value);
  }

  constexpr Float128 operator-() const { return Float128(-value); }
  friend constexpr Float128 operator+(Float128 a, Float128 b) {
    return Float128(a.value + b.value);
  }
  friend constexpr Float128 operator-(Float128 a, Float128 b) {
    return Float128(a.value - b.value);
  }
  friend constexpr Float128 operator*(Float128 a, Float128 b) {
    return Float128(a.value * b.value);
  }
  friend constexpr Float128 operator/(Float128 a, Float128 b) {
    return Float128(a.value / b.value);
  }
  Float128 &operator+=(Float128 other) { return *this = *this + other; }
  Float128 &operator-=(Float128 other) { return *this = *this - other; }
  Float128 &operator*=(Float128 other) { return *this = *this * other; }
  Float128 &operator/=(Float128 other) { return *this = *this / other; }
  friend constexpr bool operator==(Float128 a, Float128 b) { return a.value == b.value; }
  friend constexpr bool operator!=(Float128 a, Float128 b) { return a.value != b.value; }
  friend constexpr bool operator<(Float128 a, Float128 b) { return a.value < b.value; }
  friend constexpr bool operator>(Float128 a, Float128 b) { return a.value > b.value; }
  friend constexpr bool operator<=(Float128 a, Float128 b) { return a.value <= b.value; }
  friend constexpr bool operator>=(Float128 a, Float128 b) { return a.value >= b.value; }

private:
  Binary128 value;
};

using Complex128 = std::complex<Float128>;

/// Declares the C library's function of 128 bits in `library`, and one of Float128 and of
/// Complex128.
#define SPMD_REAL_FUNCTION(name)                                                                   \
  using std::name;                                                                                 \
  namespace library {                                                                              \
  Binary128 name(Binary128) noexcept __asm__(#name "f128");                                        \
  }                                                                                                \
  inline Float128 name(Float128 x) { return Float128(library::name(x.get())); }
#define SPMD_REAL_FUNCTION_OF_TWO(name)                                                            \
  using std::name;                                                                                 \
  namespace library {                                                                              \
  Binary128 name(Binary128, Binary128) noexcept __asm__(#name "f128");                             \
  }                                                                                                \
  inline Float128 name(Float128 x, Float128 y) { return Float128(library::name(x.get(), y.get())); }
#define SPMD_COMPLEX_FUNCTION(name)                                                                \
  namespace library {                                                                              \
  ComplexBinary128 name(ComplexBinary128) noexcept __asm__("c" #name "f128");                      \
  }                                                                                                \
  inline Complex128 name(Complex128 z) { return wrapped(library::name(unwrapped(z))); }

inline ComplexBinary128 unwrapped(Complex128 z) {
  ComplexBinary128 out;
  __real__ out = z.real().get();
  __imag__ out = z.imag().get();
  return out;
}
inline Complex128 wrapped(ComplexBinary128 z) {
  return {Float128(__real__ z), Float128(__imag__ z)};
}

// Found by the types of the arguments, before those of std::complex, which know no infinities.
inline Complex128 operator*(const Complex128 &a, const Complex128 &b) {
  return wrapped(unwrapped(a) * unwrapped(b));
}
inline Complex128 operator/(const Complex128 &a, const Complex128 &b) {
  return wrapped(unwrapped(a) / unwrapped(b));
}

SPMD_REAL_FUNCTION(cbrt)
SPMD_REAL_FUNCTION(ceil)
SPMD_REAL_FUNCTION(cos)
SPMD_REAL_FUNCTION(exp)
SPMD_REAL_FUNCTION(expm1)
SPMD_REAL_FUNCTION(fabs)
SPMD_REAL_FUNCTION(floor)
SPMD_REAL_FUNCTION(log)
SPMD_REAL_FUNCTION(log1p)
SPMD_REAL_FUNCTION(nearbyint)
SPMD_REAL_FUNCTION(round)
SPMD_REAL_FUNCTION(sin)
SPMD_REAL_FUNCTION(sqrt)
SPMD_REAL_FUNCTION(tan)
SPMD_REAL_FUNCTION(tanh)
SPMD_REAL_FUNCTION_OF_TWO(atan2)
SPMD_REAL_FUNCTION_OF_TWO(copysign)
SPMD_REAL_FUNCTION_OF_TWO(fmod)
SPMD_REAL_FUNCTION_OF_TWO(pow)
SPMD_COMPLEX_FUNCTION(cos)
SPMD_COMPLEX_FUNCTION(exp)
SPMD_COMPLEX_FUNCTION(log)
SPMD_COMPLEX_FUNCTION(sin)
SPMD_COMPLEX_FUNCTION(sqrt)
SPMD_COMPLEX_FUNCTION(tan)
SPMD_COMPLEX_FUNCTION(tanh)

namespace library {
Binary128 fma(Binary128, Binary128, Binary128) noexcept __asm__("fmaf128");
Binary128 hypot(Binary128, Binary128) noexcept __asm__("hypotf128");
Binary128 frexp(Binary128, int *) noexcept __asm__("frexpf128");
Binary128 ldexp(Binary128, int) noexcept __asm__("ldexpf128");
ComplexBinary128 pow(ComplexBinary128, ComplexBinary128) noexcept __asm__("cpowf128");
} // namespace library

using std::abs, std::arg, std::fma, std::frexp, std::isfinite, std::isinf, std::isnan, std::ldexp;

inline Complex128 pow(Complex128 x, Complex128 y) {
  return wrapped(library::pow(unwrapped(x), unwrapped(y)));
}
inline Float128 fma(Float128 x, Float128 y, Float128 z) {
  return Float128(library::fma(x.get(), y.get(), z.get()));
}
inline Float128 frexp(Float128 x, int *exponent) {
  return Float128(library::frexp(x.get(), exponent));
}
inline Float128 ldexp(Float128 x, int exponent) {
  return Float128(library::ldexp(x.get(), exponent));
}
inline Float128 abs(Float128 x) { return fabs(x); }
inline Float128 abs(Complex128 z) {
  return Float128(library::hypot(z.real().get(), z.imag().get()));
}
inline Float128 arg(Complex128 z) { return atan2(z.imag(), z.real()); }
inline bool isnan(Float128 x) { return x != x; }
inline bool isfinite(Float128 x) { return x - x == 0; }
inline bool isinf(Float128 x) { return !isfinite(x) && !isnan(x); }

#undef SPMD_REAL_FUNCTION
#undef SPMD_REAL_FUNCTION_OF_TWO
#undef SPMD_COMPLEX_FUNCTION

} // namespace spmd::math

namespace spmd {

using math::Float128;

/// Whether T is a real float type, Float128 among them.
template <typename T>
inline constexpr bool isRealFloat = std::is_floating_point_v<T> || std::is_same_v<T, Float128>;

/// A float as a sum of two: `high` is the nearest f64. Keeps 106 bits.
struct FloatPair {
  double high, low;
  explicit FloatPair(Float128 x)
      : high(static_cast<double>(x)),
        low(std::isfinite(high) ? static_cast<double>(x - Float128(high)) : 0) {}
};

} // namespace spmd

template <> struct std::numeric_limits<spmd::Float128> {
  using Float128 = spmd::Float128;
  static constexpr bool is_specialized = true;
  static constexpr int digits = 113, max_exponent = 16384, min_exponent = -16381;
  static constexpr Float128 infinity() { return Float128(std::numeric_limits<double>::infinity()); }
  static constexpr Float128 quiet_NaN() {
    return Float128(std::numeric_limits<double>::quiet_NaN());
  }
  /// The least normal number.
  static Float128 min() { return spmd::math::ldexp(Float128(1), min_exponent - 1); }
};
