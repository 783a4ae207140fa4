// convolution: operands are brought to [batch][space][feature], then unfolded windows (im2col) are
// multiplied with the kernel, some rows at a time. Products are summed up over the window first,
// then over features.
#include "spmd/lowering/interpreter/Dims.h"
#include "spmd/lowering/interpreter/kernels/Gemm.h"
#include "spmd/lowering/interpreter/kernels/Kernels.h"
#include "spmd/lowering/interpreter/kernels/Unfold.h"

#include <optional>

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

/// How an operand or the result is copied to canonical order, or back, unless it lies so.
using Reorder = std::optional<StridedCopy>;

Reorder reorderOf(const CopyBox &box, ElementType element) {
  if (box.sourceStrides == box.targetStrides)
    return std::nullopt;
  return StridedCopy(box, storedBytes(element));
}

struct Convolution {
  int64_t outBatch, batchGroups, groups, inFeatures, groupFeatures, outFeatures;
  int64_t inPlane, outPlane, taps;   ///< Places of an image, of a result, elements of a window.
  Reorder lhsCopy, rhsCopy, outCopy; // The last from canonical to the result.
  int64_t rhsFirst = 0;              // Where the reversed kernel starts.
  /// Nothing where each window is one place and the windows are all places in order: 1x1.
  std::optional<Unfolding> unfolding;
  ProductTypes types;

  absl::Status run(const KernelCall &call) const;

private:
  using MaybeScratch = std::optional<Scratch>;

  const std::byte *canonical(const Tensor &in, const Reorder &copy, int64_t first,
                             const TileProgram *convert, MaybeScratch scratch[2]) const;
  absl::Status computeWhole(const std::byte *lhs, const std::byte *rhs, std::byte *results) const;
  absl::Status computeParts(const std::byte *lhs, const std::byte *rhs, std::byte *results) const;
};

/// Returns the elements in canonical order and in the compute type; `scratch` may hold them.
const std::byte *Convolution::canonical(const Tensor &in, const Reorder &copy, int64_t first,
                                        const TileProgram *convert, MaybeScratch scratch[2]) const {
  int64_t n = in.numElements();
  const std::byte *data = in.data();
  if (copy) {
    scratch[0].emplace(in.sizeInBytes());
    copy->run(data + first * storedBytes(in.type().element), scratch[0]->data());
    data = scratch[0]->data();
  }
  if (convert) {
    scratch[1].emplace(n * storedBytes(types.compute));
    convertElements(*convert, n, data, scratch[1]->data());
    data = scratch[1]->data();
  }
  return data;
}

/// Rows of windows at a time, so many that they stay in cache between unfolding and product.
constexpr int64_t rowsBytes = 1 << 19;

/// Without groups: products of as many rows as come together, of one image or of several.
absl::Status Convolution::computeWhole(const std::byte *lhs, const std::byte *rhs,
                                       std::byte *results) const {
  int64_t bytes = storedBytes(types.compute);
  if (!unfolding)
    return types.gemm(false, true, outBatch * outPlane, outFeatures, taps, lhs, rhs, results);
  Unfolding::Image image(*unfolding);
  int64_t stepRows = unfolding->rowsOfStep(), numSteps = outPlane / stepRows;
  int64_t mostRows = std::max(rowsBytes / std::max<int64_t>(unfolding->rowBytes(), 1), stepRows);
  Scratch rows(mostRows * unfolding->rowBytes());
  int64_t filled = 0;
  auto flush = [&] {
    absl::Status status =
        types.gemm(false, true, filled, outFeatures, taps, rows.data(), rhs, results);
    results += filled * outFeatures * bytes;
    filled = 0;
    return status;
  };
  for (int64_t n = 0; n < outBatch; ++n) {
    image.set(lhs + n * inPlane * inFeatures * bytes);
    for (int64_t step = 0; step < numSteps;) {
      int64_t count = std::min((mostRows - filled) / stepRows, numSteps - step);
      image.unfold(step, count, 0, rows.data() + filled * unfolding->rowBytes());
      filled += count * stepRows;
      step += count;
      if (filled + stepRows > mostRows)
        SPMD_RETURN_IF_ERROR(flush());
    }
  }
  return filled > 0 ? flush() : absl::OkStatus();
}

/// Output features are split over feature groups or over batch groups; one of the two is 1.
absl::Status Convolution::computeParts(const std::byte *lhs, const std::byte *rhs,
                                       std::byte *results) const {
  int64_t bytes = storedBytes(types.compute), parts = groups * batchGroups;
  int64_t partFeatures = outFeatures / parts;
  StridedCopy place({{outPlane, partFeatures}, {partFeatures, 1}, {outFeatures, 1}}, bytes);
  Scratch part(outPlane * partFeatures * bytes), rows(unfolding->numRows() * unfolding->rowBytes());
  Unfolding::Image image(*unfolding);
  for (int64_t n = 0; n < outBatch; ++n)
    for (int64_t p = 0; p < parts; ++p) {
      int64_t batch = batchGroups > 1 ? p * outBatch + n : n;
      if (p == 0 || batchGroups > 1)
        image.set(lhs + batch * inPlane * inFeatures * bytes);
      image.unfold(0, outPlane / unfolding->rowsOfStep(), groups > 1 ? p * groupFeatures : 0,
                   rows.data());
      SPMD_RETURN_IF_ERROR(types.gemm(false, true, outPlane, partFeatures, taps, rows.data(),
                                      rhs + p * partFeatures * taps * bytes, part.data()));
      place.run(part.data(), results + (n * outPlane * outFeatures + p * partFeatures) * bytes);
    }
  return absl::OkStatus();
}

