// Places in the file that a program was read from.
#pragma once

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Location.h"

namespace spmd {

/// Marks the location of something in the program's own text, in formats whose programs also say
/// which place of the user's source they were made from. The former is for messages alone.
inline constexpr llvm::StringLiteral inProgramName = "spmd.in_program";

/// Returns the location of what stands at `line` and `column` of the program `file`.
inline mlir::Location locationInProgram(mlir::MLIRContext &context, llvm::StringRef file,
                                        unsigned line, unsigned column) {
  mlir::Location place = mlir::FileLineColLoc::get(&context, file, line, column);
  return mlir::FusedLoc::get({place}, mlir::StringAttr::get(&context, inProgramName), &context);
}

/// Whether a location is of that kind.
inline bool isInProgram(mlir::Location location) {
  auto fused = llvm::dyn_cast<mlir::FusedLoc>(location);
  auto mark =
      fused ? llvm::dyn_cast_if_present<mlir::StringAttr>(fused.getMetadata()) : mlir::StringAttr();
  return mark && mark.getValue() == inProgramName;
}

} // namespace spmd
