// The pass `spmd-compose-slices`: rows that are padded, joined or cut and then cut again are read
// where they come from. A shift is written as a pad or a concatenation one row longer than its
// operand, and a slice of that:
//
//     x : 8 rows over 4 devices -> pad: 9 rows, 3 a device -> slice: 8 rows, 2 a device
//
// All that is split otherwise moves twice; the shift itself moves one row of each device.

#include "spmd/dialect/sdy/Replacing.h"
#include "spmd/dialect/spmd/ValueSharding.h"
#include "spmd/dialect/spmd/Walk.h"
#include "spmd/dialect/stablehlo/Dialect.h"
#include "spmd/passes/Passes.h"
#include "spmd/passes/slices/JoinPads.h"
#include "spmd/passes/slices/MergedDims.h"
#include "spmd/passes/slices/SeparateDims.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace spmd {

#define GEN_PASS_DEF_COMPOSESLICESPASS
#include "spmd/passes/Passes.h.inc"

using namespace stablehlo;

namespace {

using Ints = llvm::SmallVector<int64_t>;

/// The elements starts, starts + strides, .. below limits, dim by dim.
struct Cut {
  Ints starts, limits, strides;

  static Cut of(SliceOp slice) {
    return {Ints(slice.getStartIndices()), Ints(slice.getLimitIndices()), Ints(slice.getStrides())};
  }
  static Cut whole(llvm::ArrayRef<int64_t> shape) {
    return {Ints(shape.size(), 0), Ints(shape), Ints(shape.size(), 1)};
  }
  int64_t sizeOf(size_t d) const { return (limits[d] - starts[d] + strides[d] - 1) / strides[d]; }
  bool isEmpty() const {
    return llvm::any_of(llvm::seq(starts.size()), [&](size_t d) { return sizeOf(d) == 0; });
  }
  bool isWhole(llvm::ArrayRef<int64_t> shape) const {
    for (size_t d = 0; d < shape.size(); ++d)
      if (starts[d] != 0 || strides[d] != 1 || limits[d] != shape[d])
        return false;
    return true;
  }
};

mlir::RankedTensorType typeOf(mlir::Value value) {
  return llvm::cast<mlir::RankedTensorType>(value.getType());
}

bool isStatic(mlir::Value value) {
  auto type = llvm::dyn_cast<mlir::RankedTensorType>(value.getType());
  return type && type.hasStaticShape();
}

mlir::Value cutFrom(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value,
                    const Cut &cut) {
  if (cut.isWhole(typeOf(value).getShape()))
    return value;
  Ints shape;
  for (size_t d = 0; d < cut.starts.size(); ++d)
    shape.push_back(cut.sizeOf(d));
  return SliceOp::create(builder, loc, typeOf(value).clone(shape), value, cut.starts, cut.limits,
                         cut.strides);
}

/// A slice of a slice.
Cut composed(SliceOp inner, const Cut &outer) {
  Cut cut = Cut::of(inner);
  for (size_t d = 0; d < cut.starts.size(); ++d) {
    cut.starts[d] += outer.starts[d] * cut.strides[d];
    cut.strides[d] *= outer.strides[d];
    cut.limits[d] = cut.starts[d] + (outer.sizeOf(d) - 1) * cut.strides[d] + 1;
  }
  return cut;
}

/// A slice of a pad: one of the operand, and what is padded then; less than nothing where an edge
/// of the operand goes.
struct PaddedCut {
  Cut cut;
  Ints low, high, interior;

  static std::optional<PaddedCut> of(PadOp pad, const Cut &outer) {
    llvm::ArrayRef<int64_t> from = typeOf(pad.getOperand()).getShape(),
                            to = typeOf(pad.getResult()).getShape();
    PaddedCut all{Cut::whole(from), Ints(pad.getEdgePaddingLow()), Ints(pad.getEdgePaddingHigh()),
                  Ints(pad.getInteriorPadding())};
    for (size_t d = 0; d < from.size(); ++d)
      if (!all.takeDim(d, from[d], to[d], outer))
        return std::nullopt;
    return all;
  }

  bool padsNothing() const {
    return llvm::all_of(low, isZero) && llvm::all_of(high, isZero) &&
           llvm::all_of(interior, isZero);
  }

private:
  static bool isZero(int64_t size) { return size == 0; }

  void keepSlice(size_t d, const Cut &outer, int64_t shift) {
    cut.starts[d] = outer.starts[d] + shift;
    cut.limits[d] = outer.limits[d] + shift;
    cut.strides[d] = outer.strides[d];
    low[d] = high[d] = 0;
  }

