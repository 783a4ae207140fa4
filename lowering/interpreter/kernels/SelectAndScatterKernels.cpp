// select_and_scatter: every window of the operand selects one of its elements, to whose place in
// the result an element of the source is added by the scatter body. Padding is never selected.
#include "spmd/lowering/interpreter/Combiner.h"
#include "spmd/lowering/interpreter/Dims.h"
#include "spmd/lowering/interpreter/Memory.h"
#include "spmd/lowering/interpreter/Storage.h"
#include "spmd/lowering/interpreter/StridedCopy.h"
#include "spmd/lowering/interpreter/kernels/Kernels.h"

#include <cstring>

namespace spmd {
namespace {

struct SelectAndScatter {
  Ints operandShape, sourceShape, window, strides, low;
  int64_t bytes;
  ElementType element;
  Body select;
  Combiner scatter;

  absl::Status run(const KernelCall &call) const;

private:
  /// For each window the element that it has selected so far: its number, or -1, and its value.
  struct Selection {
    std::vector<int64_t> places;
    std::vector<std::byte> values;
  };

  absl::Status offer(const Ints &tap, const std::byte *operand, Selection &selection) const;
  absl::Status scatterTo(const Selection &selection, const std::byte *source, std::byte *out) const;
};

/// Lets every window choose between what it has and its element at `tap`, where that is inside.
absl::Status SelectAndScatter::offer(const Ints &tap, const std::byte *operand,
                                     Selection &selection) const {
  // The windows whose element is inside are a box.
  Ints operandStrides = rowMajorStrides(operandShape), windowStrides = rowMajorStrides(sourceShape);
  Ints shape, steps;
  int64_t firstPlace = 0, firstWindow = 0;
  for (size_t d = 0; d < tap.size(); ++d) {
    int64_t at = tap[d] - low[d]; // In the window number 0.
    int64_t begin = at < 0 ? (-at + strides[d] - 1) / strides[d] : 0;
    int64_t end = at < operandShape[d] ? (operandShape[d] - 1 - at) / strides[d] + 1 : 0;
    shape.push_back(std::max<int64_t>(std::min(end, sourceShape[d]) - begin, 0));
    steps.push_back(strides[d] * operandStrides[d]);
    firstPlace += (at + begin * strides[d]) * operandStrides[d];
    firstWindow += begin * windowStrides[d];
  }
  int64_t n = product(shape);
  if (n == 0)
    return absl::OkStatus();
  Scratch old(n * bytes), offered(n * bytes), keeps(n);
  Ints dense = rowMajorStrides(shape);
  copyBox({shape, windowStrides, dense}, bytes, selection.values.data() + firstWindow * bytes,
          old.data());
  copyBox({shape, steps, dense}, bytes, operand + firstPlace * bytes, offered.data());
  SPMD_RETURN_IF_ERROR(select.run(n, {old.data(), offered.data()}, {false, false}, {keeps.data()}));

  const std::byte *keep = keeps.data(), *value = offered.data();
  int64_t row = shape.empty() ? 1 : shape.back(), step = steps.empty() ? 0 : steps.back();
  if (!shape.empty())
    shape.back() = 1;
  Ints index(shape.size(), 0);
  do {
    int64_t window = firstWindow + offsetOf(index, windowStrides);
    int64_t place = firstPlace + offsetOf(index, steps);
    for (int64_t i = 0; i < row; ++i, ++window, ++keep, place += step, value += bytes)
      if (selection.places[window] < 0 || *keep == std::byte{0}) {
        selection.places[window] = place;
        std::memcpy(selection.values.data() + window * bytes, value, bytes);
      }
  } while (nextIndex(index, shape));
  return absl::OkStatus();
}

absl::Status SelectAndScatter::scatterTo(const Selection &selection, const std::byte *source,
                                         std::byte *out) const {
  StepFunction single = storageOf(element).isDirect() ? scatter.single() : nullptr;
  const int64_t params[2] = {bitWidth(element), 0};
  for (size_t i = 0; i < selection.places.size(); ++i) {
    if (selection.places[i] < 0)
      continue;
    std::byte *into = out + selection.places[i] * bytes;
    const std::byte *from = source + i * bytes;
    if (single) {
      const void *in[] = {into, from};
      single(1, into, in, params);
    } else {
      SPMD_RETURN_IF_ERROR(scatter.combine(1, {into}, {from}));
    }
  }
  return absl::OkStatus();
}

absl::Status SelectAndScatter::run(const KernelCall &call) const {
  const Tensor &out = call.outputs[0];
  fillElements(out.mutableData(), out.numElements(), call.inputs[2].data(), bytes);
  int64_t numWindows = product(sourceShape);
  if (numWindows == 0 || product(window) == 0)
    return absl::OkStatus();
  Selection selection{std::vector<int64_t>(numWindows, -1),
                      std::vector<std::byte>(numWindows * bytes)};
  Ints tap(window.size(), 0);
  do {
    SPMD_RETURN_IF_ERROR(offer(tap, call.inputs[0].data(), selection));
  } while (nextIndex(tap, window));
  return scatterTo(selection, call.inputs[1].data(), out.mutableData());
}

absl::StatusOr<Kernel> prepareSelectAndScatter(const KernelRequest &request) {
  SPMD_RETURN_IF_ERROR(request.expectCounts(3, 1));
  const TensorType &operand = request.operands[0], &source = request.operands[1];
  const Attributes &attributes = request.attributes();
  size_t rank = operand.rank();
  SelectAndScatter kernel;
  kernel.element = operand.element;
  kernel.bytes = storedBytes(operand.element);
  kernel.operandShape = operand.shape;
  kernel.sourceShape = source.shape;
  SPMD_ASSIGN_OR_RETURN(kernel.window, listOr(attributes, "window_dimensions", Ints(rank, 1)));
  SPMD_ASSIGN_OR_RETURN(kernel.strides, listOr(attributes, "window_strides", Ints(rank, 1)));
  SPMD_ASSIGN_OR_RETURN(Ints padding, listOr(attributes, "padding", Ints(2 * rank, 0)));
  SPMD_RETURN_IF_ERROR(expectSize("window_dimensions", kernel.window, rank));
  SPMD_RETURN_IF_ERROR(expectSize("window_strides", kernel.strides, rank));
  SPMD_RETURN_IF_ERROR(expectSize("padding", padding, 2 * rank));
  Ints expected;
  for (size_t d = 0; d < rank; ++d) {
    if (kernel.window[d] < 1 || kernel.strides[d] < 1 || kernel.window[d] > INT32_MAX ||
        std::max(std::abs(padding[2 * d]), std::abs(padding[2 * d + 1])) > INT32_MAX)
      return invalid("dim ", d, " has a window of ", kernel.window[d], " with stride ",
                     kernel.strides[d], " and padding ", padding[2 * d], ", ", padding[2 * d + 1]);
    kernel.low.push_back(padding[2 * d]);
    int64_t padded = operand.shape[d] + padding[2 * d] + padding[2 * d + 1];
    bool isEmpty = padded <= 0 || padded < kernel.window[d];
    expected.push_back(isEmpty ? 0 : (padded - kernel.window[d]) / kernel.strides[d] + 1);
  }
  SPMD_RETURN_IF_ERROR(expectType("source", source, {operand.element, expected}));
  SPMD_RETURN_IF_ERROR(expectType("initial value", request.operands[2], {operand.element, {}}));
  SPMD_RETURN_IF_ERROR(expectType("result", request.results[0], operand));
  SPMD_ASSIGN_OR_RETURN(const Function *select, request.body(0));
  if (select->numArguments != 2 || select->results.size() != 1 ||
      select->values[select->results[0]] != TensorType{ElementType::i1, {}} ||
      select->values[0] != TensorType{operand.element, {}} ||
      select->values[1] != select->values[0])
    return invalid("body \"", select->name, "\" does not take two ", nameOf(operand.element),
                   " to i1");
  SPMD_ASSIGN_OR_RETURN(int32_t selectIndex, request.bodyIndex(0));
  SPMD_ASSIGN_OR_RETURN(int32_t scatterIndex, request.bodyIndex(1));
  SPMD_ASSIGN_OR_RETURN(kernel.select,
                        Body::create(request.program, selectIndex, request.registry));
  SPMD_ASSIGN_OR_RETURN(kernel.scatter, Combiner::create(request.program, scatterIndex,
                                                         {operand.element}, request.registry));
  return Kernel{[kernel = std::move(kernel)](const KernelCall &call) { return kernel.run(call); }};
}

} // namespace

void addSelectAndScatterKernels(KernelRegistry &registry) {
  registry.addKernel("select_and_scatter", prepareSelectAndScatter);
}

} // namespace spmd
