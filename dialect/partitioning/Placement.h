// The op that moves a value, for the stages that put moves where they are needed.
#pragma once

#include "spmd/dialect/sdy/Dialect.h"

namespace spmd {

/// Makes the op that brings `value` to `sharding`. It is a placement (`Partitionable::isPlacement`)
/// with one operand and one result.
mlir::Operation *createReshard(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value,
                               sdy::ShardingAttr sharding);

} // namespace spmd