  bool takeDim(size_t d, int64_t from, int64_t to, const Cut &outer) {
    if (outer.starts[d] == 0 && outer.limits[d] == to && outer.strides[d] == 1)
      return true;
    if (interior[d] != 0)
      return false;
    int64_t newLow = low[d] - outer.starts[d], newHigh = high[d] - (to - outer.limits[d]);
    if (newLow <= 0 && newHigh <= 0) {
      keepSlice(d, outer, -low[d]);
      return true;
    }
    // Of an operand that goes as a whole, padding alone would be left.
    if (outer.strides[d] != 1 || -newLow >= from || -newHigh >= from)
      return false;
    low[d] = newLow;
    high[d] = newHigh;
    return true;
  }
};

class Composer {
public:
  explicit Composer(mlir::ModuleOp module) {
    forEachOp(module, [&](mlir::Operation *op) {
      if (op->use_empty())
        return;
      if (llvm::isa<SliceOp, PadOp, ConcatenateOp, ReshapeOp, ReverseOp>(op))
        ops.push_back(op);
      else if (llvm::isa<TransposeOp>(op))
        transposes.push_back(op);
    });
    budget = 4 * ops.size() + 16;
  }

  /// What is cut comes behind what it is cut from, so that one walk from the end sees to all.
  /// Returns whether some reshape merges dims that were swapped.
  bool run() {
    // Each has at most one before it, as those in front of it are seen to: linear.
    for (mlir::Operation *op : transposes)
      simplify(op);
    bool isAnySwapped = false;
    for (mlir::Operation *op : llvm::reverse(ops)) {
      if (isLeft(op)) {
        op->erase();
        continue;
      }
      if (simplify(op))
        continue;
      if (auto reshape = llvm::dyn_cast<ReshapeOp>(op))
        isAnySwapped |= mergesSwapped(reshape);
      else if (llvm::isa<SliceOp, PadOp, ConcatenateOp>(op) && isOnlyCut(op))
        compose(op);
    }
    return isAnySwapped;
  }

private:
  static bool isPlain(mlir::Operation *op) {
    return op->getDiscardableAttrDictionary().empty() &&
           !llvm::isa<AsyncStartOp>(op->getParentOp()) && isStatic(op->getResult(0)) &&
           llvm::all_of(op->getOperands(), isStatic);
  }

  /// Whether those that read `op` read something else by now.
  static bool isLeft(mlir::Operation *op) { return op->use_empty() && isPlain(op); }

  /// Whether nobody sees the result of `op` but slices beside it.
  static bool isOnlyCut(mlir::Operation *op) {
    return isPlain(op) && !op->use_empty() && llvm::all_of(op->getUsers(), [&](auto *user) {
             return llvm::isa<SliceOp>(user) && user->getBlock() == op->getBlock();
           });
  }

  static void replace(mlir::Operation *op, mlir::Value by) {
    op->replaceAllUsesWith(mlir::ValueRange{by});
    op->erase();
  }

  /// Returns whether another value has replaced `op`.
  static bool simplify(mlir::Operation *op) {
    if (!isPlain(op))
      return false;
    if (auto slice = llvm::dyn_cast<SliceOp>(op))
      return simplify(slice);
    if (auto join = llvm::dyn_cast<ConcatenateOp>(op))
      return simplify(join);
    if (auto pad = llvm::dyn_cast<PadOp>(op); pad && padsNothing(pad)) {
      replace(pad, pad.getOperand());
      return true;
    }
    if (auto reshape = llvm::dyn_cast<ReshapeOp>(op))
      return simplify(reshape);
    if (auto transpose = llvm::dyn_cast<TransposeOp>(op))
      return simplify(transpose);
    if (auto reverse = llvm::dyn_cast<ReverseOp>(op); reverse && turnsNothing(reverse)) {
      replace(reverse, reverse.getOperand());
      return true;
    }
    return false;
  }

  static bool padsNothing(PadOp pad) {
    auto isZero = [](int64_t size) { return size == 0; };
    return llvm::all_of(pad.getEdgePaddingLow(), isZero) &&
           llvm::all_of(pad.getEdgePaddingHigh(), isZero) &&
           pad.getResult().getType() == pad.getOperand().getType();
  }

  /// Whether each dim that is turned round has one row.
  static bool turnsNothing(ReverseOp reverse) {
    return llvm::all_of(reverse.getDimensions(), [&](int64_t dim) {
      return typeOf(reverse.getOperand()).getDimSize(dim) == 1;
    });
  }

  /// Whether dims of one row are all that is swapped with others.
  static bool swapsNothing(TransposeOp transpose) {
    llvm::ArrayRef<int64_t> shape = typeOf(transpose.getOperand()).getShape();
    Ints moved;
    for (int64_t dim : transpose.getPermutation())
      if (shape[dim] != 1)
        moved.push_back(dim);
    return llvm::is_sorted(moved);
  }

