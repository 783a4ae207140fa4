// Programs of dynamic shape become static by the arrays they are given.
#pragma once

#include "spmd/lowering/interpreter/KernelRegistry.h"
#include "spmd/tools/spmd-run/Session.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace spmd {

/// Makes the shapes of `module` static: those of @main's arguments are those of the input arrays,
/// or made of `settings.sizes`. Sizes that depend on data are computed from the arrays, or from
/// those that the seed makes. Returns false after messages on `errors` or diagnostics.
bool refineToInputs(mlir::OwningOpRef<mlir::ModuleOp> &module, const RunSettings &settings,
                    const KernelRegistry &kernels, llvm::raw_ostream &errors);

} // namespace spmd
