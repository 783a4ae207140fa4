// Values that are sharded in two notations at once.
#pragma once

#include "spmd/dialect/spmd/ValueSharding.h"
#include "spmd/ir/sharding/TileSharding.h"

namespace spmd {

/// Fails, after an error at `location` that shows both, if the `sdy.sharding` of a value,
/// `sharding`, contradicts its `mhlo.sharding`, which is `text` and reads as `tiles`: a dim that is
/// closed is split along other axes, or an open one not along these first. `what` is how messages
/// call the value. What is null, or no tensor's, contradicts nothing.
mlir::LogicalResult checkBothNotations(ShardingCodec &codec, mlir::Location location,
                                       const llvm::Twine &what, mlir::Type type,
                                       mlir::Attribute sharding, llvm::StringRef text,
                                       const TileSharding &tiles);

} // namespace spmd
