#include "spmd/passes/weights/DimChange.h"

#include "mlir/IR/Matchers.h"

namespace spmd {

using namespace stablehlo;

namespace {

using Dims = llvm::SmallVector<int64_t>;

mlir::RankedTensorType tensorOf(mlir::Value value) {
  return llvm::cast<mlir::RankedTensorType>(value.getType());
}

/// The dims of one operand of a product, by what becomes of them.
struct ProductDims {
  llvm::ArrayRef<int64_t> batching, summed;
  int64_t rank;

  static ProductDims of(DotGeneralOp dot, unsigned operand) {
    DotDimensionNumbersAttr dims = dot.getDotDimensionNumbers();
    int64_t rank = tensorOf(dot->getOperand(operand)).getRank();
    return operand == 0 ? ProductDims{dims.getLhsBatchingDimensions(),
                                      dims.getLhsContractingDimensions(), rank}
                        : ProductDims{dims.getRhsBatchingDimensions(),
                                      dims.getRhsContractingDimensions(), rank};
  }
  /// Those that the result has, in its order.
  Dims free() const {
    Dims found;
    for (int64_t d = 0; d < rank; ++d)
      if (!llvm::is_contained(batching, d) && !llvm::is_contained(summed, d))
        found.push_back(d);
    return found;
  }
};

/// Of the dims of a product's result, the first that the operand has for itself.
int64_t firstFree(DotGeneralOp dot, unsigned operand) {
  ProductDims lhs = ProductDims::of(dot, 0);
  return lhs.batching.size() + (operand == 0 ? 0 : lhs.free().size());
}

/// Returns the dim of the one shape that stands alone for dim `dim` of the other.
std::optional<int64_t> reshapedDim(llvm::ArrayRef<int64_t> from, int64_t dim,
                                   llvm::ArrayRef<int64_t> to) {
  int64_t before = 1, passed = 1;
  for (int64_t d = 0; d < dim; ++d)
    before *= from[d];
  for (auto [d, size] : llvm::enumerate(to)) {
    if (passed == before && size == from[dim])
      return d;
    passed *= size;
  }
  return std::nullopt;
}

} // namespace

llvm::SmallVector<int64_t> DimChange::placesOf(llvm::ArrayRef<int64_t> dims,
                                               int64_t changed) const {
  Dims places;
  for (int64_t dim : dims)
    for (int64_t i = 0, e = dim == changed ? sizes.size() : 1; i < e; ++i)
      places.push_back(placeOf(dim, changed) + i);
  return places;
}

std::optional<MeshSharding> DimChanger::layoutOf(mlir::Value value, int64_t dim) const {
  ValueSharding sharding = shardingOf(value);
  const MeshSharding *now = sharding ? codec.decode(sharding.attr) : nullptr;
  if (!now || now->mesh != change.mesh || !now->sharding.unreduced.empty() ||
      now->sharding.rank() != tensorOf(value).getRank())
    return std::nullopt;
  MeshSharding then = *now;
  std::vector<DimSharding> &dims = then.sharding.dims;
  dims.erase(dims.begin() + dim);
  dims.insert(dims.begin() + dim, change.shardings.begin(), change.shardings.end());
  then.sharding.replicated.clear();
  return verify(codec.mesh(then.mesh), then.sharding, typeOf(value, dim).getShape()).ok()
             ? std::optional(std::move(then))
             : std::nullopt;
}

std::optional<llvm::SmallVector<OperandDim>> DimChanger::operandDims(mlir::Operation *op,
                                                                     int64_t dim) const {
  llvm::SmallVector<OperandDim> found;
  if (auto transpose = llvm::dyn_cast<TransposeOp>(op))
    return {{{0, transpose.getPermutation()[dim]}}};
  if (auto broadcast = llvm::dyn_cast<BroadcastInDimOp>(op)) {
    for (auto [d, target] : llvm::enumerate(broadcast.getBroadcastDimensions()))
      if (target == dim && tensorOf(broadcast.getOperand()).getDimSize(d) != 1)
        found.push_back({0, static_cast<int64_t>(d)});
    return found;
  }
  if (auto reshape = llvm::dyn_cast<ReshapeOp>(op)) {
    std::optional<int64_t> source = reshapedDim(tensorOf(reshape.getResult()).getShape(), dim,
                                                tensorOf(reshape.getOperand()).getShape());
    if (!source)
      return std::nullopt;
    return {{{0, *source}}};
  }
  if (auto dot = llvm::dyn_cast<DotGeneralOp>(op)) {
    for (unsigned operand : {1u, 0u})
      if (int64_t first = firstFree(dot, operand); dim >= first)
        return {{{operand, ProductDims::of(dot, operand).free()[dim - first]}}};
    return std::nullopt;
  }
  if (!isElementwise(op, strategies))
    return std::nullopt;
  for (unsigned i = 0; i < op->getNumOperands(); ++i)
    found.push_back({i, dim});
  return found;
}

std::optional<int64_t> DimChanger::resultDim(mlir::OpOperand &use, int64_t dim) const {
  mlir::Operation *op = use.getOwner();
  if (auto transpose = llvm::dyn_cast<TransposeOp>(op))
    return llvm::find(transpose.getPermutation(), dim) - transpose.getPermutation().begin();
  if (auto reshape = llvm::dyn_cast<ReshapeOp>(op))
    return reshapedDim(tensorOf(use.get()).getShape(), dim,
                       tensorOf(reshape.getResult()).getShape());
  if (auto reduce = llvm::dyn_cast<ReduceOp>(op)) {
    if (use.getOperandNumber() != 0 || reduce.getInputs().size() != 1 ||
        llvm::is_contained(reduce.getDimensions(), dim))
      return std::nullopt;
    return dim - llvm::count_if(reduce.getDimensions(), [&](int64_t d) { return d < dim; });
  }
  if (auto dot = llvm::dyn_cast<DotGeneralOp>(op)) {
    unsigned operand = use.getOperandNumber();
    Dims free = ProductDims::of(dot, operand).free();
    auto place = llvm::find(free, dim);
    if (place == free.end() || dot.getLhs() == dot.getRhs())
      return std::nullopt;
    return firstFree(dot, operand) + (place - free.begin());
  }
  return op->getNumOperands() == 1 && isElementwise(op, strategies) ? std::optional(dim)
                                                                    : std::nullopt;
}

std::optional<int64_t> DimChanger::summedWith(mlir::OpOperand &use, int64_t dim) {
  auto dot = llvm::dyn_cast<DotGeneralOp>(use.getOwner());
  if (!dot || dot.getLhs() == dot.getRhs())
    return std::nullopt;
  ProductDims own = ProductDims::of(dot, use.getOperandNumber());
  ProductDims other = ProductDims::of(dot, 1 - use.getOperandNumber());
  auto place = llvm::find(own.summed, dim);
  return place == own.summed.end() ? std::nullopt
                                   : std::optional(other.summed[place - own.summed.begin()]);
}

mlir::RankedTensorType DimChanger::typeOf(mlir::Value value, int64_t dim) const {
  mlir::RankedTensorType type = tensorOf(value);
  Dims shape(type.getShape());
  shape.erase(shape.begin() + dim);
  shape.insert(shape.begin() + dim, change.sizes.begin(), change.sizes.end());
  return type.clone(shape);
}

void DimChanger::setLayout(mlir::Operation *op, mlir::Value before, int64_t dim) const {
  setShardings(op, {{codec.encode(*layoutOf(before, dim)), ShardingState::inferred}});
}

mlir::Value DimChanger::apply(mlir::OpBuilder &builder, mlir::Value value, int64_t dim) const {
  mlir::RankedTensorType type = typeOf(value, dim);
  mlir::Location loc = value.getLoc();
  mlir::Operation *op;
  mlir::DenseElementsAttr constant;
  if (mlir::matchPattern(value, mlir::m_Constant(&constant)) && constant.isSplat()) {
    op = ConstantOp::create(builder, loc, constant.resizeSplat(type));
  } else if (change.start) {
    Dims starts(type.getRank(), 0), limits(type.getShape()), strides(type.getRank(), 1);
    starts[dim] = *change.start;
    limits[dim] += *change.start;
    op = SliceOp::create(builder, loc, type, value, starts, limits, strides);
  } else {
    op = ReshapeOp::create(builder, loc, type, value);
  }
  setLayout(op, value, dim);
  return op->getResult(0);
}

mlir::Value DimChanger::reshaped(mlir::OpBuilder &builder, mlir::Value value, mlir::Value whole,
                                 int64_t dim) const {
  mlir::RankedTensorType type = typeOf(whole, dim);
  if (value.getType() == type)
    return value;
  auto reshape = ReshapeOp::create(builder, whole.getLoc(), type, value);
  setLayout(reshape, whole, dim);
  return reshape;
}

mlir::Value DimChanger::remake(mlir::OpBuilder &builder, mlir::Operation *op, int64_t dim,
                               mlir::ValueRange operands) const {
  mlir::Operation *made = builder.clone(*op);
  made->setOperands(operands);
  mlir::Value before = op->getResult(0);
  made->getResult(0).setType(typeOf(before, dim));
  if (auto transpose = llvm::dyn_cast<TransposeOp>(made)) {
    llvm::ArrayRef<int64_t> order = llvm::cast<TransposeOp>(op).getPermutation();
    transpose.setPermutation(change.placesOf(order, order[dim]));
  } else if (auto broadcast = llvm::dyn_cast<BroadcastInDimOp>(made)) {
    Dims places;
    llvm::ArrayRef<int64_t> targets = llvm::cast<BroadcastInDimOp>(op).getBroadcastDimensions();
    for (auto [d, target] : llvm::enumerate(targets)) {
      bool isRepeated = tensorOf(op->getOperand(0)).getDimSize(d) == 1;
      places.append(isRepeated ? Dims{change.placeOf(target, dim)}
                               : change.placesOf({target}, dim));
    }
    broadcast.setBroadcastDimensions(places);
  } else if (auto reduce = llvm::dyn_cast<ReduceOp>(made)) {
    // Dim `dim` of the result is one of the operand with what is reduced in front of it.
    Dims kept;
    for (int64_t d = 0, e = tensorOf(op->getOperand(0)).getRank(); d < e; ++d)
      if (!llvm::is_contained(reduce.getDimensions(), d))
        kept.push_back(d);
    reduce.setDimensions(change.placesOf(reduce.getDimensions(), kept[dim]));
  } else if (auto dot = llvm::dyn_cast<DotGeneralOp>(made)) {
    OperandDim source = operandDims(op, dim)->front();
    setDimensions(dot, source.operand, source.dim, -1);
  }
  setLayout(made, before, dim);
  return made->getResult(0);
}

mlir::Value DimChanger::remakeSum(mlir::OpBuilder &builder, mlir::OpOperand &use, int64_t dim,
                                  mlir::Value changed, mlir::Value otherChanged) const {
  auto dot = llvm::cast<DotGeneralOp>(builder.clone(*use.getOwner()));
  unsigned operand = use.getOperandNumber();
  int64_t otherDim = *summedWith(use, dim);
  dot->setOperand(operand, changed);
  dot->setOperand(1 - operand, otherChanged);
  setDimensions(dot, operand, dim, otherDim);
  return dot.getResult();
}

void DimChanger::setDimensions(DotGeneralOp dot, unsigned operand, int64_t dim,
                               int64_t otherDim) const {
  DotDimensionNumbersAttr now = dot.getDotDimensionNumbers();
  int64_t lhs = operand == 0 ? dim : otherDim, rhs = operand == 0 ? otherDim : dim;
  auto places = [&](llvm::ArrayRef<int64_t> dims, int64_t changed) {
    return changed < 0 ? Dims(dims) : change.placesOf(dims, changed);
  };
  dot.setDotDimensionNumbersAttr(DotDimensionNumbersAttr::get(
      dot.getContext(), places(now.getLhsBatchingDimensions(), lhs),
      places(now.getRhsBatchingDimensions(), rhs), places(now.getLhsContractingDimensions(), lhs),
      places(now.getRhsContractingDimensions(), rhs)));
}

} // namespace spmd
