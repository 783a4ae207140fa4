// The meshes of a module whose shardings are in GSPMD's notation.
#pragma once

#include "spmd/dialect/import/Boundaries.h"
#include "spmd/ir/sharding/TileSharding.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"

namespace spmd {

struct MeshByName {
  mlir::FlatSymbolRefAttr name;
  Mesh mesh;
};

/// Adds the meshes that `module` has to `meshes`, and makes more for those of `shardings` that none
/// of them has axes for. A program without meshes has `numDevices` devices, or as many as its
/// shardings name if that is 0. Fails after a diagnostic if there are none for these, unless it may
/// not or the module has meshes: then these shardings have no place. Linear.
mlir::LogicalResult addMeshes(mlir::ModuleOp module, llvm::ArrayRef<TileSharding *> shardings,
                              int64_t numDevices, bool mayFail, std::vector<MeshByName> &meshes);

/// Returns how many devices `module` says that it is for, or the least number that `shardings` can
/// be over; 0 if nothing tells.
int64_t saidNumDevices(mlir::ModuleOp module, llvm::ArrayRef<TileSharding *> shardings);

/// Returns how many devices a program has: as many as its meshes, or else as above.
int64_t countDevices(mlir::ModuleOp module, llvm::ArrayRef<TileSharding *> shardings);

/// Gives those of `numDevices` devices that `sharding` does not name copies (see Subset.h). Fails
/// if it cannot be, after a diagnostic at `place`, if that is not null.
mlir::LogicalResult coverDevices(TileSharding &sharding, int64_t numDevices, const SaidAt *place);

} // namespace spmd
