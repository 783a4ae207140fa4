#include "spmd/dialect/partitioning/algorithms/Lines.h"

#include "spmd/dialect/partitioning/algorithms/Rows.h"
#include "spmd/dialect/stablehlo/Dialect.h"
#include "spmd/ir/sharding/Layout.h"

namespace spmd {

using namespace stablehlo;

static mlir::RankedTensorType typeOf(mlir::Value value) {
  return llvm::cast<mlir::RankedTensorType>(value.getType());
}

namespace {

class LineMapper {
public:
  LineMapper(Localizer &localizer, absl::Span<const AxisRef> axes)
      : localizer(localizer), builder(localizer.builder), loc(localizer.op->getLoc()), axes(axes),
        shards(sizeOf(axes)) {}

  mlir::Value run(mlir::Value local, int64_t dim, int64_t size, LineFunction compute) {
    mlir::Value lines = flatten(moveLast(local, dim));
    int64_t numLines = typeOf(lines).getDimSize(0);
    if (shards > 1)
      lines = rowsOf(1).slice(send(padTo(lines, 0, shards), 0, 1), 0, size);
    lines = compute(lines);
    if (shards > 1)
      lines = rowsOf(0).slice(send(padTo(lines, 1, shards), 1, 0), 0, numLines);
    return unflatten(lines, typeOf(local).getShape(), dim);
  }

private:
  RowBuilder rowsOf(int64_t dim) { return {builder, loc, localizer.positions, dim}; }

  /// Pads a dim to a multiple of `divisor`.
  mlir::Value padTo(mlir::Value value, int64_t dim, int64_t divisor) {
    int64_t size = typeOf(value).getDimSize(dim);
    return rowsOf(dim).pad(value, 0, shardSize(size, divisor) * divisor - size, 0, {});
  }

  mlir::Value send(mlir::Value value, int64_t splitDim, int64_t concatDim) {
    llvm::SmallVector<int64_t> shape(typeOf(value).getShape());
    shape[splitDim] /= shards;
    shape[concatDim] *= shards;
    return localizer.collectives.allToAll(builder, loc, typeOf(value).clone(shape), value, splitDim,
                                          concatDim, {&localizer.mesh, localizer.meshAttr, axes});
  }

  mlir::Value permute(mlir::Value value, llvm::ArrayRef<int64_t> order) {
    if (llvm::is_sorted(order))
      return value;
    llvm::SmallVector<int64_t> shape;
    for (int64_t d : order)
      shape.push_back(typeOf(value).getDimSize(d));
    return TransposeOp::create(builder, loc, typeOf(value).clone(shape), value, order);
  }

  mlir::Value moveLast(mlir::Value value, int64_t dim) {
    llvm::SmallVector<int64_t> order;
    for (int64_t d = 0; d < typeOf(value).getRank(); ++d)
      if (d != dim)
        order.push_back(d);
    order.push_back(dim);
    return permute(value, order);
  }

  mlir::Value reshape(mlir::Value value, llvm::ArrayRef<int64_t> shape) {
    if (typeOf(value).getShape() == shape)
      return value;
    return ReshapeOp::create(builder, loc, typeOf(value).clone(shape), value);
  }

  mlir::Value flatten(mlir::Value value) {
    int64_t numLines = 1;
    for (int64_t size : typeOf(value).getShape().drop_back())
      numLines *= size;
    return reshape(value, {numLines, typeOf(value).getShape().back()});
  }

  /// Returns lines as a tensor of `shape`, but for the length of dim `dim`, which is theirs.
  mlir::Value unflatten(mlir::Value lines, llvm::ArrayRef<int64_t> shape, int64_t dim) {
    llvm::SmallVector<int64_t> moved, order;
    for (int64_t d = 0; d < static_cast<int64_t>(shape.size()); ++d) {
      if (d != dim)
        moved.push_back(shape[d]);
      order.push_back(d < dim ? d : d == dim ? static_cast<int64_t>(shape.size()) - 1 : d - 1);
    }
    moved.push_back(typeOf(lines).getDimSize(1));
    return permute(reshape(lines, moved), order);
  }

  Localizer &localizer;
  mlir::OpBuilder &builder;
  mlir::Location loc;
  absl::Span<const AxisRef> axes;
  int64_t shards;
};

} // namespace

mlir::Value mapLines(Localizer &localizer, mlir::Value local, int64_t dim, int64_t size,
                     absl::Span<const AxisRef> axes, LineFunction compute) {
  return LineMapper(localizer, axes).run(local, dim, size, compute);
}

} // namespace spmd
