// An all-reduce whose result is only sliced by position becomes a reduce-scatter.

#include "spmd/passes/optimize/Optimize.h"
#include "spmd/passes/optimize/OwnPieces.h"

namespace spmd {

using namespace stablehlo;

namespace {

void rewrite(AllReduceOp allReduce, OwnPieces &pieces) {
  if (allReduce->getNumOperands() != 1 || !allReduce->hasOneUse())
    return;
  auto slice = llvm::dyn_cast<DynamicSliceOp>(*allReduce->user_begin());
  if (!slice || slice.getOperand() != allReduce->getResult(0) ||
      slice->getBlock() != allReduce->getBlock())
    return;
  std::optional<int64_t> dim = pieces.dimOf(slice, allReduce);
  if (!dim)
    return;
  mlir::OpBuilder builder(slice);
  auto scatter = ReduceScatterOp::create(
      builder, allReduce.getLoc(), slice.getType(), allReduce->getOperand(0),
      builder.getI64IntegerAttr(*dim), allReduce.getReplicaGroupsAttr(),
      allReduce.getChannelHandleAttr(), allReduce.getUseGlobalDeviceIdsAttr());
  scatter.getComputation().takeBody(allReduce.getComputation());
  slice.getResult().replaceAllUsesWith(scatter.getResult());
  slice.erase();
  allReduce.erase();
}

} // namespace

void formReduceScatters(mlir::ModuleOp module) {
  auto count = module->getAttrOfType<mlir::IntegerAttr>("mhlo.num_partitions");
  if (!count)
    return;
  std::vector<AllReduceOp> all;
  module.walk([&](AllReduceOp op) { all.push_back(op); });
  OwnPieces pieces(count.getInt());
  for (AllReduceOp op : all)
    rewrite(op, pieces);
}

} // namespace spmd
