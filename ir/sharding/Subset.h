// Shardings over some of a program's devices.
//
//     {devices=[2,2]1,3,5,7}          of 8 devices: 0, 2, 4 and 6 idle
//     mesh <["y"=4]>                  beside a mesh of 8 devices: 4 to 7 idle
//
// A device that idles may hold anything. Here it holds a copy, so that such a sharding is one over
// all devices that replicates along one more axis; what the others hold is the same.
#pragma once

#include "spmd/ir/sharding/TileSharding.h"

namespace spmd {

/// Returns `mesh` with one more axis in front, so that it has `numDevices` devices: the n of `mesh`
/// stay where they are, and device d of them has copies on d + n, d + 2n and so on. The axis is
/// called "idle", or "idle_1", .. where the mesh has that name.
///
/// InvalidArgument if the number of devices of `mesh` does not divide `numDevices`.
absl::StatusOr<Mesh> withIdleDevices(const Mesh &mesh, int64_t numDevices);

/// Returns `sharding`, of any kind, with copies on those of `numDevices` devices that it does not
/// name; itself if it names all.
///
/// InvalidArgument if it names another device, or a number of devices that does not divide
/// `numDevices`, or is manual on some of them.
absl::StatusOr<TileSharding> withIdleDevices(const TileSharding &sharding, int64_t numDevices);

/// Returns `named`, on a mesh without device ids, as it is where device `devices[p]` stands at
/// position p of the mesh; the devices may be any, each once. InvalidArgument if the mesh is too
/// large to be listed.
absl::StatusOr<TileSharding> onDevices(const TileSharding &named,
                                       absl::Span<const int64_t> devices);

/// Returns the least number of devices of a program with these shardings: a multiple of the largest
/// number of devices of any of them, above every device that this one names. 0 if none names any.
int64_t leastNumDevices(absl::Span<const TileSharding *const> shardings);

} // namespace spmd
