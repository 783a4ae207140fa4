// reduce. The operand is seen as [outer][reduced][inner]; where the reduced dims do not lie
// together it is copied so that they do.
//
// A body of one associative op runs in native types, small floats summed up in float and rounded
// once; where `inner` is 1 the row is folded lane by lane, then the lanes by halves. Any other body
// is applied to the elements in order, from the initial value on, vectorised over the kept
// elements.
#include "spmd/lowering/interpreter/Combiner.h"
#include "spmd/lowering/interpreter/Dims.h"
#include "spmd/lowering/interpreter/Memory.h"
#include "spmd/lowering/interpreter/Storage.h"
#include "spmd/lowering/interpreter/StridedCopy.h"
#include "spmd/lowering/interpreter/kernels/Kernels.h"

#include <cstring>
#include <deque>
#include <optional>

namespace spmd {
namespace {

constexpr int64_t lanes = 512;

struct View {
  int64_t outer, reduced, inner;
  /// How to copy the operand first, unless it need not be.
  std::optional<CopyBox> copy;
};

/// Returns the view of `shape` with `dims` reduced, which are sorted.
View viewOf(const Ints &shape, const Ints &dims, bool rowsAllowed) {
  View view{1, product(select(shape, dims)), 1, std::nullopt};
  int64_t rank = shape.size();
  bool together =
      dims.empty() || dims.back() - dims.front() + 1 == static_cast<int64_t>(dims.size());
  bool inRows = together && (dims.empty() || dims.back() == rank - 1);
  if (together && (rowsAllowed || !inRows)) {
    int64_t first = dims.empty() ? rank : dims.front();
    int64_t last = dims.empty() ? rank : dims.back() + 1;
    view.outer = product(Ints(shape.begin(), shape.begin() + first));
    view.inner = product(Ints(shape.begin() + last, shape.end()));
    return view;
  }
  Ints order = dims, kept = otherDims(rank, dims);
  order.insert(order.end(), kept.begin(), kept.end());
  Ints permuted = select(shape, order);
  view.copy = {permuted, select(rowMajorStrides(shape), order), rowMajorStrides(permuted)};
  view.inner = product(select(shape, kept));
  return view;
}

/// Reduces one operand with one associative op.
class SingleReducer {
public:
  SingleReducer(StepFunction step, ElementType element, View view)
      : step(step), storage(storageOf(element)), bytes(storedBytes(element)),
        view(std::move(view)) {}

  void run(const std::byte *in, const std::byte *init, std::byte *out) const {
    if (hasShortRows())
      return reduceShortRows(in, init, out);
    Scratch lane(lanes * storage.nativeBytes), loaded(lanes * storage.nativeBytes);
    for (int64_t o = 0; o < view.outer; ++o) {
      const std::byte *block = in + o * view.reduced * view.inner * bytes;
      if (view.inner == 1)
        reduceRow(block, init, out + o * bytes, lane.data(), loaded.data());
      else
        for (int64_t k = 0; k < view.inner; k += lanes)
          reduceColumns(block + k * bytes, std::min(lanes, view.inner - k), init,
                        out + (o * view.inner + k) * bytes, lane.data(), loaded.data());
    }
  }

private:
  bool hasShortRows() const {
    return view.inner == 1 && view.reduced > 0 && view.reduced <= lanes / 4 && view.outer > 1;
  }
  int64_t rowsOfBlock() const { return std::max<int64_t>(8, 8 * lanes / view.reduced); }

  const void *load(int64_t n, const std::byte *stored, std::byte *scratch) const {
    if (storage.isDirect())
      return stored;
    storage.load(n, stored, scratch);
    return scratch;
  }

  void accumulate(int64_t n, void *accumulator, const void *values) const {
    const void *in[] = {accumulator, values};
    int64_t params[2] = {0, 0};
    step(n, accumulator, in, params);
  }

  void store(int64_t n, std::byte *native, std::byte *out) const {
    if (storage.round)
      storage.round(n, native);
    if (storage.isDirect())
      std::memcpy(out, native, n * bytes);
    else
      storage.store(n, native, out);
  }

  void reduceColumns(const std::byte *in, int64_t n, const std::byte *init, std::byte *out,
                     std::byte *lane, std::byte *loaded) const {
    fillElements(lane, n, static_cast<const std::byte *>(load(1, init, loaded)),
                 storage.nativeBytes);
    for (int64_t r = 0; r < view.reduced; ++r)
      accumulate(n, lane, load(n, in + r * view.inner * bytes, loaded));
    store(n, lane, out);
  }

  /// As `reduceRow`, many rows at once, so that every step has many elements.
  void reduceShortRows(const std::byte *in, const std::byte *init, std::byte *out) const {
    int64_t size = storage.nativeBytes, width = view.reduced;
    int64_t most = std::min(view.outer, rowsOfBlock());
    Scratch columns(most * width * size), loaded(most * width * size), results(most * size);
    for (int64_t first = 0; first < view.outer; first += most) {
      int64_t count = std::min(most, view.outer - first);
      auto *rows = static_cast<const std::byte *>(
          load(count * width, in + first * width * bytes, loaded.data()));
      transposeElements(count, width, size, rows, columns.data());
      for (int64_t n = width; n > 1; n = (n + 1) / 2)
        accumulate(n / 2 * count, columns.data(), columns.data() + (n + 1) / 2 * count * size);
      fillElements(results.data(), count,
                   static_cast<const std::byte *>(load(1, init, loaded.data())), size);
      accumulate(count, results.data(), columns.data());
      store(count, results.data(), out + first * bytes);
    }
  }

