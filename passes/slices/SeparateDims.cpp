// Dims that are merged for an op that takes fewer, and cut again behind it, stay apart where they
// were swapped before: what came first lies inside of the merged dim then. Some attention layers
// put tokens before the batch, and see both as one list of rows:
//
//     x : [B, T, C] -> transpose [T, B, C] -> reshape [TB, C] -> dot with [C, D] -> reshape [T, B,
//     D] x : [B, T, C] -> transpose [T, B, C] -> dot with [C, D] -> [T, B, D]
//
// Of a merged dim only the major part can be split: a batch that is split would be gathered.

#include "spmd/passes/slices/SeparateDims.h"
#include "spmd/dialect/partitioning/Partitionable.h"
#include "spmd/dialect/stablehlo/Dialect.h"

#include "llvm/ADT/SetVector.h"

namespace spmd {

using namespace stablehlo;

namespace {

using Ints = llvm::SmallVector<int64_t, 4>;

/// Of each dim, the sizes of the dims that it is a product of, major first; of one that is no
/// product, its own.
using Parts = llvm::SmallVector<Ints, 4>;

bool isProduct(const Ints &dim) { return dim.size() > 1; }
bool hasProduct(const Parts &parts) { return llvm::any_of(parts, isProduct); }

Ints flat(const Parts &parts) {
  Ints sizes;
  for (const Ints &dim : parts)
    sizes.append(dim);
  return sizes;
}

/// Returns the place of the first part of each dim, where all parts are dims.
Ints places(const Parts &parts) {
  Ints first;
  int64_t place = 0;
  for (const Ints &dim : parts) {
    first.push_back(place);
    place += static_cast<int64_t>(dim.size());
  }
  return first;
}

/// Appends to `out` the dims that the parts of dim `d` become.
void appendDims(Ints &out, const Parts &parts, const Ints &first, int64_t d) {
  for (size_t k = 0; k < parts[d].size(); ++k)
    out.push_back(first[d] + static_cast<int64_t>(k));
}

/// Returns the products of the first sizes, but for what is 1.
Ints prefixProducts(llvm::ArrayRef<int64_t> sizes) {
  Ints products;
  int64_t product = 1;
  for (int64_t size : sizes)
    if (size != 1)
      products.push_back(product *= size);
  return products;
}

/// Returns the parts of dims `to` where the elements come from dims `from`, in the same order.
Parts partsOf(llvm::ArrayRef<int64_t> from, llvm::ArrayRef<int64_t> to) {
  Ints cuts = prefixProducts(from);
  Parts parts;
  int64_t begin = 1;
  for (int64_t size : to) {
    int64_t end = begin * size, last = begin;
    Ints dim;
    for (int64_t cut : cuts) {
      if (cut <= begin || cut >= end)
        continue;
      if (cut % last != 0 || end % cut != 0) {
        dim.clear();
        break;
      }
      dim.push_back(cut / last);
      last = cut;
    }
    if (dim.empty())
      dim.push_back(size);
    else
      dim.push_back(end / last);
    parts.push_back(std::move(dim));
    begin = end;
  }
  return parts;
}

/// Whether dims `to` of the same elements begin inside of a product.
bool cutsProduct(const Parts &parts, llvm::ArrayRef<int64_t> to) {
  Ints cuts = prefixProducts(to);
  int64_t product = 1;
  for (const Ints &dim : parts)
    for (size_t k = 0; k < dim.size(); ++k) {
      product *= dim[k];
      if (k + 1 < dim.size() && llvm::is_contained(cuts, product))
        return true;
    }
  return false;
}

mlir::RankedTensorType typeOf(mlir::Value value) {
  return llvm::cast<mlir::RankedTensorType>(value.getType());
}

/// Whether `value` can be shown in other dims: its type names none of them.
bool isPlain(mlir::Value value) {
  auto type = llvm::dyn_cast<mlir::RankedTensorType>(value.getType());
  return type && type.hasStaticShape() && !type.getEncoding() && type.getNumElements() > 0 &&
         (type.getElementType().isIntOrFloat() ||
          llvm::isa<mlir::ComplexType>(type.getElementType()));
}

class Separator {
public:
  explicit Separator(mlir::ModuleOp module) : module(module) {}

