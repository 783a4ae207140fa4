#include "spmd/lowering/interpreter/Compare.h"

#include "spmd/lowering/interpreter/Elements.h"
#include "spmd/lowering/interpreter/StatusMacros.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace spmd {

static bool isNaN(std::complex<double> value) {
  return std::isnan(value.real()) || std::isnan(value.imag());
}

absl::StatusOr<Comparison> compare(const Tensor &actual, const Tensor &expected, double rtol,
                                   double atol, absl::Span<const double> slack) {
  if (actual.type() != expected.type())
    return invalid("actual type ", actual.type().str(), " is not the expected ",
                   expected.type().str());
  Comparison out;
  bool isExact = isInteger(actual.type().element);
  int64_t bytes = storedBytes(actual.type().element);
  ComplexDoubles a = toComplexDoubles(actual), b = toComplexDoubles(expected);
  for (int64_t i = 0; i < actual.numElements(); ++i) {
    bool isSame = std::memcmp(actual.data() + i * bytes, expected.data() + i * bytes, bytes) == 0 ||
                  (!isExact && (a[i] == b[i] || (isNaN(a[i]) && isNaN(b[i]))));
    if (isSame)
      continue;
    double error = std::abs(a[i] - b[i]), size = std::abs(b[i]);
    if (!std::isfinite(error))
      error = std::numeric_limits<double>::infinity();
    out.maxAbsError = std::max(out.maxAbsError, error);
    if (std::isinf(error))
      out.maxRelError = error;
    else if (size > 0)
      out.maxRelError = std::max(out.maxRelError, error / size);
    // An infinity is within no tolerance, nor is a NaN.
    double granted = std::max(atol + rtol * size, slack.empty() ? 0 : slack[i]);
    if (!isExact && std::isfinite(error) && error <= granted)
      continue;
    ++out.numDifferent;
    if (out.firstDifferent < 0) {
      out.firstDifferent = i;
      out.message = absl::StrCat(indexText(actual.type().shape, i), " is ", elementText(actual, i),
                                 ", expected ", elementText(expected, i));
    }
  }
  out.equal = out.numDifferent == 0;
  return out;
}

} // namespace spmd
