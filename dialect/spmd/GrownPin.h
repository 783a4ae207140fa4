// What the user said of a tensor whose open dims have taken up more since.
//
// A pinned sharding is written back grown. That is what its own tensor lies as; but a buffer's pin
// is that of all that it holds in turn, of which each grows by itself, so there the pin is noted,
// too:
//
//     %b: !spmd.buffer<..> {sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}]>,   what it holds at
//     first
//                           spmd.grown_from = #sdy.sharding<@mesh, [{?}]>}     what any of it must
//                           meet
#pragma once

#include "spmd/dialect/spmd/ValueSharding.h"

namespace spmd {

/// Returns the sharding that the user gave `value`, as it was before propagation, or nothing. A
/// note of which the sharding is not grown is of another one, and left aside.
ValueSharding originalPinOf(mlir::Value value);

/// Returns whether open dims of `pin` may have taken up what `grown` has more.
bool mayGrowInto(sdy::ShardingAttr pin, sdy::ShardingAttr grown);

/// Notes beside the sharding among the attributes of an argument that it has grown from `pin`,
/// unless it is just that.
void noteOriginalPin(mlir::NamedAttrList &attributes, sdy::ShardingAttr pin);
/// Does the same for one result of an op.
void noteOriginalPin(mlir::OpResult result, sdy::ShardingAttr pin);

} // namespace spmd
