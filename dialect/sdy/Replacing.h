// What an op is given that takes the place of another one.
#pragma once

#include "mlir/IR/Operation.h"

namespace spmd::sdy {

/// Gives `made` the discardable attributes of `replaced`. A sharding rule speaks of operands and
/// results one by one, so it goes along only where their types are the same.
void giveAttributes(mlir::Operation *made, mlir::Operation *replaced);

} // namespace spmd::sdy
