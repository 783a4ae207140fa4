// map: a body of scalars, applied to the elements at each place.
#include "spmd/lowering/interpreter/Body.h"
#include "spmd/lowering/interpreter/Dims.h"
#include "spmd/lowering/interpreter/kernels/Kernels.h"

namespace spmd {

static absl::StatusOr<Kernel> prepareMap(const KernelRequest &request) {
  SPMD_RETURN_IF_ERROR(request.expectCounts(request.operands.size(), 1));
  const TensorType &to = request.results[0];
  SPMD_ASSIGN_OR_RETURN(const Function *body, request.body());
  SPMD_ASSIGN_OR_RETURN(int32_t index, request.bodyIndex());
  if (static_cast<size_t>(body->numArguments) != request.operands.size() ||
      body->results.size() != 1)
    return invalid("body \"", body->name, "\" takes ", body->numArguments, " values to ",
                   body->results.size(), "; expected ", request.operands.size(), " to 1");
  for (size_t i = 0; i < request.operands.size(); ++i) {
    const TensorType &from = request.operands[i];
    SPMD_RETURN_IF_ERROR(expectType("operand", from, {from.element, to.shape}));
    SPMD_RETURN_IF_ERROR(expectType("argument of the body", body->values[i], {from.element, {}}));
  }
  SPMD_RETURN_IF_ERROR(
      expectType("result of the body", body->values[body->results[0]], {to.element, {}}));
  SPMD_ASSIGN_OR_RETURN(Body prepared, Body::create(request.program, index, request.registry));
  std::vector<bool> isScalar(request.operands.size(), false);
  Kernel kernel;
  kernel.reuse = prepared.reuse(isScalar);
  kernel.run = [prepared = std::move(prepared), isScalar](const KernelCall &call) {
    std::vector<const void *> inputs;
    for (const Tensor &input : call.inputs)
      inputs.push_back(input.data());
    return prepared.run(call.outputs[0].numElements(), inputs, isScalar,
                        {call.outputs[0].mutableData()});
  };
  return kernel;
}

void addMapKernels(KernelRegistry &registry) { registry.addKernel("map", prepareMap); }

} // namespace spmd
