// Functions of complex numbers, where those of the C++ library are inexact or absent.
#pragma once

#include "spmd/lowering/interpreter/Float128.h"

#include <complex>

namespace spmd {

/// The type in which functions of complex numbers of type T are computed.
template <typename T>
using Computed = std::conditional_t<std::is_same_v<T, math::Complex128>, T, std::complex<double>>;

/// Returns the sum of `n` numbers, rounded almost only once; `terms` is overwritten.
template <typename T> T exactSum(T *terms, int n) {
  // Each pass moves what the partial sums lose to the terms before.
  for (int pass = 0; pass < 3; ++pass)
    for (int i = 1; i < n; ++i) {
      T sum = terms[i] + terms[i - 1], back = sum - terms[i];
      terms[i - 1] = (terms[i] - (sum - back)) + (terms[i - 1] - back);
      terms[i] = sum;
    }
  T sum = 0;
  for (int i = 0; i < n; ++i)
    sum += terms[i];
  return sum;
}

/// exp z. An imaginary part that is not finite has no direction: both parts are NaN.
template <typename T> std::complex<T> complexExp(std::complex<T> z) {
  if (!math::isfinite(z.imag())) {
    T nan = z.imag() - z.imag();
    return {nan, nan};
  }
  return math::exp(z);
}

/// exp z - 1, exact where z is small.
template <typename T> std::complex<T> complexExpm1(std::complex<T> z) {
  T x = z.real(), y = z.imag();
  if (!math::isfinite(x) || !math::isfinite(y) || math::fabs(x) > 100)
    return complexExp(z) - T(1);
  // exp(x) cos(y) - 1 = expm1(x) cos(y) + (cos(y) - 1)
  T half = math::sin(y / 2);
  return {math::expm1(x) * math::cos(y) - 2 * half * half, math::exp(x) * math::sin(y)};
}

/// log(1 + z), exact where |1 + z| is near 1.
template <typename T> std::complex<T> complexLog1p(std::complex<T> z) {
  T x = z.real(), y = z.imag(), angle = math::atan2(y, 1 + x);
  if (math::fabs(x) < 8 && math::fabs(y) < 8) {
    // |1 + z|^2 - 1 = 2 x + x^2 + y^2; the products as sums of two numbers each.
    T xx = x * x, yy = y * y;
    T terms[] = {math::fma(x, x, -xx), math::fma(y, y, -yy), xx, yy, 2 * x};
    T distance = exactSum(terms, 5);
    if (distance > -0.5)
      return {math::log1p(distance) / 2, angle};
  }
  return {math::log(std::complex<T>(1 + x, y)).real(), angle}; // No square overflows there.
}

/// The principal cube root: of a negative real number, too, it is complex.
template <typename T> std::complex<T> complexCbrt(std::complex<T> z) {
  T size = math::abs(z);
  if (math::isinf(size) && math::isfinite(z.real()) && math::isfinite(z.imag()))
    return T(2) * complexCbrt(z / T(8)); // Of parts that are finite, the size overflows.
  T root = math::cbrt(size), angle = math::arg(z) / 3;
  return {root * math::cos(angle), angle == 0 ? angle : root * math::sin(angle)};
}

/// The angle whose tangent is y / x: -i log((x + i y) / sqrt(x^2 + y^2)).
template <typename T> std::complex<T> complexAtan2(std::complex<T> y, std::complex<T> x) {
  const std::complex<T> i(0, 1);
  return -i * math::log((x + i * y) / math::sqrt(x * x + y * y));
}

/// The logistic function, whose exponential must not overflow where the result is near 1 or 0.
template <typename T> std::complex<T> complexLogistic(std::complex<T> z) {
  return T(1) / (T(1) + complexExp(-z));
}

} // namespace spmd
