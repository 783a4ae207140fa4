// Chains of elementwise ops become one op each, as compilers for devices fuse them.
//
//     %1 = exponential %x              one op: reads %x and %y, writes %3;
//     %2 = add %1, %y                  the work of both, no memory for %1
//     %3 = reduce %2
//
// An op joins the op behind it if all consumers of its result are in the same chain. So a chain has
// one op that writes, its last, and no path leaves a chain and comes back. What is consumed by
// several chains is written once and read by each. Broadcasts and their like are made again in each
// chain that reads them.
#pragma once

#include "spmd/ir/cost/CostProgram.h"

namespace spmd {

/// A chain, or an op that is none.
struct FusedOp {
  OpRole role = OpRole::apart; ///< Of the last op.
  int32_t last = -1;           ///< In the ops of the block.
  Picoseconds arithmetic = 0, products = 0;
  double flops = 0;
  int64_t bytes = 0;              ///< Read and written, each value once.
  std::vector<int32_t> producers; ///< Fused ops before it, each once.
};

/// Returns the ops of `block` fused, in program order of their last ops. Linear, but for sorting
/// what each chain reads.
std::vector<FusedOp> fuseChains(const CostBlock &block);

} // namespace spmd
