// Index vectors of which a component counts a dim of the indices themselves, as frameworks write
// picks of one element in each row:
//
//     rows = iota : 64x1x1, dim 0
//     at   = concatenate rows, columns : 64x1x2
//     gather x : 64x8 at `at`, an index is (row, column)
//
// Row i of the indices reads row i of the operand: both are one batch dim, along which nothing
// moves however it is split. As a component of the index it could be any row.

#include "spmd/dialect/partitioning/Partitionable.h"
#include "spmd/dialect/partitioning/algorithms/Shards.h"
#include "spmd/dialect/sdy/Replacing.h"
#include "spmd/dialect/spmd/Walk.h"
#include "spmd/dialect/stablehlo/Dialect.h"
#include "spmd/passes/legalize/Legalize.h"

namespace spmd::legalize {

using namespace stablehlo;
using mlir::Value;

namespace {

using Ints = llvm::SmallVector<int64_t>;
using Dim = std::optional<int64_t>;

llvm::ArrayRef<int64_t> shapeOf(Value value) { return tensorTypeOf(value).getShape(); }

Dim countedDim(Value value);

/// Integers 0, 1, .. below `count` keep their values in `type`.
bool holdsCount(mlir::Type type, int64_t count) {
  auto integer = llvm::dyn_cast<mlir::IntegerType>(type);
  if (!integer)
    return false;
  unsigned bits = integer.getWidth() - !integer.isUnsigned();
  return bits >= 63 || count <= (int64_t(1) << bits);
}

/// A dim of size above 1 of the operand stays one dim of the result.
Dim throughReshape(ReshapeOp op, Dim dim) {
  llvm::ArrayRef<int64_t> from = shapeOf(op.getOperand()), to = shapeOf(op.getResult());
  auto product = [](llvm::ArrayRef<int64_t> sizes) {
    int64_t product = 1;
    for (int64_t size : sizes)
      product *= size;
    return product;
  };
  int64_t outer = product(from.take_front(*dim)), passed = 1;
  for (auto [d, size] : llvm::enumerate(to)) {
    if (passed == outer && size == from[*dim])
      return static_cast<int64_t>(d);
    passed *= size;
  }
  return std::nullopt;
}

/// `select(x < 0, .., x)`, as indices that may count from the end are brought in range.
Dim ofNonNegative(SelectOp op) {
  auto compare = op.getPred().getDefiningOp<CompareOp>();
  bool isOfSigns = compare && compare.getComparisonDirection() == ComparisonDirection::LT &&
                   compare.getLhs() == op.getOnFalse();
  if (!isOfSigns)
    return std::nullopt;
  Value bound = compare.getRhs();
  if (auto spread = bound.getDefiningOp<BroadcastInDimOp>())
    bound = spread.getOperand();
  return isFilledWith(bound, FillValue::zero) ? countedDim(op.getOnFalse()) : std::nullopt;
}

/// Returns the dim, of a size above 1, along which each element of `value` is its own index, if one
/// is.
Dim countedDim(Value value) {
  llvm::ArrayRef<int64_t> shape = shapeOf(value);
  mlir::Type element = tensorTypeOf(value).getElementType();
  mlir::Operation *op = value.getDefiningOp();
  Dim dim;
  if (auto iota = llvm::dyn_cast_or_null<IotaOp>(op)) {
    dim = static_cast<int64_t>(iota.getIotaDimension());
  } else if (auto select = llvm::dyn_cast_or_null<SelectOp>(op)) {
    dim = ofNonNegative(select);
  } else if (llvm::isa_and_nonnull<ConvertOp, BroadcastInDimOp, ReshapeOp, TransposeOp>(op)) {
    dim = countedDim(op->getOperand(0));
    if (!dim)
      return std::nullopt;
    int64_t size = shapeOf(op->getOperand(0))[*dim];
    if (auto reshape = llvm::dyn_cast<ReshapeOp>(op))
      dim = throughReshape(reshape, dim);
    else if (auto broadcast = llvm::dyn_cast<BroadcastInDimOp>(op))
      dim = broadcast.getBroadcastDimensions()[*dim];
    else if (auto transpose = llvm::dyn_cast<TransposeOp>(op))
      dim = llvm::find(transpose.getPermutation(), *dim) - transpose.getPermutation().begin();
    if (dim && shape[*dim] != size)
      return std::nullopt;
  }
  bool isCounted = dim && shape[*dim] > 1 && holdsCount(element, shape[*dim]);
  return isCounted ? dim : std::nullopt;
}

/// Index vectors along `vectorDim` of `indices`, and the dims of the operand that they index.
struct IndexVectors {
  Value indices;
  int64_t vectorDim;
  Ints indexed;         ///< By component.
  Ints single;          ///< Dims of the operand of which an index takes one row.
  Ints operandBatch;    ///< In order.
  Ints indicesBatch;    ///< By the above.
  int64_t numBatch = 0; ///< Components that became batch dims.

