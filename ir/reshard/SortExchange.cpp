#include "spmd/ir/reshard/SortExchange.h"

#include "spmd/ir/sharding/Layout.h"

#include <algorithm>

namespace spmd {

int64_t SortedDim::block() const { return shardSize(size, shards); }

int64_t SortedDim::dealtBlock() const { return shardSize(block(), shards) * shards; }

int64_t SortedDim::reach() const {
  return std::min((shards - 1) * (shards - 1), dealtBlock() * shards);
}

WindowedDim SortedDim::window() const {
  Window window;
  window.size = block() + 2 * reach();
  window.stride = block();
  window.padLow = reach();
  return {window, dealtBlock() * shards, /*rows=*/shards, shards};
}

double costOfSort(const SortedDim &dim, double rowBytes, int64_t numTensors,
                  const CostModel &model) {
  double sent = static_cast<double>(dim.dealtBlock()) * rowBytes *
                static_cast<double>(dim.shards - 1) / static_cast<double>(dim.shards);
  WindowedDim window = dim.window();
  HaloPlan halo = planHalo(window);
  auto count = static_cast<double>(numTensors);
  return 2 * (model.latency * count + sent / model.bandwidth) +
         count * costOfHalo(window, halo, rowBytes / count, model);
}

bool isWorthSortingCut(int64_t size) {
  constexpr int64_t mostShards = 8; // With more, the halo only grows.
  CostModel bytes{/*latency=*/0, /*bandwidth=*/1};
  for (int64_t shards = 2; shards <= mostShards; ++shards) {
    SortedDim dim{size, shards};
    if (costOfSort(dim, 1, 1, bytes) < static_cast<double>((shards - 1) * dim.block()))
      return true;
  }
  return false;
}

} // namespace spmd
