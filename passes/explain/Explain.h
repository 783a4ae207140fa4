// Where the sharding of a value comes from: `spmd-opt --spmd-explain`.
#pragma once

#include "spmd/passes/explain/Request.h"

#include "mlir/IR/BuiltinOps.h"

namespace spmd {

/// Propagates `module`, and prints to `os` what `request` asks for. Nothing is written back to the
/// module, but named computations are inlined. Values are called as their locations say
/// (dialect/spmd/WrittenNames.h). Fails, after diagnostics, if the program cannot be propagated,
/// and, with all else answered, if a name stands for no value.
mlir::LogicalResult explain(mlir::ModuleOp module, const ExplainRequest &request,
                            llvm::raw_ostream &os);

} // namespace spmd
