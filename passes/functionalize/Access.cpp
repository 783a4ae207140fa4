#include "spmd/passes/functionalize/Access.h"

namespace spmd {

Access::Access(mlir::Operation *op, mlir::Value shown)
    : chain(chainOf(shown)), place(chain.buffer.getParentBlock()->findAncestorOpInBlock(*op)),
      builder(place), loc(op->getLoc()) {
  // Where a view is only known inside, all of the buffer goes there.
  if (llvm::any_of(chain.views, [&](mlir::ViewLikeOpInterface view) {
        return view->getNumOperands() > 1 && place->isProperAncestor(view);
      }))
    builder.setInsertionPoint(op);
}

mlir::Value Access::load() {
  mlir::OpBuilder outside(place);
  mlir::Value tensor = LoadOp::create(outside, loc, chain.buffer);
  for (mlir::ViewLikeOpInterface view : chain.views)
    tensor = constrain(builder, loc, show(builder, loc, view, tensor), pinOf(view->getResult(0)));
  return tensor;
}

void Access::store(mlir::Value tensor) {
  llvm::SmallVector<mlir::Value> before(chain.views.size());
  for (size_t i = chain.views.size(); i-- > 0;) {
    mlir::ViewLikeOpInterface view = chain.views[i];
    tensor = constrain(builder, loc, tensor, pinOf(view->getResult(0)));
    tensor = storeThrough(builder, loc, view, tensor, [&] { return contentBefore(i, before); });
  }
  StoreOp::create(builder, loc, tensor, chain.buffer);
}

/// Returns what view `i` looks at, before the store. Made once for each view, from the buffer on.
mlir::Value Access::contentBefore(size_t i, llvm::MutableArrayRef<mlir::Value> before) {
  if (!before[0])
    before[0] = LoadOp::create(builder, loc, chain.buffer);
  for (size_t k = 1; k <= i; ++k)
    if (!before[k])
      before[k] = show(builder, loc, chain.views[k - 1], before[k - 1]);
  return before[i];
}

} // namespace spmd
