#include "spmd/dialect/partitioning/MemoryUse.h"

#include "spmd/dialect/stablehlo/Dialect.h"

namespace spmd {

using namespace stablehlo;

bool multiplies(mlir::Operation *op, StrategyCache &strategies) {
  const Strategies *known = strategies.lookup(op);
  return known && known->front().multiplies;
}

/// Whether `op`, a transpose, only orders operands of products, which read them in any order.
static bool isLayoutOfProducts(mlir::Operation *op, StrategyCache &strategies) {
  return llvm::isa<TransposeOp>(op) && !op->use_empty() &&
         llvm::all_of(op->getUsers(),
                      [&](mlir::Operation *user) { return multiplies(user, strategies); });
}

MemoryUse memoryUseOf(mlir::Operation *op, StrategyCache &strategies) {
  if (auto constant = llvm::dyn_cast<ConstantOp>(op))
    return llvm::isa<mlir::SplatElementsAttr>(constant.getValue()) ? MemoryUse::made
                                                                   : MemoryUse::resident;
  if (llvm::isa<ReshapeOp, BitcastConvertOp, OptimizationBarrierOp>(op) || placesValue(op))
    return MemoryUse::none;
  if (llvm::isa<BroadcastInDimOp, BroadcastOp, IotaOp, PartitionIdOp, ReplicaIdOp, TupleOp,
                GetTupleElementOp, AfterAllOp, CreateTokenOp>(op))
    return MemoryUse::made;
  if (llvm::isa<SliceOp, DynamicSliceOp, GatherOp, DynamicGatherOp, TorchIndexSelectOp>(op))
    return MemoryUse::part;
  if (llvm::isa<DynamicUpdateSliceOp, ScatterOp>(op))
    return MemoryUse::update;
  if (llvm::isa<ReduceOp, ReduceWindowOp, SelectAndScatterOp>(op))
    return MemoryUse::reduction;
  if (isLayoutOfProducts(op, strategies))
    return MemoryUse::none;
  if (llvm::isa<PadOp, ConcatenateOp, TransposeOp, ReverseOp>(op))
    return MemoryUse::moves;
  // Scalars that the op itself broadcasts, as the bounds of a clamp, are no elementwise rule.
  if (llvm::isa<MapOp, ClampOp, SelectOp>(op) || isElementwise(op, strategies))
    return MemoryUse::elements;
  return MemoryUse::whole;
}

unsigned numUpdatedInPlace(mlir::Operation *op) {
  auto scatter = llvm::dyn_cast<ScatterOp>(op);
  return scatter ? scatter.getInputs().size() : 1;
}

bool isTranscendental(mlir::Operation *op) {
  return llvm::isa<Atan2Op, CbrtOp, CosineOp, ExpOp, Expm1Op, LogOp, Log1pOp, LogisticOp, PowOp,
                   RsqrtOp, SineOp, SqrtOp, TanOp, TanhOp>(op);
}

} // namespace spmd
