// Lets ops that each send most of what they read along a split dim, as sorts do, run whole instead
// where one gather of what they share moves less.
//
//     %a = sort %x, %i      along "x"           %w = reshard %x, %v = reshard %y     whole
//     %b = sort %x, %y      along "x"     =>    %a = sort %w, %i;  %b = sort %w, %v
//     %c = sort %y          along "x"           %c = sort %v;  each device takes its part of them
//
// Each of them by itself moves less than it takes to gather what it reads. Those that run whole
// anyhow gather for the others, too, and what one makes whole, as the order of rows, those behind
// it need not gather. So do ops that take parts of one tensor, each of which is moved: slices that
// deal rows out, say.
#pragma once

#include "spmd/passes/reshard/Moves.h"

namespace spmd {

/// Rewrites those of `ops`, which are of one function, in program order. Every move in it is
/// explicit. Linear in them.
void shareGathers(llvm::ArrayRef<mlir::Operation *> ops, Layouts &layouts, Values &values,
                  Moves &moves, OpKinds &kinds, ReshardCosts &costs);

} // namespace spmd
