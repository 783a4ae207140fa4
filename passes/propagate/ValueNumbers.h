// Numbers of values, in an array that lies as the program does.
#pragma once

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"

#include <array>

namespace spmd {

/// A map from values to numbers of 0 and more. Ops that follow each other mostly lie next to each
/// other in memory, and so do the entries of their results here, if they have one; in a hash table
/// each look would miss the cache. Takes a sixteenth of the memory that the ops take. Values must
/// not be erased meanwhile.
class ValueNumbers {
public:
  void set(mlir::Value value, int32_t number) {
    mlir::Operation *op = onlyMakerOf(value);
    if (!op) {
      others[value] = number;
      return;
    }
    auto [region, place] = placeOf(op);
    std::unique_ptr<Region> &numbers = regions[region];
    if (!numbers)
      numbers = std::make_unique<Region>();
    (*numbers)[place] = number + 1;
  }

  /// Returns -1 for a value without a number.
  int32_t lookup(mlir::Value value) const {
    mlir::Operation *op = onlyMakerOf(value);
    if (!op) {
      auto found = others.find(value);
      return found == others.end() ? -1 : found->second;
    }
    auto [region, place] = placeOf(op);
    auto found = regions.find(region);
    return found == regions.end() ? -1 : (*found->second)[place] - 1;
  }

private:
  static constexpr size_t opBytes = 64; ///< Two ops lie at least this far apart.
  static_assert(sizeof(mlir::Operation) >= opBytes);
  static constexpr size_t regionBytes = 1 << 18;
  using Region = std::array<int32_t, regionBytes / opBytes>; ///< Numbers + 1; 0 for none.

  /// The op whose only result `value` is, null if there is none.
  static mlir::Operation *onlyMakerOf(mlir::Value value) {
    mlir::Operation *op = value.getDefiningOp();
    return op && op->getNumResults() == 1 ? op : nullptr;
  }

  static std::pair<uintptr_t, size_t> placeOf(mlir::Operation *op) {
    auto address = reinterpret_cast<uintptr_t>(op);
    return {address / regionBytes, address % regionBytes / opBytes};
  }

  llvm::DenseMap<uintptr_t, std::unique_ptr<Region>> regions;
  llvm::DenseMap<mlir::Value, int32_t> others;
};

} // namespace spmd
