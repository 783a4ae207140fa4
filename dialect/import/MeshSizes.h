// Meshes of different sizes in one module.
#pragma once

#include "mlir/IR/BuiltinOps.h"

namespace spmd {

/// Gives all meshes of `module` as many devices as the largest that a sharding names or contains,
/// and at least `atLeast`: on a smaller one, the other devices hold copies along an axis of their
/// own (see ir/sharding/Subset.h). A mesh of another size that no sharding names is dropped if a
/// sharding names any.
///
/// Reports each value on a mesh whose number of devices does not divide that of the largest, and
/// each manual computation on a smaller mesh that communicates. Linear; looks at shardings alone if
/// all sizes are equal.
mlir::LogicalResult unifyMeshSizes(mlir::ModuleOp module, int64_t atLeast);

} // namespace spmd
