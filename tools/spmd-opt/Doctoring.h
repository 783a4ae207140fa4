// `spmd-opt --spmd-doctor`: instead of the program, what is wrong with it.
#pragma once

#include "mlir/IR/DialectRegistry.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace spmd {

/// Reads the program in `path`, and sets `result` to what the doctor finds in it. `request` holds
/// words with blanks between: `format=text|json`, `plan=FILE`. Returns the exit code, after
/// messages: 0 also where there are findings.
int examineFile(llvm::StringRef path, llvm::StringRef request, mlir::DialectRegistry &registry,
                std::string &result);

} // namespace spmd