  /// Transposes one after the other are one, or none: programs write a weight transposed, and that
  /// transposed for its gradient.
  static bool simplify(TransposeOp transpose) {
    while (auto inner = transpose.getOperand().getDefiningOp<TransposeOp>()) {
      if (!isPlain(inner))
        break;
      Ints dims;
      for (int64_t dim : transpose.getPermutation())
        dims.push_back(inner.getPermutation()[dim]);
      transpose.setPermutation(dims);
      transpose->setOperand(0, inner.getOperand());
    }
    if (!llvm::is_sorted(transpose.getPermutation()))
      return false;
    replace(transpose, transpose.getOperand());
    return true;
  }

  /// A slice of all is its operand; of nothing, nobody needs to send what nobody gets.
  static bool simplify(SliceOp slice) {
    mlir::RankedTensorType type = typeOf(slice.getResult());
    if (type == slice.getOperand().getType()) {
      replace(slice, slice.getOperand());
      return true;
    }
    if (type.getNumElements() > 0 || !type.getElementType().isIntOrFloat())
      return false;
    mlir::OpBuilder builder(slice);
    auto none = mlir::DenseElementsAttr::get(type, llvm::ArrayRef<mlir::Attribute>());
    replace(slice, ConstantOp::create(builder, slice.getLoc(), type, none)->getResult(0));
    return true;
  }

  /// Drops operands without a row.
  static bool simplify(ConcatenateOp join) {
    llvm::BitVector empty(join->getNumOperands());
    for (auto [i, operand] : llvm::enumerate(join->getOperands()))
      empty[i] = typeOf(operand).getDimSize(join.getDimension()) == 0;
    if (empty.any() && !empty.all())
      join->eraseOperands(empty);
    if (join->getNumOperands() > 1)
      return false;
    replace(join, join->getOperand(0));
    return true;
  }

  /// A reshape that takes back others is what they began with: also where that is a reshape itself,
  /// whose users would else have nothing in common with those of this one.
  static bool simplify(ReshapeOp reshape) {
    constexpr int mostSteps = 16;
    mlir::Value source = reshape.getOperand(), same;
    for (int i = 0; i < mostSteps; ++i) {
      mlir::Operation *maker = reshaping(source);
      if (!maker)
        break;
      source = maker->getOperand(0);
      if (source.getType() == reshape.getType())
        same = source;
    }
    if (!same)
      return false;
    replace(reshape, same);
    return true;
  }

  /// The op that makes `value`, if that does no more than give another shape.
  static mlir::Operation *reshaping(mlir::Value value) {
    mlir::Operation *maker = value.getDefiningOp();
    if (!maker || !llvm::isa<ReshapeOp, BroadcastInDimOp, TransposeOp, ReverseOp, SliceOp>(maker) ||
        !isPlain(maker))
      return nullptr;
    bool isReshape = true;
    if (auto broadcast = llvm::dyn_cast<BroadcastInDimOp>(maker))
      isReshape = llvm::is_sorted(broadcast.getBroadcastDimensions()) &&
                  typeOf(broadcast.getOperand()).getNumElements() == typeOf(value).getNumElements();
    else if (auto transpose = llvm::dyn_cast<TransposeOp>(maker))
      isReshape = swapsNothing(transpose);
    else if (auto reverse = llvm::dyn_cast<ReverseOp>(maker))
      isReshape = turnsNothing(reverse);
    else if (llvm::isa<SliceOp>(maker))
      isReshape = maker->getOperand(0).getType() == value.getType();
    return isReshape ? maker : nullptr;
  }

  void compose(mlir::Operation *op) {
    llvm::SmallVector<SliceOp> slices;
    for (mlir::Operation *user : op->getUsers())
      slices.push_back(llvm::cast<SliceOp>(user));
    // Of few rows, cut once, many pieces are cheaper than of all of them.
    if (llvm::isa<SliceOp>(op) && slices.size() > 1)
      return;
    if (!llvm::all_of(slices, [&](SliceOp slice) {
          return !sdy::getCustomRule(slice) && canRead(op, Cut::of(slice));
        }))
      return;
    for (SliceOp slice : slices) {
      mlir::OpBuilder builder(slice);
      mlir::Value value = read(builder, slice.getLoc(), op, Cut::of(slice));
      // An attribute needs an op of its own.
      if (!isPlain(slice) && !isNew(value, op))
        value = cutAll(builder, slice.getLoc(), value);
      if (!isPlain(slice))
        sdy::giveAttributes(value.getDefiningOp(), slice);
      replace(slice, value);
    }
    op->erase();
  }

  static bool isNew(mlir::Value value, mlir::Operation *op) {
    return !llvm::is_contained(op->getOperands(), value);
  }

