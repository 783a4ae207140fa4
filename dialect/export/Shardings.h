// Shardings in other notations than `sdy`'s, made from it.
#pragma once

#include "mlir/IR/BuiltinOps.h"

namespace spmd {

/// How a sharding is written.
enum class ShardingForm {
  v1,    ///< GSPMD's, devices one by one: `{devices=[2,2]0,2,1,3}`.
  v2,    ///< GSPMD's, devices as a transposed grid: `{devices=[2,2]<=[2,2]T(1,0)}`.
  v3,    ///< GSPMD's with names: `{mesh['x'=2,'y'=2] [{'y'},{'x'}]}`.
  shardy ///< Shardy's attributes for the way through HLO, `xla.sdy.*`, beside v2.
};

/// Turns what `module` says of shardings in `sdy`'s notation into `form`: `mhlo.sharding` of
/// arguments, results and ops, calls of @Sharding for constraints, groups and reshards, and pairs
/// of
/// @SPMDFullToShardShape and @SPMDShardToFullShape around the bodies of manual computations (or
/// Shardy's calls around calls of functions). The inverse of `importShardings`; no `sdy` op and no
/// mesh is left. Linear.
///
/// v1 and v2 cannot say that a dim is open, except for constraints, nor name axes that must stay
/// replicated; only `shardy` has priorities. Such wishes are dropped. Warns of propagation
/// barriers, which none has. Fails after diagnostics where a meaning would change: values that are
/// partial by another reduction than a sum have a form in v3 and shardy only.
mlir::LogicalResult exportShardings(mlir::ModuleOp module, ShardingForm form);

} // namespace spmd
