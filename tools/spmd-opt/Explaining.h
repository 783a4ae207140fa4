// `spmd-opt --spmd-explain`: instead of the program, the story of some of its values.
#pragma once

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

namespace spmd {

/// Reads the program in `path`, runs the passes of `config`, then what the pipeline runs before
/// propagation, and writes to `result` what `request` asks for. Returns the exit code, after
/// diagnostics if it is not 0.
int explainFile(llvm::StringRef path, llvm::StringRef request, mlir::DialectRegistry &registry,
                const mlir::MlirOptMainConfig &config, std::string &result);

} // namespace spmd