  void run() {
    module.walk([&](mlir::Operation *op) { visit(op); });
    for (mlir::Operation *each : llvm::reverse(replaced)) {
      for (mlir::Value operand : each->getOperands())
        if (auto *maker = operand.getDefiningOp();
            llvm::isa_and_present<ReshapeOp, BroadcastInDimOp, ConstantOp>(maker))
          left.insert(maker);
      left.remove(each);
      each->erase();
    }
    for (mlir::Operation *each : llvm::reverse(left.getArrayRef()))
      if (each->use_empty() && each->getDiscardableAttrs().empty())
        each->erase();
  }

private:
  /// A value that shows products of dims.
  struct Shown {
    Parts parts;
    int depth;        ///< Of ops behind the reshape that made the products.
    bool isWorth;     ///< Some were swapped before.
    mlir::Value base; ///< The same with all parts as dims; null if it is not made.
  };
  static constexpr int deepest = 64;

  const Shown *shownBy(mlir::Value value) const {
    auto found = shown.find(value);
    return found == shown.end() ? nullptr : &found->second;
  }
  Parts partsOfValue(mlir::Value value) const {
    if (const Shown *known = shownBy(value))
      return known->parts;
    Parts parts;
    for (int64_t size : typeOf(value).getShape())
      parts.push_back({size});
    return parts;
  }

  void visit(mlir::Operation *op) {
    if (llvm::isa_and_present<AsyncStartOp>(op->getParentOp()))
      return; // It has this one op.
    if (auto reshape = llvm::dyn_cast<ReshapeOp>(op))
      return visit(reshape);
    if (shown.empty() || op->getNumResults() != 1 ||
        llvm::none_of(op->getOperands(), [&](mlir::Value each) { return shownBy(each); }))
      return;
    // An attribute may speak of dims: pins do.
    if (!op->getDiscardableAttrs().empty() || !isPlain(op->getResult(0)))
      return;
    std::optional<Parts> parts = partsOfResult(op);
    if (!parts)
      return;
    int depth = 0;
    bool isWorth = false;
    for (mlir::Value operand : op->getOperands())
      if (const Shown *known = shownBy(operand)) {
        depth = std::max(depth, known->depth + 1);
        isWorth |= known->isWorth;
      }
    if (depth > deepest)
      return;
    bool ends = isWorth && endsProduct(op);
    if (hasProduct(*parts))
      shown[op->getResult(0)] = {*std::move(parts), depth, isWorth, nullptr};
    if (ends)
      separate(op);
  }

  void visit(ReshapeOp reshape) {
    if (!isPlain(reshape.getOperand()) || !isPlain(reshape.getResult()))
      return;
    llvm::ArrayRef<int64_t> to = typeOf(reshape.getResult()).getShape();
    int depth = 0;
    bool isWorth = mergesSwapped(reshape);
    if (const Shown *known = shownBy(reshape.getOperand())) {
      depth = known->depth + 1;
      isWorth |= known->isWorth;
      if (known->isWorth && cutsProduct(known->parts, to)) {
        reshape->setOperand(0, separated(reshape.getOperand()));
        depth = 0;
      }
    }
    bool isSame = reshape.getOperand().getType() == reshape.getType();
    if (!reshape->getDiscardableAttrs().empty() || depth > deepest)
      return;
    if (isSame) {
      mlir::Value operand = reshape.getOperand();
      reshape.getResult().replaceAllUsesWith(operand);
      return reshape->erase();
    }
    Parts parts = partsOf(flat(partsOfValue(reshape.getOperand())), to);
    if (hasProduct(parts))
      shown[reshape.getResult()] = {std::move(parts), depth, isWorth, nullptr};
  }

  //===- What ops make of products -----------------------------------------===//