absl::Status Convolution::run(const KernelCall &call) const {
  const Tensor &out = call.outputs[0];
  if (out.numElements() == 0)
    return absl::OkStatus();
  MaybeScratch scratch[4], wide, ordered;
  const std::byte *lhs = canonical(call.inputs[0], lhsCopy, 0, types.fromLhs.get(), scratch);
  const std::byte *rhs =
      canonical(call.inputs[1], rhsCopy, rhsFirst, types.fromRhs.get(), scratch + 2);
  std::byte *target = out.mutableData();
  if (outCopy)
    target = ordered.emplace(out.sizeInBytes()).data();
  std::byte *results = target;
  if (types.toResult)
    results = wide.emplace(out.numElements() * storedBytes(types.compute)).data();
  SPMD_RETURN_IF_ERROR(groups * batchGroups == 1 ? computeWhole(lhs, rhs, results)
                                                 : computeParts(lhs, rhs, results));
  if (types.toResult)
    convertElements(*types.toResult, out.numElements(), results, target);
  if (outCopy)
    outCopy->run(target, out.mutableData());
  return absl::OkStatus();
}

/// Whether each window is one place, and the windows are all places in order.
bool isPlain(const WindowPlaces &places) {
  auto all = [](const Ints &list, int64_t value) {
    return std::all_of(list.begin(), list.end(), [=](int64_t entry) { return entry == value; });
  };
  return all(places.kernel, 1) && all(places.strides, 1) && all(places.low, 0) &&
         all(places.lhsDilation, 1) && places.in == places.out;
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
  WindowPlaces places;
  SPMD_ASSIGN_OR_RETURN(places.strides, windowList(attributes, "window_strides", space, 1, 1));
  SPMD_ASSIGN_OR_RETURN(places.lhsDilation, windowList(attributes, "lhs_dilation", space, 1, 1));
  SPMD_ASSIGN_OR_RETURN(places.rhsDilation, windowList(attributes, "rhs_dilation", space, 1, 1));
  SPMD_ASSIGN_OR_RETURN(Ints reversal, windowList(attributes, "window_reversal", space, 0, 0));
  SPMD_ASSIGN_OR_RETURN(Ints padding, windowList(attributes, "padding", 2 * space, 0, INT32_MIN));
  SPMD_ASSIGN_OR_RETURN(conv.groups, attributes.getOr<int64_t>("feature_group_count", 1));
  SPMD_ASSIGN_OR_RETURN(conv.batchGroups, attributes.getOr<int64_t>("batch_group_count", 1));

  CopyBox lhsBox = toCanonical(lhs.shape, lhsOrder), rhsBox = toCanonical(rhs.shape, rhsOrder),
          outBox = toCanonical(to.shape, outOrder);
  std::swap(outBox.sourceStrides, outBox.targetStrides);
  const Ints &in = lhsBox.shape, &kernel = rhsBox.shape;
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
    int64_t padded =
        dilated(in[1 + d], places.lhsDilation[d]) + padding[2 * d] + padding[2 * d + 1];
    int64_t window = dilated(kernel[1 + d], places.rhsDilation[d]);
    expected.push_back(padded <= 0 || window > padded ? 0
                                                      : (padded - window) / places.strides[d] + 1);
    places.low.push_back(padding[2 * d]);
    if (reversal[d]) {
      conv.rhsFirst += (kernel[1 + d] - 1) * rhsBox.sourceStrides[1 + d];
      rhsBox.sourceStrides[1 + d] *= -1;
    }
  }
  expected.push_back(conv.outFeatures);
  if (outBox.shape != expected)
    return invalid("result has type ", to.str(), "; expected batch, space and features of ",
                   TensorType{to.element, expected}.str());
  conv.taps = product(Ints(kernel.begin() + 1, kernel.end()));
  SPMD_ASSIGN_OR_RETURN(conv.types, ProductTypes::create(request, conv.taps));
  conv.lhsCopy = reorderOf(lhsBox, lhs.element);
  conv.rhsCopy = reorderOf(rhsBox, rhs.element);
  conv.outCopy = reorderOf(outBox, to.element);
  places.in.assign(in.begin() + 1, in.end() - 1);
  places.kernel.assign(kernel.begin() + 1, kernel.end() - 1);
  places.out.assign(expected.begin() + 1, expected.end() - 1);
  places.imageFeatures = conv.inFeatures;
  places.rowFeatures = conv.groupFeatures;
  places.bytes = storedBytes(conv.types.compute);
  conv.inPlane = product(places.in);
  conv.outPlane = product(places.out);
  if (conv.groups * conv.batchGroups > 1 || !isPlain(places))
    conv.unfolding = Unfolding(std::move(places));
  return Kernel{[conv = std::move(conv)](const KernelCall &call) { return conv.run(call); }};
}

} // namespace

void addConvolutionKernels(KernelRegistry &registry) {
  registry.addKernel("convolution", prepareConvolution);
}

} // namespace spmd
