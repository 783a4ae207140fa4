// convolution: operands are brought to [batch][feature][space], then every batch element and group
// is one matrix product of the kernel and the unfolded windows (im2col).
#include "spmd/lowering/interpreter/Dims.h"
#include "spmd/lowering/interpreter/StridedCopy.h"
#include "spmd/lowering/interpreter/kernels/Gemm.h"
#include "spmd/lowering/interpreter/kernels/Kernels.h"

#include <cstring>

namespace spmd {
namespace {

/// Dims of a tensor in canonical order, spatial ones last.
absl::StatusOr<Ints> orderOf(const Attributes &attributes, const char *first, const char *second,
                             const char *spatial, int64_t rank) {
  SPMD_ASSIGN_OR_RETURN(int64_t firstDim, dimOf(attributes, first, rank));
  SPMD_ASSIGN_OR_RETURN(int64_t secondDim, dimOf(attributes, second, rank));
  SPMD_ASSIGN_OR_RETURN(Ints order, dimsOf(attributes, spatial, rank));
  order.insert(order.begin(), {firstDim, secondDim});
  Ints sorted = order;
  std::sort(sorted.begin(), sorted.end());
  for (int64_t d = 0; d < static_cast<int64_t>(sorted.size()); ++d)
    if (sorted[d] != d)
      return invalid("attributes '", first, "', '", second, "' and '", spatial,
                     "' do not name each dim once");
  SPMD_RETURN_IF_ERROR(expectSize(spatial, order, rank));
  return order;
}

/// Returns the copy that brings a tensor of `shape` to `order`.
CopyBox toCanonical(const Ints &shape, const Ints &order) {
  Ints permuted = select(shape, order);
  return {permuted, select(rowMajorStrides(shape), order), rowMajorStrides(permuted)};
}

struct Convolution {
  Ints spatialIn, spatialKernel, spatialOut;
  Ints strides, low, lhsDilation, rhsDilation;
  int64_t outBatch, inFeatures, groupFeatures, outFeatures, groups, batchGroups;
  CopyBox lhsCopy, rhsCopy, outCopy; // The last from canonical to the result.
  int64_t rhsFirst = 0;              // Where the reversed kernel starts.
  ProductTypes types;