  /// Returns the parts of the result of `op`, nothing if it needs the products themselves.
  std::optional<Parts> partsOfResult(mlir::Operation *op) {
    if (auto dot = llvm::dyn_cast<DotGeneralOp>(op))
      return partsOfResult(dot);
    if (auto transpose = llvm::dyn_cast<TransposeOp>(op)) {
      Parts from = partsOfValue(transpose.getOperand()), parts;
      for (int64_t dim : transpose.getPermutation())
        parts.push_back(from[dim]);
      return parts;
    }
    if (auto reduce = llvm::dyn_cast<ReduceOp>(op)) {
      Parts from = partsOfValue(reduce->getOperand(0)), parts;
      for (size_t d = 0; d < from.size(); ++d)
        if (!llvm::is_contained(reduce.getDimensions(), static_cast<int64_t>(d)))
          parts.push_back(from[d]);
      return parts;
    }
    if (auto broadcast = llvm::dyn_cast<BroadcastInDimOp>(op))
      return partsOfResult(broadcast);
    return partsOfElements(op);
  }

  std::optional<Parts> partsOfResult(BroadcastInDimOp broadcast) {
    Parts from = partsOfValue(broadcast.getOperand()), parts;
    for (int64_t size : typeOf(broadcast.getResult()).getShape())
      parts.push_back({size});
    for (auto [k, dim] : llvm::enumerate(broadcast.getBroadcastDimensions()))
      if (isProduct(from[k]))
        parts[dim] = from[k]; // Of several rows: none is repeated.
    return parts;
  }

  /// Whether dim `l` of the left and `r` of the right side can be met part by part.
  bool meet(DotGeneralOp dot, int64_t l, int64_t r) const {
    const Shown *left = shownBy(dot.getLhs()), *right = shownBy(dot.getRhs());
    return left && right && isProduct(left->parts[l]) && left->parts[l] == right->parts[r];
  }

  std::optional<Parts> partsOfResult(DotGeneralOp dot) {
    DotDimensionNumbersAttr dims = dot.getDotDimensionNumbers();
    Parts left = partsOfValue(dot.getLhs()), right = partsOfValue(dot.getRhs()), parts;
    for (auto [l, r] : llvm::zip(dims.getLhsBatchingDimensions(), dims.getRhsBatchingDimensions()))
      parts.push_back(meet(dot, l, r) ? left[l] : Ints{typeOf(dot.getLhs()).getDimSize(l)});
    appendFree(parts, left, dims.getLhsBatchingDimensions(), dims.getLhsContractingDimensions());
    appendFree(parts, right, dims.getRhsBatchingDimensions(), dims.getRhsContractingDimensions());
    return parts;
  }

  static void appendFree(Parts &parts, const Parts &side, llvm::ArrayRef<int64_t> batch,
                         llvm::ArrayRef<int64_t> contracting) {
    for (size_t d = 0; d < side.size(); ++d)
      if (auto dim = static_cast<int64_t>(d);
          !llvm::is_contained(batch, dim) && !llvm::is_contained(contracting, dim))
        parts.push_back(side[d]);
  }

  std::optional<Parts> partsOfElements(mlir::Operation *op) {
    if (!llvm::isa<StablehloDialect>(op->getDialect()) || op->getNumRegions() > 0 ||
        !isElementwise(op, strategies))
      return std::nullopt;
    auto first = llvm::find_if(op->getOperands(), [&](mlir::Value each) { return shownBy(each); });
    const Parts &parts = shownBy(*first)->parts;
    bool fits = llvm::all_of(op->getOperands(), [&](mlir::Value each) {
      const Shown *known = shownBy(each);
      return known ? known->parts == parts : canSpread(each, parts);
    });
    return fits ? std::optional(parts) : std::nullopt;
  }

  /// Whether a value is repeated along all dims that are products.
  static bool canSpread(mlir::Value value, const Parts &parts) {
    if (typeOf(value).getRank() == 0)
      return true;
    if (auto constant = value.getDefiningOp<ConstantOp>())
      return constant.getValue().isSplat() && constant->getDiscardableAttrs().empty();
    auto broadcast = value.getDefiningOp<BroadcastInDimOp>();
    return broadcast && broadcast->getDiscardableAttrs().empty() &&
           llvm::none_of(broadcast.getBroadcastDimensions(),
                         [&](int64_t dim) { return isProduct(parts[dim]); });
  }

