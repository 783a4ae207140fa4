// Ops that only say how a value lies.

#include "spmd/dialect/partitioning/Families.h"
#include "spmd/dialect/sdy/Dialect.h"

namespace spmd {

namespace {

std::vector<Commuting> movesElements(mlir::Operation *op) {
  return std::vector<Commuting>(op->getNumOperands(), Commuting::movesElements());
}

template <typename Op>
struct PlacementModel : Partitionable::ExternalModel<PlacementModel<Op>, Op> {
  Strategies getStrategies(mlir::Operation *op) const {
    return {{sameShapeRule(op), {}, movesElements(op)}};
  }
  bool isPlacement(mlir::Operation *) const { return true; }
};

/// Nothing is learnt across a barrier, in either direction.
struct BarrierModel : Partitionable::ExternalModel<BarrierModel, sdy::PropagationBarrierOp> {
  Strategies getStrategies(mlir::Operation *op) const {
    OpRule rule = sameShapeRule(op);
    for (Factor &factor : rule.factors)
      factor.blocked = true;
    return {{std::move(rule), {}, movesElements(op)}};
  }
  bool isPlacement(mlir::Operation *) const { return true; }
};

template <typename... Ops> void attachPlacement(mlir::MLIRContext *context) {
  (Ops::template attachInterface<PlacementModel<Ops>>(*context), ...);
}

} // namespace

void attachSharding(mlir::MLIRContext *context) {
  attachPlacement<sdy::ShardingConstraintOp, sdy::ReshardOp, sdy::DataFlowEdgeOp,
                  sdy::FuncDataFlowEdgeOp, sdy::AllGatherOp, sdy::AllSliceOp, sdy::AllToAllOp,
                  sdy::CollectivePermuteOp, sdy::AllReduceOp, sdy::ReduceScatterOp,
                  sdy::ShardedToUnreducedOp, sdy::ReplicatedToUnreducedOp>(context);
  sdy::PropagationBarrierOp::attachInterface<BarrierModel>(*context);
}

} // namespace spmd
