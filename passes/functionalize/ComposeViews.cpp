#include "spmd/passes/functionalize/Functionalize.h"
#include "spmd/passes/functionalize/Views.h"

#include "spmd/dialect/sdy/Dialect.h"

namespace spmd {

namespace {

/// One access to a buffer through views: an op, at its place in the buffer's own block.
class Access {
public:
  Access(mlir::Operation *op, mlir::Value shown)
      : chain(chainOf(shown)), place(chain.buffer.getParentBlock()->findAncestorOpInBlock(*op)),
        builder(place), loc(op->getLoc()) {
    // Where a view is only known inside, all of the buffer goes there.
    if (llvm::any_of(chain.views, [&](mlir::ViewLikeOpInterface view) {
          return view->getNumOperands() > 1 && place->isProperAncestor(view);
        }))
      builder.setInsertionPoint(op);
  }

  bool isWhole() const { return chain.views.empty(); }

  /// Returns what the chain shows, each view's pin as a constraint.
  mlir::Value load() {
    mlir::OpBuilder outside(place);
    mlir::Value tensor = LoadOp::create(outside, loc, chain.buffer);
    for (mlir::ViewLikeOpInterface view : chain.views)
      tensor = constrain(builder, loc, show(builder, loc, view, tensor), pinOf(view->getResult(0)));
    return tensor;
  }

  /// Stores `tensor` in place of what the chain shows.
  void store(mlir::Value tensor) {
    llvm::SmallVector<mlir::Value> before(chain.views.size());
    for (size_t i = chain.views.size(); i-- > 0;) {
      mlir::ViewLikeOpInterface view = chain.views[i];
      tensor = constrain(builder, loc, tensor, pinOf(view->getResult(0)));
      tensor = storeThrough(builder, loc, view, tensor, [&] { return contentBefore(i, before); });
    }
    StoreOp::create(builder, loc, tensor, chain.buffer);
  }

  mlir::OpBuilder &getBuilder() { return builder; }

private:
  /// Returns what view `i` looks at, before the store. Made once for each view, from the buffer on.
  mlir::Value contentBefore(size_t i, llvm::MutableArrayRef<mlir::Value> before) {
    if (!before[0])
      before[0] = LoadOp::create(builder, loc, chain.buffer);
    for (size_t k = 1; k <= i; ++k)
      if (!before[k])
        before[k] = show(builder, loc, chain.views[k - 1], before[k - 1]);
    return before[i];
  }

  ViewChain chain;
  mlir::Operation *place;
  mlir::OpBuilder builder;
  mlir::Location loc;
};

void composeLoad(LoadOp load) {
  ValueSharding pin = pinOf(load.getResult());
  Access access(load, load.getBuffer());
  bool isInPlace = bufferOf(load.getBuffer()).getParentBlock() == load->getBlock();
  if (access.isWhole() && isInPlace && !pin)
    return;
  mlir::Value tensor = constrain(access.getBuilder(), load.getLoc(), access.load(), pin);
  load.getResult().replaceAllUsesWith(tensor);
  load.erase();
}

void composeStore(StoreOp store) {
  Access access(store, store.getBuffer());
  if (access.isWhole())
    return;
  access.store(store.getValue());
  store.erase();
}

/// Makes the pins on results of `call` constraints: where buffers become values, it has more
/// results than it could list.
void constrainResults(mlir::func::CallOp call) {
  mlir::OpBuilder builder(call->getContext());
  builder.setInsertionPointAfter(call);
  for (mlir::OpResult result : call->getResults())
    if (ValueSharding pin = pinOf(result)) {
      auto constraint = sdy::ShardingConstraintOp::create(builder, call.getLoc(), result.getType(),
                                                          result, pin.attr);
      result.replaceAllUsesExcept(constraint, constraint);
    }
  removeSharding(call);
}

/// A callee takes a buffer that is one, so what a view shows is held by one for the time of the
/// call.
void composeCall(mlir::func::CallOp call, const BufferEffects &effects) {
  if (llvm::any_of(call->getOperands(), isBuffer))
    constrainResults(call);
  mlir::func::FuncOp callee = effects.calleeOf(call);
  for (mlir::OpOperand &operand : call->getOpOperands()) {
    if (!isBuffer(operand.get()) || !operand.get().getDefiningOp<mlir::ViewLikeOpInterface>())
      continue;
    mlir::Value view = operand.get();
    Access before(call, view);
    mlir::Value shown = before.load();
    auto held = AllocOp::create(before.getBuilder(), call.getLoc(), view.getType());
    StoreOp::create(before.getBuilder(), call.getLoc(), shown, held);
    operand.set(held);
    if (!effects.writes(callee, operand.getOperandNumber()))
      continue;
    Access after(call, view);
    after.getBuilder().setInsertionPointAfter(call);
    after.store(LoadOp::create(after.getBuilder(), call.getLoc(), held));
  }
}

} // namespace

void composeViews(mlir::func::FuncOp func, const BufferEffects &effects) {
  std::vector<mlir::Operation *> accesses, views;
  func.walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    if (llvm::isa<LoadOp, StoreOp, mlir::func::CallOp>(op))
      accesses.push_back(op);
    else if (llvm::isa<mlir::ViewLikeOpInterface>(op) && isBuffer(op->getResult(0)))
      views.push_back(op);
  });
  for (mlir::Operation *op : accesses) {
    if (auto load = llvm::dyn_cast<LoadOp>(op))
      composeLoad(load);
    else if (auto store = llvm::dyn_cast<StoreOp>(op))
      composeStore(store);
    else
      composeCall(llvm::cast<mlir::func::CallOp>(op), effects);
  }
  for (mlir::Operation *view : llvm::reverse(views))
    view->erase();
}

} // namespace spmd
