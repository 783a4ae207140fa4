// Ops that make tensors from nothing: free wherever they are needed.

#include "spmd/dialect/partitioning/Families.h"
#include "spmd/dialect/partitioning/algorithms/Shards.h"
#include "spmd/dialect/stablehlo/Dialect.h"

namespace spmd {

using namespace stablehlo;

namespace {

struct ConstantModel : Partitionable::ExternalModel<ConstantModel, ConstantOp> {
  Strategies getStrategies(mlir::Operation *op) const { return {{sameShapeRule(op)}}; }
  bool isFree(mlir::Operation *) const { return true; }

  /// A splat is a smaller splat; of any other constant each device takes its part.
  mlir::LogicalResult localize(mlir::Operation *op, Localizer &localizer) const {
    auto constant = llvm::cast<ConstantOp>(op);
    mlir::RankedTensorType local = localizer.localType(localizer.result(0));
    if (local == op->getResult(0).getType())
      return mlir::success();
    auto dense = llvm::dyn_cast<mlir::DenseElementsAttr>(constant.getValue());
    if (dense && dense.isSplat()) {
      constant.setValueAttr(dense.resizeSplat(local));
      localizer.setResultTypes();
      return mlir::success();
    }
    mlir::Value whole = localizer.builder.clone(*op)->getResult(0);
    localizer.replaceWith(takeShard(localizer.builder, op->getLoc(), localizer.positions,
                                    localizer.mesh, whole, *localizer.result(0).sharding));
    return mlir::success();
  }
};

struct IotaModel : Partitionable::ExternalModel<IotaModel, IotaOp> {
  Strategies getStrategies(mlir::Operation *op) const { return {{sameShapeRule(op)}}; }
  bool isFree(mlir::Operation *) const { return true; }

  /// Counts from the first row of the shard.
  mlir::LogicalResult localize(mlir::Operation *op, Localizer &localizer) const {
    auto iota = llvm::cast<IotaOp>(op);
    localizer.setResultTypes();
    auto type = llvm::cast<mlir::RankedTensorType>(iota.getType());
    int64_t d = iota.getIotaDimension();
    mlir::Value first = localizer.positions.firstRow(
        localizer.mesh, localizer.result(0).sharding->dims[d], type.getDimSize(d));
    if (!first)
      return mlir::success();
    mlir::OpBuilder &builder = localizer.builder;
    mlir::Location loc = op->getLoc();
    // Counted in integers and converted once: a narrow float would round the offset and the sum.
    mlir::RankedTensorType counted = type.clone(localizer.positions.indexElement());
    mlir::Value rows = IotaOp::create(builder, loc, counted, iota.getIotaDimensionAttr());
    mlir::Value offsets =
        BroadcastInDimOp::create(builder, loc, counted, first, llvm::ArrayRef<int64_t>{});
    mlir::Value sum = AddOp::create(builder, loc, counted, rows, offsets);
    localizer.replaceWith(
        counted == type ? sum : ConvertOp::create(builder, loc, type, sum)->getResult(0));
    return mlir::success();
  }
};

} // namespace

void attachCreation(mlir::MLIRContext *context) {
  ConstantOp::attachInterface<ConstantModel>(*context);
  IotaOp::attachInterface<IotaModel>(*context);
}

} // namespace spmd
