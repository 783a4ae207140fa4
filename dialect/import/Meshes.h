// The meshes of a module whose shardings are in GSPMD's notation.
#pragma once

#include "spmd/ir/sharding/TileSharding.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"

namespace spmd {

struct MeshByName {
  mlir::FlatSymbolRefAttr name;
  Mesh mesh;
};

/// Adds the meshes that `module` has to `meshes`, and makes more for those of `shardings` that none
/// of them has axes for. Fails after a diagnostic if there are none for these, unless it may not or
/// the module has meshes: then these shardings have no place. Linear.
mlir::LogicalResult addMeshes(mlir::ModuleOp module, llvm::ArrayRef<const TileSharding *> shardings,
                              bool mayFail, std::vector<MeshByName> &meshes);

} // namespace spmd
