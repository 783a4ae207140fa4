// Random elements to run programs on.
#pragma once

#include "spmd/lowering/interpreter/Tensor.h"

#include <random>

namespace spmd {

/// Fills `array` with elements made of small integers: exact in every element type, so that sums do
/// not depend on their order. Integers are 0 .. 7, or as many of these as the type has; floats of
/// 32 bits and more lie within -1 .. 1, those of 8 bits and fewer are 0 and the least above.
void fillRandomly(Tensor &array, std::mt19937_64 &engine);

} // namespace spmd
