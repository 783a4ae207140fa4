#include "spmd/passes/reshard/LimitHoisting.h"

#include "spmd/dialect/spmd/DataFlow.h"
#include "spmd/dialect/spmd/Hoisted.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace spmd {

namespace {

class Limiter {
public:
  Limiter(uint64_t limit, Values &values, Moves &moves)
      : limit(limit), values(values), moves(moves) {}

  void run(mlir::func::FuncOp func) {
    for (mlir::Operation *move : moves.all())
      if (moves.isBeforeLoop(move) && !moves.isDropped(move))
        findLoops(move);
    if (readBy.empty())
      return;
    walkDataFlow(func, [&](mlir::Operation *op) { // Each loop before those inside it.
      if (auto found = readBy.find(op); found != readBy.end())
        visit(op, found->second.getArrayRef());
    });
  }

private:
  /// Finds the loops beside `move` that read it, each the outermost around the reader.
  void findLoops(mlir::Operation *move) {
    for (mlir::Operation *user : move->getUsers()) {
      mlir::Operation *beside = besideMove(move, user);
      if (beside == user || moves.isDropped(user))
        continue;
      if (auto loop = llvm::dyn_cast<DataFlow>(beside); loop && loop.isLoop())
        readBy[loop].insert(move);
    }
  }

  static mlir::Operation *besideMove(mlir::Operation *move, mlir::Operation *user) {
    return move->getBlock()->findAncestorOpInBlock(*user);
  }

  /// Lets moves stand before `loop` as long as the limit allows, in their order.
  void visit(mlir::Operation *loop, llvm::ArrayRef<mlir::Operation *> some) {
    uint64_t held = std::max(heldAround(loop), std::min(limit, spentBefore(loop)));
    bool isAnyBack = false;
    for (mlir::Operation *move : some) {
      llvm::SmallVector<mlir::Operation *, 1> chain = chainTo(move);
      uint64_t growth = growthOf(chain);
      if (growth == 0)
        continue;
      if (growth > limit - held && !isReadLater(move, loop)) {
        bringBack(chain, loop);
        isAnyBack = true;
      } else {
        held += std::min(growth, limit - held);
      }
    }
    heldBy[loop] = held;
    if (isAnyBack)
      setSpentBefore(loop, held);
  }

  uint64_t heldAround(mlir::Operation *loop) const {
    for (mlir::Operation *around = loop->getParentOp(); around; around = around->getParentOp())
      if (auto found = heldBy.find(around); found != heldBy.end())
        return found->second;
    return 0;
  }

  /// Returns `move` with the moves before it that are made for it alone, the first one first.
  llvm::SmallVector<mlir::Operation *, 1> chainTo(mlir::Operation *move) const {
    llvm::SmallVector<mlir::Operation *, 1> chain = {move};
    while (true) {
      mlir::Value source = chain.back()->getOperand(0);
      mlir::Operation *before = source.getDefiningOp();
      if (!moves.isMove(before) || before->getBlock() != move->getBlock() ||
          !moves.isOnlyUser(source, chain.back()))
        break;
      chain.push_back(before);
    }
    std::reverse(chain.begin(), chain.end());
    return chain;
  }

  /// Returns the bytes of a device by which what comes out of `chain` is larger than what goes in.
  uint64_t growthOf(llvm::ArrayRef<mlir::Operation *> chain) {
    mlir::Value from = chain.front()->getOperand(0), to = chain.back()->getResult(0);
    uint64_t before = values.bytesOf(from, values.layoutOf(from)),
             after = values.bytesOf(to, values.layoutOf(to));
    return after > before ? after - before : 0;
  }

  /// Whether what `move` brings must live on behind `loop` for one that stands in no loop.
  bool isReadLater(mlir::Operation *move, mlir::Operation *loop) const {
    return llvm::any_of(move->getUsers(), [&](mlir::Operation *user) {
      if (moves.isDropped(user))
        return false;
      mlir::Operation *beside = besideMove(move, user);
      return !(readBy.count(beside) && beside != user) && loop->isBeforeInBlock(beside);
    });
  }

  /// Lets those in `loop` that read what `chain` brings read what is brought in their own block.
  void bringBack(llvm::ArrayRef<mlir::Operation *> chain, mlir::Operation *loop) {
    mlir::Operation *move = chain.back();
    llvm::MapVector<mlir::Block *, mlir::Operation *> firstReader;
    llvm::SmallVector<std::pair<mlir::OpOperand *, mlir::Block *>> uses;
    for (mlir::OpOperand &use : move->getUses()) {
      mlir::Operation *reader = use.getOwner();
      if (!loop->isProperAncestor(reader) || moves.isDropped(reader))
        continue;
      while (!llvm::isa<DataFlow>(reader->getParentOp()))
        reader = reader->getParentOp();
      mlir::Operation *&first = firstReader[reader->getBlock()];
      first = first && first->isBeforeInBlock(reader) ? first : reader;
      uses.push_back({&use, reader->getBlock()});
    }
    llvm::DenseMap<mlir::Block *, mlir::Value> brought;
    for (auto [block, reader] : firstReader)
      brought[block] = moves.repeat(chain, reader);
    for (auto [use, block] : uses)
      use->set(brought.lookup(block));
    for (mlir::Operation *each : llvm::reverse(chain))
      if (moves.isUnused(each->getResult(0)))
        moves.drop(each);
  }

  uint64_t limit;
  Values &values;
  Moves &moves;
  /// By loop: the moves before it that are read in it.
  llvm::MapVector<mlir::Operation *, llvm::SmallSetVector<mlir::Operation *, 4>> readBy;
  /// By loop: what stands before it and those around it, in bytes; at most `limit`.
  llvm::DenseMap<mlir::Operation *, uint64_t> heldBy;
};

} // namespace

void limitHoisting(mlir::func::FuncOp func, uint64_t limit, Values &values, Moves &moves) {
  Limiter(limit, values, moves).run(func);
}

} // namespace spmd
