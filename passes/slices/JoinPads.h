// Pieces that are padded with zeros and added up are joined.
#pragma once

#include "mlir/IR/BuiltinOps.h"

namespace spmd {

/// Makes one concatenation of pieces that are padded with zeros along one dim to stand one behind
/// the other, and added up, as the gradient of slices is written. Linear, but for sorting the
/// pieces of each sum.
void joinPads(mlir::ModuleOp module);

} // namespace spmd
