// What pins cut of dims: where dims that are merged may be better apart.
#pragma once

#include "spmd/passes/slices/KeptParts.h"

#include <set>

namespace spmd {

/// Sizes of dims that pins cut, and what they cut.
struct CutSizes {
  std::set<int64_t> uneven; ///< Into pieces of which some are shorter.
  /// Behind another dim: the sizes of that one and of their own.
  std::set<std::pair<int64_t, int64_t>> inner;
  KeptParts kept;

  bool isEmpty() const { return uneven.empty() && inner.empty(); }
};

/// Reads the pins of a module, in one walk.
CutSizes cutSizes(mlir::ModuleOp module);

} // namespace spmd
