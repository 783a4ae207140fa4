#include "spmd/dialect/import/BothNotations.h"

namespace spmd {

/// Whether both, of a tensor of rank `rank`, may mean the same. `mesh` is that of `said`.
static bool mayMeanTheSame(const Mesh &mesh, const Sharding &said, const TileSharding &tiles,
                           int64_t rank) {
  using Kind = TileSharding::Kind;
  if (tiles.kind == Kind::tuple && tiles.elements.size() == 1)
    return mayMeanTheSame(mesh, said, tiles.elements.front(), rank);
  if (tiles.kind == Kind::unknown)
    return true;
  if (mesh.isMaximal())
    return tiles.kind == Kind::maximal && tiles.device == mesh.deviceIds().front();
  if (mesh.axes().empty()) // Stands for any mesh, and splits nothing.
    return tiles.kind == Kind::replicated;
  absl::StatusOr<PlacedTiles> placed = placeOn(mesh, tiles, rank);
  if (!placed.ok() || placed->device)
    return false;
  Sharding a = said.layout(), b = placed->sharding.layout();
  for (int64_t d = 0; d < rank; ++d)
    if (said.dims[d].open ? !isPrefix(a.dims[d].axes, b.dims[d].axes)
                          : a.dims[d].axes != b.dims[d].axes)
      return false;
  return a.unreduced == b.unreduced;
}

mlir::LogicalResult checkBothNotations(ShardingCodec &codec, mlir::Location location,
                                       const llvm::Twine &what, mlir::Type type,
                                       mlir::Attribute sharding, llvm::StringRef text,
                                       const TileSharding &tiles) {
  auto attr = llvm::dyn_cast_if_present<sdy::ShardingAttr>(sharding);
  auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(type);
  if (!attr || !tensor)
    return mlir::success(); // Said elsewhere.
  const MeshSharding *known = codec.decode(attr);
  if (!known)
    return mlir::failure();
  if (known->sharding.rank() != tensor.getRank() ||
      mayMeanTheSame(codec.mesh(known->mesh), known->sharding, tiles, tensor.getRank()))
    return mlir::success();
  return mlir::emitError(location)
         << what << " has two shardings that contradict each other: 'sdy.sharding' "
         << attr.getSpec().str() << " and 'mhlo.sharding' \"" << text << "\"; remove one";
}

} // namespace spmd
