// Speaking of one mesh in the axes of another.
//
//     <["x"=2, "y"=4]> and <["a"=4, "b"=2]>
//
//     "a"  stands where  "x", "y":(1)2  do     (device / 2)
//     "b"  stands where  "y":(2)2  does        (device % 2)
//
// Also where the second mesh has another device order, if that only reorders such parts of axes:
// <["a"=4, "b"=2], device_ids=[0, 4, 1, 5, 2, 6, 3, 7]> has "y" for "a" and "x" for "b".
#pragma once

#include "spmd/ir/sharding/Sharding.h"

namespace spmd {

/// Returns `sharding` of `to` in the axes of `from`, or nothing if it has none there. The meshes
/// have the same number of devices. Linear in the number of devices unless both have the same
/// device order.
std::optional<Sharding> translate(const Mesh &from, const Mesh &to, const Sharding &sharding);

} // namespace spmd
