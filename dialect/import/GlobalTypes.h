// The types that values at the border of a program of one device have on all devices together.
#pragma once

#include "mlir/IR/BuiltinOps.h"

namespace spmd {

/// Turns `spmd.global_type` among the frontend attributes of `@main`'s arguments, and
/// `spmd.result_types` among those of the module, as HLO carries them, into `spmd.global_type` of
/// arguments and results. Fails after a diagnostic if one is no type, or none that fits.
mlir::LogicalResult importGlobalTypes(mlir::ModuleOp module);

} // namespace spmd
