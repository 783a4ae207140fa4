// Makes every move of data explicit. The plan of a function (FunctionPlan.h) says how each op
// splits; operands are moved to the layouts that the split needs.
#pragma once

#include "spmd/dialect/spmd/ValueSharding.h"
#include "spmd/passes/Options.h"

namespace spmd {

struct ReshardOptions {
  OnMissing onMissing = OnMissing::error;
  /// What to do with an op that has no sharding rule.
  OnNoRule onNoRule = OnNoRule::replicate;
  /// The bytes by which moves before loops may make values larger (LimitHoisting.h).
  uint64_t hoistBytes = defaultBucketBytes;
};

/// Inserts a `sdy.reshard` wherever a value lies differently from how it is used, and replaces
/// sharding constraints by reshards. Afterwards the shardings of each op's operands and results fit
/// one split of its rule; a result that the split leaves partial says so (`unreduced`).
///
/// Fails after reporting every value without a sharding and every op without a rule, as the options
/// say.
mlir::LogicalResult reshardModule(mlir::ModuleOp module, const ReshardOptions &options);

} // namespace spmd
