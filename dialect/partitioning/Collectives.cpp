// Collectives and device numbers that the program itself contains, in computations on local shapes.
//
// Along axes that are left to the compiler there, a collective splits as an elementwise op does,
// but for the dims that it cuts or joins. Its groups must then run along other axes.

#include "spmd/dialect/groups/Groups.h"
#include "spmd/dialect/partitioning/Families.h"
#include "spmd/dialect/stablehlo/Dialect.h"

namespace spmd {

using namespace stablehlo;

namespace {

/// Operand i and result i have the same factors, but for dims `except`, which stay whole.
OpRule pairwiseRule(mlir::Operation *op, llvm::ArrayRef<int64_t> except) {
  RuleBuilder builder = ruleFor(op);
  for (mlir::OpResult result : op->getResults())
    for (auto [d, size] : llvm::enumerate(shapeOf(result)))
      if (unsigned i = result.getResultNumber();
          !llvm::is_contained(except, static_cast<int64_t>(d))) {
        int32_t factor = builder.factor(size);
        builder.operand(i, d, {factor}).result(i, d, {factor});
      }
  return builder.take();
}

/// Reports devices that exchange data although they hold different parts along the axes that the op
/// is split along. Linear in the devices that the op names.
class GroupChecker {
public:
  explicit GroupChecker(Localizer &localizer) : localizer(localizer) {
    for (const AxisList &axes : localizer.factorAxes())
      split.insert(split.end(), axes.begin(), axes.end());
    const Mesh &mesh = localizer.mesh;
    if (!split.empty())
      for (int64_t position = 0; position < mesh.numDevices(); ++position)
        partOf[mesh.deviceAt(position)] = coordinateOf(mesh, position, split);
  }

  bool isSplit() const { return !split.empty(); }

  mlir::LogicalResult check(llvm::ArrayRef<int64_t> devices) {
    for (int64_t device : devices)
      if (partOf.lookup(device) != partOf.lookup(devices.front()))
        return localizer.op->emitOpError()
               << "joins devices " << devices.front() << " and " << device
               << ", which hold different parts of its operand; its groups must run along manual "
               << "axes alone";
    return mlir::success();
  }

private:
  Localizer &localizer;
  AxisList split;
  llvm::DenseMap<int64_t, int64_t> partOf;
};

/// The dims that a collective cuts or joins.
llvm::SmallVector<int64_t, 2> exchangedDims(mlir::Operation *op) {
  if (auto gather = llvm::dyn_cast<AllGatherOp>(op))
    return {static_cast<int64_t>(gather.getAllGatherDim())};
  if (auto scatter = llvm::dyn_cast<ReduceScatterOp>(op))
    return {static_cast<int64_t>(scatter.getScatterDimension())};
  if (auto exchange = llvm::dyn_cast<AllToAllOp>(op))
    return {static_cast<int64_t>(exchange.getSplitDimension()),
            static_cast<int64_t>(exchange.getConcatDimension())};
  return {};
}

template <typename Op>
struct CollectiveModel : Partitionable::ExternalModel<CollectiveModel<Op>, Op> {
  Strategies getStrategies(mlir::Operation *op) const {
    return {{pairwiseRule(op, exchangedDims(op))}};
  }
  mlir::LogicalResult localize(mlir::Operation *op, Localizer &localizer) const {
    localizer.setResultTypes();
    GroupChecker checker(localizer);
    if (!checker.isSplit())
      return mlir::success();
    bool mayMiss = llvm::isa<CollectiveBroadcastOp, CollectiveReduceOp>(op);
    auto groups =
        expandGroups(op, llvm::cast<Op>(op).getReplicaGroups(), localizer.mesh.numDevices(),
                     /*mustCover=*/!mayMiss);
    if (mlir::failed(groups))
      return mlir::failure();
    for (const std::vector<int64_t> &group : *groups)
      if (mlir::failed(checker.check(group)))
        return mlir::failure();
    return mlir::success();
  }
};

struct PermuteModel : Partitionable::ExternalModel<PermuteModel, CollectivePermuteOp> {
  Strategies getStrategies(mlir::Operation *op) const { return {{pairwiseRule(op, {})}}; }
  mlir::LogicalResult localize(mlir::Operation *op, Localizer &localizer) const {
    localizer.setResultTypes();
    GroupChecker checker(localizer);
    if (!checker.isSplit())
      return mlir::success();
    auto pairs = llvm::to_vector(
        llvm::cast<CollectivePermuteOp>(op).getSourceTargetPairs().getValues<int64_t>());
    for (size_t i = 0; i + 1 < pairs.size(); i += 2)
      if (mlir::failed(checker.check(llvm::ArrayRef(pairs).slice(i, 2))))
        return mlir::failure();
    return mlir::success();
  }
};

/// Scalars that each device makes for itself.
template <typename Op> struct IdModel : Partitionable::ExternalModel<IdModel<Op>, Op> {
  Strategies getStrategies(mlir::Operation *op) const { return {{ruleFor(op).take()}}; }
};

template <typename... Ops> void attachGrouped(mlir::MLIRContext *context) {
  (Ops::template attachInterface<CollectiveModel<Ops>>(*context), ...);
}

} // namespace

void attachCollectives(mlir::MLIRContext *context) {
  attachGrouped<AllGatherOp, AllReduceOp, AllToAllOp, CollectiveBroadcastOp, CollectiveReduceOp,
                ReduceScatterOp>(context);
  CollectivePermuteOp::attachInterface<PermuteModel>(*context);
  PartitionIdOp::attachInterface<IdModel<PartitionIdOp>>(*context);
  ReplicaIdOp::attachInterface<IdModel<ReplicaIdOp>>(*context);
}

} // namespace spmd
