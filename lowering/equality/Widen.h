// Programs that tell how exact others are: the same functions, run in f64 or f128.
#pragma once

#include "spmd/lowering/program/DeviceProgram.h"

namespace spmd {

/// Takes chains of elementwise steps apart: each step becomes an instruction of its own. The
/// opposite of `fuseElementwise`.
DeviceProgram unfuse(const DeviceProgram &program);

/// Takes chains apart, and makes every choice of `program` (Arithmetic.h) an instruction of its own
/// with an attribute `choice`, numbered from 0. Results stay the same, bit for bit.
///
/// What chooses: comparisons of floats and `is_finite`, conversions and bit casts of floats to
/// integers, `sign`, `floor`, `ceil` and roundings, reductions of floats that give an index. A sort
/// of floats becomes `sort_order` and `take_in_order`, and `select_and_scatter` gets a barrier in
/// front of what it selects from. Bodies of reductions are left alone. Linear.
DeviceProgram exposeChoices(const DeviceProgram &program);

/// Returns the type in which wide runs of `program` compute: f64, or f128 if the program itself
/// rounds in f64. Constants, conversions and moves of f64 do not round in it.
ElementType wideTypeFor(const DeviceProgram &program);

/// Returns to how many bits of mantissa random runs in `wide` round, to see how results move: 512
/// times the errors of a wide run. Elements of f128 are compared as two f64, which have 106 bits.
constexpr int sampledBits(ElementType wide) { return (wide == ElementType::f128 ? 106 : 53) - 9; }

/// Returns `program` with `wide`, which is f64 or f128, in the place of every narrower float, and
/// with complex numbers of such parts.
///
///     %2: 4xbf16 = add(%0, %1)        %2: 4xf64 = add(%0, %1)
///                                     %3: 4xf64 = round_result(%2) {type = bf16}
///
/// `round_result` and `perturb_terms` say what the program rounds, and how; without an Arithmetic
/// that makes roundings random, values keep the precision of `wide` in the range of their type.
/// Some ops round to their own type still: random floats, conversions of integers,
/// `reduce_precision`, bit casts, custom calls that the runtime does not know, programs that
/// `run_parallel` runs. `fft`, `cholesky`, `triangular_solve` and calls of LAPACK compute in f64 at
/// most. Arguments and results become wide, too.
///
/// `numParts` is in how many parts a sum may be made, each rounded to the type of the sum: the
/// devices of the partitioned program. Functions of libraries take the attribute `by_vectors`, and
/// may be a few ulps of f64 off. Choices keep their numbers. Linear.
DeviceProgram widen(const DeviceProgram &program, int64_t numParts, ElementType wide);

/// Returns the type that a program in `wide` has in the place of `type`.
ElementType widened(ElementType type, ElementType wide);

} // namespace spmd
