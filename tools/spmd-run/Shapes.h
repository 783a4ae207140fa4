// Programs of dynamic shape become static by the arrays they are given.
#pragma once

#include "spmd/tools/spmd-run/Session.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace spmd {

/// Makes the shapes of `module` static: those of @main's arguments are those of the input arrays,
/// or made of `settings.sizes`. Integers in the arrays may say sizes, too, and are looked at where
/// it does not go without. Returns false after messages on `errors` or diagnostics.
bool refineToInputs(mlir::OwningOpRef<mlir::ModuleOp> &module, const RunSettings &settings,
                    llvm::raw_ostream &errors);

} // namespace spmd
