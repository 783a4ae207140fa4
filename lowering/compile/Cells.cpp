#include "spmd/lowering/compile/Cells.h"

namespace spmd {

llvm::DenseSet<mlir::Operation *> findTakingLoads(mlir::Block &block, bool diesAtEnd) {
  llvm::DenseSet<mlir::Operation *> taking;
  llvm::DenseMap<mlir::Value, bool> isRead; ///< From here on, before a store.
  auto readsLater = [&](mlir::Value buffer) {
    bool isOwn = llvm::all_of(buffer.getUsers(),
                              [&](mlir::Operation *user) { return user->getBlock() == &block; });
    auto found = isRead.find(buffer);
    if (!isOwn || found != isRead.end())
      return !isOwn || found->second;
    bool isMadeHere = buffer.getDefiningOp() && buffer.getParentBlock() == &block;
    return !isMadeHere && !diesAtEnd;
  };
  for (mlir::Operation &op : llvm::reverse(block)) {
    if (auto store = llvm::dyn_cast<StoreOp>(op)) {
      isRead[store.getBuffer()] = false;
      continue;
    }
    if (auto load = llvm::dyn_cast<LoadOp>(op); load && !readsLater(load.getBuffer()))
      taking.insert(load);
    for (mlir::Value operand : op.getOperands())
      if (llvm::isa<BufferType>(operand.getType()))
        isRead[operand] = true;
  }
  return taking;
}

llvm::DenseSet<mlir::Operation *> findFirstStores(mlir::Block &block) {
  llvm::DenseSet<mlir::Operation *> found;
  for (auto alloc : block.getOps<AllocOp>()) {
    mlir::Operation *first = nullptr;
    for (mlir::Operation *user : alloc->getUsers()) {
      mlir::Operation *place = block.findAncestorOpInBlock(*user);
      if (place && (!first || place->isBeforeInBlock(first)))
        first = place;
    }
    if (llvm::isa_and_present<StoreOp>(first))
      found.insert(first);
  }
  return found;
}

bool compileAccess(mlir::Operation *op, bool takes, Instruction &instruction) {
  if (llvm::isa<AllocOp>(op)) {
    instruction.op = "buffer_alloc";
  } else if (llvm::isa<LoadOp>(op)) {
    instruction.op = "buffer_load";
    if (takes)
      instruction.attributes.set("take", true);
  } else if (llvm::isa<StoreOp>(op)) {
    instruction.op = "buffer_store";
    std::swap(instruction.operands[0], instruction.operands[1]);
  } else {
    return false;
  }
  return true;
}

} // namespace spmd
