#include "spmd/lowering/interpreter/Executable.h"

#include "spmd/lowering/interpreter/Scheduler.h"
#include "spmd/lowering/interpreter/StatusMacros.h"

namespace spmd {

absl::StatusOr<Executable> Executable::prepare(const DeviceProgram &program,
                                               const KernelRegistry &registry) {
  SPMD_ASSIGN_OR_RETURN(PreparedProgram prepared, PreparedProgram::create(program, registry));
  return Executable(std::make_shared<const PreparedProgram>(std::move(prepared)));
}

int64_t Executable::numDevices() const { return prepared->numDevices; }

static absl::Status checkArguments(const PreparedProgram &program,
                                   const std::vector<std::vector<Tensor>> &arguments) {
  if (static_cast<int64_t>(arguments.size()) != program.numDevices)
    return invalid("arguments are for ", arguments.size(), " devices, the program runs on ",
                   program.numDevices);
  for (size_t device = 0; device < arguments.size(); ++device) {
    const std::vector<TensorType> &types = program.functions[program.entryOf(device)].argumentTypes;
    if (arguments[device].size() != types.size())
      return invalid("device ", device, " has ", arguments[device].size(),
                     " arguments, the program takes ", types.size());
    for (size_t i = 0; i < types.size(); ++i)
      if (const Tensor &tensor = arguments[device][i]; !tensor || tensor.type() != types[i])
        return invalid("argument ", i, " of device ", device, " has type ",
                       tensor ? tensor.type().str() : "none", "; expected ", types[i].str());
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<std::vector<Tensor>>>
Executable::run(std::vector<std::vector<Tensor>> arguments, const RunOptions &given) const {
  SPMD_RETURN_IF_ERROR(checkArguments(*prepared, arguments));
  RunOptions options = given;
  if (!options.budget)
    options.budget = WorkScope::current();
  std::vector<Device> devices;
  devices.reserve(arguments.size());
  for (size_t id = 0; id < arguments.size(); ++id)
    devices.emplace_back(*prepared, id, prepared->entryOf(id), std::move(arguments[id]),
                         options.budget, options.arithmetic);
  std::unique_ptr<Communicator> communicator = makeInProcessCommunicator();
  SPMD_RETURN_IF_ERROR(runDevices(devices, *communicator, options));
  std::vector<std::vector<Tensor>> results;
  for (Device &device : devices)
    results.push_back(device.takeResults());
  return results;
}

} // namespace spmd
