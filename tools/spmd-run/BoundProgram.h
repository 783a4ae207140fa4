// A device program with its kernels, and how a session runs it.
#pragma once

#include "spmd/tools/spmd-run/CompareRuns.h"

namespace spmd {

struct BoundProgram {
  DeviceProgram program;
  std::optional<Executable> executable;
  /// Runs in the place of `executable` where the choices of the run will be asked for.
  std::shared_ptr<RecordedRun> recorded;

  /// Binds `program`. It records its choices if `records` and it is for one device. InvalidArgument
  /// as `Executable::prepare`. `kernels` must outlive what is returned.
  static absl::StatusOr<BoundProgram> bind(DeviceProgram program, bool records,
                                           const KernelRegistry &kernels);

  /// Runs the program on whole arguments, within `settings.workLimit`. DataLoss if replicas of a
  /// result differ.
  absl::StatusOr<RunResults> run(const RunSettings &settings, const std::vector<Tensor> &arguments,
                                 const KernelRegistry &kernels) const;
};

/// Returns what one run may spend, or nothing.
std::optional<WorkBudget> newBudget(const RunSettings &settings);

} // namespace spmd
