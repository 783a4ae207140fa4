// Single elements: what they say, and what poison is.
#pragma once

#include "spmd/lowering/interpreter/Memory.h"
#include "spmd/lowering/interpreter/Tensor.h"

#include <complex>

namespace spmd {

/// Returns the stored bytes of the values that padding is filled with, so that a missing mask
/// shows: NaN, or the largest number where there is none; the largest integer; true. If not
/// `isHigh`, the least number, the least integer, false: what is nothing to one reduction is much
/// to another.
std::string poisonOf(ElementType element, bool isHigh);

/// Brings elements to how kernels rely on them: 0 and 1, and sign bits that fill the byte.
void normalize(Tensor &tensor);

/// Elements of any type.
using ComplexDoubles = std::vector<std::complex<double>, KeepingAllocator<std::complex<double>>>;

/// Returns all elements as complex doubles; 64-bit integers are rounded.
ComplexDoubles toComplexDoubles(const Tensor &tensor);

/// Returns the elements of a float or complex tensor, none wider than f64, as elements of type
/// `wide`: f64 or f128, or complex numbers of those.
absl::StatusOr<Tensor> toWide(const Tensor &tensor, ElementType wide);

/// Returns element number `i` as a complex double; a 64-bit integer is rounded.
std::complex<double> toComplexDouble(const Tensor &tensor, int64_t i);

/// Returns element number `i` as text: "3", "-0.5", "nan", "(1, 2)".
std::string elementText(const Tensor &tensor, int64_t i);

/// Returns the index of element number `i` of a tensor of this shape, as text: "[2, 0]".
std::string indexText(const std::vector<int64_t> &shape, int64_t i);

} // namespace spmd
