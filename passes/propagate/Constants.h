// Constants of their own for each use, as Shardy has them, too: who shares one has that in common
// by chance, so how one wants it says nothing of the others.
//
//     %0 = constant                 %0 = constant           %1 = constant
//     add %a, %0             ->     add %a, %0
//     multiply %b, %0               multiply %b, %1
#pragma once

#include "spmd/passes/Options.h"
#include "spmd/passes/propagate/FirstLook.h"

namespace spmd {

/// Ops that were one, the op itself first. Those that others are made of come first.
using ConstantCopies = std::vector<std::vector<mlir::Operation *>>;

/// Gives each op that uses a constant, or what is made of constants alone, a copy of it and of all
/// that it is made of. Splats of a scalar count as constants. What takes more than 8 ops to make
/// (64 with `conflicts` as Shardy decides them) stays shared, and so does what would make more than
/// about four times the module of it. Adds to what `look` counted. Linear in what is added.
ConstantCopies splitConstants(mlir::ModuleOp module, Conflicts conflicts, FirstLook &look);

/// Makes copies one again that came out with the same sharding.
void mergeConstants(const ConstantCopies &copies);

} // namespace spmd
