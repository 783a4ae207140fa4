// An all-reduce whose result is only sliced by position becomes a reduce-scatter.

#include "spmd/passes/optimize/Optimize.h"
#include "spmd/passes/optimize/OwnPieces.h"

namespace spmd {

using namespace stablehlo;

namespace {

/// Returns the reduce-scatter that takes the place of `allReduce` and of the slice behind it; null
/// if there is no such slice.
ReduceScatterOp scatterOf(AllReduceOp allReduce, OwnPieces &pieces) {
  if (allReduce->getNumOperands() != 1 || !allReduce->hasOneUse())
    return {};
  auto slice = llvm::dyn_cast<DynamicSliceOp>(*allReduce->user_begin());
  if (!slice || slice.getOperand() != allReduce->getResult(0) ||
      slice->getBlock() != allReduce->getBlock())
    return {};
  std::optional<int64_t> dim = pieces.dimOf(slice, allReduce);
  if (!dim)
    return {};
  mlir::OpBuilder builder(slice);
  auto scatter = ReduceScatterOp::create(
      builder, allReduce.getLoc(), slice.getType(), allReduce->getOperand(0),
      builder.getI64IntegerAttr(*dim), allReduce.getReplicaGroupsAttr(),
      allReduce.getChannelHandleAttr(), allReduce.getUseGlobalDeviceIdsAttr());
  scatter.getComputation().takeBody(allReduce.getComputation());
  slice.getResult().replaceAllUsesWith(scatter.getResult());
  return scatter;
}

} // namespace

void formReduceScatters(ModuleCollectives &found) {
  auto count = found.getModule()->getAttrOfType<mlir::IntegerAttr>("mhlo.num_partitions");
  if (!count)
    return;
  OwnPieces pieces(count.getInt());
  for (int32_t place = 0; place < static_cast<int32_t>(found.all().size()); ++place)
    if (auto allReduce = llvm::dyn_cast_if_present<AllReduceOp>(found.all()[place])) {
      mlir::Operation *reader = allReduce->use_empty() ? nullptr : *allReduce->user_begin();
      if (ReduceScatterOp scatter = scatterOf(allReduce, pieces)) {
        found.replace(reader, scatter);
        found.erase(place);
      }
    }
}

} // namespace spmd
