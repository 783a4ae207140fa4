// Where messages stand that are about a program as a whole.
#pragma once

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"

namespace spmd {

/// Returns the location of `module`; the first line of its file where the text does not say
/// `module`, for then the parser's location is line 0.
inline mlir::Location placeOf(mlir::ModuleOp module) {
  auto place = llvm::dyn_cast<mlir::FileLineColLoc>(module.getLoc());
  if (!place || place.getLine() > 0)
    return module.getLoc();
  return mlir::FileLineColLoc::get(place.getFilename(), 1, 1);
}

} // namespace spmd
