// Chains of elementwise instructions become one instruction that runs tile by tile.
#pragma once

#include "spmd/lowering/program/DeviceProgram.h"

namespace spmd {

/// Merges elementwise instructions of one shape, whose results nobody else reads, into `fused`
/// instructions. Results are the same, bit for bit.
///
///     %2 = multiply(%0, %1)                 %4 = fused(%0, %1) functions [#1]
///     %3 = constant() {pool = 0, splat}     function #1 (%0, %1) { multiply, constant, add }
///     %4 = add(%2, %3)
///
/// Constants of one element and broadcasts of smaller tensors are copied to where they are read,
/// and made again for elementwise instructions far behind. Only instructions with nothing but
/// others of these kinds between them are merged, so that operands live hardly longer than before,
/// and at most 64. Releases must be planned anew. Linear.
void fuseElementwise(DeviceProgram &program);

} // namespace spmd
