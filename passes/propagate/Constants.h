// Constants of their own for each use, as Shardy has them. Used with `conflicts=shardy` alone: ours
// knows what is free, and lets it lie wherever it is needed.
//
//     %0 = constant                 %0 = constant           %1 = constant
//     add %a, %0             ->     add %a, %0
//     multiply %b, %0               multiply %b, %1
#pragma once

#include "spmd/dialect/spmd/ValueSharding.h"

namespace spmd {

/// Ops that were one.
struct CopiedConstant {
  int32_t opsToMake;                             ///< Itself and what it is made of.
  llvm::SmallVector<mlir::Operation *, 2> alike; ///< The op itself first.
};
using ConstantCopies = std::vector<CopiedConstant>;

/// Gives each op that uses a constant, or what is made of constants alone, a copy of it and of all
/// that it is made of. Splats of a scalar count as constants. What takes more than 64 ops to make
/// stays shared. Linear in what is added.
ConstantCopies splitConstants(mlir::ModuleOp module);

/// Makes copies one again that came out with the same sharding.
void mergeConstants(const ConstantCopies &copies);

} // namespace spmd
