#include "spmd/tools/spmd-run/BoundProgram.h"

#include "spmd/lowering/interpreter/Boundary.h"
#include "spmd/lowering/interpreter/StatusMacros.h"

#include <algorithm>

namespace spmd {

std::optional<WorkBudget> newBudget(const RunSettings &settings) {
  return settings.workLimit > 0 ? std::optional<WorkBudget>(std::in_place, settings.workLimit)
                                : std::nullopt;
}

absl::StatusOr<BoundProgram> BoundProgram::bind(DeviceProgram program, bool records,
                                                const KernelRegistry &kernels) {
  BoundProgram bound{std::move(program), std::nullopt, nullptr};
  if (records && bound.program.numDevices == 1) {
    SPMD_ASSIGN_OR_RETURN(RecordedRun prepared, RecordedRun::prepare(bound.program, kernels));
    bound.recorded = std::make_shared<RecordedRun>(std::move(prepared));
  } else {
    SPMD_ASSIGN_OR_RETURN(bound.executable, Executable::prepare(bound.program, kernels));
  }
  return bound;
}

absl::StatusOr<RunResults> BoundProgram::run(const RunSettings &settings,
                                             const std::vector<Tensor> &arguments,
                                             const KernelRegistry &kernels) const {
  std::optional<WorkBudget> budget = newBudget(settings);
  WorkBudget *limit = budget ? &*budget : nullptr;
  if (recorded) {
    SPMD_RETURN_IF_ERROR(recorded->run(arguments, settings.denormals, limit));
    return RunResults{recorded->joined(), {}};
  }
  RunResults given;
  SPMD_ASSIGN_OR_RETURN(std::vector<std::vector<Tensor>> cut, cutArguments(program, arguments));
  SPMD_ASSIGN_OR_RETURN(
      given.local, executable->run(std::move(cut), {settings.threads, settings.denormals, limit}));
  SPMD_ASSIGN_OR_RETURN(given.joined, joinResults(program, given.local, kernels));
  auto isPart = [](const Boundary &result) { return result.known == Known::part; };
  if (std::none_of(program.results.begin(), program.results.end(), isPart))
    given.local.clear();
  return given;
}

} // namespace spmd
