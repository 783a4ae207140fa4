// How exact results are: what the floats on the way to them were rounded to.
#pragma once

#include "spmd/lowering/program/DeviceProgram.h"

namespace spmd {

/// Returns for each result of the entry function the least exact float type that something was
/// rounded to on its way after a sum (of a dot, a reduction, ..), whose value depends on the order
/// of summing; that of an op whose steps nobody knows counts as one. The result's own type where
/// there was none, as where all of it was moved and computed element by element.
///
/// Requires a program that verifies. Linear, whatever the depth of calls.
std::vector<ElementType> leastExactTypes(const DeviceProgram &program);

} // namespace spmd
