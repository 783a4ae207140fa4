// An all-reduce whose result is only sliced by position becomes a reduce-scatter.

#include "spmd/dialect/groups/Groups.h"
#include "spmd/dialect/stablehlo/Dialect.h"
#include "spmd/passes/optimize/Optimize.h"
#include "spmd/passes/optimize/PositionDigits.h"

#include <map>

namespace spmd {

using namespace stablehlo;

namespace {

/// The one dim that `slice` cuts; nothing if it cuts several.
std::optional<int64_t> slicedDim(DynamicSliceOp slice) {
  auto type = llvm::cast<mlir::RankedTensorType>(slice.getOperand().getType());
  std::optional<int64_t> dim;
  for (int64_t d = 0; d < type.getRank(); ++d) {
    if (slice.getSliceSizes()[d] == type.getDimSize(d))
      continue;
    if (dim)
      return std::nullopt;
    dim = d;
  }
  return dim;
}

/// Whether each device takes the piece that a reduce-scatter over `groups` would give it.
bool isOwnPiece(const PositionDigits &offset, const std::vector<std::vector<int64_t>> &groups,
                int64_t rows, int64_t wholeRows) {
  for (const std::vector<int64_t> &group : groups) {
    if (static_cast<int64_t>(group.size()) * rows != wholeRows)
      return false;
    for (size_t place = 0; place < group.size(); ++place)
      if (evaluate(offset, group[place]) != static_cast<int64_t>(place) * rows)
        return false;
  }
  return true;
}

/// Groups of collectives and what was found of them, so that the devices are looked at once for
/// each distinct way to slice.
class Groups {
public:
  explicit Groups(int64_t numDevices) : numDevices(numDevices) {}

  /// Whether each device takes from `allReduce` at `offset` the piece that a reduce-scatter would
  /// give it.
  bool takesOwnPiece(AllReduceOp allReduce, const PositionDigits &offset, int64_t rows,
                     int64_t wholeRows) {
    auto [known, isNew] =
        answers[allReduce.getReplicaGroups()].try_emplace({offset, rows, wholeRows}, false);
    if (isNew) {
      auto groups = expandGroups(allReduce, allReduce.getReplicaGroups(), numDevices);
      known->second = mlir::succeeded(groups) && isOwnPiece(offset, *groups, rows, wholeRows);
    }
    return known->second;
  }

private:
  int64_t numDevices;
  llvm::DenseMap<mlir::Attribute, std::map<std::tuple<PositionDigits, int64_t, int64_t>, bool>>
      answers;
};

void rewrite(AllReduceOp allReduce, int64_t numDevices, Groups &groups) {
  if (allReduce->getNumOperands() != 1 || !allReduce->hasOneUse())
    return;
  auto slice = llvm::dyn_cast<DynamicSliceOp>(*allReduce->user_begin());
  if (!slice || slice.getOperand() != allReduce->getResult(0) ||
      slice->getBlock() != allReduce->getBlock())
    return;
  std::optional<int64_t> dim = slicedDim(slice);
  if (!dim)
    return;
  std::optional<PositionDigits> offset = positionDigits(slice.getStartIndices()[*dim], numDevices);
  if (!offset)
    return;
  int64_t wholeRows =
      llvm::cast<mlir::RankedTensorType>(slice.getOperand().getType()).getDimSize(*dim);
  if (!groups.takesOwnPiece(allReduce, *offset, slice.getSliceSizes()[*dim], wholeRows))
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
  Groups groups(count.getInt());
  for (AllReduceOp op : all)
    rewrite(op, count.getInt(), groups);
}

} // namespace spmd
