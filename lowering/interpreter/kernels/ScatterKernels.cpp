// scatter: combines updates into copies of the inputs, in order of the indices. A window that does
// not lie inside as a whole is skipped (docs/rationale/scatter-windows.md).
#include "spmd/lowering/interpreter/Combiner.h"
#include "spmd/lowering/interpreter/kernels/GatherDims.h"
#include "spmd/lowering/interpreter/kernels/Kernels.h"

#include <cstring>

namespace spmd {
namespace {

struct Scatter {
  size_t count;
  Combiner combiner;
  IndexedSlices slices;
  Ints windowSizes;   // By operand dim.
  Ints windowShape;   // By kept dim.
  Ints inputStrides;  // By kept dim.
  Ints updateStrides; // By kept dim.
  Ints batchStrides;  // Of the updates.
  std::vector<int64_t> bytes;
  /// Where updates are runs that lie together on both sides, combined by one native op: that op,
  /// the elements of a run, and the params of the op.
  StepFunction runStep = nullptr;
  int64_t runElements = 0;
  int64_t params[2] = {0, 0};

  /// Finds out whether updates are such runs.
  void planRuns(const std::vector<ElementType> &elements);
  absl::Status run(const KernelCall &call) const;

private:
  void runByRuns(const KernelCall &call) const;
  absl::Status combineWindow(const KernelCall &call, int64_t update, const Ints &start) const;
};

void Scatter::planRuns(const std::vector<ElementType> &elements) {
  if (count != 1 || !combiner.single() || !storageOf(elements[0]).isDirect() ||
      !slices.hasDenseIndices())
    return;
  CopyBox window = simplified({windowShape, updateStrides, inputStrides});
  bool isRun = window.shape.empty() || (window.shape.size() == 1 && window.sourceStrides[0] == 1 &&
                                        window.targetStrides[0] == 1);
  // Updates are taken one after the other.
  bool isBatchFirst = slices.windowDims.empty() ||
                      slices.windowDims.front() == static_cast<int64_t>(slices.batchDims.size());
  runElements = product(windowShape);
  if (!isRun || !isBatchFirst || runElements == 0)
    return;
  runStep = combiner.single();
  params[0] = bitWidth(elements[0]);
}

absl::Status Scatter::run(const KernelCall &call) const {
  for (size_t i = 0; i < count; ++i) {
    const Tensor &in = call.inputs[i], &out = call.outputs[i];
    if (!(in.buffer() == out.buffer()) && out.sizeInBytes() > 0)
      std::memcpy(out.mutableData(), in.data(), out.sizeInBytes());
  }
  if (call.inputs[count + 1].numElements() == 0)
    return absl::OkStatus();
  if (runStep) {
    runByRuns(call);
    return absl::OkStatus();
  }
  Ints batch(slices.batchShape.size(), 0), start(slices.operandShape.size());
  do {
    slices.startAt(batch, call.inputs[count], start);
    SPMD_RETURN_IF_ERROR(combineWindow(call, offsetOf(batch, batchStrides), start));
  } while (nextIndex(batch, slices.batchShape));
  return absl::OkStatus();
}

void Scatter::runByRuns(const KernelCall &call) const {
  IndexReader read = indexReaderOf(slices.indexElement());
  const std::byte *indices = call.inputs[count].data(), *update = call.inputs[count + 1].data();
  std::byte *target = call.outputs[0].mutableData();
  int64_t numUpdates = call.inputs[count + 1].numElements() / runElements;
  int64_t numIndices = slices.numIndices(), at = 0;
  for (int64_t i = 0; i < numUpdates; ++i, update += runElements * bytes[0]) {
    int64_t input = 0;
    bool isInside = true;
    for (int64_t k = 0; k < numIndices; ++k) {
      int64_t dim = slices.dimOfIndex(k), index = read(indices, at++);
      isInside &= index >= 0 && index <= slices.operandShape[dim] - windowSizes[dim];
      if (isInside)
        input += index * slices.operandStrides[dim];
    }
    if (!isInside)
      continue;
    std::byte *into = target + input * bytes[0];
    const void *in[] = {into, update};
    runStep(runElements, into, in, params);
  }
}

absl::Status Scatter::combineWindow(const KernelCall &call, int64_t update,
                                    const Ints &start) const {
  int64_t input = 0;
  for (size_t d = 0; d < start.size(); ++d) {
    if (start[d] < 0 || start[d] > slices.operandShape[d] - windowSizes[d])
      return absl::OkStatus();
    input += start[d] * slices.operandStrides[d];
  }
  Ints shape = windowShape;
  int64_t row = 1;
  if (!shape.empty() && inputStrides.back() == 1 && updateStrides.back() == 1) {
    row = shape.back();
    shape.back() = 1;
  }
  Ints index(shape.size(), 0);
  std::vector<void *> accumulators(count);
  std::vector<const void *> values(count);
  do {
    for (size_t i = 0; i < count; ++i) {
      accumulators[i] =
          call.outputs[i].mutableData() + (input + offsetOf(index, inputStrides)) * bytes[i];
      values[i] =
          call.inputs[count + 1 + i].data() + (update + offsetOf(index, updateStrides)) * bytes[i];
    }
    SPMD_RETURN_IF_ERROR(combiner.combine(row, accumulators, values));
  } while (nextIndex(index, shape));
  return absl::OkStatus();
}

absl::StatusOr<Kernel> prepareScatter(const KernelRequest &request) {
  size_t count = request.results.size();
  if (count == 0)
    return invalid("has no results");
  SPMD_RETURN_IF_ERROR(request.expectCounts(2 * count + 1, count));
  const TensorType &input = request.operands[0], &updates = request.operands[count + 1];
  const Attributes &attributes = request.attributes();

  // The window, spread over the dims of the operand: the updates give the sizes of the kept dims.
  SPMD_ASSIGN_OR_RETURN(Ints windowDims, dimsOf(attributes, "update_window_dims", updates.rank()));
  SPMD_ASSIGN_OR_RETURN(Ints dropped, dimsOf(attributes, "inserted_window_dims", input.rank()));
  SPMD_ASSIGN_OR_RETURN(Ints batching, dimsOf(attributes, "input_batching_dims", input.rank()));
  dropped.insert(dropped.end(), batching.begin(), batching.end());
  Ints kept = otherDims(input.rank(), dropped), sizes(input.rank(), 1);
  SPMD_RETURN_IF_ERROR(expectSize("update_window_dims", windowDims, kept.size()));
  for (size_t k = 0; k < kept.size(); ++k)
    sizes[kept[k]] = updates.shape[windowDims[k]];

  Scatter scatter;
  scatter.count = count;
  SPMD_ASSIGN_OR_RETURN(
      scatter.slices,
      IndexedSlices::create(input, sizes, request.operands[count], attributes,
                            {"update_window_dims", "inserted_window_dims", "input_batching_dims",
                             "scatter_indices_batching_dims", "scatter_dims_to_operand_dims"},
                            updates.rank()));
  std::vector<ElementType> elements;
  Kernel kernel;
  for (size_t i = 0; i < count; ++i) {
    ElementType element = request.operands[i].element;
    SPMD_RETURN_IF_ERROR(expectType("input", request.operands[i], {element, input.shape}));
    SPMD_RETURN_IF_ERROR(expectType("update", request.operands[count + 1 + i],
                                    {element, scatter.slices.outerShape}));
    SPMD_RETURN_IF_ERROR(expectType("result", request.results[i], request.operands[i]));
    elements.push_back(element);
    scatter.bytes.push_back(storedBytes(element));
    kernel.reuse.push_back({static_cast<int>(i)});
  }
  SPMD_ASSIGN_OR_RETURN(int32_t body, request.bodyIndex());
  SPMD_ASSIGN_OR_RETURN(scatter.combiner,
                        Combiner::create(request.program, body, elements, request.registry));
  Ints updateStrides = rowMajorStrides(updates.shape);
  scatter.windowShape = select(sizes, kept);
  scatter.inputStrides = select(rowMajorStrides(input.shape), kept);
  scatter.updateStrides = select(updateStrides, scatter.slices.windowDims);
  scatter.batchStrides = select(updateStrides, scatter.slices.batchDims);
  scatter.windowSizes = sizes;
  scatter.planRuns(elements);
  kernel.run = [scatter = std::move(scatter)](const KernelCall &call) { return scatter.run(call); };
  return kernel;
}

} // namespace

void addScatterKernels(KernelRegistry &registry) { registry.addKernel("scatter", prepareScatter); }

} // namespace spmd
