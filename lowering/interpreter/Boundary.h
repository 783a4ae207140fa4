// Between global tensors and what the devices hold of them.
#pragma once

#include "spmd/lowering/interpreter/KernelRegistry.h"

namespace spmd {

/// Returns for each device its part of `global`; devices with the same part share it.
///
/// Padding of uneven shards holds poison, see Elements.h. Along unreduced axes the first device
/// holds the value, and the others what does not change it. On a maximal mesh other devices hold
/// poison. InvalidArgument if the type is not the boundary's, or mesh or sharding cannot be read or
/// do not fit.
absl::StatusOr<std::vector<Tensor>> cut(const Boundary &boundary, const Tensor &global,
                                        int64_t numDevices);

/// Makes `shape` the global shape of a boundary that says only how its tensor is cut.
/// InvalidArgument if a device's part of it were not the one that the program has.
absl::Status setGlobalShape(Boundary &boundary, std::vector<int64_t> shape, int64_t numDevices);

/// Returns the global tensor of which `locals[device]` are the parts.
///
/// Parts are reduced over unreduced axes first, in the order of positions. Every replica is
/// compared, bit for bit: DataLoss with both devices, the index and both values if two differ.
/// Padding is ignored. InvalidArgument as for `cut`.
absl::StatusOr<Tensor> join(const Boundary &boundary, absl::Span<const Tensor> locals,
                            const KernelRegistry &registry);

/// Cuts all arguments of a program: returns arguments[device][i], ready for Executable::run.
absl::StatusOr<std::vector<std::vector<Tensor>>> cutArguments(const DeviceProgram &program,
                                                              absl::Span<const Tensor> globals);

/// Joins all results of a program, given as results[device][i]. A result of which only the parts
/// are known is what all devices hold alike; it stays empty where they differ.
absl::StatusOr<std::vector<Tensor>> joinResults(const DeviceProgram &program,
                                                const std::vector<std::vector<Tensor>> &results,
                                                const KernelRegistry &registry);

} // namespace spmd
