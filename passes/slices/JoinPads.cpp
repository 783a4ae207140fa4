// The gradient of what is cut in pieces is written as a sum of the pieces' gradients, each padded
// with zeros to the whole:
//
//     pad a [0, 16) + pad b [16, 24) + pad c [24, 64)        concatenate a, b, c
//
// All of these are as large as the whole, and added element by element. Where the pieces are shares
// of sums, each would be reduced alone before it is padded, as padded shares are larger than the
// piece; joined, they are reduced together, and scattered where the whole is split.

#include "spmd/passes/slices/JoinPads.h"

#include "spmd/dialect/spmd/Walk.h"
#include "spmd/dialect/stablehlo/Dialect.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/DenseSet.h"

namespace spmd {

using namespace stablehlo;

namespace {

mlir::RankedTensorType typeOf(mlir::Value value) {
  return llvm::cast<mlir::RankedTensorType>(value.getType());
}

bool isPlain(mlir::Operation *op) {
  auto type = llvm::dyn_cast<mlir::RankedTensorType>(op->getResult(0).getType());
  return op->getDiscardableAttrDictionary().empty() &&
         !llvm::isa<AsyncStartOp>(op->getParentOp()) && type && type.hasStaticShape();
}

/// A sum whose result only the next sum beside it reads is a part of that.
bool isPart(AddOp add) {
  if (!isPlain(add) || !add->hasOneUse())
    return false;
  auto next = llvm::dyn_cast<AddOp>(*add->user_begin());
  return next && isPlain(next) && next->getBlock() == add->getBlock();
}

/// A piece among zeros: rows [begin, end) along one dim.
struct Piece {
  mlir::Value padded; ///< What the pad makes.
  mlir::Value piece;
  int64_t dim, begin, end;
  size_t number = 0; ///< Among the pieces of a sum.

  static std::optional<Piece> of(mlir::Value value) {
    auto pad = value.getDefiningOp<PadOp>();
    if (!pad || !isPlain(pad) || !pad->hasOneUse() || !isZero(pad.getPaddingValue()) ||
        !typeOf(pad.getOperand()).hasStaticShape())
      return std::nullopt;
    std::optional<Piece> found;
    llvm::ArrayRef<int64_t> from = typeOf(pad.getOperand()).getShape();
    for (size_t d = 0; d < from.size(); ++d) {
      int64_t low = pad.getEdgePaddingLow()[d], high = pad.getEdgePaddingHigh()[d];
      if (low < 0 || high < 0 || (pad.getInteriorPadding()[d] != 0 && from[d] > 1))
        return std::nullopt;
      if (low == 0 && high == 0)
        continue;
      if (found || from[d] == 0)
        return std::nullopt;
      found = {value, pad.getOperand(), static_cast<int64_t>(d), low, low + from[d], 0};
    }
    return found;
  }

private:
  static bool isZero(mlir::Value value) {
    mlir::Attribute constant;
    if (!mlir::matchPattern(value, mlir::m_Constant(&constant)))
      return false;
    auto elements = llvm::dyn_cast<mlir::SplatElementsAttr>(constant);
    if (!elements)
      return false;
    mlir::Type type = elements.getElementType();
    if (llvm::isa<mlir::FloatType>(type))
      return elements.getSplatValue<llvm::APFloat>().isZero();
    return llvm::isa<mlir::IntegerType>(type) && elements.getSplatValue<llvm::APInt>().isZero();
  }
};

/// One sum of several values, of which some are pieces.
class Sum {
public:
  explicit Sum(AddOp root) : root(root) {}

  void run() {
    collect();
    if (pieces.size() < 2)
      return;
    llvm::sort(pieces, [](const Piece &a, const Piece &b) {
      return std::tie(a.dim, a.begin, a.number) < std::tie(b.dim, b.begin, b.number);
    });
    for (size_t first = 0, last; first < pieces.size(); first = last) {
      last = first + 1;
      while (last < pieces.size() && pieces[last].dim == pieces[first].dim &&
             pieces[last].begin == pieces[last - 1].end)
        ++last;
      if (last - first > 1)
        join(llvm::ArrayRef(pieces).slice(first, last - first));
    }
    if (!instead.empty())
      addUp();
  }

private:
  void collect() {
    adds.push_back(root);
    for (size_t next = 0; next < adds.size(); ++next)
      for (mlir::Value operand : adds[next]->getOperands())
        if (auto inner = operand.getDefiningOp<AddOp>(); inner && isPart(inner))
          adds.push_back(inner);
        else if (std::optional<Piece> piece = Piece::of(operand)) {
          piece->number = pieces.size();
          pieces.push_back(*piece);
        }
  }

