// Work that every device of a mesh does, as all of them hold the same.
//
//     %0 = stablehlo.dot_general %x, %w     %x and %w are whole on each of 8 devices: the product
//     is
//                                           computed 8 times, once would do
//
// A program in which that is most of the work gains nothing from its devices, whether it says that
// everything is replicated, or an annotation was lost on the way.
#pragma once

#include "mlir/IR/BuiltinOps.h"

#include <string>

namespace spmd {

struct RepeatedWork {
  int64_t numDevices = 1;
  /// The part of the program's arithmetic that every device does, from 0 to 1. A program without
  /// arithmetic is judged by the elements that it moves and by its arguments, whichever are less
  /// alike.
  double share = 0;
  /// Bytes of the arguments and results of the entry function, and of those of them that each
  /// device holds whole.
  int64_t boundaryBytes = 0, wholeBytes = 0;
  std::string location; ///< Of the largest argument that is whole, else of the function.

  /// Whether more devices than one do most of the work alike.
  bool isMost() const { return numDevices > 1 && share > 0.5; }
};

/// Returns what the devices of the main mesh do alike in `resharded`, a program in which every move
/// of data is explicit. Linear.
RepeatedWork repeatedWorkOf(mlir::ModuleOp resharded);

/// Says so: "every one of 8 devices does all of the arithmetic of the program, ..".
std::string describe(const RepeatedWork &work);

} // namespace spmd
