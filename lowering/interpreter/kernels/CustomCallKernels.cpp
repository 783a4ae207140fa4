// custom_call: ops that the user of the library has registered by name.
#include "spmd/lowering/interpreter/kernels/Kernels.h"

namespace spmd {

static absl::StatusOr<Kernel> prepareCustomCall(const KernelRequest &request) {
  SPMD_ASSIGN_OR_RETURN(std::string target,
                        request.attributes().get<std::string>("call_target_name"));
  const CustomCall *call = request.registry.findCustomCall(target);
  if (!call)
    return invalid("no custom call is registered for target \"", target, "\"");
  return Kernel{[call = *call, attributes = request.attributes()](const KernelCall &kernelCall) {
    return call(kernelCall.inputs, kernelCall.outputs, attributes);
  }};
}

void addCustomCallKernels(KernelRegistry &registry) {
  registry.addKernel("custom_call", prepareCustomCall);
}

} // namespace spmd
