// Lines of a program that split a value: what reports tell the user to write.
#pragma once

#include "spmd/passes/propagate/LineTexts.h"

namespace spmd {

/// Returns the first axis, whole, that may split a dim of `size` and is not in `used`: one that
/// divides it comes before others, one with more positions than the dim has rows never. Empty if
/// there is none.
AxisList axisToSplit(const Mesh &mesh, absl::Span<const AxisRef> used, int64_t size);

/// Returns `attr` with all dims closed.
sdy::ShardingAttr closed(sdy::ShardingAttr attr);

/// Returns the line that splits a value without a sharding along one axis of the codec's main mesh:
/// its first dim that some axis divides, or else one that some axis fits. Axes that a computation
/// on local shapes around it makes manual are none. Empty if there is none.
std::string lineThatSplits(ShardingCodec &codec, mlir::Value value, SourceNames &names);

/// A line that says that a value is whole on purpose, and why none splits it.
struct WholeLine {
  std::string reason; ///< "its largest dim has size 3, and the smallest axis, "x", 4 positions"
  std::string text;   ///< Empty if there is none.
};

/// Returns the line for a value that `lineThatSplits` has none for.
WholeLine lineThatKeepsWhole(ShardingCodec &codec, mlir::Value value, SourceNames &names);

} // namespace spmd
