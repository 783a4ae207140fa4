// dynamic_slice and dynamic_update_slice. Starts are clamped so that the box lies inside.
#include "spmd/lowering/interpreter/Dims.h"
#include "spmd/lowering/interpreter/StridedCopy.h"
#include "spmd/lowering/interpreter/kernels/Indices.h"
#include "spmd/lowering/interpreter/kernels/Kernels.h"

#include <cstring>

namespace spmd {

/// Reads the start of a box of `sizes` in `shape` from the scalar operands after the first `skip`.
namespace {
struct StartReader {
  size_t skip;
  std::vector<IndexReader> readers;
  Ints shape;
  Ints sizes;
  Ints strides;

  /// Returns the element at which the clamped box starts.
  int64_t read(TensorRefs inputs) const {
    int64_t offset = 0;
    for (size_t d = 0; d < readers.size(); ++d) {
      int64_t start = readers[d](inputs[skip + d].data(), 0);
      offset += std::clamp<int64_t>(start, 0, shape[d] - sizes[d]) * strides[d];
    }
    return offset;
  }
};
} // namespace

static absl::StatusOr<StartReader> makeReader(const KernelRequest &request, size_t skip,
                                              const Ints &sizes) {
  const TensorType &type = request.operands[0];
  StartReader reader{skip, {}, type.shape, sizes, rowMajorStrides(type.shape)};
  for (int64_t d = 0; d < type.rank(); ++d) {
    if (sizes[d] < 0 || sizes[d] > type.shape[d])
      return invalid("the box has size ", sizes[d], " in dim ", d, " of size ", type.shape[d]);
    const TensorType &index = request.operands[skip + d];
    reader.readers.push_back(indexReaderOf(index.element));
    if (index.rank() != 0 || !reader.readers.back())
      return invalid("start index ", d, " has type ", index.str(), "; expected a scalar integer");
  }
  return reader;
}

static absl::StatusOr<Kernel> prepareSlice(const KernelRequest &request) {
  if (request.operands.empty())
    return invalid("has no operands");
  const TensorType &from = request.operands[0];
  SPMD_RETURN_IF_ERROR(request.expectCounts(1 + from.rank(), 1));
  SPMD_ASSIGN_OR_RETURN(Ints sizes, request.attributes().get<Ints>("slice_sizes"));
  SPMD_RETURN_IF_ERROR(expectSize("slice_sizes", sizes, from.rank()));
  SPMD_RETURN_IF_ERROR(expectType("result", request.results[0], {from.element, sizes}));
  SPMD_ASSIGN_OR_RETURN(StartReader reader, makeReader(request, 1, sizes));
  int64_t bytes = storedBytes(from.element);
  StridedCopy copy({sizes, rowMajorStrides(from.shape), rowMajorStrides(sizes)}, bytes);
  return Kernel{[=](const KernelCall &call) {
    copy.run(call.inputs[0].data() + reader.read(call.inputs) * bytes,
             call.outputs[0].mutableData());
    return absl::OkStatus();
  }};
}

static absl::StatusOr<Kernel> prepareUpdate(const KernelRequest &request) {
  if (request.operands.empty())
    return invalid("has no operands");
  const TensorType &type = request.operands[0];
  SPMD_RETURN_IF_ERROR(request.expectCounts(2 + type.rank(), 1));
  SPMD_RETURN_IF_ERROR(expectType("result", request.results[0], type));
  const TensorType &update = request.operands[1];
  if (update.element != type.element || update.rank() != type.rank())
    return invalid("updates ", type.str(), " with ", update.str());
  SPMD_ASSIGN_OR_RETURN(StartReader reader, makeReader(request, 2, update.shape));
  int64_t bytes = storedBytes(type.element);
  StridedCopy copy({update.shape, rowMajorStrides(update.shape), rowMajorStrides(type.shape)},
                   bytes);
  Kernel kernel;
  kernel.reuse = {{0}};
  kernel.run = [=](const KernelCall &call) {
    const Tensor &out = call.outputs[0];
    int64_t start = reader.read(call.inputs);
    if (!(out.buffer() == call.inputs[0].buffer()) && out.sizeInBytes() > 0)
      std::memcpy(out.mutableData(), call.inputs[0].data(), out.sizeInBytes());
    copy.run(call.inputs[1].data(), out.mutableData() + start * bytes);
    return absl::OkStatus();
  };
  return kernel;
}

void addDynamicSliceKernels(KernelRegistry &registry) {
  registry.addKernel("dynamic_slice", prepareSlice);
  registry.addKernel("dynamic_update_slice", prepareUpdate);
}

} // namespace spmd
