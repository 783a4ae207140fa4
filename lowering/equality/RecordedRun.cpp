#include "spmd/lowering/equality/RecordedRun.h"

#include "spmd/lowering/equality/Widen.h"
#include "spmd/lowering/interpreter/Boundary.h"
#include "spmd/lowering/interpreter/StatusMacros.h"
#include "spmd/lowering/program/Fuse.h"
#include "spmd/lowering/program/Releases.h"

#include <limits>
#include <optional>

namespace spmd {

absl::StatusOr<RecordedRun> RecordedRun::prepare(const DeviceProgram &program,
                                                 const KernelRegistry &kernels) {
  DeviceProgram exposed = exposeChoices(program), fused = exposed;
  fuseElementwise(fused);
  planReleases(fused);
  SPMD_ASSIGN_OR_RETURN(Executable executable, Executable::prepare(fused, kernels));
  return RecordedRun(std::move(exposed), std::move(executable), kernels);
}

absl::Status RecordedRun::run(absl::Span<const Tensor> arguments, Denormals denormals,
                              WorkBudget *limit) {
  log = std::make_shared<ChoiceLog>();
  Arithmetic recording;
  recording.recorded = log.get();
  WorkBudget unlimited(std::numeric_limits<int64_t>::max());
  RunOptions options;
  options.denormals = denormals;
  options.budget = limit ? limit : &unlimited;
  options.arithmetic = &recording;
  SPMD_ASSIGN_OR_RETURN(std::vector<std::vector<Tensor>> cut, cutArguments(exposed, arguments));
  SPMD_ASSIGN_OR_RETURN(results, executable.run(std::move(cut), options));
  spent = options.budget->spent();
  SPMD_ASSIGN_OR_RETURN(joinedResults, joinResults(exposed, results, *kernels));
  return absl::OkStatus();
}

} // namespace spmd
