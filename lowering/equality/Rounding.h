// How exact types and ops are.
#pragma once

#include "spmd/lowering/program/DeviceProgram.h"

#include <optional>

namespace spmd {

/// Whether rounding concerns values of `type`: a float or complex type.
inline bool isRounded(ElementType type) { return isFloat(type) || isComplex(type); }

/// Returns the bits of mantissa of a float or complex type, with the leading one.
int precisionOf(ElementType type);

/// Returns half the distance of neighbouring numbers near 1: the largest error of a rounding.
double unitOf(ElementType type);

/// Returns the type in which sums and functions of `type` are computed: f32 for narrower ones.
ElementType computedIn(ElementType type);

/// Whether the float results of `op` are numbers that it is given, or are exact.
bool isExact(const std::string &op);

/// Returns whether libraries approximate what `op` computes.
bool isLibraryFunction(const std::string &op);

/// Returns by how many ulps, beyond a rounding, libraries may be off where they compute what
/// `instruction` does, in the type that they compute in.
double extraUlpsOf(const Instruction &instruction);

/// Returns how many terms each element of the results is summed up from: 0 if a body picks and
/// does not sum up, nothing if the op makes no sums. `function` holds the instruction.
std::optional<double> numTerms(const DeviceProgram &program, const Function &function,
                               const Instruction &instruction, int64_t numParts);

} // namespace spmd
