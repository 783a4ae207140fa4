#include "spmd/dialect/import/Hints.h"

#include "spmd/dialect/sdy/Dialect.h"
#include "spmd/dialect/spmd/Dialect.h"
#include "spmd/dialect/stablehlo/Dialect.h"

namespace spmd {

namespace {

class Writer {
public:
  Writer(const Mesh &mesh, mlir::FlatSymbolRefAttr meshName) : mesh(mesh), meshName(meshName) {}

  /// Returns the hint of `op`, or null if `tiles` say nothing of its results.
  sdy::ShardingPerValueAttr hintOf(mlir::Operation *op, const TileSharding &tiles) {
    bool isTuple = tiles.kind == TileSharding::Kind::tuple;
    if (isTuple && tiles.elements.size() != op->getNumResults())
      return {};
    bool splits = false;
    llvm::SmallVector<sdy::ShardingAttr> shardings;
    for (auto [i, type] : llvm::enumerate(op->getResultTypes())) {
      auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(type);
      if (!tensor && !llvm::isa<stablehlo::TokenType>(type))
        return {};
      int64_t rank = tensor ? tensor.getRank() : 0;
      if (tensor && llvm::is_contained(tensor.getShape(), 0)) { // Nothing cuts no elements.
        shardings.push_back(sdy::fullyOpen(meshName, rank));
        continue;
      }
      Placed placed = place(isTuple ? tiles.elements[i] : tiles, rank);
      shardings.push_back(placed.attr);
      splits |= placed.splits;
    }
    return splits ? sdy::ShardingPerValueAttr::get(op->getContext(), shardings)
                  : sdy::ShardingPerValueAttr();
  }

private:
  struct Placed {
    sdy::ShardingAttr attr;
    bool splits = false;
  };

  /// What does not fit leaves all dims open.
  const Placed &place(const TileSharding &tiles, int64_t rank) {
    auto [entry, isNew] = placements.try_emplace({&tiles, rank});
    if (!isNew)
      return entry->second;
    Sharding sharding = Sharding::replicatedOf(rank, /*open=*/true);
    absl::StatusOr<PlacedTiles> placed = placeOn(mesh, tiles, rank);
    if (placed.ok() && placed->manual.empty() && placed->sharding.unreduced.empty() &&
        !placed->sharding.isFullyReplicated())
      sharding = std::move(placed->sharding);
    entry->second = {sdy::ShardingAttr::get(meshName, mesh, sharding),
                     !sharding.isFullyReplicated()};
    return entry->second;
  }

  const Mesh &mesh;
  mlir::FlatSymbolRefAttr meshName;
  llvm::DenseMap<std::pair<const TileSharding *, int64_t>, Placed> placements;
};

} // namespace

void writeHints(llvm::ArrayRef<mlir::Operation *> ops, const Mesh &mesh,
                mlir::FlatSymbolRefAttr meshName,
                llvm::function_ref<const TileSharding *(mlir::StringAttr)> tilesOf) {
  Writer writer(mesh, meshName);
  bool hasMesh = !mesh.axes().empty();
  for (mlir::Operation *op : ops) {
    auto text = llvm::cast<mlir::StringAttr>(op->removeAttr("mhlo.sharding"));
    if (!hasMesh || op->hasAttr(sdy::shardingName) ||
        op->getParentOfType<sdy::ManualComputationOp>())
      continue;
    if (sdy::ShardingPerValueAttr hint = writer.hintOf(op, *tilesOf(text)))
      op->setDiscardableAttr(hintAttrName, hint);
  }
}

} // namespace spmd
