#include "spmd/passes/optimize/merge/Rows.h"

#include "spmd/dialect/stablehlo/Dialect.h"

namespace spmd {

using namespace stablehlo;

static mlir::RankedTensorType typeOf(mlir::Value value) {
  return llvm::cast<mlir::RankedTensorType>(value.getType());
}

static mlir::Value reshape(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value,
                           llvm::ArrayRef<int64_t> shape) {
  if (typeOf(value).getShape() == shape)
    return value;
  return ReshapeOp::create(builder, loc, typeOf(value).clone(shape), value);
}

/// Returns `value`, seen in `shape`, with dim `from` at place `to`. No op is made where only dims
/// of size 1 change places: the caller reshapes then.
static mlir::Value withDimAt(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value,
                             llvm::ArrayRef<int64_t> shape, int64_t from, int64_t to) {
  llvm::ArrayRef<int64_t> passed =
      from < to ? shape.slice(from + 1, to - from) : shape.slice(to, from - to);
  if (shape[from] == 1 || llvm::all_of(passed, [](int64_t size) { return size == 1; }))
    return value;
  llvm::SmallVector<int64_t> order =
      llvm::to_vector(llvm::seq<int64_t>(0, static_cast<int64_t>(shape.size())));
  llvm::SmallVector<int64_t> turned;
  order.erase(order.begin() + from);
  order.insert(order.begin() + to, from);
  for (int64_t dim : order)
    turned.push_back(shape[dim]);
  return TransposeOp::create(builder, loc, typeOf(value).clone(turned),
                             reshape(builder, loc, value, shape),
                             builder.getDenseI64ArrayAttr(order));
}

mlir::Value rowsOf(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value, int64_t dim,
                   int64_t count) {
  mlir::RankedTensorType type = typeOf(value);
  if (count != 1) {
    llvm::SmallVector<int64_t> cut(type.getShape());
    cut[dim] /= count;
    cut.insert(cut.begin() + dim, count);
    value = withDimAt(builder, loc, value, cut, dim, 0);
  }
  return reshape(builder, loc, value, {count, type.getNumElements() / count});
}

mlir::Value joinRows(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value rows, int64_t count,
                     llvm::ArrayRef<int64_t> shape, int64_t dim) {
  llvm::SmallVector<int64_t> whole(shape);
  if (count != 1) {
    llvm::SmallVector<int64_t> pieces{count};
    llvm::append_range(pieces, shape);
    rows = withDimAt(builder, loc, rows, pieces, 0, dim);
    whole[dim] *= count;
  }
  return reshape(builder, loc, rows, whole);
}

mlir::Value besideEachOther(mlir::OpBuilder &builder, mlir::Location loc,
                            llvm::ArrayRef<mlir::Value> matrices) {
  int64_t width = 0;
  for (mlir::Value matrix : matrices)
    width += typeOf(matrix).getDimSize(1);
  mlir::RankedTensorType type = typeOf(matrices.front());
  return ConcatenateOp::create(builder, loc, type.clone({type.getDimSize(0), width}), matrices,
                               builder.getI64IntegerAttr(1));
}

mlir::Value columnsOf(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value rows, int64_t first,
                      int64_t width) {
  int64_t height = typeOf(rows).getDimSize(0);
  return SliceOp::create(
      builder, loc, typeOf(rows).clone({height, width}), rows, llvm::ArrayRef<int64_t>{0, first},
      llvm::ArrayRef<int64_t>{height, first + width}, llvm::ArrayRef<int64_t>{1, 1});
}

} // namespace spmd
