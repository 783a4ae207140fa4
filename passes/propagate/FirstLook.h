// One walk over a module before all else: what is wrong with it, and what there is to do first.
#pragma once

#include "mlir/IR/BuiltinOps.h"

#include <vector>

namespace spmd {

struct FirstLook {
  /// There are named computations.
  bool hasComputations = false;
  /// There are composites.
  bool hasComposites = false;
  /// Regions of ops that are no data-flow ops may say something of shardings.
  bool hasShardingsInBodies = false;
  /// There are values that are buffers.
  bool hasBuffers = false;
  /// There are ops that `spmd.bare_marker` stands on (BareMarkers.h).
  bool hasBareMarkers = false;

  /// How much there is in a function.
  struct Size {
    size_t numOps = 0, numOperands = 0, numResults = 0;
  };
  std::vector<Size> functions; ///< In program order, those without a body among them.

  /// Returns how much there is in all functions together.
  Size total() const;
};

/// Warns of shardings that are not read (UnreadShardings.h), and fails after reporting every value
/// that is too large to count (Sizes.h). Linear.
mlir::FailureOr<FirstLook> lookFirst(mlir::ModuleOp module);

} // namespace spmd
