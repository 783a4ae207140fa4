// Which dims are products, value by value, and which of them are better apart.

#include "spmd/passes/slices/MergedDims.h"

#include "spmd/dialect/spmd/Walk.h"

namespace spmd {

using namespace stablehlo;

namespace {

/// Of ops between the reshape that makes a product and the last that shows it.
constexpr int deepest = 64;

/// What is merged is larger by so much than what moves if it is apart: a sum over the devices is
/// sent twice, and where both are as large, other things decide.
constexpr int64_t minGain = 3;

/// A sum that is scattered onto parts of dims is sent once, not twice, and can run behind other
/// work.
constexpr int64_t scatteredShare = 16;

/// Whether `value` can be shown in other dims: its type names none of them.
bool isPlain(mlir::Value value) {
  auto type = llvm::dyn_cast<mlir::RankedTensorType>(value.getType());
  return type && type.hasStaticShape() && !type.getEncoding() && type.getNumElements() > 0 &&
         (type.getElementType().isIntOrFloat() ||
          llvm::isa<mlir::ComplexType>(type.getElementType()));
}

int64_t bitsOf(mlir::Value value) {
  return typeOf(value).getNumElements() * elementBits(typeOf(value).getElementType());
}

/// Returns what `reshape` shows in other dims: some programs write each view of a value again.
mlir::Value sourceOf(ReshapeOp reshape) {
  mlir::Operation *view = reshape;
  for (int i = 0; i < deepest; ++i) {
    mlir::Operation *maker = view->getOperand(0).getDefiningOp();
    if (!llvm::isa_and_present<ReshapeOp, TransposeOp>(maker))
      break;
    view = maker;
  }
  return view->getOperand(0);
}

/// Whether a transpose right before `reshape` has swapped dims of its operand within `range`.
bool areSwapped(ReshapeOp reshape, const Range &range) {
  auto transpose = reshape.getOperand().getDefiningOp<TransposeOp>();
  if (!transpose)
    return false;
  llvm::ArrayRef<int64_t> sizes = typeOf(reshape.getOperand()).getShape();
  int64_t last = -1;
  for (auto [d, own] : llvm::enumerate(rangesOf(plainDims(sizes)))) {
    if (sizes[d] == 1 || !own.overlaps(range))
      continue;
    if (transpose.getPermutation()[d] < last)
      return true;
    last = transpose.getPermutation()[d];
  }
  return false;
}

} // namespace

bool mergesSwapped(ReshapeOp reshape) {
  if (!reshape.getOperand().getDefiningOp<TransposeOp>() || !isPlain(reshape.getOperand()) ||
      !isPlain(reshape.getResult()))
    return false;
  Dims dims =
      reshapedDims(typeOf(reshape.getOperand()).getShape(), typeOf(reshape.getResult()).getShape());
  return llvm::any_of(llvm::zip(dims, rangesOf(dims)), [&](auto pair) {
    auto &[dim, range] = pair;
    return dim.isProduct() && areSwapped(reshape, range);
  });
}

//===- The walk ----------------------------------------------------------===//

MergedDims::MergedDims(mlir::ModuleOp module, const CutSizes &cut) : cut(cut) {
  forEachOp(module, [&](mlir::Operation *op) { visit(op); });
  addWhatIsMergedAnew();
  choose();
}

void MergedDims::visit(mlir::Operation *op) {
  auto isAlone = [op] { return llvm::isa_and_present<AsyncStartOp>(op->getParentOp()); };
  if (auto reshape = llvm::dyn_cast<ReshapeOp>(op)) {
    if (!isAlone())
      visit(reshape);
    return;
  }
  if (!readers.contains(op) || op->getNumResults() != 1)
    return;
  int depth = -1;
  for (mlir::Value operand : op->getOperands())
    if (const Shown *known = shownBy(operand))
      depth = std::max(depth, known->depth);
  // An attribute may speak of dims: pins do.
  if (depth < 0 || depth == deepest || isAlone() || !op->getDiscardableAttrs().empty() ||
      !isPlain(op->getResult(0)))
    return;
  std::optional<Dims> dims = follow(op);
  if (!dims)
    return;
  followed.insert(op);
  if (hasProduct(*dims))
    show(op->getResult(0), {*std::move(dims), depth + 1});
}

void MergedDims::show(mlir::Value value, Shown dims) {
  shown[value] = std::move(dims);
  readers.insert(value.user_begin(), value.user_end());
}

void MergedDims::visit(ReshapeOp reshape) {
  // A rule says which dims it is of.
  if (!isPlain(reshape.getOperand()) || !isPlain(reshape.getResult()) ||
      reshape->hasAttr(sdy::shardingRuleName))
    return;
  const Shown *known = shownBy(reshape.getOperand());
  int depth = known ? known->depth + 1 : 0;
  Dims from = dimsOf(reshape.getOperand());
  llvm::ArrayRef<int64_t> sizes = typeOf(reshape.getResult()).getShape();
  llvm::SmallVector<Range, 4> cuts = rangesOf(plainDims(sizes));
  auto cutsThrough = [&](const Range &range) {
    return llvm::any_of(
        cuts, [&](const Range &cut) { return cut.begin > range.begin && cut.begin < range.end; });
  };
  for (auto [dim, range] : llvm::zip(from, rangesOf(from)))
    if (dim.isProduct() && cutsThrough(range)) {
      end(reshape, dim);
      followed.insert(reshape);
      depth = 0;
    }
  if (!reshape->getDiscardableAttrs().empty() || depth > deepest)
    return;
  Dims to = reshapedDims(flat(from), sizes);
  if (!hasProduct(to))
    return;
  noteGroups(reshape, from, to);
  followed.insert(reshape);
  show(reshape.getResult(), {std::move(to), depth});
}

/// Products that were some before are of their group; the others are made here.
void MergedDims::noteGroups(ReshapeOp reshape, const Dims &from, Dims &to) {
  llvm::SmallVector<Range, 4> before = rangesOf(from);
  for (auto [dim, range] : llvm::zip(to, rangesOf(to))) {
    if (!dim.isProduct())
      continue;
    dim.group = groups.size();
    groups.push_back({dim.group});
    bool isNew = true;
    for (auto [part, own] : llvm::zip(from, before))
      if (part.isProduct() && own.begin >= range.begin && own.end <= range.end) {
        unite(dim, part);
        isNew &= !(own == range);
      }
    Group &group = groups[find(dim.group)];
    group.isTorn |= areSwapped(reshape, range) || areCut(dim.sizes);
    if (!isNew)
      continue;
    auto [first, isFirst] = merged.try_emplace({sourceOf(reshape), range.begin}, dim);
    if (isFirst)
      group.mergedBits += bitsOf(reshape.getResult());
    else
      unite(dim, first->second); // What is gathered is gathered once.
  }
}

/// Whether pins cut a dim of `sizes` so that its devices do not hold rows of the product.
bool MergedDims::areCut(llvm::ArrayRef<int64_t> sizes) const {
  if (cut.uneven.count(sizes.front()) > 0)
    return true;
  return llvm::any_of(llvm::zip(sizes.drop_back(), sizes.drop_front()), [&](auto pair) {
    return cut.inner.count({std::get<0>(pair), std::get<1>(pair)}) > 0;
  });
}

void MergedDims::addWhatIsMergedAnew() {
  for (auto &[value, known] : shown)
    if (llvm::any_of(value.getUsers(), [&](auto *user) { return !followed.contains(user); }))
      for (const DimParts &dim : known.dims)
        if (dim.isProduct())
          groups[find(dim.group)].movedBits += bitsOf(value);
}

/// Leaves only the products that are better apart.
void MergedDims::choose() {
  auto isApart = [&](unsigned group) {
    const Group &known = groups[find(group)];
    return known.isTorn && known.mergedBits > minGain * known.movedBits;
  };
  for (auto [op, group] : allEnds)
    if (isApart(group) && (chosenEnds.empty() || chosenEnds.back() != op))
      chosenEnds.push_back(op);
  llvm::SmallVector<mlir::Value> plain;
  for (auto &[value, known] : shown) {
    for (DimParts &dim : known.dims)
      if (dim.isProduct() && !isApart(dim.group))
        dim.sizes = {dim.size()};
    if (!hasProduct(known.dims))
      plain.push_back(value);
  }
  for (mlir::Value value : plain)
    shown.erase(value);
}

void MergedDims::replace(mlir::Value from, mlir::Value to, mlir::Value base) {
  auto known = shown.find(from);
  if (known == shown.end())
    return;
  Shown moved = std::move(known->second);
  shown.erase(known);
  moved.base = base;
  shown[to] = std::move(moved);
}

//===- Groups ------------------------------------------------------------===//

unsigned MergedDims::find(unsigned group) {
  while (groups[group].parent != group)
    group = groups[group].parent = groups[groups[group].parent].parent;
  return group;
}

void MergedDims::unite(const DimParts &one, const DimParts &other) {
  unsigned left = find(one.group), right = find(other.group);
  if (left == right)
    return;
  Group &to = groups[std::min(left, right)], &from = groups[std::max(left, right)];
  from.parent = to.parent;
  to.isTorn |= from.isTorn;
  to.mergedBits += from.mergedBits;
  to.movedBits += from.movedBits;
}

void MergedDims::end(mlir::Operation *op, const DimParts &product) {
  allEnds.emplace_back(op, product.group);
  if (llvm::isa<ReshapeOp>(op))
    return;
  mlir::Value sum = op->getResult(0);
  groups[find(product.group)].movedBits +=
      cut.kept.take(sum, strategies) ? bitsOf(sum) / scatteredShare : bitsOf(sum);
}

//===- What ops make of products -----------------------------------------===//

/// Returns the dims of the result of `op`, nothing if it needs the products themselves.
std::optional<Dims> MergedDims::follow(mlir::Operation *op) {
  if (auto dot = llvm::dyn_cast<DotGeneralOp>(op))
    return follow(dot);
  if (auto reduce = llvm::dyn_cast<ReduceOp>(op))
    return follow(reduce);
  if (auto broadcast = llvm::dyn_cast<BroadcastInDimOp>(op))
    return follow(broadcast);
  if (auto norm = llvm::dyn_cast<BatchNormInferenceOp>(op))
    return follow(norm);
  auto transpose = llvm::dyn_cast<TransposeOp>(op);
  if (!transpose)
    return followElements(op);
  Dims from = dimsOf(transpose.getOperand()), dims;
  for (int64_t dim : transpose.getPermutation())
    dims.push_back(from[dim]);
  return dims;
}

Dims MergedDims::follow(BroadcastInDimOp broadcast) {
  Dims from = dimsOf(broadcast.getOperand());
  Dims dims = plainDims(typeOf(broadcast.getResult()).getShape());
  for (auto [k, dim] : llvm::enumerate(broadcast.getBroadcastDimensions()))
    if (from[k].isProduct())
      dims[dim] = from[k]; // Of several rows: none is repeated.
  return dims;
}

std::optional<Dims> MergedDims::follow(BatchNormInferenceOp norm) {
  Dims dims = dimsOf(norm.getOperand());
  DimParts &feature = dims[norm.getFeatureIndex()];
  mlir::ValueRange perFeature = norm->getOperands().drop_front();
  for (mlir::Value value : perFeature)
    if (DimParts own = dimsOf(value).front(); own.isProduct() && !feature.isProduct())
      feature = own;
  meet(norm.getOperand(), dims);
  for (mlir::Value value : perFeature)
    meet(value, {feature});
  return dims;
}

Dims MergedDims::follow(ReduceOp reduce) {
  Dims from = dimsOf(reduce->getOperand(0)), dims;
  for (auto [d, dim] : llvm::enumerate(from))
    if (!llvm::is_contained(reduce.getDimensions(), static_cast<int64_t>(d)))
      dims.push_back(dim);
    else if (dim.isProduct())
      end(reduce, dim);
  return dims;
}

Dims MergedDims::follow(DotGeneralOp dot) {
  DotDimensionNumbersAttr numbers = dot.getDotDimensionNumbers();
  Dims left = dimsOf(dot.getLhs()), right = dimsOf(dot.getRhs()), dims;
  // Dims that meet have the same parts, or are merged.
  auto meet = [&](int64_t l, int64_t r) {
    if (left[l].sizes == right[r].sizes) {
      if (left[l].isProduct())
        unite(left[l], right[r]);
      return left[l];
    }
    for (auto [operand, dim] : {std::pair(dot.getLhs(), left[l]), {dot.getRhs(), right[r]}})
      if (dim.isProduct())
        groups[find(dim.group)].movedBits += bitsOf(operand);
    return DimParts{{left[l].size()}};
  };
  for (auto [l, r] :
       llvm::zip(numbers.getLhsBatchingDimensions(), numbers.getRhsBatchingDimensions()))
    dims.push_back(meet(l, r));
  for (auto [l, r] :
       llvm::zip(numbers.getLhsContractingDimensions(), numbers.getRhsContractingDimensions()))
    if (DimParts dim = meet(l, r); dim.isProduct())
      end(dot, dim);
  auto appendFree = [&](const Dims &side, llvm::ArrayRef<int64_t> batch,
                        llvm::ArrayRef<int64_t> contracting) {
    for (auto [d, dim] : llvm::enumerate(side))
      if (!llvm::is_contained(batch, static_cast<int64_t>(d)) &&
          !llvm::is_contained(contracting, static_cast<int64_t>(d)))
        dims.push_back(dim);
  };
  appendFree(left, numbers.getLhsBatchingDimensions(), numbers.getLhsContractingDimensions());
  appendFree(right, numbers.getRhsBatchingDimensions(), numbers.getRhsContractingDimensions());
  return dims;
}

/// Whether `value` shows each of the products among `dims`, or is repeated along it.
bool MergedDims::fits(mlir::Value value, const Dims &dims) const {
  if (typeOf(value).getRank() == 0)
    return true;
  if (auto constant = value.getDefiningOp<ConstantOp>())
    return constant.getValue().isSplat() && constant->getDiscardableAttrs().empty();
  auto broadcast = value.getDefiningOp<BroadcastInDimOp>();
  // One that does not show what its operand does cannot be made of that.
  if (broadcast && (!broadcast->getDiscardableAttrs().empty() ||
                    (shownBy(broadcast.getOperand()) && !followed.contains(broadcast))))
    broadcast = nullptr;
  Dims own = dimsOf(value);
  return llvm::all_of(llvm::enumerate(dims), [&](auto each) {
    auto d = static_cast<int64_t>(each.index());
    return !each.value().isProduct() || own[d].sizes == each.value().sizes ||
           (broadcast && !llvm::is_contained(broadcast.getBroadcastDimensions(), d));
  });
}

std::optional<Dims> MergedDims::followElements(mlir::Operation *op) {
  if (!llvm::isa<StablehloDialect>(op->getDialect()) || op->getNumRegions() > 0 ||
      !isElementwise(op, strategies))
    return std::nullopt;
  Dims dims = plainDims(typeOf(op->getResult(0)).getShape());
  for (mlir::Value operand : op->getOperands())
    if (const Shown *known = shownBy(operand))
      for (auto [dim, own] : llvm::zip(dims, known->dims))
        if (own.isProduct() && !dim.isProduct())
          dim = own;
  for (mlir::Value operand : op->getOperands())
    meet(operand, dims);
  return dims;
}

/// `value` is wanted in the parts of `dims`: it is of their groups where it shows the same
/// products, and otherwise moves if they are apart.
void MergedDims::meet(mlir::Value value, const Dims &dims) {
  if (typeOf(value).getRank() == 0)
    return;
  bool isFit = fits(value, dims);
  for (auto [dim, own] : llvm::zip(dims, dimsOf(value))) {
    bool isAlike = dim.sizes == own.sizes;
    if (isAlike && own.isProduct())
      unite(dim, own);
    for (const DimParts &each : {dim, own})
      if (!isFit && !isAlike && each.isProduct())
        groups[find(each.group)].movedBits += bitsOf(value);
  }
}

} // namespace spmd
