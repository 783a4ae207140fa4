// after_all, create_token, outfeed: tokens are empty tensors that only keep instructions in order.
#include "spmd/lowering/interpreter/kernels/Kernels.h"

namespace spmd {

static absl::StatusOr<Kernel> prepareToken(const KernelRequest &request) {
  SPMD_RETURN_IF_ERROR(request.expectCounts(request.operands.size(), 1));
  return Kernel{[](const KernelCall &) { return absl::OkStatus(); }};
}

/// Nobody reads what is fed out.
static absl::StatusOr<Kernel> prepareOutfeed(const KernelRequest &request) {
  SPMD_RETURN_IF_ERROR(request.expectCounts(request.operands.size(), 0));
  return Kernel{[](const KernelCall &) { return absl::OkStatus(); }};
}

void addTokenKernels(KernelRegistry &registry) {
  registry.addKernel("after_all", prepareToken);
  registry.addKernel("create_token", prepareToken);
  registry.addKernel("outfeed", prepareOutfeed);
}

} // namespace spmd
