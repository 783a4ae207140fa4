// Ops that only say how a value lies.

#include "spmd/dialect/partitioning/Families.h"
#include "spmd/dialect/sdy/Dialect.h"

namespace spmd {

namespace {

template <typename Op> struct IdentityModel : Partitionable::ExternalModel<IdentityModel<Op>, Op> {
  Strategies getStrategies(mlir::Operation *op) const {
    return {{sameShapeRule(op), {}, std::vector<Commuting>(op->getNumOperands(), Commuting::movesElements())}};
  }
};

} // namespace

void attachSharding(mlir::MLIRContext *context) {
  sdy::ShardingConstraintOp::attachInterface<IdentityModel<sdy::ShardingConstraintOp>>(*context);
  sdy::ReshardOp::attachInterface<IdentityModel<sdy::ReshardOp>>(*context);
}

} // namespace spmd
