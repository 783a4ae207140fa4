// In which notation the file of a program says shardings.
//
// All notations become one when a program is read, on a mesh that may stand nowhere in the file.
// What tells the user to write a line must not name that mesh: it remembers, in its location, which
// notation it was made for. Nothing else prints or reads that.
#pragma once

#include "spmd/dialect/sdy/Dialect.h"

namespace spmd {

enum class Notation {
  shardy, ///< `sdy.sharding`, on a mesh of the program.
  gspmd,  ///< `mhlo.sharding` and calls of @Sharding, in StableHLO.
  hlo     ///< `sharding={..}` of instructions.
};

/// Says that `mesh` was made for what stands in `notation`.
void setNotation(sdy::MeshOp mesh, Notation notation);

/// Returns the notation that the mesh of `sharding` was made for; `place` is in its module. That of
/// a mesh which the program has itself is Shardy's.
Notation notationFor(sdy::ShardingAttr sharding, mlir::Operation *place);

} // namespace spmd
