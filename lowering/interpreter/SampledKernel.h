// Kernels of wide programs that need less than f64 in runs that round at random.
#pragma once

#include "spmd/lowering/interpreter/KernelRegistry.h"

namespace spmd {

/// Returns a kernel that runs `wide`, the kernel for `request`, but in f32 (complex<f32>) where a
/// run rounds at random by its own types. It converts operands and results. Such a run must have
/// errors of the size of f32's anyway. InvalidArgument if there is no kernel in f32.
absl::StatusOr<Kernel> sampledInF32(const KernelRequest &request, Kernel wide);

} // namespace spmd
