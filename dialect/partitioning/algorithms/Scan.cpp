#include "spmd/dialect/partitioning/algorithms/Scan.h"

#include "spmd/dialect/partitioning/algorithms/Rows.h"
#include "spmd/dialect/partitioning/algorithms/Shards.h"
#include "spmd/dialect/stablehlo/Dialect.h"

namespace spmd {

using namespace stablehlo;

mlir::Value exclusiveScan(Localizer &localizer, mlir::Value total, int64_t dim,
                          absl::Span<const AxisRef> axes, ReductionKind kind, bool fromEnd) {
  mlir::OpBuilder &builder = localizer.builder;
  mlir::Location loc = localizer.op->getLoc();
  RowBuilder rows{builder, loc, localizer.positions, dim};
  auto type = llvm::cast<mlir::RankedTensorType>(total.getType());
  llvm::SmallVector<int64_t> shape(type.getShape()), reduced(type.getShape());
  shape[dim] = sizeOf(axes);
  reduced.erase(reduced.begin() + dim);
  mlir::Value totals = localizer.collectives.allGather(builder, loc, type.clone(shape), total, dim,
                                                       {&localizer.mesh, localizer.meshAttr, axes});

  mlir::Value place = localizer.positions.coordinate(localizer.mesh, axes);
  mlir::Value isBefore =
      fromEnd
          ? rows.rowsFrom(totals, localizer.positions.add(place, localizer.positions.constant(1)))
          : rows.rowsBelow(totals, place);
  mlir::Value identity =
      fillConstant(builder, loc, type.clone(llvm::ArrayRef<int64_t>{}), identityOf(kind));
  mlir::Value before = rows.select(isBefore, totals, rows.filled(totals, sizeOf(axes), identity));
  auto reduce =
      ReduceOp::create(builder, loc, mlir::TypeRange{type.clone(reduced)}, mlir::ValueRange{before},
                       mlir::ValueRange{identity}, builder.getDenseI64ArrayAttr({dim}));
  buildReducer(reduce.getBody(), loc, type.getElementType(), kind);
  return ReshapeOp::create(builder, loc, type, reduce->getResult(0));
}

} // namespace spmd