  static mlir::Value cutAll(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value) {
    Cut all = Cut::whole(typeOf(value).getShape());
    return SliceOp::create(builder, loc, value.getType(), value, all.starts, all.limits,
                           all.strides);
  }

  /// Whether `cut` of the result can be had from the operands, and the program does not become long
  /// by it.
  bool canRead(mlir::Operation *op, const Cut &cut) {
    size_t numNew = 1 + op->getNumOperands();
    auto join = llvm::dyn_cast<ConcatenateOp>(op);
    auto pad = llvm::dyn_cast<PadOp>(op);
    if (cut.isEmpty() || (pad && !canReadPadded(pad, cut)) || (join && !canReadJoined(join, cut)))
      return false;
    if (numNew > budget)
      return false;
    budget -= numNew;
    return true;
  }

  /// What is also cut along a dim that is not padded would be split there once more.
  static bool canReadPadded(PadOp pad, const Cut &cut) {
    std::optional<PaddedCut> padded = PaddedCut::of(pad, cut);
    return padded &&
           (padded->padsNothing() || padded->cut.isWhole(typeOf(pad.getOperand()).getShape()));
  }

  /// Likewise, along another dim than is joined, unless one operand has all, or the cut is of that
  /// dim too.
  static bool canReadJoined(ConcatenateOp join, const Cut &cut) {
    size_t dim = join.getDimension();
    if (cut.strides[dim] != 1)
      return false;
    int64_t begin = 0, start = cut.starts[dim], limit = cut.limits[dim];
    for (mlir::Value operand : join->getOperands()) {
      int64_t end = begin + typeOf(operand).getDimSize(dim);
      if (begin <= start && limit <= end)
        return true;
      begin = end;
    }
    return limit - start < begin || cut.isWhole(typeOf(join.getResult()).getShape());
  }

  static mlir::Value read(mlir::OpBuilder &builder, mlir::Location loc, mlir::Operation *op,
                          const Cut &cut) {
    if (auto slice = llvm::dyn_cast<SliceOp>(op))
      return cutFrom(builder, loc, slice.getOperand(), composed(slice, cut));
    if (auto pad = llvm::dyn_cast<PadOp>(op))
      return readPadded(builder, loc, pad, *PaddedCut::of(pad, cut));
    return readJoined(builder, loc, llvm::cast<ConcatenateOp>(op), cut);
  }

  static mlir::Value readPadded(mlir::OpBuilder &builder, mlir::Location loc, PadOp pad,
                                const PaddedCut &cut) {
    mlir::Value value = cutFrom(builder, loc, pad.getOperand(), cut.cut);
    if (cut.padsNothing())
      return value;
    Ints shape(typeOf(value).getShape());
    for (size_t d = 0; d < shape.size(); ++d)
      shape[d] += cut.low[d] + cut.high[d] + std::max<int64_t>(0, shape[d] - 1) * cut.interior[d];
    return PadOp::create(builder, loc, typeOf(value).clone(shape), value, pad.getPaddingValue(),
                         cut.low, cut.high, cut.interior);
  }

  static mlir::Value readJoined(mlir::OpBuilder &builder, mlir::Location loc, ConcatenateOp join,
                                const Cut &cut) {
    size_t dim = join.getDimension();
    llvm::SmallVector<mlir::Value> pieces;
    int64_t begin = 0, size = 0;
    for (mlir::Value operand : join->getOperands()) {
      int64_t rows = typeOf(operand).getDimSize(dim);
      Cut piece = cut;
      piece.starts[dim] = std::max<int64_t>(0, cut.starts[dim] - begin);
      piece.limits[dim] = std::min(rows, cut.limits[dim] - begin);
      begin += rows;
      if (piece.starts[dim] >= piece.limits[dim])
        continue;
      pieces.push_back(cutFrom(builder, loc, operand, piece));
      size += piece.sizeOf(dim);
    }
    if (pieces.size() == 1)
      return pieces.front();
    Ints shape(typeOf(pieces.front()).getShape());
    shape[dim] = size;
    return ConcatenateOp::create(builder, loc, typeOf(pieces.front()).clone(shape), pieces,
                                 static_cast<uint64_t>(dim));
  }

  llvm::SmallVector<mlir::Operation *> ops, transposes; ///< In program order.
  size_t budget = 0;                                    ///< Of new ops.
};

struct ComposeSlicesPass : impl::ComposeSlicesPassBase<ComposeSlicesPass> {
  using ComposeSlicesPassBase::ComposeSlicesPassBase;
  void runOnOperation() override {
    joinPads(getOperation());
    bool isAnySwapped = Composer(getOperation()).run();
    CutSizes cut = cutSizes(getOperation());
    if (isAnySwapped || !cut.isEmpty())
      separateDims(getOperation(), cut);
  }
};

} // namespace
} // namespace spmd