  /// Lets one value take the place of the first of pieces that stand one behind the other, and
  /// nothing that of the others.
  void join(llvm::ArrayRef<Piece> run) {
    mlir::OpBuilder builder(root);
    llvm::SmallVector<mlir::Value> operands;
    for (const Piece &piece : run)
      operands.push_back(piece.piece);
    int64_t dim = run.front().dim, begin = run.front().begin, end = run.back().end;
    mlir::RankedTensorType whole = typeOf(root.getResult());
    llvm::SmallVector<int64_t> shape(whole.getShape());
    shape[dim] = end - begin;
    mlir::Location loc = run.front().padded.getLoc();
    mlir::Value joined = ConcatenateOp::create(builder, loc, whole.clone(shape), operands,
                                               static_cast<uint64_t>(dim));
    if (joined.getType() != whole) {
      llvm::SmallVector<int64_t> low(shape.size(), 0), high(shape.size(), 0), none(shape.size(), 0);
      low[dim] = begin;
      high[dim] = whole.getDimSize(dim) - end;
      auto pad = run.front().padded.getDefiningOp<PadOp>();
      joined = PadOp::create(builder, loc, whole, joined, pad.getPaddingValue(), low, high, none);
    }
    for (const Piece &piece : run)
      instead[piece.padded] = nullptr;
    instead[run.front().padded] = joined;
  }

  /// Adds up what is left, right where the sum was: all of it is there by then.
  void addUp() {
    mlir::OpBuilder builder(root);
    // A part stands behind those that are parts of it.
    for (AddOp add : llvm::reverse(adds)) {
      mlir::Value lhs = left(add.getLhs()), rhs = left(add.getRhs());
      bool isSame = lhs == add.getLhs() && rhs == add.getRhs();
      instead[add.getResult()] = !lhs   ? rhs
                                 : !rhs ? lhs
                                 : isSame
                                     ? add.getResult()
                                     : AddOp::create(builder, add.getLoc(), lhs, rhs).getResult();
    }
    root.getResult().replaceAllUsesWith(instead[root.getResult()]);
    for (AddOp add : adds)
      if (add->use_empty())
        add->erase();
    for (const Piece &piece : pieces)
      if (mlir::Operation *pad = piece.padded.getDefiningOp(); pad->use_empty())
        pad->erase();
  }

  /// Returns what stands for `value` in the sum, null if nothing.
  mlir::Value left(mlir::Value value) const {
    auto found = instead.find(value);
    return found == instead.end() ? value : found->second;
  }

  AddOp root;
  llvm::SmallVector<AddOp> adds; ///< What reads one comes before it.
  llvm::SmallVector<Piece> pieces;
  llvm::DenseMap<mlir::Value, mlir::Value> instead;
};

} // namespace

/// Returns the sums that some of `pads` is added to, each once.
static llvm::SmallVector<AddOp> sumsOf(llvm::ArrayRef<PadOp> pads) {
  llvm::SmallVector<AddOp> sums;
  llvm::DenseSet<mlir::Operation *> seen;
  for (PadOp pad : pads) {
    auto add = pad->hasOneUse() ? llvm::dyn_cast<AddOp>(*pad->user_begin()) : AddOp();
    bool isNew = add && isPlain(add) && seen.insert(add).second;
    while (isNew && isPart(add)) {
      add = llvm::cast<AddOp>(*add->user_begin());
      isNew = seen.insert(add).second;
    }
    if (isNew)
      sums.push_back(add);
  }
  return sums;
}

void joinPads(mlir::ModuleOp module) {
  llvm::SmallVector<PadOp> pads;
  forEachOp(module, [&](mlir::Operation *op) {
    if (auto pad = llvm::dyn_cast<PadOp>(op))
      pads.push_back(pad);
  });
  if (pads.size() < 2)
    return;
  for (AddOp sum : sumsOf(pads))
    Sum(sum).run();
}

} // namespace spmd
