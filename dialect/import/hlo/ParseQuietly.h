// Attributes in strings of other formats.
#pragma once

#include "mlir/IR/Attributes.h"

namespace spmd {

/// Returns the attribute that all of `text` spells, or null; reports nothing.
mlir::Attribute parseQuietly(llvm::StringRef text, mlir::MLIRContext &context);

} // namespace spmd
