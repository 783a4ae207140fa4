// Numbers of values, in an array that lies as the program does.
#pragma once

#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"

#include <array>

namespace spmd {

/// A map from values to numbers of 0 and more. Ops that follow each other mostly lie next to each
/// other in memory, and so do their entries here; in a hash table each look would miss the cache.
/// Takes a quarter of the memory that the values' ops take. Values must not be erased meanwhile.
class ValueNumbers {
public:
  void set(mlir::Value value, int32_t number) {
    auto [region, place] = placeOf(value);
    std::unique_ptr<Region> &numbers = regions[region];
    if (!numbers)
      numbers = std::make_unique<Region>();
    (*numbers)[place] = number + 1;
  }

  /// Returns -1 for a value without a number.
  int32_t lookup(mlir::Value value) const {
    auto [region, place] = placeOf(value);
    auto found = regions.find(region);
    return found == regions.end() ? -1 : (*found->second)[place] - 1;
  }

private:
  static constexpr size_t valueBytes = sizeof(mlir::detail::ValueImpl); ///< Two lie this far apart.
  static constexpr size_t regionBytes = 1 << 16;
  using Region = std::array<int32_t, regionBytes / valueBytes>; ///< Numbers + 1; 0 for none.

  static std::pair<uintptr_t, size_t> placeOf(mlir::Value value) {
    auto address = reinterpret_cast<uintptr_t>(value.getAsOpaquePointer());
    return {address / regionBytes, address % regionBytes / valueBytes};
  }

  llvm::DenseMap<uintptr_t, std::unique_ptr<Region>> regions;
};

} // namespace spmd
