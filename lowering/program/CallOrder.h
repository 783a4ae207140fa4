// An order in which every function comes after those it calls.
#pragma once

#include "spmd/lowering/program/DeviceProgram.h"

#include "absl/status/statusor.h"

#include <cstdint>
#include <vector>

namespace spmd {

/// Returns the indices of all functions, callees before callers. Fails with InvalidArgument where a
/// function reaches itself. Requires that callees exist. Linear, whatever the depth.
absl::StatusOr<std::vector<int32_t>> calleesFirst(const DeviceProgram &program);

} // namespace spmd
