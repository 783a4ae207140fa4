// gather: slices of the operand at start indices, clamped so that each lies inside.
#include "spmd/lowering/interpreter/kernels/GatherDims.h"
#include "spmd/lowering/interpreter/kernels/Kernels.h"

namespace spmd {

static absl::StatusOr<Kernel> prepareGather(const KernelRequest &request) {
  SPMD_RETURN_IF_ERROR(request.expectCounts(2, 1));
  const TensorType &from = request.operands[0], &to = request.results[0];
  const Attributes &attributes = request.attributes();
  SPMD_ASSIGN_OR_RETURN(Ints sizes, attributes.get<Ints>("slice_sizes"));
  SPMD_RETURN_IF_ERROR(expectSize("slice_sizes", sizes, from.rank()));
  for (int64_t d = 0; d < from.rank(); ++d)
    if (sizes[d] < 0 || sizes[d] > from.shape[d])
      return invalid("slice has size ", sizes[d], " in dim ", d, " of size ", from.shape[d]);
  SPMD_ASSIGN_OR_RETURN(
      IndexedSlices slices,
      IndexedSlices::create(from, sizes, request.operands[1], attributes,
                            {"offset_dims", "collapsed_slice_dims", "operand_batching_dims",
                             "start_indices_batching_dims", "start_index_map"},
                            to.rank()));
  SPMD_RETURN_IF_ERROR(expectType("result", to, {from.element, slices.outerShape}));

  Ints outStrides = rowMajorStrides(to.shape);
  CopyBox box{select(sizes, slices.keptDims), select(rowMajorStrides(from.shape), slices.keptDims),
              select(outStrides, slices.windowDims)};
  Ints batchStrides = select(outStrides, slices.batchDims);
  int64_t bytes = storedBytes(to.element);
  bool isEmpty = to.numElements() == 0;
  return Kernel{[=](const KernelCall &call) {
    if (isEmpty)
      return absl::OkStatus();
    Ints batch(slices.batchShape.size(), 0), start(slices.operandShape.size());
    do {
      slices.startAt(batch, call.inputs[1], start);
      int64_t from = 0;
      for (size_t d = 0; d < start.size(); ++d)
        from += std::clamp<int64_t>(start[d], 0, slices.operandShape[d] - sizes[d]) *
                slices.operandStrides[d];
      copyBox(box, bytes, call.inputs[0].data() + from * bytes,
              call.outputs[0].mutableData() + offsetOf(batch, batchStrides) * bytes);
    } while (nextIndex(batch, slices.batchShape));
    return absl::OkStatus();
  }};
}

void addGatherKernels(KernelRegistry &registry) { registry.addKernel("gather", prepareGather); }

} // namespace spmd