  void reduceRow(const std::byte *in, const std::byte *init, std::byte *out, std::byte *lane,
                 std::byte *loaded) const {
    int64_t size = storage.nativeBytes, width = std::min(lanes, view.reduced);
    if (width > 0)
      std::memcpy(lane, load(width, in, loaded), width * size);
    for (int64_t r = width; r < view.reduced; r += width) {
      int64_t n = std::min(width, view.reduced - r);
      accumulate(n, lane, load(n, in + r * bytes, loaded));
    }
    for (; width > 1; width = (width + 1) / 2)
      accumulate(width / 2, lane, lane + (width + 1) / 2 * size);
    alignas(std::max_align_t) std::byte result[mostNativeBytes];
    std::memcpy(result, load(1, init, loaded), size);
    if (width == 1)
      accumulate(1, result, lane);
    store(1, result, out);
  }

  StepFunction step;
  const Storage &storage;
  int64_t bytes;
  View view;
};

/// Reduces any number of operands with any body, in order.
absl::Status reduceInOrder(const KernelCall &call, const Combiner &combiner, const View &view,
                           const std::vector<const std::byte *> &in) {
  size_t count = in.size();
  std::vector<int64_t> bytes;
  for (size_t i = 0; i < count; ++i) {
    const Tensor &out = call.outputs[i];
    bytes.push_back(storedBytes(out.type().element));
    fillElements(out.mutableData(), out.numElements(), call.inputs[count + i].data(), bytes[i]);
  }
  std::vector<void *> accumulators(count);
  std::vector<const void *> values(count);
  for (int64_t o = 0; o < view.outer; ++o)
    for (int64_t r = 0; r < view.reduced; ++r) {
      for (size_t i = 0; i < count; ++i) {
        accumulators[i] = call.outputs[i].mutableData() + o * view.inner * bytes[i];
        values[i] = in[i] + (o * view.reduced + r) * view.inner * bytes[i];
      }
      SPMD_RETURN_IF_ERROR(combiner.combine(view.inner, accumulators, values));
    }
  return absl::OkStatus();
}

absl::StatusOr<Kernel> prepareReduce(const KernelRequest &request) {
  size_t count = request.results.size();
  if (count == 0)
    return invalid("has no results");
  SPMD_RETURN_IF_ERROR(request.expectCounts(2 * count, count));
  const Ints shape = request.operands[0].shape;
  SPMD_ASSIGN_OR_RETURN(Ints dims, dimsOf(request.attributes(), "dimensions", shape.size()));
  std::sort(dims.begin(), dims.end());
  Ints kept = select(shape, otherDims(shape.size(), dims));
  std::vector<ElementType> elements;
  for (size_t i = 0; i < count; ++i) {
    ElementType element = request.operands[i].element;
    SPMD_RETURN_IF_ERROR(expectType("operand", request.operands[i], {element, shape}));
    SPMD_RETURN_IF_ERROR(expectType("initial value", request.operands[count + i], {element, {}}));
    SPMD_RETURN_IF_ERROR(expectType("result", request.results[i], {element, kept}));
    elements.push_back(element);
  }
  SPMD_ASSIGN_OR_RETURN(int32_t body, request.bodyIndex());
  SPMD_ASSIGN_OR_RETURN(Combiner combiner,
                        Combiner::create(request.program, body, elements, request.registry));
  View view = viewOf(shape, dims, combiner.single() != nullptr);
  std::vector<StridedCopy> reorders;
  for (size_t i = 0; i < count && view.copy; ++i)
    reorders.emplace_back(*view.copy, storedBytes(elements[i]));
  std::optional<SingleReducer> single;
  if (combiner.single())
    single.emplace(combiner.single(), elements[0], view);
  return Kernel{[=](const KernelCall &call) {
    if (call.outputs[0].numElements() == 0)
      return absl::OkStatus();
    std::deque<Scratch> copies; // A deque: they do not move.
    std::vector<const std::byte *> in;
    for (size_t i = 0; i < count; ++i) {
      in.push_back(call.inputs[i].data());
      if (!view.copy)
        continue;
      in[i] = copies.emplace_back(call.inputs[i].sizeInBytes()).data();
      reorders[i].run(call.inputs[i].data(), copies.back().data());
    }
    if (!single)
      return reduceInOrder(call, combiner, view, in);
    single->run(in[0], call.inputs[1].data(), call.outputs[0].mutableData());
    return absl::OkStatus();
  }};
}

} // namespace

void addReduceKernels(KernelRegistry &registry) { registry.addKernel("reduce", prepareReduce); }

} // namespace spmd
