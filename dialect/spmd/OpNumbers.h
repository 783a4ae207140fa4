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
    Region *numbers = find(region);
    if (!numbers) {
      regions[region] = std::make_unique<Region>();
      numbers = find(region);
    }
    (*numbers)[place] = number + 1;
  }

  /// Returns -1 for an op without a number.
  int32_t lookup(mlir::Operation *op) const {
    auto [region, place] = placeOf(op);
    Region *numbers = find(region);
    return numbers ? (*numbers)[place] - 1 : -1;
  }

private:
  static constexpr size_t opBytes = 64; ///< Two ops lie at least this far apart.
  static_assert(sizeof(mlir::Operation) >= opBytes);
  static constexpr size_t regionBytes = 1 << 18;
  using Region = std::array<int32_t, regionBytes / opBytes>; ///< Numbers + 1; 0 for none.

  /// Returns the numbers of the ops in `region`, or null. Programs are walked, so it is mostly one
  /// of the last few.
  Region *find(uintptr_t region) const {
    auto &[number, numbers] = recent[region % recent.size()];
    if (number != region || !numbers) {
      auto found = regions.find(region);
      number = region;
      numbers = found == regions.end() ? nullptr : found->second.get();
    }
    return numbers;
  }

  static std::pair<uintptr_t, size_t> placeOf(mlir::Operation *op) {
    auto address = reinterpret_cast<uintptr_t>(op);
    return {address / regionBytes, address % regionBytes / opBytes};
  }

  llvm::DenseMap<uintptr_t, std::unique_ptr<Region>> regions;
  mutable std::array<std::pair<uintptr_t, Region *>, 8> recent{}; ///< Regions, by their last bits.
};

} // namespace spmd
