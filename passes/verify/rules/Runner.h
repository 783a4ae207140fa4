// Runs small programs in the middle of a pass, and tells what went wrong.
#pragma once

#include "spmd/lowering/interpreter/KernelRegistry.h"
#include "spmd/passes/verify/rules/OpProgram.h"

namespace spmd {

/// What a program computed.
struct RunOutcome {
  DeviceProgram program;
  std::vector<Tensor> inputs, results;
};

/// Runs the program of `placed`: that of a mesh, partitioned, if it has one, else that of one
/// device. Arguments for which `inputs` has no tensor of their type get random numbers.
///
/// What the compiler reports, or a kernel, is the message of the status. DataLoss if devices that
/// hold the same differ.
absl::StatusOr<RunOutcome> runProgram(const PlacedOp &placed, const KernelRegistry &kernels,
                                      absl::Span<const Tensor> inputs);

/// Returns what a program that ran so computes of other inputs.
absl::StatusOr<std::vector<Tensor>> runAgain(const DeviceProgram &program,
                                             const KernelRegistry &kernels,
                                             const std::vector<Tensor> &inputs);

} // namespace spmd
