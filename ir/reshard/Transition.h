// From one sharding to another over one mesh, where the digits of both align.
//
// Atoms and digits form chains: an atom comes from its digit on the source side, the atom it drives
// out of its digit on the target side comes next, and so on. The ends of a chain say what to do:
//
//     starts at            ends at           moves
//     a replicated atom    a hole            slice the atom onto the hole, permute
//     a partial atom       a hole            reduce-scatter onto the hole, permute
//     a digit to empty     a hole            all-to-all from the digit to the hole, permute
//     a digit to empty     a replica         permute, all-gather the digit
//     a digit to empty     a partial atom    permute, write the block into an identity
//     an atom              a replica         all-reduce if it is partial, permute
//     an atom              a partial atom    all-reduce if it is partial, permute, mask
//     a cycle                                permute
//
// A chain of one atom needs no permute. All chains share one collective of each kind:
//
//     mesh <["x"=2, "y"=2, "z"=2]>    [{"x"}, {"y"}, {}] -> [{"y"}, {}, {"x"}]
//
//     one chain: dim 1 -"y"-> dim 0 -"x"-> dim 2
//     either  all_to_all over "y" from dim 1 to dim 2; permute "x" on dim 0 with "y" on dim 2
//     or      all_to_all over "x" from dim 0 to dim 2; all_to_all over "y" from dim 1 to dim 0
//
// Of such alternatives the cheaper is taken.
#pragma once

#include "spmd/ir/reshard/Block.h"

#include <functional>

namespace spmd {

/// Appends the steps that take the current block from the source to the target side of `alignment`.
///
/// `from` and `to` say how shares combine. `padded` is the shape of the tensor, which all digits
/// divide. `prepare` is called before the first step that needs the block in its full, padded size;
/// what can shrink the block has been done by then.
void appendTransition(PlanBuilder &builder, const Alignment &alignment, MeshSide side,
                      ReductionKind from, ReductionKind to, absl::Span<const int64_t> padded,
                      const CostModel &model, const std::function<void(Block &)> &prepare);

} // namespace spmd
