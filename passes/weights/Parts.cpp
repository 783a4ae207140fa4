#include "spmd/passes/weights/Parts.h"

#include "spmd/dialect/partitioning/algorithms/Shards.h"

#include <map>

namespace spmd {

using namespace stablehlo;

namespace {

/// Sums of more are left alone.
constexpr size_t maxPieces = 32;

llvm::ArrayRef<int64_t> shapeOf(mlir::Value value) {
  return llvm::cast<mlir::RankedTensorType>(value.getType()).getShape();
}

/// Returns how `value` lies, if its shape is known, it has elements, and no addends of them.
const MeshSharding *layoutOf(mlir::Value value, const Bytes &bytes) {
  auto type = llvm::dyn_cast<mlir::RankedTensorType>(value.getType());
  if (!type || !type.hasStaticShape() || type.getNumElements() == 0 ||
      !type.getElementType().isIntOrFloat())
    return nullptr;
  const MeshSharding *layout = bytes.layoutOf(value);
  return layout && layout->sharding.rank() == type.getRank() && layout->sharding.unreduced.empty()
             ? layout
             : nullptr;
}

/// Returns how `value` lies if it is split along `dim`.
const MeshSharding *layoutAlong(mlir::Value value, int64_t dim, const Bytes &bytes) {
  const MeshSharding *layout = layoutOf(value, bytes);
  return layout && !layout->sharding.dims[dim].axes.empty() ? layout : nullptr;
}

/// Returns the one dim along which `slice` leaves out elements, and no two that it takes are apart.
std::optional<int64_t> cutDim(SliceOp slice) {
  std::optional<int64_t> found;
  for (auto [d, size] : llvm::enumerate(shapeOf(slice.getOperand()))) {
    if (shapeOf(slice.getResult())[d] == size)
      continue;
    if (found || slice.getStrides()[d] != 1)
      return std::nullopt;
    found = d;
  }
  return found;
}

/// Whether no element is in two of the cuts.
bool areApart(llvm::ArrayRef<DimChange> cuts) {
  llvm::SmallVector<std::pair<int64_t, int64_t>> ranges;
  for (const DimChange &cut : cuts)
    ranges.push_back({*cut.start, *cut.start + cut.sizes.front()});
  llvm::sort(ranges);
  for (size_t i = 1; i < ranges.size(); ++i)
    if (ranges[i].first < ranges[i - 1].second)
      return false;
  return true;
}

/// Returns the one dim along which `pad` adds rows, of zeros, and none in between.
std::optional<int64_t> paddedDim(PadOp pad) {
  std::optional<int64_t> found;
  for (auto [d, low, high, interior] : llvm::enumerate(
           pad.getEdgePaddingLow(), pad.getEdgePaddingHigh(), pad.getInteriorPadding())) {
    if (low == 0 && high == 0 && interior == 0)
      continue;
    if (found || low < 0 || high < 0 || interior != 0)
      return std::nullopt;
    found = d;
  }
  mlir::Value value = pad.getPaddingValue();
  if (auto broadcast = value.getDefiningOp<BroadcastInDimOp>())
    value = broadcast.getOperand();
  return isFilledWith(value, FillValue::zero) ? found : std::nullopt;
}

/// Returns the parts of `value`, which is joined of `pieces`.
std::optional<Parts> partsOfPieces(mlir::Value value, int64_t dim,
                                   llvm::SmallVector<mlir::Value> pieces, const Bytes &bytes) {
  Parts parts{dim, {}, {}};
  if (pieces.size() < 2 || !layoutAlong(value, dim, bytes))
    return std::nullopt;
  int64_t start = 0;
  for (mlir::Value piece : pieces) {
    const MeshSharding *layout = layoutAlong(piece, dim, bytes);
    if (!layout)
      return std::nullopt;
    int64_t size = shapeOf(piece)[dim];
    parts.changes.push_back({{size}, layout->mesh, {layout->sharding.dims[dim]}, start});
    start += size;
  }
  parts.pieces = std::move(pieces);
  return parts;
}

} // namespace

std::optional<Parts> partsOfSlices(mlir::Value value, const Bytes &bytes) {
  std::optional<Parts> parts;
  for (mlir::Operation *user : value.getUsers()) {
    auto slice = llvm::dyn_cast<SliceOp>(user);
    std::optional<int64_t> dim = slice ? cutDim(slice) : std::nullopt;
    const MeshSharding *layout = dim ? layoutAlong(slice.getResult(), *dim, bytes) : nullptr;
    if (!layout || (parts && parts->dim != *dim) || !layoutAlong(value, *dim, bytes))
      return std::nullopt;
    if (!parts)
      parts = Parts{*dim, {}, {}};
    parts->changes.push_back({{shapeOf(slice.getResult())[*dim]},
                              layout->mesh,
                              {layout->sharding.dims[*dim]},
                              slice.getStartIndices()[*dim]});
  }
  return parts && areApart(parts->changes) ? parts : std::nullopt;
}

std::optional<Parts> partsOfJoined(ConcatenateOp concatenate, const Bytes &bytes) {
  return partsOfPieces(concatenate.getResult(), concatenate.getDimension(),
                       llvm::to_vector(concatenate.getInputs()), bytes);
}

std::optional<Parts> partsOfPadded(AddOp sum, const Bytes &bytes) {
  if (sum->hasOneUse() && llvm::isa<AddOp>(*sum->user_begin()))
    return std::nullopt; // That one is the whole sum.
  std::map<int64_t, mlir::Value> pieces;
  std::optional<int64_t> dim;
  llvm::SmallVector<mlir::Value> addends = {sum.getLhs(), sum.getRhs()};
  for (size_t i = 0; i < addends.size(); ++i) {
    mlir::Operation *op = addends[i].getDefiningOp();
    if (!op || !op->hasOneUse() || i > maxPieces)
      return std::nullopt;
    if (auto add = llvm::dyn_cast<AddOp>(op)) {
      addends.append({add.getLhs(), add.getRhs()});
      continue;
    }
    auto pad = llvm::dyn_cast<PadOp>(op);
    std::optional<int64_t> padded = pad ? paddedDim(pad) : std::nullopt;
    if (!padded || (dim && *dim != *padded) ||
        !pieces.insert({pad.getEdgePaddingLow()[*padded], pad.getOperand()}).second)
      return std::nullopt;
    dim = padded;
  }
  llvm::SmallVector<mlir::Value> inOrder;
  int64_t end = 0;
  for (auto [start, piece] : pieces) {
    if (start != end)
      return std::nullopt;
    end += shapeOf(piece)[*dim];
    inOrder.push_back(piece);
  }
  return end == shapeOf(sum.getResult())[*dim]
             ? partsOfPieces(sum.getResult(), *dim, std::move(inOrder), bytes)
             : std::nullopt;
}

std::optional<Parts> partsOfReshape(mlir::Value joined, mlir::Value split, const Bytes &bytes) {
  const MeshSharding *layout = layoutOf(split, bytes);
  if (!layout || !layoutOf(joined, bytes))
    return std::nullopt;
  llvm::ArrayRef<int64_t> sizes = shapeOf(split);
  const std::vector<DimSharding> &dims = layout->sharding.dims;
  size_t first = 0;
  for (auto [d, size] : llvm::enumerate(shapeOf(joined))) {
    size_t limit = first;
    int64_t product = 1;
    while (limit < sizes.size() && product < size)
      product *= sizes[limit++];
    if (product != size)
      return std::nullopt; // Several dims of both stand for each other.
    bool isInShards = true, isOther = false;
    for (size_t i = first; i < limit; ++i) {
      isOther |= !isInShards && !dims[i].axes.empty();
      isInShards &= numShards(dims[i]) == sizes[i];
    }
    if (isOther && layoutAlong(joined, d, bytes))
      return Parts{static_cast<int64_t>(d),
                   {{llvm::SmallVector<int64_t>(sizes.slice(first, limit - first)),
                     layout->mesh,
                     {dims.begin() + first, dims.begin() + limit}}},
                   {}};
    first = limit;
  }
  return std::nullopt;
}

} // namespace spmd
