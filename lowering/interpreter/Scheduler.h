// Runs all devices of a program, on any number of threads.
#pragma once

#include "spmd/lowering/interpreter/Device.h"
#include "spmd/lowering/interpreter/Executable.h"

namespace spmd {

/// Runs `devices` until all have finished.
///
/// FailedPrecondition if devices wait for others that will never come; what a device reports, of
/// the first that failed by number. Both are the same for any number of threads.
absl::Status runDevices(std::vector<Device> &devices, Communicator &communicator,
                        const RunOptions &options);

} // namespace spmd
