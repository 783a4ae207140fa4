// What rounding alone makes of results: what they cannot be compared more closely than.
#pragma once

#include "spmd/lowering/interpreter/Tensor.h"

#include <vector>

namespace spmd {

/// Without tolerances on the command line, what different orders of summation may change: the
/// relative tolerance, and the absolute one as a share of the largest value.
struct DefaultTolerance {
  double relative, ofLargest;
};

DefaultTolerance defaultTolerance(ElementType element);

/// Returns copies of `arguments` in which each number of f32, f64 and their complex types that is
/// not 0 is the next above or below. The others are shared.
absl::StatusOr<std::vector<Tensor>> nudged(const std::vector<Tensor> &arguments);

/// Returns for each of `results` how far another correct program may be from it where all that it
/// sums up cancels: 16 times what `nudgedResults`, from nudged arguments, differ by, since sums in
/// another order round more often; but no more than 16 units of rounding of the largest number
/// among `arguments` and `results`. 0 for types of fewer than 32 bits, and for integers.
std::vector<double> roundingErrors(const std::vector<Tensor> &arguments,
                                   const std::vector<Tensor> &results,
                                   const std::vector<Tensor> &nudgedResults);

/// Returns the largest magnitude of the finite elements of `tensor`.
double largestOf(const Tensor &tensor);

} // namespace spmd
