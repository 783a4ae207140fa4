#include "spmd/passes/reshard/LiftReductions.h"

#include "spmd/dialect/spmd/Sizes.h"
#include "spmd/passes/reshard/ElementWork.h"

#include <limits>

namespace spmd {

namespace {

/// So many ops may stand between a reduction and its new place, and between what is read beside
/// and a reduction that made it.
constexpr size_t mostOps = 8;

/// So many values are looked at for what made them.
constexpr int maxLooks = 64;

/// Of two reductions that are to meet, what one of them reduces is held until the other is ready:
/// so many bytes, or a share of what the other reduces, are worth a latency.
constexpr double mostHeld = 1024, heldShare = 0.25;

class Lifter {
public:
  Lifter(Layouts &layouts, Values &values, Moves &moves, StrategyCache &cache)
      : layouts(layouts), values(values), moves(moves), cache(cache) {}

  void run() {
    for (size_t i = 0; i < moves.all().size(); ++i)
      if (mlir::Operation *move = moves.at(i); !moves.isDropped(move))
        visit(move);
  }

private:
  const MeshSharding &layoutOf(mlir::Value value) { return layouts[values.layoutOf(value)]; }

  static MeshSharding reduced(MeshSharding layout) {
    layout.sharding.unreduced.clear();
    layout.sharding.kind = ReductionKind::sum;
    return layout;
  }

  /// Whether all that `move` does is to reduce.
  bool isAllReduce(mlir::Operation *move) {
    const MeshSharding &held = layoutOf(move->getOperand(0));
    return !held.sharding.unreduced.empty() &&
           layouts.intern(reduced(held)) == values.layoutOf(move->getResult(0));
  }

  /// Walks up from a reduction over the ops that hand on its partial value alone, to the last one
  /// that reads what a reduction made beside it.
  void visit(mlir::Operation *move) {
    if (!isAllReduce(move))
      return;
    std::vector<mlir::OpOperand *> passed, lifted;
    mlir::Operation *reader = move;
    mlir::Value value = move->getOperand(0);
    while (passed.size() < mostOps) {
      mlir::OpOperand *operand = passedOperand(value, reader);
      if (!operand)
        break;
      passed.push_back(operand);
      reader = operand->getOwner();
      value = operand->get();
      if (isAnyOtherReduced(*operand))
        lifted = passed;
    }
    if (!lifted.empty() && isWorthIt(move, lifted.back()->get()))
      apply(move, lifted);
  }

  /// Returns the partial operand that the op which makes `value` hands on as it is; null if there
  /// is none, or the op has more to do, or others read the value.
  mlir::OpOperand *passedOperand(mlir::Value value, mlir::Operation *reader) {
    mlir::Operation *op = value.getDefiningOp();
    if (!op || op->getBlock() != reader->getBlock() || moves.isMove(op) || !makesOneTensor(op) ||
        !moves.isOnlyUser(value, reader) || values.isFree(value) || values.isPinned(value) ||
        values.isConstrained(value))
      return nullptr;
    mlir::OpOperand *partial = nullptr;
    for (mlir::OpOperand &operand : op->getOpOperands()) {
      if (!tensorTypeOf(operand.get()) || layoutOf(operand.get()).sharding.unreduced.empty())
        continue;
      if (partial)
        return nullptr;
      partial = &operand;
    }
    return partial && passes(*partial, value) ? partial : nullptr;
  }

  /// Whether `result` is partial for no other reason than that `operand` is.
  bool passes(mlir::OpOperand &operand, mlir::Value result) {
    const Strategies *strategies = cache.lookup(operand.getOwner());
    const Sharding &before = layoutOf(operand.get()).sharding, &after = layoutOf(result).sharding;
    if (!strategies || before.unreduced != after.unreduced)
      return false;
    unsigned number = operand.getOperandNumber();
    return llvm::any_of(*strategies, [&](const Strategy &strategy) {
      if (number >= strategy.commuting.size())
        return false;
      const Commuting::Entry &entry = strategy.commuting[number][before.kind];
      return entry.passing == Passing::alone && entry.becomes == after.kind;
    });
  }

  /// Whether something small that was reduced makes what `operand` is read with, but not `operand`.
  bool isAnyOtherReduced(mlir::OpOperand &operand) {
    int looks = maxLooks;
    double most = std::max(mostHeld, heldShare * bytesOf(operand.get()));
    return llvm::any_of(operand.getOwner()->getOperands(),
                        [&](mlir::Value other) {
                          return other != operand.get() && isOfReduced(other, most, mostOps, looks);
                        }) &&
           !isOfReduced(operand.get(), std::numeric_limits<double>::infinity(), mostOps, looks);
  }

  /// Whether up to `steps` ops make `value` of one of at most so many bytes that was reduced. Looks
  /// at so many values at most.
  bool isOfReduced(mlir::Value value, double mostBytes, size_t steps, int &looks) {
    mlir::Operation *op = value.getDefiningOp();
    if (!op || looks-- <= 0)
      return false;
    if (moves.isMove(op) && !layoutOf(op->getOperand(0)).sharding.unreduced.empty())
      return bytesOf(value) <= mostBytes;
    for (mlir::Value operand : op->getOperands()) {
      if (steps == 0 || looks <= 0) // Of thousands of operands, not even one is fetched then.
        return false;
      if (isOfReduced(operand, mostBytes, steps - 1, looks))
        return true;
    }
    return false;
  }

  /// Whether it takes no longer to reduce `source`.
  bool isWorthIt(mlir::Operation *move, mlir::Value source) {
    int32_t held = values.layoutOf(source);
    double now = moves.costOf(move->getResult(0), values.layoutOf(move->getOperand(0)),
                              values.layoutOf(move->getResult(0)));
    return moves.costOf(source, held, layouts.intern(reduced(layouts[held]))) <= now * (1 + 1e-9);
  }

  void apply(mlir::Operation *move, llvm::ArrayRef<mlir::OpOperand *> lifted) {
    mlir::OpOperand &first = *lifted.back();
    int32_t wanted = layouts.intern(reduced(layoutOf(first.get())));
    first.set(moves.bringAnew(first.get(), wanted, first.getOwner()));
    for (mlir::OpOperand *operand : llvm::reverse(lifted)) {
      mlir::Operation *op = operand->getOwner();
      moves.layOut(op, layouts.intern(reduced(layoutOf(op->getResult(0)))));
    }
    moves.replace(move, move->getOperand(0));
  }

  Layouts &layouts;
  Values &values;
  Moves &moves;
  StrategyCache &cache;
};

} // namespace

void liftReductions(Layouts &layouts, Values &values, Moves &moves, StrategyCache &strategies) {
  Lifter(layouts, values, moves, strategies).run();
}

} // namespace spmd
