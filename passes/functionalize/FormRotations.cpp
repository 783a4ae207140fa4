#include "spmd/passes/functionalize/FormRotations.h"

#include "spmd/dialect/sdy/Replacing.h"
#include "spmd/dialect/spmd/Rotate.h"
#include "spmd/dialect/spmd/ValueSharding.h"
#include "spmd/dialect/stablehlo/Dialect.h"

namespace spmd {

using namespace stablehlo;

namespace {

mlir::RankedTensorType typeOf(mlir::Operation *op) {
  return llvm::cast<mlir::RankedTensorType>(op->getResult(0).getType());
}

bool isStatic(SliceOp slice) {
  return typeOf(slice).hasStaticShape() &&
         llvm::cast<mlir::RankedTensorType>(slice.getOperand().getType()).hasStaticShape();
}

/// Whether `slice` takes rows [from, to) of dim `dim`, and all of the others.
bool takesRows(SliceOp slice, int64_t dim, int64_t from, int64_t to) {
  llvm::ArrayRef<int64_t> shape =
      llvm::cast<mlir::RankedTensorType>(slice.getOperand().getType()).getShape();
  for (int64_t d = 0; d < static_cast<int64_t>(shape.size()); ++d)
    if (slice.getStrides()[d] != 1 || slice.getStartIndices()[d] != (d == dim ? from : 0) ||
        slice.getLimitIndices()[d] != (d == dim ? to : shape[d]))
      return false;
  return true;
}

class Former {
public:
  explicit Former(mlir::ModuleOp module) : codec(module) {}

  void visit(ConcatenateOp join) {
    if (join->getNumOperands() != 2)
      return;
    auto front = join->getOperand(0).getDefiningOp<SliceOp>(),
         back = join->getOperand(1).getDefiningOp<SliceOp>();
    if (!front || !back || front.getOperand() != back.getOperand() || !isStatic(back) ||
        front.getOperand().getType() != join->getResult(0).getType() || !isStatic(front) ||
        sdy::getCustomRule(join) || sdy::getCustomRule(front) || sdy::getCustomRule(back))
      return;
    int64_t dim = join.getDimension(), size = typeOf(join).getDimSize(dim),
            by = typeOf(back).getDimSize(dim);
    if (by == 0 || by == size || !takesRows(front, dim, by, size) || !takesRows(back, dim, 0, by) ||
        !isSplit(front.getOperand(), join->getResult(0), dim))
      return;
    mlir::OpBuilder builder(join);
    auto rotate = RotateOp::create(builder, join.getLoc(), typeOf(join), front.getOperand(),
                                   static_cast<uint64_t>(by), static_cast<uint64_t>(dim));
    sdy::giveAttributes(rotate, join);
    join->replaceAllUsesWith(rotate);
    join->erase();
    for (SliceOp slice : {front, back})
      if (slice->use_empty())
        slice->erase();
  }

private:
  /// Whether both are cut alike along the dim.
  bool isSplit(mlir::Value from, mlir::Value to, int64_t dim) {
    const MeshSharding *held = decode(from), *wanted = decode(to);
    if (!held || !wanted || held->mesh != wanted->mesh)
      return false;
    const DimSharding &cut = wanted->sharding.dims[dim];
    return !cut.axes.empty() && held->sharding.dims[dim].axes == cut.axes;
  }

  const MeshSharding *decode(mlir::Value value) {
    ValueSharding known = shardingOf(value);
    return known ? codec.decode(known.attr) : nullptr;
  }

  ShardingCodec codec;
};

} // namespace

void formRotations(mlir::ModuleOp module) {
  llvm::SmallVector<ConcatenateOp> joins;
  module.walk([&](ConcatenateOp join) { joins.push_back(join); });
  if (joins.empty())
    return;
  Former former(module);
  for (ConcatenateOp join : joins)
    former.visit(join);
}

} // namespace spmd
