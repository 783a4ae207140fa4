// Donated arguments and the results that take them over lie alike.
#pragma once

#include "spmd/ir/graph/History.h"
#include "spmd/passes/Options.h"
#include "spmd/passes/propagate/ProgramGraph.h"

#include "llvm/ADT/SmallBitVector.h"

namespace spmd {

/// Returns the results of `func` that lie as the argument whose buffer they take over, so that may
/// be why. One that is known to lie otherwise does so for itself, and so does one whose argument
/// nothing is known of.
llvm::SmallBitVector alignedResults(mlir::func::FuncOp func);

/// Gives each result that takes over an argument's buffer (`tf.aliasing_output`) the sharding that
/// propagation found for the argument: memory is reused only where both lie alike. Where the user
/// wants the result to lie otherwise, an argument of which nothing is said lies so, unless
/// functions call this one, or it is in a sharding group, or Shardy's rules hold. A result that was
/// chosen for its type alone (`jax.buffer_donor`) stays as it is. What changes is added to
/// `history`, if there is one. Returns the arguments that changed, and the results that are split
/// along more than before: what they are made of may learn that.
std::vector<int32_t> alignDonations(ProgramGraph &program, Conflicts conflicts,
                                    History *history = nullptr);

} // namespace spmd
