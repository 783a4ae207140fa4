#include "spmd/passes/optimize/Room.h"

#include "spmd/dialect/spmd/DataFlow.h"
#include "spmd/passes/optimize/merge/Order.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

namespace spmd {

/// More than any program holds, and a sum of it and that is no overflow.
constexpr uint64_t unknown = uint64_t(1) << 62;

/// What is as small is held though more is held then at the worst moment, up to so much more: no
/// device lacks that, and what is spared is a large part of what small programs send.
constexpr uint64_t smallBytes = 4096, mostOfSmall = 16 * smallBytes;

void Room::fill() {
  Effects effects;
  BlockGraph graph(block, block.getOperations().size(), effects);
  Meetings none;
  none.groupOf.assign(graph.size(), -1);
  std::vector<int32_t> order(graph.size());
  std::iota(order.begin(), order.end(), 0);
  std::vector<Footprint> footprints;
  for (int32_t number : order)
    footprints.push_back(footprintOf(graph.op(number)));
  std::vector<uint64_t> held = heldBytes(graph, none, order, footprints);
  limit = *llvm::max_element(held);
  size_t numLeaves = llvm::PowerOf2Ceil(held.size());
  ranges.resize(2 * numLeaves);
  for (int32_t number : order) {
    mlir::Operation *op = graph.op(number);
    numberOf[op] = number;
    bool isKnown = !llvm::isa<DataFlow, mlir::CallOpInterface>(op);
    ranges[numLeaves + number].most = isKnown ? held[number] : unknown;
  }
  for (size_t range = numLeaves - 1; range > 0; --range)
    ranges[range].most = std::max(ranges[2 * range].most, ranges[2 * range + 1].most);
}

uint64_t Room::mostIn(size_t range, size_t size, size_t first, size_t end) const {
  if (first >= end)
    return 0;
  if (first == 0 && end == size)
    return ranges[range].most;
  size_t half = size / 2;
  return ranges[range].taken +
         std::max(
             mostIn(2 * range, half, std::min(first, half), std::min(end, half)),
             mostIn(2 * range + 1, half, std::max(first, half) - half, std::max(end, half) - half));
}

void Room::add(size_t range, size_t size, size_t first, size_t end, uint64_t bytes) {
  if (first >= end)
    return;
  if (first == 0 && end == size) {
    ranges[range].taken += bytes;
    ranges[range].most += bytes;
    return;
  }
  size_t half = size / 2;
  add(2 * range, half, std::min(first, half), std::min(end, half), bytes);
  add(2 * range + 1, half, std::max(first, half) - half, std::max(end, half) - half, bytes);
  ranges[range].most =
      ranges[range].taken + std::max(ranges[2 * range].most, ranges[2 * range + 1].most);
}

bool Room::take(mlir::Operation *last, mlir::Operation *until, uint64_t bytes) {
  if (ranges.empty())
    fill();
  if (!numberOf.contains(last) || !numberOf.contains(until))
    return false;
  size_t first = numberOf.lookup(last) + 1, end = numberOf.lookup(until);
  uint64_t mayHold = limit + (bytes <= smallBytes ? mostOfSmall : 0);
  if (mostIn(1, ranges.size() / 2, first, end) + bytes > mayHold)
    return false;
  add(1, ranges.size() / 2, first, end, bytes);
  return true;
}

} // namespace spmd
