// Whether this machine can hold what a run takes.
#pragma once

#include "spmd/lowering/program/DeviceProgram.h"

#include "absl/status/status.h"

namespace spmd {

/// Returns about how many bytes the whole arguments and results take beside what all devices of
/// `program` make at the worst moment. Devices may share arguments, so these count once.
int64_t bytesToRun(const DeviceProgram &program);

/// Returns the bytes that this machine has, memory and swap, or that this process may take.
int64_t hostMemory();

/// Fails with ResourceExhausted if `needed` bytes are more than `hostMemory`.
absl::Status checkHostMemory(int64_t needed);

} // namespace spmd
