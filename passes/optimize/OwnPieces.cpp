#include "spmd/passes/optimize/OwnPieces.h"

#include "spmd/dialect/groups/Groups.h"

namespace spmd {

using namespace stablehlo;

/// The one dim that `slice` cuts; nothing if it cuts several.
static std::optional<int64_t> slicedDim(DynamicSliceOp slice) {
  auto type = llvm::cast<mlir::RankedTensorType>(slice.getOperand().getType());
  std::optional<int64_t> dim;
  for (int64_t d = 0; d < type.getRank(); ++d) {
    if (slice.getSliceSizes()[d] == type.getDimSize(d))
      continue;
    if (dim)
      return std::nullopt;
    dim = d;
  }
  return dim;
}

/// Whether each device takes the piece that a reduce-scatter over `groups` would give it.
static bool isOwnPiece(const PositionDigits &offset,
                       const std::vector<std::vector<int64_t>> &groups, int64_t rows,
                       int64_t wholeRows) {
  for (const std::vector<int64_t> &group : groups) {
    if (static_cast<int64_t>(group.size()) * rows != wholeRows)
      return false;
    for (size_t place = 0; place < group.size(); ++place)
      if (evaluate(offset, group[place]) != static_cast<int64_t>(place) * rows)
        return false;
  }
  return true;
}

bool OwnPieces::isOwn(mlir::Operation *collective, mlir::Attribute groups,
                      const PositionDigits &offset, int64_t rows, int64_t wholeRows) {
  auto [known, isNew] = answers[groups].try_emplace({offset, rows, wholeRows}, false);
  if (isNew) {
    auto expanded = expandGroups(collective, groups, numDevices);
    known->second = mlir::succeeded(expanded) && isOwnPiece(offset, *expanded, rows, wholeRows);
  }
  return known->second;
}

std::optional<int64_t> OwnPieces::dimOf(DynamicSliceOp slice, mlir::Operation *collective) {
  std::optional<int64_t> dim = slicedDim(slice);
  mlir::Attribute groups = collective->getAttr("replica_groups");
  if (!dim || !groups)
    return std::nullopt;
  std::optional<PositionDigits> offset = positionDigits(slice.getStartIndices()[*dim], numDevices);
  int64_t wholeRows =
      llvm::cast<mlir::RankedTensorType>(slice.getOperand().getType()).getDimSize(*dim);
  if (!offset || !isOwn(collective, groups, *offset, slice.getSliceSizes()[*dim], wholeRows))
    return std::nullopt;
  return dim;
}

} // namespace spmd
