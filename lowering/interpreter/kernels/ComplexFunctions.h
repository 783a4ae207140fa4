// Functions of complex numbers, where those of the C++ library are inexact or absent.
#pragma once

#include <cmath>
#include <complex>

namespace spmd {

/// Returns the sum of `n` numbers, rounded almost only once; `terms` is overwritten.
inline double exactSum(double *terms, int n) {
  // Each pass moves what the partial sums lose to the terms before.
  for (int pass = 0; pass < 3; ++pass)
    for (int i = 1; i < n; ++i) {
      double sum = terms[i] + terms[i - 1], back = sum - terms[i];
      terms[i - 1] = (terms[i] - (sum - back)) + (terms[i - 1] - back);
      terms[i] = sum;
    }
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += terms[i];
  return sum;
}

/// exp z. An imaginary part that is not finite has no direction: both parts are NaN.
inline std::complex<double> complexExp(std::complex<double> z) {
  if (!std::isfinite(z.imag())) {
    double nan = z.imag() - z.imag();
    return {nan, nan};
  }
  return std::exp(z);
}

/// exp z - 1, exact where z is small.
inline std::complex<double> complexExpm1(std::complex<double> z) {
  double x = z.real(), y = z.imag();
  if (!std::isfinite(x) || !std::isfinite(y) || std::fabs(x) > 100)
    return complexExp(z) - 1.0;
  // exp(x) cos(y) - 1 = expm1(x) cos(y) + (cos(y) - 1)
  double half = std::sin(y / 2);
  return {std::expm1(x) * std::cos(y) - 2 * half * half, std::exp(x) * std::sin(y)};
}

/// log(1 + z), exact where |1 + z| is near 1.
inline std::complex<double> complexLog1p(std::complex<double> z) {
  double x = z.real(), y = z.imag(), angle = std::atan2(y, 1 + x);
  if (std::fabs(x) < 8 && std::fabs(y) < 8) {
    // |1 + z|^2 - 1 = 2 x + x^2 + y^2; the products as sums of two numbers each.
    double xx = x * x, yy = y * y;
    double terms[] = {std::fma(x, x, -xx), std::fma(y, y, -yy), xx, yy, 2 * x};
    double distance = exactSum(terms, 5);
    if (distance > -0.5)
      return {0.5 * std::log1p(distance), angle};
  }
  return {std::log(std::complex<double>(1 + x, y)).real(), angle}; // No square overflows there.
}

/// The principal cube root: of a negative real number, too, it is complex.
inline std::complex<double> complexCbrt(std::complex<double> z) {
  double size = std::abs(z);
  if (std::isinf(size) && std::isfinite(z.real()) && std::isfinite(z.imag()))
    return 2.0 * complexCbrt(z / 8.0); // Of parts that are finite, the size overflows.
  double root = std::cbrt(size), angle = std::arg(z) / 3;
  return {root * std::cos(angle), angle == 0 ? angle : root * std::sin(angle)};
}

/// The angle whose tangent is y / x: -i log((x + i y) / sqrt(x^2 + y^2)).
inline std::complex<double> complexAtan2(std::complex<double> y, std::complex<double> x) {
  const std::complex<double> i(0, 1);
  return -i * std::log((x + i * y) / std::sqrt(x * x + y * y));
}

/// The logistic function, whose exponential must not overflow where the result is near 1 or 0.
inline std::complex<double> complexLogistic(std::complex<double> z) {
  return 1.0 / (1.0 + complexExp(-z));
}

} // namespace spmd
