#include "spmd/lowering/interpreter/kernels/Fft.h"

#include <algorithm>
#include <cmath>

namespace spmd {

/// Larger prime factors cost less as a convolution.
static constexpr int64_t maxRadix = 31;

/// Returns exp(-2 pi i k / n), exact to a rounding: the angle is brought into an eighth of the
/// circle.
static Cplx rootOf(int64_t k, int64_t n) {
  k %= n;
  if (8 * k > n) {
    if (2 * k > n) // The lower half mirrors the upper.
      return rootOf(n - k, n).conjugate();
    if (4 * k > n) { // exp(-i (pi - t)) = -conj(exp(-i t)), here with 2 k = n - 2 j.
      if (n % 2 == 0) {
        Cplx mirrored = rootOf(n / 2 - k, n);
        return {-mirrored.re, mirrored.im};
      }
    } else if (n % 4 == 0) {
      Cplx mirrored = rootOf(n / 4 - k, n);
      return {-mirrored.im, -mirrored.re};
    }
  }
  long double angle = -2 * 3.14159265358979323846264338327950288L * k / n;
  return {static_cast<double>(std::cos(angle)), static_cast<double>(std::sin(angle))};
}

FftPlan::FftPlan(int64_t n) : n(n) {
  int64_t rest = n;
  for (int64_t radix : {4, 2, 3, 5})
    for (; rest % radix == 0 && rest > 1; rest /= radix)
      factors.push_back(radix);
  for (int64_t radix = 7; radix <= maxRadix; radix += 2)
    for (; rest % radix == 0; rest /= radix)
      factors.push_back(radix);
  if (rest <= 1) {
    for (int64_t k = 0; k < n; ++k)
      roots.push_back(rootOf(k, n));
    return;
  }
  // j k = (j^2 + k^2 - (k - j)^2) / 2 makes the sum a convolution with a chirp.
  int64_t size = 1;
  while (size < 2 * n - 1)
    size *= 2;
  inner = std::make_shared<const FftPlan>(size);
  for (int64_t k = 0; k < n; ++k)
    chirp.push_back(rootOf(static_cast<int64_t>(static_cast<__int128>(k) * k % (2 * n)), 2 * n));
  filter.resize(size);
  for (int64_t k = 0; k < n; ++k)
    filter[k] = filter[(size - k) % size] = chirp[k].conjugate();
  std::vector<Cplx> scratch(inner->scratchSize());
  inner->run(filter.data(), scratch.data());
}

int64_t FftPlan::scratchSize() const { return inner ? inner->size() + inner->scratchSize() : n; }

void FftPlan::run(Cplx *data, Cplx *scratch) const {
  if (inner)
    runConvolution(data, scratch);
  else
    runStages(data, scratch);
}

void FftPlan::runStages(Cplx *data, Cplx *scratch) const {
  Cplx *in = data, *out = scratch;
  int64_t length = n, stride = 1;
  for (int64_t radix : factors) {
    runStage(radix, length, stride, in, out);
    length /= radix;
    stride *= radix;
    std::swap(in, out);
  }
  if (in != data)
    std::copy_n(in, n, data);
}

/// The transform of two, four or `radix` numbers, in place.
static void butterfly2(Cplx *a) {
  Cplx sum = a[0] + a[1];
  a[1] = a[0] - a[1];
  a[0] = sum;
}
static void butterfly4(Cplx *a) {
  Cplx even = a[0] + a[2], odd = a[1] + a[3], evenDiff = a[0] - a[2], oddDiff = a[1] - a[3];
  a[0] = even + odd;
  a[2] = even - odd;
  a[1] = {evenDiff.re + oddDiff.im, evenDiff.im - oddDiff.re};
  a[3] = {evenDiff.re - oddDiff.im, evenDiff.im + oddDiff.re};
}
static void butterfly(int64_t radix, Cplx *a, const Cplx *roots, int64_t step) {
  Cplx sums[maxRadix];
  for (int64_t r = 0; r < radix; ++r) {
    sums[r] = a[0];
    for (int64_t k = 1; k < radix; ++k)
      sums[r] = sums[r] + a[k] * roots[r * k % radix * step];
  }
  std::copy_n(sums, radix, a);
}

/// Splits transforms of `length`, `stride` of which lie interleaved, into `radix` each.
void FftPlan::runStage(int64_t radix, int64_t length, int64_t stride, const Cplx *in,
                       Cplx *out) const {
  int64_t part = length / radix;
  Cplx a[maxRadix], twiddles[maxRadix];
  for (int64_t p = 0; p < part; ++p) {
    for (int64_t r = 0; r < radix; ++r)
      twiddles[r] = roots[r * p * stride];
    for (int64_t q = 0; q < stride; ++q) {
      for (int64_t k = 0; k < radix; ++k)
        a[k] = in[q + stride * (p + part * k)];
      if (radix == 4)
        butterfly4(a);
      else if (radix == 2)
        butterfly2(a);
      else
        butterfly(radix, a, roots.data(), n / radix);
      Cplx *into = out + q + stride * radix * p;
      into[0] = a[0];
      for (int64_t r = 1; r < radix; ++r)
        into[stride * r] = a[r] * twiddles[r];
    }
  }
}

void FftPlan::runConvolution(Cplx *data, Cplx *scratch) const {
  int64_t size = inner->size();
  Cplx *padded = scratch, *rest = scratch + size;
  std::fill_n(padded, size, Cplx());
  for (int64_t k = 0; k < n; ++k)
    padded[k] = data[k] * chirp[k];
  inner->run(padded, rest);
  // The inverse transform is that of the conjugates, conjugated.
  for (int64_t k = 0; k < size; ++k)
    padded[k] = (padded[k] * filter[k]).conjugate();
  inner->run(padded, rest);
  double scale = 1.0 / static_cast<double>(size);
  for (int64_t k = 0; k < n; ++k) {
    Cplx value = padded[k].conjugate() * chirp[k];
    data[k] = {value.re * scale, value.im * scale};
  }
}

} // namespace spmd
