// Donated arguments lie as the results that take them over.
#pragma once

#include "spmd/ir/graph/History.h"
#include "spmd/passes/propagate/ProgramGraph.h"

#include "llvm/ADT/SmallBitVector.h"

namespace spmd {

/// Returns the results of `func` that lie as the argument whose buffer they take over, so that may
/// be why. One that is known to lie otherwise does so for itself, and so does one whose argument
/// nothing is known of.
llvm::SmallBitVector alignedResults(mlir::func::FuncOp func);

/// Gives each result that takes over an argument's buffer (`tf.aliasing_output`) the sharding that
/// propagation found for the argument: memory is reused only where both lie alike. A result that
/// the user wants to lie otherwise stays as it is, and so does one that was chosen for its type
/// alone
/// (`jax.buffer_donor`). What changes is added to `history`, if there is
/// one. Returns the results that are split along more than before: what they are made of may learn
/// that.
std::vector<int32_t> alignDonations(ProgramGraph &program, History *history = nullptr);

} // namespace spmd
