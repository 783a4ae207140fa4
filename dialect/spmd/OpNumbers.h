// Numbers of ops, in an array that lies as the program does.
#pragma once

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"

#include <array>
#include <memory>

namespace spmd {

/// A map from ops to numbers of 0 and more. Ops that follow each other mostly lie next to each
/// other in memory, and so do their entries here; in a hash table each look would miss the cache.
/// Takes a sixteenth of the memory that the ops take. Ops must not be erased meanwhile.
class OpNumbers {
public:
  void set(mlir::Operation *op, int32_t number) {
    auto [region, place] = placeOf(op);
    std::unique_ptr<Region> &numbers = regions[region];
    if (!numbers)
      numbers = std::make_unique<Region>();
    (*numbers)[place] = number + 1;
  }

  /// Returns -1 for an op without a number.
  int32_t lookup(mlir::Operation *op) const {
    auto [region, place] = placeOf(op);
    auto found = regions.find(region);
    return found == regions.end() ? -1 : (*found->second)[place] - 1;
  }

private:
  static constexpr size_t opBytes = 64; ///< Two ops lie at least this far apart.
  static_assert(sizeof(mlir::Operation) >= opBytes);
  static constexpr size_t regionBytes = 1 << 18;
  using Region = std::array<int32_t, regionBytes / opBytes>; ///< Numbers + 1; 0 for none.

  static std::pair<uintptr_t, size_t> placeOf(mlir::Operation *op) {
    auto address = reinterpret_cast<uintptr_t>(op);
    return {address / regionBytes, address % regionBytes / opBytes};
  }

  llvm::DenseMap<uintptr_t, std::unique_ptr<Region>> regions;
};

} // namespace spmd
