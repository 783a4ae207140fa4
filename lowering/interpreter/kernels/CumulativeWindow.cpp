#include "spmd/lowering/interpreter/kernels/CumulativeWindow.h"

#include "spmd/lowering/interpreter/Memory.h"
#include "spmd/lowering/interpreter/StridedCopy.h"

#include <cstring>
#include <deque>

namespace spmd {

std::optional<CumulativeWindow> CumulativeWindow::recognise(const Attributes &attributes,
                                                            const Ints &shape,
                                                            const Combiner &combiner) {
  size_t rank = shape.size();
  auto listOf = [&](const char *name, size_t size, int64_t otherwise) {
    absl::StatusOr<Ints> list = listOr(attributes, name, Ints(size, otherwise));
    return list.ok() ? *std::move(list) : Ints();
  };
  Ints sizes = listOf("window_dimensions", rank, 1);
  Ints padding = listOf("padding", 2 * rank, 0);
  Ints ones(rank, 1);
  if (sizes.size() != rank || padding.size() != 2 * rank ||
      listOf("window_strides", rank, 1) != ones || listOf("base_dilations", rank, 1) != ones ||
      listOf("window_dilations", rank, 1) != ones)
    return std::nullopt;
  std::optional<int64_t> cumulated;
  for (size_t d = 0; d < rank; ++d) {
    if (sizes[d] == 1 && padding[2 * d] == 0 && padding[2 * d + 1] == 0)
      continue;
    if (cumulated || sizes[d] != shape[d])
      return std::nullopt;
    cumulated = d;
  }
  if (!cumulated)
    return std::nullopt;
  CumulativeWindow out;
  int64_t low = padding[2 * *cumulated], high = padding[2 * *cumulated + 1];
  int64_t rest = shape[*cumulated] - 1;
  out.isReversed = low == 0 && high == rest;
  if (!(low == rest && high == 0) && !(out.isReversed && combiner.single()))
    return std::nullopt;
  out.order = otherDims(static_cast<int64_t>(rank), {*cumulated});
  out.order.insert(out.order.begin(), *cumulated);
  out.shape = select(shape, out.order);
  out.strides = select(rowMajorStrides(shape), out.order);
  return out;
}

absl::StatusOr<bool> CumulativeWindow::canRun(const KernelCall &call,
                                              const Combiner &combiner) const {
  size_t count = call.outputs.size();
  std::deque<std::string> combined;
  std::vector<void *> accumulators;
  std::vector<const void *> values;
  for (size_t i = 0; i < count; ++i) {
    const Tensor &init = call.inputs[count + i];
    combined.emplace_back(reinterpret_cast<const char *>(init.data()), init.sizeInBytes());
    accumulators.push_back(combined.back().data());
    values.push_back(init.data());
  }
  SPMD_RETURN_IF_ERROR(combiner.combine(1, accumulators, values));
  for (size_t i = 0; i < count; ++i)
    if (std::memcmp(accumulators[i], values[i], combined[i].size()) != 0)
      return false;
  return true;
}

absl::Status CumulativeWindow::run(const KernelCall &call, const Combiner &combiner) const {
  size_t count = call.outputs.size();
  int64_t n = shape[0], rest = product(shape) / n;
  std::deque<Scratch> operands, results; // Deques: they do not move.
  std::vector<int64_t> bytes;
  std::vector<void *> accumulators(count);
  std::vector<const void *> values(count);
  for (size_t i = 0; i < count; ++i) {
    bytes.push_back(storedBytes(call.outputs[i].type().element));
    int64_t size = call.inputs[i].sizeInBytes();
    results.emplace_back(size);
    copyBox({shape, strides, rowMajorStrides(shape)}, bytes[i], call.inputs[i].data(),
            operands.emplace_back(size).data());
  }
  for (int64_t step = 0; step < n; ++step) {
    int64_t at = isReversed ? n - 1 - step : step, before = isReversed ? at + 1 : at - 1;
    for (size_t i = 0; i < count; ++i) {
      std::byte *row = results[i].data() + at * rest * bytes[i];
      if (step == 0)
        fillElements(row, rest, call.inputs[count + i].data(), bytes[i]);
      else
        std::memcpy(row, results[i].data() + before * rest * bytes[i], rest * bytes[i]);
      accumulators[i] = row;
      values[i] = operands[i].data() + at * rest * bytes[i];
    }
    SPMD_RETURN_IF_ERROR(combiner.combine(rest, accumulators, values));
  }
  for (size_t i = 0; i < count; ++i)
    copyBox({shape, rowMajorStrides(shape), strides}, bytes[i], results[i].data(),
            call.outputs[i].mutableData());
  return absl::OkStatus();
}

} // namespace spmd
