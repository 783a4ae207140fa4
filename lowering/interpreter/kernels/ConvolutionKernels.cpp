// convolution: operands are brought to [batch][space][feature], then every batch element and group
// is one matrix product of the unfolded windows (im2col) and the kernel. Products are summed up
// over the window first, then over features.
#include "spmd/lowering/interpreter/Dims.h"
#include "spmd/lowering/interpreter/StridedCopy.h"
#include "spmd/lowering/interpreter/kernels/Gemm.h"
#include "spmd/lowering/interpreter/kernels/Kernels.h"

#include <cstring>

namespace spmd {
namespace {

/// Dims of a tensor in canonical order, spatial ones between the two others.
absl::StatusOr<Ints> orderOf(const Attributes &attributes, const char *first, const char *spatial,
                             const char *last, int64_t rank) {
  SPMD_ASSIGN_OR_RETURN(int64_t firstDim, dimOf(attributes, first, rank));
  SPMD_ASSIGN_OR_RETURN(int64_t lastDim, dimOf(attributes, last, rank));
  SPMD_ASSIGN_OR_RETURN(Ints order, dimsOf(attributes, spatial, rank));
  order.insert(order.begin(), firstDim);
  order.push_back(lastDim);
  Ints sorted = order;
  std::sort(sorted.begin(), sorted.end());
  for (int64_t d = 0; d < static_cast<int64_t>(sorted.size()); ++d)
    if (sorted[d] != d)
      return invalid("attributes '", first, "', '", spatial, "' and '", last,
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
  const std::byte *canonical(const Tensor &in, const CopyBox &copy, int64_t first,
                             const TileProgram *convert, std::vector<std::byte> scratch[2]) const;
  void unfold(const std::byte *image, std::byte *rows) const;
  bool isPlain() const;
};

/// Whether the copy would change nothing.
bool isIdentity(const CopyBox &copy) { return copy.sourceStrides == copy.targetStrides; }

/// Returns the elements in canonical order and in the compute type; `scratch` may hold them.
const std::byte *Convolution::canonical(const Tensor &in, const CopyBox &copy, int64_t first,
                                        const TileProgram *convert,
                                        std::vector<std::byte> scratch[2]) const {
  int64_t bytes = storedBytes(in.type().element), n = in.numElements();
  const std::byte *data = in.data();
  if (!isIdentity(copy)) {
    scratch[0].resize(n * bytes);
    if (n > 0)
      copyBox(copy, bytes, data + first * bytes, scratch[0].data());
    data = scratch[0].data();
  }
  if (convert) {
    scratch[1].resize(n * storedBytes(types.compute));
    convertElements(*convert, n, data, scratch[1].data());
    data = scratch[1].data();
  }
  return data;
}

/// Whether each window is one place, and the windows are all places in order: a 1x1 convolution.
bool Convolution::isPlain() const {
  bool isOne = std::all_of(spatialKernel.begin(), spatialKernel.end(),
                           [](int64_t size) { return size == 1; });
  bool isDense = std::all_of(strides.begin(), strides.end(), [](int64_t by) { return by == 1; });
  bool isUnpadded = std::all_of(low.begin(), low.end(), [](int64_t pad) { return pad == 0; });
  isDense &=
      std::all_of(lhsDilation.begin(), lhsDilation.end(), [](int64_t by) { return by == 1; });
  return isOne && isDense && isUnpadded && spatialIn == spatialOut && groupFeatures == inFeatures;
}

/// Writes a row for each output: the features at each element of its window, zeros outside. `image`
/// is [space][inFeatures], of which a row takes `groupFeatures`.
void Convolution::unfold(const std::byte *image, std::byte *rows) const {
  int64_t bytes = storedBytes(types.compute), space = spatialIn.size();
  int64_t run = groupFeatures * bytes, numTaps = product(spatialKernel),
          numRows = product(spatialOut);
  Ints inStrides = rowMajorStrides(spatialIn);
  // For each dim, output and tap the place in the image, in bytes; or none.
  constexpr int64_t none = -1;
  std::vector<std::vector<int64_t>> places(space);
  for (int64_t d = 0; d < space; ++d)
    for (int64_t out = 0; out < spatialOut[d]; ++out)
      for (int64_t tap = 0; tap < spatialKernel[d]; ++tap) {
        int64_t at = out * strides[d] + tap * rhsDilation[d] - low[d];
        bool inside = at >= 0 && at % lhsDilation[d] == 0 && at / lhsDilation[d] < spatialIn[d];
        places[d].push_back(inside ? at / lhsDilation[d] * inStrides[d] * inFeatures * bytes
                                   : none);
      }
  Ints out(space, 0), tap(space, 0);
  for (int64_t row = 0; row < numRows; ++row, nextIndex(out, spatialOut))
    for (int64_t t = 0; t < numTaps; ++t, nextIndex(tap, spatialKernel), rows += run) {
      int64_t offset = 0;
      for (int64_t d = 0; d < space && offset != none; ++d) {
        int64_t place = places[d][out[d] * spatialKernel[d] + tap[d]];
        offset = place == none ? none : offset + place;
      }
      if (offset == none)
        std::memset(rows, 0, run);
      else
        std::memcpy(rows, image + offset, run);
    }
}

void Convolution::run(const KernelCall &call) const {
  const Tensor &out = call.outputs[0];
  if (out.numElements() == 0)
    return;
  std::vector<std::byte> scratch[4], result;
  const std::byte *lhs = canonical(call.inputs[0], lhsCopy, 0, types.fromLhs.get(), scratch);
  const std::byte *rhs =
      canonical(call.inputs[1], rhsCopy, rhsFirst, types.fromRhs.get(), scratch + 2);
  int64_t bytes = storedBytes(types.compute), outPlane = product(spatialOut);
  int64_t taps = groupFeatures * product(spatialKernel), plane = product(spatialIn);
  // Output features are split over feature groups and over batch groups; one of the two is 1.
  int64_t parts = groups * batchGroups, partFeatures = outFeatures / parts;
  bool unfolds = !isPlain() && taps > 0;
  bool isFinal = !types.toResult && isIdentity(outCopy);
  if (!isFinal)
    result.resize(out.numElements() * bytes);
  std::byte *results = isFinal ? out.mutableData() : result.data();
  std::vector<std::byte> rows(unfolds ? taps * outPlane * bytes : 0);
  std::vector<std::byte> part(parts > 1 ? outPlane * partFeatures * bytes : 0);
  for (int64_t n = 0; n < outBatch; ++n)
    for (int64_t p = 0; p < parts; ++p) {
      int64_t batch = batchGroups > 1 ? p * outBatch + n : n;
      int64_t group = groups > 1 ? p : 0;
      const std::byte *image = lhs + (batch * plane * inFeatures + group * groupFeatures) * bytes;
      if (unfolds)
        unfold(image, rows.data());
      std::byte *to = results + n * outPlane * outFeatures * bytes;
      std::byte *product = parts > 1 ? part.data() : to;
      types.gemm(false, true, outPlane, partFeatures, taps, unfolds ? rows.data() : image,
                 rhs + p * partFeatures * taps * bytes, product);
      if (parts > 1)
        copyBox({{outPlane, partFeatures}, {partFeatures, 1}, {outFeatures, 1}}, bytes, product,
                to + p * partFeatures * bytes);
    }
  if (types.toResult) {
    std::vector<std::byte> converted(out.sizeInBytes());
    convertElements(*types.toResult, out.numElements(), result.data(), converted.data());
    result = std::move(converted);
  }
  if (!isFinal)
    copyBox(outCopy, storedBytes(out.type().element), result.data(), out.mutableData());
}

absl::StatusOr<Kernel> prepareConvolution(const KernelRequest &request) {
  SPMD_RETURN_IF_ERROR(request.expectCounts(2, 1));
  const TensorType &lhs = request.operands[0], &rhs = request.operands[1], &to = request.results[0];
  const Attributes &attributes = request.attributes();
  if (lhs.rank() < 2 || rhs.rank() != lhs.rank() || to.rank() != lhs.rank())
    return invalid("takes ", lhs.str(), " and ", rhs.str(), " to ", to.str());
  int64_t space = lhs.rank() - 2;
  SPMD_ASSIGN_OR_RETURN(Ints lhsOrder,
                        orderOf(attributes, "input_batch_dimension", "input_spatial_dimensions",
                                "input_feature_dimension", lhs.rank()));
  SPMD_ASSIGN_OR_RETURN(Ints rhsOrder, orderOf(attributes, "kernel_output_feature_dimension",
                                               "kernel_spatial_dimensions",
                                               "kernel_input_feature_dimension", rhs.rank()));
  SPMD_ASSIGN_OR_RETURN(Ints outOrder,
                        orderOf(attributes, "output_batch_dimension", "output_spatial_dimensions",
                                "output_feature_dimension", to.rank()));
  Convolution conv;
  SPMD_ASSIGN_OR_RETURN(conv.strides, windowList(attributes, "window_strides", space, 1, 1));
  SPMD_ASSIGN_OR_RETURN(conv.lhsDilation, windowList(attributes, "lhs_dilation", space, 1, 1));
  SPMD_ASSIGN_OR_RETURN(conv.rhsDilation, windowList(attributes, "rhs_dilation", space, 1, 1));
  SPMD_ASSIGN_OR_RETURN(Ints reversal, windowList(attributes, "window_reversal", space, 0, 0));
  SPMD_ASSIGN_OR_RETURN(Ints padding, windowList(attributes, "padding", 2 * space, 0, INT32_MIN));
  SPMD_ASSIGN_OR_RETURN(conv.groups, attributes.getOr<int64_t>("feature_group_count", 1));
  SPMD_ASSIGN_OR_RETURN(conv.batchGroups, attributes.getOr<int64_t>("batch_group_count", 1));

  conv.lhsCopy = toCanonical(lhs.shape, lhsOrder);
  conv.rhsCopy = toCanonical(rhs.shape, rhsOrder);
  conv.outCopy = toCanonical(to.shape, outOrder);
  std::swap(conv.outCopy.sourceStrides, conv.outCopy.targetStrides);
  const Ints &in = conv.lhsCopy.shape, &kernel = conv.rhsCopy.shape;
  int64_t batch = in[0];
  conv.inFeatures = in.back();
  conv.outFeatures = kernel[0];
  conv.groupFeatures = kernel.back();
  if (conv.groups < 1 || conv.batchGroups < 1 || (conv.groups > 1 && conv.batchGroups > 1) ||
      conv.inFeatures % conv.groups != 0 || conv.inFeatures / conv.groups != conv.groupFeatures ||
      batch % conv.batchGroups != 0 || conv.outFeatures % (conv.groups * conv.batchGroups) != 0)
    return invalid("has ", conv.inFeatures, " input features, ", conv.groupFeatures,
                   " in the kernel, ", conv.outFeatures, " output features, batch ", batch,
                   ", feature_group_count ", conv.groups, ", batch_group_count ", conv.batchGroups);
  conv.outBatch = batch / conv.batchGroups;
  Ints expected = {conv.outBatch};
  for (int64_t d = 0; d < space; ++d) {
    auto dilated = [](int64_t size, int64_t by) { return size == 0 ? 0 : (size - 1) * by + 1; };
    int64_t padded = dilated(in[1 + d], conv.lhsDilation[d]) + padding[2 * d] + padding[2 * d + 1];
    int64_t window = dilated(kernel[1 + d], conv.rhsDilation[d]);
    expected.push_back(padded <= 0 || window > padded ? 0
                                                      : (padded - window) / conv.strides[d] + 1);
    conv.low.push_back(padding[2 * d]);
    if (reversal[d]) {
      conv.rhsFirst += (kernel[1 + d] - 1) * conv.rhsCopy.sourceStrides[1 + d];
      conv.rhsCopy.sourceStrides[1 + d] *= -1;
    }
  }
  expected.push_back(conv.outFeatures);
  if (conv.outCopy.shape != expected)
    return invalid("result has type ", to.str(), "; expected batch, space and features of ",
                   TensorType{to.element, expected}.str());
  conv.spatialIn.assign(in.begin() + 1, in.end() - 1);
  conv.spatialKernel.assign(kernel.begin() + 1, kernel.end() - 1);
  conv.spatialOut.assign(expected.begin() + 1, expected.end() - 1);
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
