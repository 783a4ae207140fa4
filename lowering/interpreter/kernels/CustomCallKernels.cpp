// custom_call: ops that the user of the library has registered by name.
#include "spmd/lowering/interpreter/kernels/Kernels.h"

namespace spmd {

static absl::StatusOr<Kernel> prepareCustomCall(const KernelRequest &request) {
  SPMD_ASSIGN_OR_RETURN(std::string target,
                        request.attributes().get<std::string>("call_target_name"));
  const KernelFactory *factory = request.registry.findCustomCall(target);
  if (!factory)
    return invalid("no custom call is registered for target \"", target,
                   "\"; name a function that computes it in a plan: rule { target: \"", target,
                   "\" reference: \"f\" }, or as spmd.reference = @f on the call; or register a "
                   "kernel in a program that embeds the runtime");
  return (*factory)(request);
}

void addCustomCallKernels(KernelRegistry &registry) {
  registry.addKernel("custom_call", prepareCustomCall);
}

} // namespace spmd
