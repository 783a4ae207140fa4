// What to write so that a dim is split.
#pragma once

#include "spmd/passes/explain/Places.h"

namespace spmd {

/// Returns the line that splits a dim: an argument or result of a function with its attribute, or a
/// constraint of a value. The axes are `preferred`, of a dim of value `from`, or else a first axis of the mesh that the value
/// does not use yet, one that divides the dim before others. Empty if no axis is left, or the value
/// has no line of its own.
std::string lineThatSplits(Places &places, ValueDim place, int32_t from,
                           const AxisList &preferred);

} // namespace spmd
