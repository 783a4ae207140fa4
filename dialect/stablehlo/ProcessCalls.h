// Custom calls into the process that traced the program: of Python callbacks, and of functions that
// Python partitions. What they run is not in the program.
//
//     stablehlo.custom_call @xla_ffi_python_cpu_callback(%x) {has_side_effect = true, ..} : .. ->
//     ()
#pragma once

#include "mlir/IR/Operation.h"

namespace spmd::stablehlo {

enum class ProcessCall {
  none,
  callback,    ///< A function of Python, or of the host, on the values of tensors.
  partitioning ///< JAX's custom_partitioning: the address of an object that partitions the call.
};

/// Returns what kind of call into that process `op` is. Transfers to and from the host count: XLA
/// lowers callbacks of accelerators to them.
ProcessCall processCallOf(mlir::Operation *op);

/// Whether the program uses nothing that `op`, such a call, gives back but tokens: it prints,
/// stores or logs.
bool onlyPrints(mlir::Operation *op);

} // namespace spmd::stablehlo
