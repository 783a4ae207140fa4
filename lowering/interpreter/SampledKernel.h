// Kernels of wide programs that need less than f64 in runs that round at random.
#pragma once

#include "spmd/lowering/interpreter/KernelRegistry.h"

namespace spmd {

/// Returns a kernel that computes what `wide`, the kernel for `request`, does, but in f32 and
/// complex<f32> in the place of f64 and complex<f64> where a run rounds at random by its own types:
/// whoever widened the program saw to it that the errors of f32 are among those of such a run. The
/// operands are converted, the results converted back. InvalidArgument if there is no such kernel.
absl::StatusOr<Kernel> sampledInF32(const KernelRequest &request, Kernel wide);

} // namespace spmd
