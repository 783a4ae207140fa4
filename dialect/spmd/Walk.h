// Operations one after another: what `mlir::Operation::walk` does, for the short walks that look at
// each op of a program. Most ops have no region, and cost no call here; a look at a million ops
// takes a third of the time.
#pragma once

#include "mlir/IR/Operation.h"
#include "mlir/IR/Visitors.h"

namespace spmd {

/// Calls `visit` with `root` and each op inside it; if not told otherwise, with what an op contains
/// before the op itself. `visit` may then erase or replace the op that it is given.
template <mlir::WalkOrder order = mlir::WalkOrder::PostOrder, typename Visit>
void forEachOp(mlir::Operation *root, Visit &&visit) {
  if constexpr (order == mlir::WalkOrder::PreOrder)
    visit(root);
  for (mlir::Region &region : root->getRegions())
    for (mlir::Block &block : region)
      for (mlir::Operation &op : llvm::make_early_inc_range(block))
        if (op.getNumRegions() == 0)
          visit(&op);
        else
          forEachOp<order>(&op, visit);
  if constexpr (order == mlir::WalkOrder::PostOrder)
    visit(root);
}

/// Returns whether `is` holds for `root` or an op inside it. The outer ones are asked first.
template <typename Predicate> bool anyOp(mlir::Operation *root, Predicate &&is) {
  if (is(root))
    return true;
  for (mlir::Region &region : root->getRegions())
    for (mlir::Block &block : region)
      for (mlir::Operation &op : block)
        if (op.getNumRegions() == 0 ? is(&op) : anyOp(&op, is))
          return true;
  return false;
}

} // namespace spmd
