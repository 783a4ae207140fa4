// Views of buffers as functions of tensors: what a view shows, and what a store through it leaves.
#pragma once

#include "spmd/dialect/spmd/ValueSharding.h"

namespace spmd {

/// A buffer, and the views through which it is seen, the one nearest to it first.
struct ViewChain {
  mlir::Value buffer;
  llvm::SmallVector<mlir::ViewLikeOpInterface, 2> views;
};

/// Returns the way from `shown`, a buffer or a view, to memory of its own.
ViewChain chainOf(mlir::Value shown);

/// Returns the buffer that `shown` is, or is a view of.
mlir::Value bufferOf(mlir::Value shown);

/// Returns `tensor` under a constraint to `pin`; `tensor` itself if there is no pin or it is known
/// to it.
mlir::Value constrain(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value tensor,
                      ValueSharding pin);

/// Returns what `view` shows of a buffer that holds `content`, pins aside.
mlir::Value show(mlir::OpBuilder &builder, mlir::Location loc, mlir::Operation *view,
                 mlir::Value content);

/// Returns what a buffer holds after `shown` is stored through `view`. `content` gives what it held
/// before, and is asked only if the view leaves some of it.
mlir::Value storeThrough(mlir::OpBuilder &builder, mlir::Location loc, mlir::Operation *view,
                         mlir::Value shown, llvm::function_ref<mlir::Value()> content);

} // namespace spmd
