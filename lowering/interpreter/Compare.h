// How far two tensors are apart.
#pragma once

#include "spmd/lowering/interpreter/Tensor.h"

#include "absl/types/span.h"

namespace spmd {

struct Comparison {
  bool equal = true;
  /// Over all elements; infinite where one side is infinite or no number and the other is not the
  /// same.
  double maxAbsError = 0;
  /// Relative to the expected value; elements expected to be 0 do not count, unless infinitely far.
  double maxRelError = 0;
  int64_t numDifferent = 0;
  /// The first element that differs by too much, or -1.
  int64_t firstDifferent = -1;
  /// What differs there: "[2, 0] is 3, expected 4", or nothing.
  std::string message;
};

/// Compares `actual` with `expected`. An element is equal if it is the same, or both are NaN, or,
/// for floats and complex numbers, |actual - expected| <= atol + rtol * |expected|, or no more than
/// `slack` grants this element; empty grants nothing. InvalidArgument if the types differ.
absl::StatusOr<Comparison> compare(const Tensor &actual, const Tensor &expected, double rtol,
                                   double atol, absl::Span<const double> slack = {});

} // namespace spmd
