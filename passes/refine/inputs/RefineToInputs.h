// Programs of dynamic shape become static by the arguments of one run.
//
//     KernelRegistry kernels;
//     addBuiltinKernels(kernels);
//     refineToInputs(module, readers, kernels);        sizes may depend on data
//     buildPipeline(manager, options); ..              from here on like any other program
#pragma once

#include "spmd/lowering/interpreter/KernelRegistry.h"
#include "spmd/passes/refine/RefineShapes.h"

#include <functional>

namespace spmd {

/// The arguments of @main in one run.
struct RunInputs {
  /// What is known of each: an entry for each argument, whose types are those of this run.
  std::vector<ArgumentFacts> facts;
  /// Returns the tensors of argument `index`: one, or those in a tuple. Asked only for arguments
  /// that sizes follow from, each once.
  std::function<absl::StatusOr<std::vector<Tensor>>(unsigned index)> tensorsOf;
};

/// Makes the shapes of `module` static for a run on `inputs`, as `refineShapes` does. By the sizes
/// of arguments alone where these say all; otherwise what sizes follow from is run first, by
/// `kernels`, on `threads` threads. Fails after diagnostics; what was read and computed is gone
/// then.
///
/// A module that is not dynamic is left alone. Takes the time of the refinement, twice at most, and
/// of running once what sizes depend on.
mlir::LogicalResult refineToInputs(mlir::OwningOpRef<mlir::ModuleOp> &module,
                                   const RunInputs &inputs, const KernelRegistry &kernels,
                                   int threads = 1);

/// The same for tensors at hand: one for each argument of @main, and each tensor of a tuple.
mlir::LogicalResult refineToInputs(mlir::OwningOpRef<mlir::ModuleOp> &module,
                                   absl::Span<const Tensor> inputs, const KernelRegistry &kernels,
                                   int threads = 1);

} // namespace spmd
