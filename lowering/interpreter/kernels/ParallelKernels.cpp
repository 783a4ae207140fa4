// run_parallel: another program, on devices of its own, as one instruction of this one.
#include "spmd/lowering/interpreter/Dims.h"
#include "spmd/lowering/interpreter/Executable.h"
#include "spmd/lowering/interpreter/kernels/Kernels.h"

namespace spmd {

static absl::StatusOr<Kernel> prepareParallel(const KernelRequest &request) {
  SPMD_ASSIGN_OR_RETURN(int64_t index, request.attributes().get<int64_t>("program"));
  if (index < 0 || index >= static_cast<int64_t>(request.program.programs.size()))
    return invalid("program #", index, " is none of the ", request.program.programs.size());
  const DeviceProgram &program = request.program.programs[index];
  std::vector<size_t> counts; // Of arguments, by device.
  size_t numOperands = 0, numResults = 0;
  for (int64_t device = 0; device < program.numDevices; ++device) {
    const Function &entry = program.functions[program.entryOf(device)];
    for (int32_t i = 0; i < entry.numArguments; ++i, ++numOperands)
      if (numOperands < request.operands.size())
        SPMD_RETURN_IF_ERROR(expectType("operand", request.operands[numOperands], entry.values[i]));
    for (ValueId result : entry.results) {
      if (numResults < request.results.size())
        SPMD_RETURN_IF_ERROR(
            expectType("result", request.results[numResults], entry.values[result]));
      ++numResults;
    }
    counts.push_back(entry.numArguments);
  }
  SPMD_RETURN_IF_ERROR(request.expectCounts(numOperands, numResults));
  SPMD_ASSIGN_OR_RETURN(Executable executable, Executable::prepare(program, request.registry));
  Kernel kernel;
  kernel.definesOutputs = true;
  kernel.run = [executable, counts](const KernelCall &call) {
    std::vector<std::vector<Tensor>> arguments;
    size_t next = 0;
    for (size_t count : counts) {
      std::vector<Tensor> &own = arguments.emplace_back();
      for (size_t end = next + count; next < end; ++next)
        own.push_back(call.inputs[next]);
    }
    auto results = executable.run(std::move(arguments), {/*threads=*/1, DenormalScope::current()});
    if (!results.ok())
      return results.status();
    size_t out = 0;
    for (std::vector<Tensor> &own : *results)
      for (Tensor &tensor : own)
        call.outputs[out++] = std::move(tensor);
    return absl::OkStatus();
  };
  return kernel;
}

void addParallelKernels(KernelRegistry &registry) {
  registry.addKernel("run_parallel", prepareParallel);
}

} // namespace spmd