  /// Makes batch dims of the components that count; returns whether there is one. Other components
  /// stay, at least one.
  bool separate(llvm::ArrayRef<int64_t> operandShape) {
    auto joined = indices.getDefiningOp<ConcatenateOp>();
    bool isJoined = joined && static_cast<int64_t>(joined.getDimension()) == vectorDim;
    if (!isJoined)
      return false;
    llvm::SmallVector<Value> rest;
    Ints restIndexed;
    for (Value part : joined.getInputs()) {
      int64_t count = shapeOf(part)[vectorDim], first = restIndexed.size() + numBatch;
      Dim along = count == 1 ? countedDim(part) : std::nullopt;
      if (along && canBatch(indexed[first], *along, operandShape)) {
        addBatch(indexed[first], *along);
        continue;
      }
      rest.push_back(part);
      restIndexed.append(indexed.begin() + first, indexed.begin() + first + count);
    }
    if (numBatch == 0 || rest.empty())
      return false;
    mlir::OpBuilder builder(joined);
    if (rest.size() == 1)
      indices = rest.front();
    else {
      Ints shape(shapeOf(indices));
      shape[vectorDim] = restIndexed.size();
      indices = ConcatenateOp::create(builder, joined.getLoc(), tensorTypeOf(indices).clone(shape),
                                      rest, vectorDim);
    }
    indexed = restIndexed;
    return true;
  }

  bool canBatch(int64_t dim, int64_t along, llvm::ArrayRef<int64_t> operandShape) const {
    return along != vectorDim && llvm::is_contained(single, dim) &&
           operandShape[dim] == shapeOf(indices)[along] && !llvm::is_contained(indicesBatch, along);
  }

  void addBatch(int64_t dim, int64_t along) {
    single.erase(llvm::find(single, dim));
    auto at = llvm::lower_bound(operandBatch, dim) - operandBatch.begin();
    operandBatch.insert(operandBatch.begin() + at, dim);
    indicesBatch.insert(indicesBatch.begin() + at, along);
    ++numBatch;
  }
};

void separate(GatherOp op) {
  GatherDimensionNumbersAttr dims = op.getDimensionNumbers();
  IndexVectors vectors{op.getStartIndices(),
                       dims.getIndexVectorDim(),
                       Ints(dims.getStartIndexMap()),
                       Ints(dims.getCollapsedSliceDims()),
                       Ints(dims.getOperandBatchingDims()),
                       Ints(dims.getStartIndicesBatchingDims())};
  if (!vectors.separate(shapeOf(op.getOperand())))
    return;
  op.getStartIndicesMutable().assign(vectors.indices);
  op.setDimensionNumbersAttr(GatherDimensionNumbersAttr::get(
      op.getContext(), dims.getOffsetDims(), vectors.single, vectors.operandBatch,
      vectors.indicesBatch, vectors.indexed, vectors.vectorDim));
  op.setIndicesAreSorted(false); // They may have been in order by the rows alone.
}

void separate(ScatterOp op) {
  ScatterDimensionNumbersAttr dims = op.getScatterDimensionNumbers();
  IndexVectors vectors{op.getScatterIndices(),
                       dims.getIndexVectorDim(),
                       Ints(dims.getScatterDimsToOperandDims()),
                       Ints(dims.getInsertedWindowDims()),
                       Ints(dims.getInputBatchingDims()),
                       Ints(dims.getScatterIndicesBatchingDims())};
  if (!vectors.separate(shapeOf(op.getInputs().front())))
    return;
  op.getScatterIndicesMutable().assign(vectors.indices);
  op.setScatterDimensionNumbersAttr(ScatterDimensionNumbersAttr::get(
      op.getContext(), dims.getUpdateWindowDims(), vectors.single, vectors.operandBatch,
      vectors.indicesBatch, vectors.indexed, vectors.vectorDim));
  op.setIndicesAreSorted(false);
}

bool isStatic(mlir::Operation *op) {
  return llvm::all_of(op->getOperandTypes(), [](mlir::Type type) {
    auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(type);
    return tensor && tensor.hasStaticShape();
  });
}

} // namespace

void separateCountedIndices(mlir::ModuleOp module) {
  forEachOp(module, [](mlir::Operation *op) {
    if (!llvm::isa<GatherOp, ScatterOp>(op) || !isStatic(op) || sdy::getCustomRule(op))
      return;
    if (auto gather = llvm::dyn_cast<GatherOp>(op))
      separate(gather);
    else
      separate(llvm::cast<ScatterOp>(op));
  });
}

} // namespace spmd::legalize
