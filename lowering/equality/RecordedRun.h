// The run that a judge takes choices from: a program as it is, which records them.
#pragma once

#include "spmd/lowering/interpreter/Arithmetic.h"
#include "spmd/lowering/interpreter/Executable.h"

#include <memory>

namespace spmd {

/// A program whose choices are exposed, and what a run of it gave.
class RecordedRun {
public:
  /// Prepares `program` to run. `kernels` must outlive the object. InvalidArgument as
  /// `Executable::prepare`.
  static absl::StatusOr<RecordedRun> prepare(const DeviceProgram &program,
                                             const KernelRegistry &kernels);

  /// Runs the program on one thread, given whole arguments. What it gives and chooses takes the
  /// place of what an earlier run has. Results are those of `program`, bit for bit. `denormals` and
  /// `limit` are as `RunOptions` has them; a null `limit` is none. Errors are those of
  /// `cutArguments`, `Executable::run` and `joinResults`.
  absl::Status run(absl::Span<const Tensor> arguments, Denormals denormals,
                   WorkBudget *limit = nullptr);

  /// What the run gave: on each device, and joined.
  const std::vector<std::vector<Tensor>> &local() const { return results; }
  const std::vector<Tensor> &joined() const { return joinedResults; }
  /// `exposeChoices` of the program, not fused.
  const DeviceProgram &program() const { return exposed; }
  const std::shared_ptr<ChoiceLog> &choices() const { return log; }
  /// What the run spent.
  int64_t work() const { return spent; }

private:
  RecordedRun(DeviceProgram exposed, Executable executable, const KernelRegistry &kernels)
      : exposed(std::move(exposed)), executable(std::move(executable)), kernels(&kernels) {}

  DeviceProgram exposed;
  Executable executable;
  const KernelRegistry *kernels;
  std::vector<std::vector<Tensor>> results; ///< By device.
  std::vector<Tensor> joinedResults;
  std::shared_ptr<ChoiceLog> log;
  int64_t spent = 0;
};

} // namespace spmd
