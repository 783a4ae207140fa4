#include "spmd/dialect/spmd/Notation.h"

#include "mlir/IR/SymbolTable.h"

namespace spmd {

constexpr llvm::StringLiteral notationKey = "spmd.notation";

/// The number of the notation that `location` is fused with; null if there is none.
static mlir::IntegerAttr notationIn(mlir::Location location) {
  auto fused = llvm::dyn_cast<mlir::FusedLoc>(location);
  auto metadata = fused ? llvm::dyn_cast_if_present<mlir::DictionaryAttr>(fused.getMetadata())
                        : mlir::DictionaryAttr();
  return metadata ? metadata.getAs<mlir::IntegerAttr>(notationKey) : nullptr;
}

void setNotation(sdy::MeshOp mesh, Notation notation) {
  mlir::Builder builder(mesh.getContext());
  mlir::Location location = mesh.getLoc();
  if (notationIn(location))
    location = llvm::cast<mlir::FusedLoc>(location).getLocations().front();
  mlir::NamedAttribute entry =
      builder.getNamedAttr(notationKey, builder.getI32IntegerAttr(static_cast<int32_t>(notation)));
  mesh->setLoc(
      mlir::FusedLoc::get(mesh.getContext(), {location}, builder.getDictionaryAttr({entry})));
}

Notation notationFor(sdy::ShardingAttr sharding, mlir::Operation *place) {
  auto name = llvm::dyn_cast<mlir::FlatSymbolRefAttr>(sharding.getMeshOrRef());
  auto mesh =
      name ? mlir::SymbolTable::lookupNearestSymbolFrom<sdy::MeshOp>(place, name) : sdy::MeshOp();
  mlir::IntegerAttr number = mesh ? notationIn(mesh.getLoc()) : mlir::IntegerAttr();
  return number ? static_cast<Notation>(number.getInt()) : Notation::shardy;
}

} // namespace spmd
