// What a constraint says of the tensor it is put on, by Shardy's rules. Used with
// `conflicts=shardy` alone: in ours a constraint is one more tensor, which pulls at its neighbours.
//
//     %1 = sine %0                                      %1 lies as [{"x"}, {}], not as %0 does:
//     %2 = sharding_constraint %1 <@m, [{"x"}, {}]>     nothing else says how it should
#pragma once

#include "spmd/ir/graph/History.h"
#include "spmd/passes/propagate/ProgramGraph.h"

namespace spmd {

/// Makes uses of a tensor that stand behind a chain of constraints on it, in the block of the last
/// one, uses of the result of the chain.
///
/// A chain is a list of at least two constraints, each but the last used by the next alone; its
/// last has no user that says how a tensor lies (a constraint or a manual computation), the tensor
/// no other. Linear in the uses of what is constrained.
void lengthenConstraints(mlir::ModuleOp module);

/// Gives a tensor the closed sharding that its one constraint, or the one manual computation that
/// it goes into, has for it; the tensor cannot grow any more then. Not what has a sharding, several
/// users that say how it lies, or comes out of a data-flow op. What changes is added to `history`,
/// if there is one, as steps of these ops.
void applyConstraints(ProgramGraph &program, History *history);

} // namespace spmd