  void run(const KernelCall &call) const;

private:
  std::vector<std::byte> canonical(const Tensor &in, const CopyBox &copy, int64_t first,
                                   const TileProgram *convert) const;
  void unfold(const std::byte *features, std::byte *columns) const;
};

std::vector<std::byte> Convolution::canonical(const Tensor &in, const CopyBox &copy, int64_t first,
                                              const TileProgram *convert) const {
  int64_t bytes = storedBytes(in.type().element), n = in.numElements();
  std::vector<std::byte> moved(n * bytes);
  if (n > 0)
    copyBox(copy, bytes, in.data() + first * bytes, moved.data());
  if (!convert)
    return moved;
  std::vector<std::byte> converted(n * storedBytes(types.compute));
  convertElements(*convert, n, moved.data(), converted.data());
  return converted;
}

/// Writes [groupFeatures][kernel][out] elements: what the kernel's elements meet at each output.
void Convolution::unfold(const std::byte *features, std::byte *columns) const {
  int64_t bytes = storedBytes(types.compute), plane = product(spatialIn), space = spatialIn.size();
  Ints inStrides = rowMajorStrides(spatialIn);
  for (int64_t feature = 0; feature < groupFeatures; ++feature) {
    Ints tap(space, 0);
    do {
      Ints out(space, 0);
      do {
        int64_t offset = 0;
        bool inside = true;
        for (int64_t d = 0; d < space && inside; ++d) {
          int64_t at = out[d] * strides[d] + tap[d] * rhsDilation[d] - low[d];
          inside = at >= 0 && at % lhsDilation[d] == 0 && at / lhsDilation[d] < spatialIn[d];
          offset += at / lhsDilation[d] * inStrides[d];
        }
        if (inside)
          std::memcpy(columns, features + (feature * plane + offset) * bytes, bytes);
        else
          std::memset(columns, 0, bytes);
        columns += bytes;
      } while (nextIndex(out, spatialOut));
    } while (nextIndex(tap, spatialKernel));
  }
}

void Convolution::run(const KernelCall &call) const {
  const Tensor &out = call.outputs[0];
  if (out.numElements() == 0)
    return;
  std::vector<std::byte> lhs = canonical(call.inputs[0], lhsCopy, 0, types.fromLhs.get());
  std::vector<std::byte> rhs = canonical(call.inputs[1], rhsCopy, rhsFirst, types.fromRhs.get());
  int64_t bytes = storedBytes(types.compute), outPlane = product(spatialOut);
  int64_t taps = groupFeatures * product(spatialKernel), plane = product(spatialIn);
  std::vector<std::byte> result(out.numElements() * bytes), columns(taps * outPlane * bytes);
  // Output features are split over feature groups and over batch groups; one of the two is 1.
  int64_t parts = groups * batchGroups, partFeatures = outFeatures / parts;
  for (int64_t n = 0; n < outBatch; ++n)
    for (int64_t part = 0; part < parts; ++part) {
      int64_t batch = batchGroups > 1 ? part * outBatch + n : n;
      int64_t group = groups > 1 ? part : 0;
      if (taps > 0)
        unfold(lhs.data() + (batch * inFeatures + group * groupFeatures) * plane * bytes,
               columns.data());
      types.gemm(false, false, partFeatures, outPlane, taps,
                 rhs.data() + part * partFeatures * taps * bytes, columns.data(),
                 result.data() + (n * outFeatures + part * partFeatures) * outPlane * bytes);
    }
  if (types.toResult) {
    std::vector<std::byte> converted(out.sizeInBytes());
    convertElements(*types.toResult, out.numElements(), result.data(), converted.data());
    result = std::move(converted);
  }
  copyBox(outCopy, storedBytes(out.type().element), result.data(), out.mutableData());
}

/// Reads a list of one entry per spatial dim, all at least `least`.
absl::StatusOr<Ints> spatialList(const Attributes &attributes, const char *name, int64_t space,
                                 int64_t fallback, int64_t least) {
  SPMD_ASSIGN_OR_RETURN(Ints list, listOr(attributes, name, Ints(space, fallback)));
  SPMD_RETURN_IF_ERROR(expectSize(name, list, space));
  for (int64_t value : list)
    if (value < least || value > INT32_MAX)
      return invalid("attribute '", name, "' has entry ", value);
  return list;
}

absl::StatusOr<Kernel> prepareConvolution(const KernelRequest &request) {
  SPMD_RETURN_IF_ERROR(request.expectCounts(2, 1));
  const TensorType &lhs = request.operands[0], &rhs = request.operands[1], &to = request.results[0];
  const Attributes &attributes = request.attributes();
  if (lhs.rank() < 2 || rhs.rank() != lhs.rank() || to.rank() != lhs.rank())
    return invalid("takes ", lhs.str(), " and ", rhs.str(), " to ", to.str());
  int64_t space = lhs.rank() - 2;
  SPMD_ASSIGN_OR_RETURN(Ints lhsOrder,
                        orderOf(attributes, "input_batch_dimension", "input_feature_dimension",
                                "input_spatial_dimensions", lhs.rank()));
  SPMD_ASSIGN_OR_RETURN(Ints rhsOrder, orderOf(attributes, "kernel_output_feature_dimension",
                                               "kernel_input_feature_dimension",
                                               "kernel_spatial_dimensions", rhs.rank()));
  SPMD_ASSIGN_OR_RETURN(Ints outOrder,
                        orderOf(attributes, "output_batch_dimension", "output_feature_dimension",
                                "output_spatial_dimensions", to.rank()));
  Convolution conv;
  SPMD_ASSIGN_OR_RETURN(conv.strides, spatialList(attributes, "window_strides", space, 1, 1));
  SPMD_ASSIGN_OR_RETURN(conv.lhsDilation, spatialList(attributes, "lhs_dilation", space, 1, 1));
  SPMD_ASSIGN_OR_RETURN(conv.rhsDilation, spatialList(attributes, "rhs_dilation", space, 1, 1));
  SPMD_ASSIGN_OR_RETURN(Ints reversal, spatialList(attributes, "window_reversal", space, 0, 0));
  SPMD_ASSIGN_OR_RETURN(Ints padding, spatialList(attributes, "padding", 2 * space, 0, INT32_MIN));
  SPMD_ASSIGN_OR_RETURN(conv.groups, attributes.getOr<int64_t>("feature_group_count", 1));
  SPMD_ASSIGN_OR_RETURN(conv.batchGroups, attributes.getOr<int64_t>("batch_group_count", 1));

  conv.lhsCopy = toCanonical(lhs.shape, lhsOrder);
  conv.rhsCopy = toCanonical(rhs.shape, rhsOrder);
  conv.outCopy = toCanonical(to.shape, outOrder);
  std::swap(conv.outCopy.sourceStrides, conv.outCopy.targetStrides);
  const Ints &in = conv.lhsCopy.shape, &kernel = conv.rhsCopy.shape;
  int64_t batch = in[0];
  conv.inFeatures = in[1];
  conv.outFeatures = kernel[0];
  conv.groupFeatures = kernel[1];
  if (conv.groups < 1 || conv.batchGroups < 1 || (conv.groups > 1 && conv.batchGroups > 1) ||
      conv.inFeatures % conv.groups != 0 || conv.inFeatures / conv.groups != conv.groupFeatures ||
      batch % conv.batchGroups != 0 || conv.outFeatures % (conv.groups * conv.batchGroups) != 0)
    return invalid("has ", conv.inFeatures, " input features, ", conv.groupFeatures,
                   " in the kernel, ", conv.outFeatures, " output features, batch ", batch,
                   ", feature_group_count ", conv.groups, ", batch_group_count ", conv.batchGroups);
  conv.outBatch = batch / conv.batchGroups;
  Ints expected = {conv.outBatch, conv.outFeatures};
  for (int64_t d = 0; d < space; ++d) {
    auto dilated = [](int64_t size, int64_t by) { return size == 0 ? 0 : (size - 1) * by + 1; };
    int64_t padded = dilated(in[2 + d], conv.lhsDilation[d]) + padding[2 * d] + padding[2 * d + 1];
    int64_t window = dilated(kernel[2 + d], conv.rhsDilation[d]);
    expected.push_back(padded <= 0 || window > padded ? 0
                                                      : (padded - window) / conv.strides[d] + 1);
    conv.low.push_back(padding[2 * d]);
    if (reversal[d]) {
      conv.rhsFirst += (kernel[2 + d] - 1) * conv.rhsCopy.sourceStrides[2 + d];
      conv.rhsCopy.sourceStrides[2 + d] *= -1;
    }
  }
  if (conv.outCopy.shape != expected)
    return invalid("result has type ", to.str(), "; expected batch, features and space of ",
                   TensorType{to.element, expected}.str());
  conv.spatialIn.assign(in.begin() + 2, in.end());
  conv.spatialKernel.assign(kernel.begin() + 2, kernel.end());
  conv.spatialOut.assign(expected.begin() + 2, expected.end());
  SPMD_ASSIGN_OR_RETURN(conv.types, ProductTypes::create(request));
  return Kernel{[conv = std::move(conv)](const KernelCall &call) {
    conv.run(call);
    return absl::OkStatus();
  }};
}

} // namespace

void addConvolutionKernels(KernelRegistry &registry) {
  registry.addKernel("convolution", prepareConvolution);
}

} // namespace spmd
