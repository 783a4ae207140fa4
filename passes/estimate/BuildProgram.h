// From a partitioned module to the plain data that the cost model prices.
#pragma once

#include "spmd/ir/cost/CostProgram.h"
#include "spmd/ir/cost/DeviceProfile.h"
#include "spmd/passes/why/Collectives.h"

namespace spmd {

/// What `buildCostProgram` found.
struct BuiltProgram {
  CostProgram program;        ///< Collectives have their numbers in `collectives`.
  std::vector<int32_t> tiers; ///< By collective: of the profile; -1 if it sends nothing.
  bool hasUnknownTrips = false;
};

/// Builds the program of what a run of the entry function reaches. `collectives` are those of
/// `findCollectives`. Fails after diagnostics where groups name unknown meshes.
mlir::FailureOr<BuiltProgram> buildCostProgram(mlir::ModuleOp module,
                                               llvm::ArrayRef<FoundCollective> collectives,
                                               const DeviceProfile &profile);

} // namespace spmd
