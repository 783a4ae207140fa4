// gather: slices of the operand at start indices, clamped so that each lies inside.
#include "spmd/lowering/interpreter/kernels/GatherDims.h"
#include "spmd/lowering/interpreter/kernels/Kernels.h"

#include <cstring>

namespace spmd {

/// Gathers slices of `run` elements that lie together, to one place after the other.
static void gatherRuns(const KernelCall &call, const IndexedSlices &slices, const Ints &sizes,
                       int64_t run) {
  int64_t bytes = storedBytes(call.outputs[0].type().element), numIndices = slices.numIndices();
  int64_t count = call.outputs[0].numElements() / run;
  Ints last, strides; // By index.
  for (int64_t k = 0; k < numIndices; ++k) {
    int64_t dim = slices.dimOfIndex(k);
    last.push_back(slices.operandShape[dim] - sizes[dim]);
    strides.push_back(slices.operandStrides[dim] * bytes);
  }
  const std::byte *source = call.inputs[0].data();
  std::byte *target = call.outputs[0].mutableData();
  for (int64_t i = 0; i < count; ++i, target += run * bytes) {
    int64_t from = 0;
    for (int64_t k = 0; k < numIndices; ++k)
      from +=
          std::clamp<int64_t>(slices.readIndex(call.inputs[1], i * numIndices + k), 0, last[k]) *
          strides[k];
    std::memcpy(target, source + from, run * bytes);
  }
}

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
  // Batch dims first, and a window that lies together on both sides.
  CopyBox window = simplified(box);
  bool isRun = window.shape.empty() || (window.shape.size() == 1 && window.sourceStrides[0] == 1 &&
                                        window.targetStrides[0] == 1);
  bool batchFirst = slices.windowDims.empty() ||
                    slices.windowDims.front() == static_cast<int64_t>(slices.batchDims.size());
  if (isRun && batchFirst && slices.hasDenseIndices() && !isEmpty)
    return Kernel{[slices, sizes, run = product(box.shape)](const KernelCall &call) {
      gatherRuns(call, slices, sizes, run);
      return absl::OkStatus();
    }};
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
