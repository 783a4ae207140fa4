// gather: slices of the operand at start indices, clamped so that each lies inside.
#include "spmd/lowering/interpreter/kernels/GatherDims.h"
#include "spmd/lowering/interpreter/kernels/Kernels.h"

#include <cstring>

namespace spmd {

/// Slices that lie together, gathered to one place after the other. By index vector entry: the last
/// start that lies inside, and the bytes from one start to the next.
struct GatheredRuns {
  int64_t bytes, numIndices;
  Ints last, strides;
};

/// Moves `count` runs of `runs.bytes`, which is `fixedBytes` unless that is 0.
template <typename Index, int fixedBytes>
static void gatherRuns(const GatheredRuns &runs, int64_t count, const void *indices,
                       const std::byte *source, std::byte *target) {
  auto *index = static_cast<const Index *>(indices);
  const int64_t bytes = fixedBytes ? fixedBytes : runs.bytes, numIndices = runs.numIndices;
  const int64_t *last = runs.last.data(), *strides = runs.strides.data();
  for (int64_t i = 0; i < count; ++i, target += bytes) {
    int64_t from = 0;
    for (int64_t k = 0; k < numIndices; ++k)
      from += clampedIndex(*index++, last[k]) * strides[k];
    std::memcpy(target, source + from, bytes);
  }
}

using RunGatherer = void (*)(const GatheredRuns &runs, int64_t count, const void *indices,
                             const std::byte *source, std::byte *target);

template <typename Index> static RunGatherer gathererFor(int64_t bytes) {
  return bytes == 1    ? &gatherRuns<Index, 1>
         : bytes == 2  ? &gatherRuns<Index, 2>
         : bytes == 4  ? &gatherRuns<Index, 4>
         : bytes == 8  ? &gatherRuns<Index, 8>
         : bytes == 16 ? &gatherRuns<Index, 16>
         : bytes == 32 ? &gatherRuns<Index, 32>
         : bytes == 64 ? &gatherRuns<Index, 64>
                       : &gatherRuns<Index, 0>;
}

/// Requires that the slices are dense, the indices too, and the result not empty.
static Kernel gatheringRuns(const IndexedSlices &slices, const Ints &sizes, int64_t run,
                            int64_t elementBytes) {
  int64_t bytes = run * elementBytes;
  GatheredRuns runs{bytes, slices.numIndices(), {}, {}};
  for (int64_t k = 0; k < runs.numIndices; ++k) {
    int64_t dim = slices.dimOfIndex(k);
    runs.last.push_back(slices.operandShape[dim] - sizes[dim]);
    runs.strides.push_back(slices.operandStrides[dim] * elementBytes);
  }
  RunGatherer gather = visitNative(slices.indexElement(), [&](auto tag) -> RunGatherer {
    using Index = typename decltype(tag)::Type;
    if constexpr (std::is_integral_v<Index>)
      return gathererFor<Index>(bytes);
    return nullptr;
  });
  return Kernel{[runs, gather](const KernelCall &call) {
    const Tensor &out = call.outputs[0];
    gather(runs, out.sizeInBytes() / runs.bytes, call.inputs[1].data(), call.inputs[0].data(),
           out.mutableData());
    return absl::OkStatus();
  }};
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
    return gatheringRuns(slices, sizes, product(box.shape), bytes);
  StridedCopy copy(box, bytes);
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
      copy.run(call.inputs[0].data() + from * bytes,
               call.outputs[0].mutableData() + offsetOf(batch, batchStrides) * bytes);
    } while (nextIndex(batch, slices.batchShape));
    return absl::OkStatus();
  }};
}

void addGatherKernels(KernelRegistry &registry) { registry.addKernel("gather", prepareGather); }

} // namespace spmd
