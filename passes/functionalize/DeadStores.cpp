#include "spmd/passes/functionalize/Functionalize.h"

namespace spmd {

/// Walks `block` from its end, with the buffers that are stored to before anybody looks.
static void dropDeadStores(mlir::Block &block) {
  llvm::SmallDenseSet<mlir::Value> overwritten;
  for (mlir::Operation &op : block)
    if (llvm::isa<AllocOp>(op))
      overwritten.insert(op.getResult(0)); // Nobody looks after the end.
  for (mlir::Operation &op : llvm::make_early_inc_range(llvm::reverse(block))) {
    if (auto store = llvm::dyn_cast<StoreOp>(op)) {
      if (!overwritten.insert(store.getBuffer()).second)
        store.erase();
    } else if (llvm::isa<LoadOp, AllocOp>(op) && op.use_empty()) {
      op.erase();
    } else {
      for (mlir::Value operand : op.getOperands())
        if (isBuffer(operand))
          overwritten.erase(operand);
    }
  }
}

/// Walks `block` from its start, with what was loaded of each buffer since it was written.
static void shareLoads(mlir::Block &block, const BufferEffects &effects) {
  llvm::SmallDenseMap<mlir::Value, mlir::Value> known;
  for (mlir::Operation &op : llvm::make_early_inc_range(block)) {
    if (auto load = llvm::dyn_cast<LoadOp>(op)) {
      auto [entry, isNew] = known.try_emplace(load.getBuffer(), load.getResult());
      if (isNew)
        continue;
      load.getResult().replaceAllUsesWith(entry->second);
      load.erase();
      continue;
    }
    for (mlir::OpOperand &operand : op.getOpOperands())
      if (effects.writes(operand))
        known.erase(operand.get());
  }
}

void dropDeadStores(mlir::func::FuncOp func, const BufferEffects &effects) {
  std::vector<mlir::Block *> blocks;
  func.walk([&](mlir::Block *block) { blocks.push_back(block); });
  for (mlir::Block *block : blocks) {
    dropDeadStores(*block);
    shareLoads(*block, effects);
  }
}

} // namespace spmd
