// broadcast_in_dim, concatenate, reverse, slice and transpose: each one strided copy an operand.
#include "spmd/lowering/interpreter/Dims.h"
#include "spmd/lowering/interpreter/StridedCopy.h"
#include "spmd/lowering/interpreter/kernels/Kernels.h"

namespace spmd {

/// Returns a kernel that copies `box`, starting at element `first` of the operand.
static Kernel copying(const CopyBox &box, int64_t first, ElementType element) {
  int64_t bytes = storedBytes(element);
  return Kernel{[copy = StridedCopy(box, bytes), offset = first * bytes](const KernelCall &call) {
    copy.run(call.inputs[0].data() + offset, call.outputs[0].mutableData());
    return absl::OkStatus();
  }};
}

static absl::StatusOr<Kernel> prepareBroadcast(const KernelRequest &request) {
  SPMD_RETURN_IF_ERROR(request.expectCounts(1, 1));
  const TensorType &from = request.operands[0], &to = request.results[0];
  SPMD_ASSIGN_OR_RETURN(Ints dims, dimsOf(request.attributes(), "broadcast_dimensions", to.rank()));
  SPMD_RETURN_IF_ERROR(expectSize("broadcast_dimensions", dims, from.rank()));
  if (from.element != to.element)
    return invalid("takes ", from.str(), " to ", to.str());
  Ints strides(to.rank(), 0), source = rowMajorStrides(from.shape);
  for (int64_t d = 0; d < from.rank(); ++d) {
    if (from.shape[d] != 1 && from.shape[d] != to.shape[dims[d]])
      return invalid("operand dim ", d, " has size ", from.shape[d], ", result dim ", dims[d], " ",
                     to.shape[dims[d]]);
    if (from.shape[d] != 1)
      strides[dims[d]] = source[d];
  }
  return copying({to.shape, strides, rowMajorStrides(to.shape)}, 0, to.element);
}

static absl::StatusOr<Kernel> prepareTranspose(const KernelRequest &request) {
  SPMD_RETURN_IF_ERROR(request.expectCounts(1, 1));
  const TensorType &from = request.operands[0], &to = request.results[0];
  SPMD_ASSIGN_OR_RETURN(Ints permutation, dimsOf(request.attributes(), "permutation", from.rank()));
  SPMD_RETURN_IF_ERROR(expectSize("permutation", permutation, from.rank()));
  SPMD_RETURN_IF_ERROR(expectType("result", to, {from.element, select(from.shape, permutation)}));
  return copying(
      {to.shape, select(rowMajorStrides(from.shape), permutation), rowMajorStrides(to.shape)}, 0,
      to.element);
}

static absl::StatusOr<Kernel> prepareSlice(const KernelRequest &request) {
  SPMD_RETURN_IF_ERROR(request.expectCounts(1, 1));
  const TensorType &from = request.operands[0], &to = request.results[0];
  SPMD_ASSIGN_OR_RETURN(Ints starts, request.attributes().get<Ints>("start_indices"));
  SPMD_ASSIGN_OR_RETURN(Ints limits, request.attributes().get<Ints>("limit_indices"));
  SPMD_ASSIGN_OR_RETURN(Ints steps, listOr(request.attributes(), "strides", Ints(from.rank(), 1)));
  SPMD_RETURN_IF_ERROR(expectSize("start_indices", starts, from.rank()));
  SPMD_RETURN_IF_ERROR(expectSize("limit_indices", limits, from.rank()));
  SPMD_RETURN_IF_ERROR(expectSize("strides", steps, from.rank()));
  Ints shape, strides = rowMajorStrides(from.shape);
  int64_t first = 0;
  for (int64_t d = 0; d < from.rank(); ++d) {
    if (starts[d] < 0 || starts[d] > limits[d] || limits[d] > from.shape[d] || steps[d] < 1)
      return invalid("dim ", d, " of size ", from.shape[d], " is cut at ", starts[d], ":",
                     limits[d], ":", steps[d]);
    int64_t step = std::min(steps[d], std::max<int64_t>(from.shape[d], 1));
    shape.push_back((limits[d] - starts[d] + step - 1) / step);
    first += starts[d] * strides[d];
    strides[d] *= step;
  }
  SPMD_RETURN_IF_ERROR(expectType("result", to, {from.element, shape}));
  return copying({shape, strides, rowMajorStrides(shape)}, first, to.element);
}

static absl::StatusOr<Kernel> prepareReverse(const KernelRequest &request) {
  SPMD_RETURN_IF_ERROR(request.expectCounts(1, 1));
  const TensorType &type = request.operands[0];
  SPMD_RETURN_IF_ERROR(expectType("result", request.results[0], type));
  SPMD_ASSIGN_OR_RETURN(Ints dims, dimsOf(request.attributes(), "dimensions", type.rank()));
  Ints dense = rowMajorStrides(type.shape), strides = dense;
  int64_t first = 0;
  for (int64_t d : dims) {
    first += (type.shape[d] - 1) * dense[d];
    strides[d] = -dense[d];
  }
  return copying({type.shape, strides, dense}, first, type.element);
}

static absl::StatusOr<Kernel> prepareConcatenate(const KernelRequest &request) {
  SPMD_RETURN_IF_ERROR(request.expectCounts(std::max<size_t>(request.operands.size(), 1), 1));
  const TensorType &to = request.results[0];
  SPMD_ASSIGN_OR_RETURN(int64_t dim, dimOf(request.attributes(), "dimension", to.rank()));
  Ints strides = rowMajorStrides(to.shape);
  int64_t bytes = storedBytes(to.element), position = 0;
  std::vector<StridedCopy> copies;
  std::vector<int64_t> offsets;
  for (const TensorType &from : request.operands) {
    TensorType expected = to;
    if (from.rank() == to.rank())
      expected.shape[dim] = from.shape[dim];
    SPMD_RETURN_IF_ERROR(expectType("operand", from, expected));
    copies.emplace_back(CopyBox{from.shape, rowMajorStrides(from.shape), strides}, bytes);
    offsets.push_back(position * strides[dim] * bytes);
    position += from.shape[dim];
  }
  if (position != to.shape[dim])
    return invalid("result dim ", dim, " has size ", to.shape[dim], "; the operands together have ",
                   position);
  return Kernel{[copies = std::move(copies), offsets](const KernelCall &call) {
    for (size_t i = 0; i < copies.size(); ++i)
      copies[i].run(call.inputs[i].data(), call.outputs[0].mutableData() + offsets[i]);
    return absl::OkStatus();
  }};
}

void addMoveKernels(KernelRegistry &registry) {
  registry.addKernel("broadcast_in_dim", prepareBroadcast);
  registry.addKernel("concatenate", prepareConcatenate);
  registry.addKernel("reverse", prepareReverse);
  registry.addKernel("slice", prepareSlice);
  registry.addKernel("transpose", prepareTranspose);
}

} // namespace spmd
