// What rounding alone makes of results: what they cannot be compared more closely than.
#pragma once

#include "spmd/lowering/interpreter/Tensor.h"

#include <complex>
#include <vector>

namespace spmd {

/// Without tolerances on the command line, what different orders of summation may change: the
/// relative tolerance, and the absolute one as a share of the largest value.
struct DefaultTolerance {
  double relative, ofLargest;
};

DefaultTolerance defaultTolerance(ElementType element);

/// How arguments are nudged for what they lead to to be rounded quite otherwise: by a relative
/// step; and how many times as far as results then move, those of a correct program may be apart.
struct Nudge {
  double step, slack;
};

/// Returns what suits numbers of 16 bits or more. Where sums of many are as exact as those of 32,
/// steps of the last bit would hardly change how they are rounded.
Nudge nudgeOf(ElementType element);

/// Returns copies of `arguments` whose floats of 32 bits or more are, by chance that `seed` gives,
/// larger or smaller by the relative `step`, those of 16 by as much in their last bits if it is not
/// less than one; all of one size alike, so that what is equal stays so. A step of 0 is to the next
/// number of 32 bits or more, each by itself. 0 stays, and for a `step` above 0 each integer: it
/// may be a mark that is looked for. Tensors of other types are shared.
absl::StatusOr<std::vector<Tensor>> nudgedArguments(const std::vector<Tensor> &arguments,
                                                    double step, unsigned seed);

/// Returns for each of `results` how far another correct program may be from it where all that it
/// sums up cancels: 16 times what `nudgedResults`, from nudged arguments, differ by, since sums in
/// another order round more often; but no more than 16 units of rounding of the largest number
/// among `arguments` and `results`. 0 for types of fewer than 32 bits, and for integers.
std::vector<double> roundingErrors(const std::vector<Tensor> &arguments,
                                   const std::vector<Tensor> &results,
                                   const std::vector<Tensor> &nudgedResults);

/// How far the elements of results move as arguments are nudged.
class RoundingSpread {
public:
  /// No element of `results` has moved yet.
  explicit RoundingSpread(const std::vector<Tensor> &results);

  /// Takes in results of a run on arguments that were nudged so many steps: what stays within one
  /// may turn over within several. Numbers that are not finite do not count.
  void add(const std::vector<Tensor> &others, double numSteps);

  /// Returns for each element of result `i` the furthest that it moved by a step, `times` as far.
  /// Empty for integers.
  std::vector<double> furthest(size_t i, double times) const;

private:
  std::vector<std::vector<std::complex<double>>> values;
  std::vector<std::vector<double>> distances;
};

/// Returns the largest magnitude of the finite elements of `tensor`.
double largestOf(const Tensor &tensor);

} // namespace spmd
