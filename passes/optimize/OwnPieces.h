// Which slices take the piece that is the device's own.
#pragma once

#include "spmd/dialect/stablehlo/Dialect.h"
#include "spmd/passes/optimize/PositionDigits.h"

#include "llvm/ADT/DenseMap.h"

#include <map>

namespace spmd {

/// Groups of collectives and what was found of them, so that the devices are looked at once for
/// each distinct way to slice.
class OwnPieces {
public:
  explicit OwnPieces(int64_t numDevices) : numDevices(numDevices) {}

  int64_t devices() const { return numDevices; }

  /// Returns the dim that `slice` cuts if it cuts no other, and each device takes the piece that
  /// its place in the group of `collective` names: the first the first, and so on. Else nothing.
  std::optional<int64_t> dimOf(stablehlo::DynamicSliceOp slice, mlir::Operation *collective);

private:
  bool isOwn(mlir::Operation *collective, mlir::Attribute groups, const PositionDigits &offset,
             int64_t rows, int64_t wholeRows);

  int64_t numDevices;
  llvm::DenseMap<mlir::Attribute, std::map<std::tuple<PositionDigits, int64_t, int64_t>, bool>>
      answers;
};

} // namespace spmd
