#include "spmd/passes/optimize/TurnedGathers.h"

#include "mlir/IR/Builders.h"

namespace spmd {

using stablehlo::TransposeOp;

mlir::Operation *TurnedGathers::firstTurned(stablehlo::AllGatherOp gather) {
  if (gather->getNumOperands() != 1)
    return gather;
  mlir::Value root = gather->getOperand(0);
  auto type = llvm::cast<mlir::RankedTensorType>(gather->getResult(0).getType());
  auto dims = llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
  for (auto turn = root.getDefiningOp<TransposeOp>();
       turn && turn->getBlock() == gather->getBlock(); turn = root.getDefiningOp<TransposeOp>()) {
    for (int64_t &dim : dims)
      dim = turn.getPermutation()[dim];
    root = turn.getOperand();
  }
  Key key{root.getAsOpaquePointer(), dims[gather.getAllGatherDim()],
          gather.getReplicaGroupsAttr().getAsOpaquePointer(),
          gather.getChannelHandleAttr().getAsOpaquePointer(),
          gather.getUseGlobalDeviceIdsAttr().getAsOpaquePointer()};
  auto [earlier, isNew] = known.try_emplace(key, Gathered{gather, dims});
  if (isNew)
    return gather;
  if (earlier->second.dims == dims)
    return earlier->second.gather;
  llvm::SmallVector<int64_t> order;
  for (int64_t dim : dims)
    order.push_back(llvm::find(earlier->second.dims, dim) - earlier->second.dims.begin());
  mlir::OpBuilder builder(gather);
  return TransposeOp::create(builder, gather.getLoc(), type, earlier->second.gather->getResult(0),
                             order);
}

} // namespace spmd
