// Replica groups of collectives as lists of devices.
#pragma once

#include "mlir/IR/Operation.h"

#include <vector>

namespace spmd {

/// Returns the device ids of each group of the collective `op`, given as a table or as mesh axes;
/// no groups mean all devices together. Fails after a diagnostic at `op` if they name an unknown
/// mesh or axis, name a device twice, or, if they `mustCover` all, leave one out.
mlir::FailureOr<std::vector<std::vector<int64_t>>> expandGroups(mlir::Operation *op,
                                                                mlir::Attribute groups,
                                                                int64_t numDevices,
                                                                bool mustCover = true);

/// Fails as `expandGroups` does, and where mesh axes are of another number of devices; does not
/// list the devices of mesh axes.
mlir::LogicalResult checkGroups(mlir::Operation *op, mlir::Attribute groups, int64_t numDevices);

} // namespace spmd