  /// Whether `op` takes products that its result does not have.
  bool endsProduct(mlir::Operation *op) const {
    if (auto dot = llvm::dyn_cast<DotGeneralOp>(op)) {
      DotDimensionNumbersAttr dims = dot.getDotDimensionNumbers();
      return llvm::any_of(
          llvm::zip(dims.getLhsContractingDimensions(), dims.getRhsContractingDimensions()),
          [&](auto pair) { return meet(dot, std::get<0>(pair), std::get<1>(pair)); });
    }
    auto reduce = llvm::dyn_cast<ReduceOp>(op);
    const Shown *from = reduce ? shownBy(reduce->getOperand(0)) : nullptr;
    return from && llvm::any_of(reduce.getDimensions(),
                                [&](int64_t dim) { return isProduct(from->parts[dim]); });
  }

  //===- Ops on the parts --------------------------------------------------===//

  /// Returns what `value` shows, with all parts as dims.
  mlir::Value separated(mlir::Value value) {
    const Shown *known = shownBy(value);
    if (!known)
      return value;
    if (known->base)
      return known->base;
    if (auto reshape = value.getDefiningOp<ReshapeOp>()) {
      Ints sizes = flat(known->parts);
      mlir::OpBuilder builder(reshape);
      mlir::Value base = reshaped(builder, separated(reshape.getOperand()), sizes);
      return shown[value].base = base;
    }
    return separate(value.getDefiningOp());
  }

  mlir::Value reshaped(mlir::OpBuilder &builder, mlir::Value value, llvm::ArrayRef<int64_t> sizes) {
    if (typeOf(value).getShape() == sizes)
      return value;
    auto reshape = ReshapeOp::create(builder, value.getLoc(), typeOf(value).clone(sizes), value);
    left.insert(reshape);
    return reshape;
  }

  /// Replaces `op` by one on parts. Returns its result.
  mlir::Value separate(mlir::Operation *op) {
    mlir::Value result = op->getResult(0);
    Parts parts = partsOfValue(result);
    mlir::Value base = build(op, parts);
    mlir::OpBuilder builder(op);
    builder.setInsertionPointAfterValue(base);
    mlir::Value merged = reshaped(builder, base, typeOf(result).getShape());
    if (auto known = shown.find(result); known != shown.end()) {
      Shown moved = std::move(known->second);
      shown.erase(known);
      moved.base = base;
      shown[merged] = std::move(moved);
    }
    result.replaceAllUsesWith(merged);
    replaced.push_back(op);
    return base;
  }

  mlir::Value build(mlir::Operation *op, const Parts &parts) {
    if (auto dot = llvm::dyn_cast<DotGeneralOp>(op))
      return build(dot, parts);
    bool isOfElements = !llvm::isa<TransposeOp, ReduceOp, BroadcastInDimOp>(op);
    mlir::OpBuilder builder(op);
    llvm::SmallVector<mlir::Value> operands;
    for (mlir::Value operand : op->getOperands())
      if (shownBy(operand))
        operands.push_back(separated(operand));
      else
        operands.push_back(isOfElements && typeOf(operand).getRank() > 0
                               ? spread(builder, operand, parts)
                               : operand);
    Parts from = partsOfValue(op->getOperand(0));
    mlir::Operation *copy = builder.clone(*op);
    copy->setOperands(operands);
    mlir::Value result = copy->getResult(0);
    result.setType(typeOf(result).clone(flat(parts)));
    Ints firstFrom = places(from), dims;
    if (auto transpose = llvm::dyn_cast<TransposeOp>(copy)) {
      for (int64_t dim : transpose.getPermutation())
        appendDims(dims, from, firstFrom, dim);
      transpose.setPermutation(dims);
    } else if (auto reduce = llvm::dyn_cast<ReduceOp>(copy)) {
      for (int64_t dim : reduce.getDimensions())
        appendDims(dims, from, firstFrom, dim);
      reduce.setDimensions(dims);
    } else if (auto broadcast = llvm::dyn_cast<BroadcastInDimOp>(copy)) {
      Ints first = places(parts);
      for (int64_t dim : broadcast.getBroadcastDimensions())
        appendDims(dims, parts, first, dim);
      broadcast.setBroadcastDimensions(dims);
    }
    return result;
  }

