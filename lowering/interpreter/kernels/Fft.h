// Discrete Fourier transforms of any length.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace spmd {

/// A complex number, multiplied without regard for infinities.
struct Cplx {
  double re = 0, im = 0;

  friend Cplx operator+(Cplx a, Cplx b) { return {a.re + b.re, a.im + b.im}; }
  friend Cplx operator-(Cplx a, Cplx b) { return {a.re - b.re, a.im - b.im}; }
  friend Cplx operator*(Cplx a, Cplx b) {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  }
  Cplx conjugate() const { return {re, -im}; }
};

/// The transform of one length: X[k] = sum over j of x[j] exp(-2 pi i j k / n), unscaled.
///
/// Lengths whose prime factors are small are split into them (Stockham's ordering, which needs no
/// reversal of bits); others become a cyclic convolution of a power of two (Bluestein). n log n.
class FftPlan {
public:
  explicit FftPlan(int64_t n);

  int64_t size() const { return n; }
  /// How many elements `run` needs as scratch.
  int64_t scratchSize() const;
  /// Transforms `data` in place.
  void run(Cplx *data, Cplx *scratch) const;

private:
  void runStages(Cplx *data, Cplx *scratch) const;
  void runStage(int64_t radix, int64_t length, int64_t stride, const Cplx *in, Cplx *out) const;
  void runConvolution(Cplx *data, Cplx *scratch) const;

  int64_t n;
  std::vector<int64_t> factors;
  std::vector<Cplx> roots; ///< exp(-2 pi i k / n).
  // Of the convolution: its transform, the chirp and the transformed chirp.
  std::shared_ptr<const FftPlan> inner;
  std::vector<Cplx> chirp, filter;
};

} // namespace spmd
