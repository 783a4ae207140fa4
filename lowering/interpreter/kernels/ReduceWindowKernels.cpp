// reduce_window: the operands are padded with the initial values; then every tap of the window is
// one strided slice, combined into all outputs at once. Taps come in row-major order.
#include "spmd/lowering/interpreter/Combiner.h"
#include "spmd/lowering/interpreter/Dims.h"
#include "spmd/lowering/interpreter/Memory.h"
#include "spmd/lowering/interpreter/StridedCopy.h"
#include "spmd/lowering/interpreter/kernels/CumulativeWindow.h"
#include "spmd/lowering/interpreter/kernels/Kernels.h"

#include <deque>

namespace spmd {
namespace {

struct Window {
  Ints shape, dilations;
  Ints paddedShape;
  CopyBox interior; // From the operand into the padded tensor,
  int64_t source;   // from this element
  int64_t target;   // to this one.
  CopyBox tap;      // From the padded tensor to the outputs.
};

absl::StatusOr<Window> windowOf(const Attributes &attributes, const Ints &in, const Ints &out) {
  size_t rank = in.size();
  SPMD_ASSIGN_OR_RETURN(Ints sizes, windowList(attributes, "window_dimensions", rank, 1, 1));
  SPMD_ASSIGN_OR_RETURN(Ints strides, windowList(attributes, "window_strides", rank, 1, 1));
  SPMD_ASSIGN_OR_RETURN(Ints base, windowList(attributes, "base_dilations", rank, 1, 1));
  SPMD_ASSIGN_OR_RETURN(Ints dilations, windowList(attributes, "window_dilations", rank, 1, 1));
  SPMD_ASSIGN_OR_RETURN(Ints padding, windowList(attributes, "padding", 2 * rank, 0, INT32_MIN));
  Window window{sizes, dilations, {}, {}, 0, 0, {}};
  Ints expected;
  for (size_t d = 0; d < rank; ++d) {
    int64_t dilated = in[d] == 0 ? 0 : (in[d] - 1) * base[d] + 1;
    int64_t padded = std::max<int64_t>(dilated + padding[2 * d] + padding[2 * d + 1], 0);
    int64_t span = (sizes[d] - 1) * dilations[d] + 1;
    window.paddedShape.push_back(padded);
    expected.push_back(span > padded ? 0 : (padded - span) / strides[d] + 1);
  }
  if (expected != out)
    return invalid("result has shape ", TensorType{ElementType::i1, out}.str(), "; expected ",
                   TensorType{ElementType::i1, expected}.str());
  if (checkedNumElements({ElementType::complexF64, window.paddedShape}) < 0)
    return invalid("padded operand has too many elements");

  Ints paddedStrides = rowMajorStrides(window.paddedShape);
  window.interior = {{}, rowMajorStrides(in), paddedStrides};
  window.tap = {out, paddedStrides, rowMajorStrides(out)};
  for (size_t d = 0; d < rank; ++d) {
    int64_t low = padding[2 * d], step = base[d];
    int64_t begin = low < 0 ? (-low + step - 1) / step : 0;
    int64_t room = window.paddedShape[d] - low;
    int64_t end = std::min(in[d], room > 0 ? (room + step - 1) / step : 0);
    window.interior.shape.push_back(std::max<int64_t>(end - begin, 0));
    window.source += begin * window.interior.sourceStrides[d];
    window.target += (low + begin * step) * paddedStrides[d];
    window.interior.targetStrides[d] *= step;
    window.tap.sourceStrides[d] *= strides[d];
  }
  return window;
}

absl::Status reduceWindows(const KernelCall &call, const Window &window, const Combiner &combiner) {
  size_t count = call.outputs.size();
  int64_t numOutputs = call.outputs[0].numElements(), numPadded = product(window.paddedShape);
  std::deque<Scratch> padded, slices; // Deques: they do not move.
  std::vector<int64_t> bytes;
  std::vector<void *> accumulators;
  std::vector<const void *> values;
  for (size_t i = 0; i < count; ++i) {
    bytes.push_back(storedBytes(call.outputs[i].type().element));
    const std::byte *init = call.inputs[count + i].data();
    padded.emplace_back(numPadded * bytes[i]);
    fillElements(padded[i].data(), numPadded, init, bytes[i]);
    if (product(window.interior.shape) > 0)
      copyBox(window.interior, bytes[i], call.inputs[i].data() + window.source * bytes[i],
              padded[i].data() + window.target * bytes[i]);
    fillElements(call.outputs[i].mutableData(), numOutputs, init, bytes[i]);
    slices.emplace_back(numOutputs * bytes[i]);
    accumulators.push_back(call.outputs[i].mutableData());
    values.push_back(slices[i].data());
  }
  Ints strides = rowMajorStrides(window.paddedShape), index(window.shape.size(), 0);
  for (size_t d = 0; d < strides.size(); ++d)
    strides[d] *= window.dilations[d];
  std::vector<StridedCopy> taps;
  for (size_t i = 0; i < count; ++i)
    taps.emplace_back(window.tap, bytes[i]);
  do {
    for (size_t i = 0; i < count; ++i)
      taps[i].run(padded[i].data() + offsetOf(index, strides) * bytes[i], slices[i].data());
    SPMD_RETURN_IF_ERROR(combiner.combine(numOutputs, accumulators, values));
  } while (nextIndex(index, window.shape));
  return absl::OkStatus();
}

absl::StatusOr<Kernel> prepareReduceWindow(const KernelRequest &request) {
  size_t count = request.results.size();
  if (count == 0)
    return invalid("has no results");
  SPMD_RETURN_IF_ERROR(request.expectCounts(2 * count, count));
  const Ints &in = request.operands[0].shape, &out = request.results[0].shape;
  std::vector<ElementType> elements;
  for (size_t i = 0; i < count; ++i) {
    ElementType element = request.operands[i].element;
    SPMD_RETURN_IF_ERROR(expectType("operand", request.operands[i], {element, in}));
    SPMD_RETURN_IF_ERROR(expectType("initial value", request.operands[count + i], {element, {}}));
    SPMD_RETURN_IF_ERROR(expectType("result", request.results[i], {element, out}));
    elements.push_back(element);
  }
  SPMD_ASSIGN_OR_RETURN(Window window, windowOf(request.attributes(), in, out));
  SPMD_ASSIGN_OR_RETURN(int32_t body, request.bodyIndex());
  SPMD_ASSIGN_OR_RETURN(Combiner combiner,
                        Combiner::create(request.program, body, elements, request.registry));
  std::optional<CumulativeWindow> cumulative =
      CumulativeWindow::recognise(request.attributes(), in, combiner);
  return Kernel{[=](const KernelCall &call) -> absl::Status {
    if (call.outputs[0].numElements() == 0)
      return absl::OkStatus();
    if (cumulative) {
      SPMD_ASSIGN_OR_RETURN(bool canRun, cumulative->canRun(call, combiner));
      if (canRun)
        return cumulative->run(call, combiner);
    }
    return reduceWindows(call, window, combiner);
  }};
}

} // namespace

void addReduceWindowKernels(KernelRegistry &registry) {
  registry.addKernel("reduce_window", prepareReduceWindow);
}

} // namespace spmd
