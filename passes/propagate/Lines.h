// Lines of a program that split a value: what reports tell the user to write.
#pragma once

#include "spmd/passes/propagate/LineTexts.h"
#include "spmd/passes/propagate/SplitAlike.h"

namespace spmd {

/// Returns `attr` with all dims closed.
sdy::ShardingAttr closed(sdy::ShardingAttr attr);

/// Returns the line that splits a value without a sharding as `split` says, its other dims open.
std::string lineThatSplits(ShardingCodec &codec, mlir::Value value, const DimSplit &split,
                           SourceNames &names);

/// A line that says that a value is whole on purpose, and why none splits it.
struct WholeLine {
  std::string reason; ///< "its largest dim has size 3, and the smallest axis, "x", 4 positions"
  std::string text;   ///< Empty if there is none.
};

/// Returns the line for a value that no axis splits.
WholeLine lineThatKeepsWhole(ShardingCodec &codec, mlir::Value value, SourceNames &names);

} // namespace spmd
