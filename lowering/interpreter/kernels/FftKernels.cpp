// fft: FFT, IFFT, RFFT and IRFFT over the last one to three dims, computed in double.
#include "spmd/lowering/interpreter/Dims.h"
#include "spmd/lowering/interpreter/kernels/Fft.h"
#include "spmd/lowering/interpreter/kernels/Kernels.h"

#include <complex>
#include <map>

namespace spmd {
namespace {

enum class Direction { forward, inverse };

struct Fft {
  std::string kind;
  Ints lengths; ///< Of the transformed dims.
  std::map<int64_t, FftPlan> plans;
  int64_t batch;

  template <typename Real> void run(const KernelCall &call) const;

private:
  void transformDim(std::vector<Cplx> &block, const Ints &shape, size_t dim,
                    Direction direction) const;
};

/// Transforms every line of `block` along `dim`, unscaled.
void Fft::transformDim(std::vector<Cplx> &block, const Ints &shape, size_t dim,
                       Direction direction) const {
  const FftPlan &plan = plans.at(shape[dim]);
  int64_t n = shape[dim], inner = product(Ints(shape.begin() + dim + 1, shape.end()));
  std::vector<Cplx> line(n), scratch(plan.scratchSize());
  double sign = direction == Direction::forward ? 1 : -1;
  int64_t total = block.size();
  for (int64_t outer = 0; outer < total; outer += n * inner)
    for (int64_t k = 0; k < inner; ++k) {
      Cplx *first = block.data() + outer + k;
      for (int64_t j = 0; j < n; ++j)
        line[j] = {first[j * inner].re, sign * first[j * inner].im};
      plan.run(line.data(), scratch.data());
      for (int64_t j = 0; j < n; ++j)
        first[j * inner] = {line[j].re, sign * line[j].im};
    }
}

/// Writes the first `kept` elements of each row of `row`, through `convert`.
template <typename Out, typename Fn>
void storeRows(const std::vector<Cplx> &block, int64_t row, int64_t kept, Out *out, Fn convert) {
  int64_t total = block.size();
  for (int64_t begin = 0; begin < total; begin += row)
    for (int64_t i = 0; i < kept; ++i)
      *out++ = convert(block[begin + i]);
}

template <typename Real> void Fft::run(const KernelCall &call) const {
  using Complex = std::complex<Real>;
  const Tensor &in = call.inputs[0], &out = call.outputs[0];
  int64_t whole = product(lengths), row = lengths.back(), half = row / 2 + 1;
  int64_t inSize = kind == "IRFFT" ? whole / row * half : whole;
  int64_t outSize = kind == "RFFT" ? whole / row * half : whole;
  Direction direction = kind == "IFFT" || kind == "IRFFT" ? Direction::inverse : Direction::forward;
  double scale = direction == Direction::inverse ? 1.0 / static_cast<double>(whole) : 1.0;
  for (int64_t b = 0; b < batch; ++b) {
    Ints shape = lengths;
    if (kind == "IRFFT")
      shape.back() = half;
    std::vector<Cplx> block(product(shape));
    for (int64_t i = 0; i < inSize; ++i) {
      if (kind == "RFFT") {
        block[i].re = in.as<Real>()[b * inSize + i];
      } else {
        Complex value = in.as<Complex>()[b * inSize + i];
        block[i] = {value.real(), value.imag()};
      }
    }
    size_t last = shape.size() - 1;
    for (size_t d = 0; d < last; ++d)
      transformDim(block, shape, d, direction);
    if (kind == "IRFFT") { // The other half of each row is the conjugate of this one.
      std::vector<Cplx> full(whole);
      for (int64_t r = 0; r < whole / row; ++r)
        for (int64_t i = 0; i < row; ++i)
          full[r * row + i] =
              i < half ? block[r * half + i] : block[r * half + row - i].conjugate();
      for (int64_t r = 0; r < whole / row; ++r) { // What has no partner counts as real.
        full[r * row].im = 0;
        if (row % 2 == 0)
          full[r * row + row / 2].im = 0;
      }
      block = std::move(full);
      shape = lengths;
    }
    transformDim(block, shape, last, direction);
    if (kind == "IRFFT")
      storeRows(block, row, row, out.mutableAs<Real>() + b * outSize,
                [&](Cplx x) { return static_cast<Real>(x.re * scale); });
    else
      storeRows(block, row, kind == "RFFT" ? half : row, out.mutableAs<Complex>() + b * outSize,
                [&](Cplx x) {
                  return Complex(static_cast<Real>(x.re * scale), static_cast<Real>(x.im * scale));
                });
  }
}

absl::StatusOr<Kernel> prepareFft(const KernelRequest &request) {
  SPMD_RETURN_IF_ERROR(request.expectCounts(1, 1));
  const TensorType &from = request.operands[0], &to = request.results[0];
  Fft fft;
  SPMD_ASSIGN_OR_RETURN(fft.kind, request.attributes().get<std::string>("fft_type"));
  SPMD_ASSIGN_OR_RETURN(fft.lengths, request.attributes().get<Ints>("fft_length"));
  int64_t count = fft.lengths.size();
  if (count < 1 || count > 3 || count > from.rank())
    return invalid("transforms ", count, " dims of ", from.str());
  bool wide = from.element == ElementType::f64 || from.element == ElementType::complexF64;
  ElementType real = wide ? ElementType::f64 : ElementType::f32;
  ElementType complex = wide ? ElementType::complexF64 : ElementType::complexF32;
  TensorType expectedFrom{fft.kind == "RFFT" ? real : complex, from.shape};
  TensorType expectedTo{fft.kind == "IRFFT" ? real : complex, from.shape};
  std::copy(fft.lengths.begin(), fft.lengths.end(), expectedFrom.shape.end() - count);
  std::copy(fft.lengths.begin(), fft.lengths.end(), expectedTo.shape.end() - count);
  int64_t half = fft.lengths.back() == 0 ? 0 : fft.lengths.back() / 2 + 1;
  if (fft.kind == "RFFT")
    expectedTo.shape.back() = half;
  else if (fft.kind == "IRFFT")
    expectedFrom.shape.back() = half;
  else if (fft.kind != "FFT" && fft.kind != "IFFT")
    return invalid("attribute 'fft_type' is \"", fft.kind, "\"");
  SPMD_RETURN_IF_ERROR(expectType("operand", from, expectedFrom));
  SPMD_RETURN_IF_ERROR(expectType("result", to, expectedTo));
  fft.batch = product(Ints(from.shape.begin(), from.shape.end() - count));
  bool isEmpty = to.numElements() == 0;
  if (!isEmpty)
    for (int64_t length : fft.lengths)
      fft.plans.try_emplace(length, length);
  return Kernel{[fft = std::move(fft), wide, isEmpty](const KernelCall &call) {
    if (!isEmpty)
      wide ? fft.run<double>(call) : fft.run<float>(call);
    return absl::OkStatus();
  }};
}

} // namespace

void addFftKernels(KernelRegistry &registry) { registry.addKernel("fft", prepareFft); }

} // namespace spmd
