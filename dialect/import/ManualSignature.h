// The shardings of manual computations that XLA's own text declares.
//
// JAX declares them in frontend attributes (see ShardyAttributes.h). In dumps of a module that is
// not partitioned yet, XLA (from 2026 on) declares them with named shardings:
//
//     a = f32[8] custom-call(x), custom_call_target="Sharding", sharding={mesh['i'=2], [{'i'}]}
//     b = f32[4] custom-call(a), custom_call_target="xla.sdy.GlobalToLocalShape",
//         sharding={mesh['i'=2], manual}
//     c = f32[4] call(b), to_apply=body, sharding={mesh['i'=2], manual}
//     d = f32[8] custom-call(c), custom_call_target="xla.sdy.LocalToGlobalShape",
//         sharding={mesh['i'=2], [{'i'}]}
#pragma once

#include "spmd/dialect/sdy/Dialect.h"
#include "spmd/dialect/stablehlo/Dialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"

namespace spmd {

struct ManualSignature {
  sdy::ShardingPerValueAttr in, out;
  sdy::ManualAxesAttr axes;
};

/// Returns what the shardings of `begin` (null if there are no operands), its operands, `call` and
/// `end` (null if there are no results) declare, on a mesh of `symbols`, which is added if there is
/// none. Fails after a diagnostic.
mlir::FailureOr<ManualSignature> readManualSignature(stablehlo::CustomCallOp begin,
                                                     mlir::func::CallOp call,
                                                     stablehlo::CustomCallOp end,
                                                     mlir::SymbolTable &symbols);

} // namespace spmd
