// pad: edges, possibly negative, and interior padding.
#include "spmd/lowering/interpreter/Dims.h"
#include "spmd/lowering/interpreter/StridedCopy.h"
#include "spmd/lowering/interpreter/kernels/Kernels.h"

namespace spmd {

static absl::StatusOr<Kernel> preparePad(const KernelRequest &request) {
  SPMD_RETURN_IF_ERROR(request.expectCounts(2, 1));
  const TensorType &from = request.operands[0], &to = request.results[0];
  SPMD_RETURN_IF_ERROR(expectType("operand 1", request.operands[1], {from.element, {}}));
  SPMD_ASSIGN_OR_RETURN(Ints low, request.attributes().get<Ints>("edge_padding_low"));
  SPMD_ASSIGN_OR_RETURN(Ints high, request.attributes().get<Ints>("edge_padding_high"));
  SPMD_ASSIGN_OR_RETURN(Ints interior,
                        listOr(request.attributes(), "interior_padding", Ints(from.rank(), 0)));
  SPMD_RETURN_IF_ERROR(expectSize("edge_padding_low", low, from.rank()));
  SPMD_RETURN_IF_ERROR(expectSize("edge_padding_high", high, from.rank()));
  SPMD_RETURN_IF_ERROR(expectSize("interior_padding", interior, from.rank()));
  if (to.element != from.element || to.rank() != from.rank())
    return invalid("takes ", from.str(), " to ", to.str());

  // Element i of a dim comes to low + i * (interior + 1); those that come to lie outside are
  // dropped.
  CopyBox box{{}, rowMajorStrides(from.shape), rowMajorStrides(to.shape)};
  int64_t source = 0, target = 0;
  for (int64_t d = 0; d < from.rank(); ++d) {
    int64_t step = interior[d] + 1, size = from.shape[d];
    if (interior[d] < 0 || interior[d] > INT32_MAX)
      return invalid("dim ", d, " has interior padding ", interior[d]);
    int64_t padded = low[d] + high[d] + (size > 0 ? (size - 1) * step + 1 : 0);
    if (padded != to.shape[d])
      return invalid("result dim ", d, " has size ", to.shape[d], "; expected ", padded);
    int64_t begin = low[d] < 0 ? (-low[d] + step - 1) / step : 0;
    int64_t end =
        std::min(size, to.shape[d] > low[d] ? (to.shape[d] - low[d] + step - 1) / step : 0);
    box.shape.push_back(std::max<int64_t>(end - begin, 0));
    source += begin * box.sourceStrides[d];
    target += (low[d] + begin * step) * box.targetStrides[d];
    box.targetStrides[d] *= step;
  }
  int64_t bytes = storedBytes(to.element);
  StridedCopy copy(box, bytes);
  return Kernel{[=](const KernelCall &call) {
    const Tensor &out = call.outputs[0];
    fillElements(out.mutableData(), out.numElements(), call.inputs[1].data(), bytes);
    copy.run(call.inputs[0].data() + source * bytes, out.mutableData() + target * bytes);
    return absl::OkStatus();
  }};
}

void addPadKernels(KernelRegistry &registry) { registry.addKernel("pad", preparePad); }

} // namespace spmd