  /// Returns what `canSpread` is true of, with all parts as dims.
  static mlir::Value spread(mlir::OpBuilder &builder, mlir::Value value, const Parts &parts) {
    mlir::RankedTensorType type = typeOf(value).clone(flat(parts));
    if (auto constant = value.getDefiningOp<ConstantOp>())
      return ConstantOp::create(
          builder, value.getLoc(), type,
          llvm::cast<mlir::SplatElementsAttr>(constant.getValue()).resizeSplat(type));
    auto broadcast = value.getDefiningOp<BroadcastInDimOp>();
    Ints first = places(parts), dims;
    for (int64_t dim : broadcast.getBroadcastDimensions())
      dims.push_back(first[dim]);
    return BroadcastInDimOp::create(builder, value.getLoc(), type, broadcast.getOperand(), dims);
  }

  mlir::Value build(DotGeneralOp dot, const Parts &parts) {
    DotDimensionNumbersAttr dims = dot.getDotDimensionNumbers();
    Parts left = partsOfValue(dot.getLhs()), right = partsOfValue(dot.getRhs());
    auto merge = [&](llvm::ArrayRef<int64_t> lhs, llvm::ArrayRef<int64_t> rhs) {
      for (auto [l, r] : llvm::zip(lhs, rhs))
        if (!meet(dot, l, r)) {
          left[l] = {typeOf(dot.getLhs()).getDimSize(l)};
          right[r] = {typeOf(dot.getRhs()).getDimSize(r)};
        }
    };
    merge(dims.getLhsBatchingDimensions(), dims.getRhsBatchingDimensions());
    merge(dims.getLhsContractingDimensions(), dims.getRhsContractingDimensions());
    auto all = [](const Parts &side, llvm::ArrayRef<int64_t> from) {
      Ints first = places(side), to;
      for (int64_t dim : from)
        appendDims(to, side, first, dim);
      return to;
    };
    auto numbers = DotDimensionNumbersAttr::get(
        dot.getContext(), all(left, dims.getLhsBatchingDimensions()),
        all(right, dims.getRhsBatchingDimensions()), all(left, dims.getLhsContractingDimensions()),
        all(right, dims.getRhsContractingDimensions()));
    mlir::Value lhs = separated(dot.getLhs()), rhs = separated(dot.getRhs());
    mlir::OpBuilder builder(dot);
    lhs = reshaped(builder, lhs, flat(left));
    rhs = reshaped(builder, rhs, flat(right));
    auto copy = llvm::cast<DotGeneralOp>(builder.clone(*dot));
    copy->setOperands({lhs, rhs});
    copy.setDotDimensionNumbersAttr(numbers);
    copy->getResult(0).setType(typeOf(dot.getResult()).clone(flat(parts)));
    return copy->getResult(0);
  }

  mlir::ModuleOp module;
  StrategyCache strategies;
  llvm::DenseMap<mlir::Value, Shown> shown;
  llvm::SetVector<mlir::Operation *> left; ///< In case that nobody uses them.
  std::vector<mlir::Operation *> replaced; ///< To be erased: `strategies` remembers some.
};

} // namespace

bool mergesSwapped(ReshapeOp reshape) {
  auto transpose = reshape.getOperand().getDefiningOp<TransposeOp>();
  if (!transpose || !isPlain(reshape.getOperand()) || !isPlain(reshape.getResult()))
    return false;
  llvm::ArrayRef<int64_t> from = typeOf(reshape.getOperand()).getShape();
  size_t d = 0; // Of the operand.
  for (const Ints &dim : partsOf(from, typeOf(reshape.getResult()).getShape())) {
    int64_t product = 1, size = 1, last = -1;
    for (int64_t part : dim)
      size *= part;
    while (d < from.size() && product < size) {
      product *= from[d];
      if (from[d] != 1) {
        if (isProduct(dim) && transpose.getPermutation()[d] < last)
          return true;
        last = transpose.getPermutation()[d];
      }
      ++d;
    }
  }
  return false;
}

void separateDims(mlir::ModuleOp module) { Separator(module).run(); }

} // namespace spmd
