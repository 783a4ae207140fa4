#include "spmd/lowering/interpreter/KernelRegistry.h"

#include "spmd/lowering/interpreter/StatusMacros.h"
#include "spmd/lowering/interpreter/TileProgram.h"

namespace spmd {

absl::StatusOr<const Function *> KernelRequest::body(int index) const {
  if (index >= static_cast<int>(instruction.functions.size()))
    return invalid("body ", index, " is missing; there are ", instruction.functions.size());
  return &program.functions[instruction.functions[index]];
}

absl::StatusOr<int32_t> KernelRequest::bodyIndex(int index) const {
  SPMD_RETURN_IF_ERROR(body(index).status());
  return instruction.functions[index];
}

absl::Status KernelRequest::expectCounts(size_t numOperands, size_t numResults) const {
  if (operands.size() != numOperands)
    return invalid("has ", operands.size(), " operands; expected ", numOperands);
  if (results.size() != numResults)
    return invalid("has ", results.size(), " results; expected ", numResults);
  return absl::OkStatus();
}

template <typename Map> static auto *find(const Map &map, const std::string &name) {
  auto it = map.find(name);
  return it == map.end() ? nullptr : &it->second;
}

void KernelRegistry::addKernel(std::string op, KernelFactory factory) {
  kernels[std::move(op)] = std::move(factory);
}
void KernelRegistry::addStep(std::string op, StepFactory factory) {
  steps[std::move(op)] = std::move(factory);
}
void KernelRegistry::addCustomCall(std::string target, CustomCall call) {
  addCustomCallKernel(std::move(target), [call = std::move(call)](const KernelRequest &request) {
    return Kernel{[call, attributes = request.attributes()](const KernelCall &kernelCall) {
      std::vector<Tensor> inputs;
      for (const Tensor &input : kernelCall.inputs)
        inputs.push_back(input);
      return call(inputs, kernelCall.outputs, attributes);
    }};
  });
}
void KernelRegistry::addCustomCallKernel(std::string target, KernelFactory factory) {
  customCalls[std::move(target)] = std::move(factory);
}

const KernelFactory *KernelRegistry::findKernel(const std::string &op) const {
  return find(kernels, op);
}
const StepFactory *KernelRegistry::findStep(const std::string &op) const { return find(steps, op); }
const KernelFactory *KernelRegistry::findCustomCall(const std::string &target) const {
  return find(customCalls, target);
}

absl::StatusOr<Kernel> KernelRegistry::prepare(const KernelRequest &request) const {
  const std::string &op = request.instruction.op;
  const KernelFactory *factory = findKernel(op);
  if (!factory && !findStep(op))
    return invalid(describe(request.instruction), ": no kernel has this name");
  absl::StatusOr<Kernel> kernel = factory ? (*factory)(request) : prepareStep(request);
  if (!kernel.ok())
    return absl::Status(kernel.status().code(), absl::StrCat(describe(request.instruction), ": ",
                                                             kernel.status().message()));
  return kernel;
}

} // namespace spmd
