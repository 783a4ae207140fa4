#include "spmd/passes/reshard/LookAgain.h"

#include "spmd/ir/graph/KeyNumbers.h"
#include "spmd/passes/reshard/ElementWork.h"

#include <limits>

namespace spmd {

namespace {

/// What is decided anew moves other things, beside which ops may stand that were looked at before.
constexpr int mostLooks = 2;

class SecondLook {
public:
  SecondLook(Layouts &layouts, Values &values, Moves &moves, OpKinds &kinds, ReshardCosts &costs)
      : layouts(layouts), values(values), moves(moves), kinds(kinds), costs(costs) {}

  void run() {
    for (size_t i = 0; i < moves.all().size(); ++i) { // It grows.
      for (; numKnown < moves.all().size(); ++numKnown)
        isOfStage.insert(moves.all()[numKnown]);
      mlir::Operation *move = moves.all()[i];
      if (!moves.isDropped(move))
        look(move->getOperand(0).getDefiningOp());
      if (!moves.isDropped(move))
        look(onlyReader(move->getResult(0)));
    }
  }

private:
  /// How an op runs: how its operands must lie, how its result comes out, and what all of it costs.
  struct Way {
    llvm::SmallVector<int32_t, 3> operands;
    int32_t result = -1;
    double cost = std::numeric_limits<double>::infinity();
  };

  /// Returns the op that alone reads `value`, in its block; null if there is none.
  mlir::Operation *onlyReader(mlir::Value value) const {
    mlir::Operation *only = nullptr;
    for (mlir::Operation *user : value.getUsers()) {
      if (user == only || moves.isDropped(user))
        continue;
      if (only)
        return nullptr;
      only = user;
    }
    return only && only->getBlock() == value.getParentBlock() ? only : nullptr;
  }

  /// Whether `op` is a move that this stage has inserted for its one reader.
  bool isOwnMove(mlir::Operation *op) const { return op && isOfStage.contains(op); }

  bool isPartial(int32_t layout) const { return !layouts[layout].sharding.unreduced.empty(); }
  bool isPartial(mlir::Value value) { return isPartial(values.layoutOf(value)); }

  /// Whether somebody said how `value` lies.
  bool isPinned(mlir::Value value) {
    return pinOf(value) || llvm::any_of(value.getUsers(), [&](mlir::Operation *user) {
             return moves.isMove(user) && !isOwnMove(user);
           });
  }

  /// Whether `op` was decided by its rule, and can be again.
  bool isOpen(mlir::Operation *op) {
    if (!op || op->getNumResults() != 1 || op->getNumOperands() == 0 || moves.isDropped(op))
      return false;
    const OpKind &kind = kinds.of(op);
    return kind.treatment == Treatment::byRule && !kind.isFree && !kind.isAssumed &&
           tensorTypeOf(op->getResult(0)) && !values.isFree(op->getResult(0)) &&
           !isPinned(op->getResult(0)) && !isPartial(op->getResult(0)) &&
           llvm::all_of(op->getOperands(), [&](mlir::Value operand) {
             return tensorTypeOf(operand) && !isPartial(operand);
           });
  }

  void look(mlir::Operation *op) {
    if (!isOpen(op) || looks[op] == mostLooks)
      return;
    ++looks[op];
    mlir::Value result = op->getResult(0);
    int32_t held = values.layoutOf(result), wanted = held;
    mlir::Operation *behind = onlyReader(result);
    if (!isOwnMove(behind))
      behind = nullptr;
    double cost = 0;
    if (behind) {
      wanted = values.layoutOf(behind->getResult(0));
      cost += moves.costOf(result, held, wanted);
    }
    llvm::SmallVector<mlir::Value, 3> sources;
    llvm::SmallVector<int32_t, 4> now, then;
    for (auto [i, operand] : llvm::enumerate(op->getOperands())) {
      sources.push_back(sourceOf(operand, op));
      if (isBehindOtherWork(sources.back(), operand))
        return;
      now.push_back(plainSituation(values.operandSituation(operand)));
      then.push_back(plainSituation(values.operandSituation(sources.back())));
      if (sources.back() != operand &&
          !llvm::is_contained(op->getOperands().take_front(i), operand))
        cost += moves.costOf(operand, values.layoutOf(sources.back()), values.layoutOf(operand));
    }
    if (!behind && now == then)
      return;
    now.push_back(held);
    then.push_back(wanted);
    const Way &other = wayOf(op, then);
    if (other.cost < (cost + wayOf(op, now).cost) * (1 - 1e-9) && isFine(op, other, held, wanted))
      follow(op, other, sources, behind);
  }

  /// Whether `op` may run so where its result lay as `held` and goes to `wanted`. Light ops run as
  /// one with those behind them, which would all do more if this one did, up to a move.
  bool isFine(mlir::Operation *op, const Way &way, int32_t held, int32_t wanted) {
    return isProduct(kinds.of(op).strategies->front().rule) ||
           (held != wanted && way.result == wanted) ||
           cutsNoLess(layouts[way.result], layouts[held]);
  }

  /// Returns what a move brings to `op` alone, else `operand`.
  mlir::Value sourceOf(mlir::Value operand, mlir::Operation *op) {
    mlir::Operation *maker = operand.getDefiningOp();
    bool isForOp = isOwnMove(maker) && maker->getBlock() == op->getBlock() &&
                   moves.isOnlyUser(operand, op) && !isPartial(maker->getOperand(0));
    return isForOp ? maker->getOperand(0) : operand;
  }

  /// Whether `value` is `source`, gathered as a weight is for those who work on the batch: nobody
  /// waits for that, which `choose` has weighed.
  bool isBehindOtherWork(mlir::Value source, mlir::Value value) {
    int32_t known = values.operandSituation(source);
    if (source == value || !Values::isUnhurriedSituation(known))
      return false;
    const MeshSharding &from = layouts[Values::layoutOfSituation(known)];
    return isGathered(from, layouts[values.layoutOf(value)], [&](const AxisRef &axis) {
      return costs.steadyAxes().dimOf(from.mesh, axis) >= 0;
    });
  }

  /// All other moves are waited for, on both sides of a comparison.
  static int32_t plainSituation(int32_t situation) { return situation & ~1; }

  const Way &wayOf(mlir::Operation *op, llvm::ArrayRef<int32_t> situations) {
    const OpKind &kind = kinds.of(op);
    key.assign(1, kind.number);
    key.insert(key.end(), situations.begin(), situations.end());
    auto [number, isNew] = keys.number(key);
    if (isNew)
      ways.push_back(find(op, *kind.strategies, situations));
    return ways[number];
  }

  Way find(mlir::Operation *op, const Strategies &strategies, llvm::ArrayRef<int32_t> situations) {
    auto situation = [&](mlir::Value value, int32_t layout, bool isFree) {
      mlir::RankedTensorType type = tensorTypeOf(value);
      return TensorSituation{absl::MakeConstSpan(type.getShape().data(), type.getRank()),
                             elementBits(type.getElementType()), &layouts[layout], isFree};
    };
    std::vector<TensorSituation> operands;
    for (auto [operand, known] : llvm::zip(op->getOperands(), situations))
      operands.push_back(
          situation(operand, Values::layoutOfSituation(known), Values::isFreeSituation(known)));
    TensorSituation result = situation(op->getResult(0), situations.back(), false);
    Choice choice = choose(strategies, operands, {result}, costs);
    Way way;
    if (choice.operands.size() != operands.size() || choice.results.size() != 1)
      return way;
    for (const MeshSharding &operand : choice.operands)
      way.operands.push_back(layouts.intern(operand));
    way.result = layouts.intern(choice.results.front());
    way.cost = choice.cost;
    return way;
  }

  void follow(mlir::Operation *op, const Way &way, llvm::ArrayRef<mlir::Value> sources,
              mlir::Operation *behind) {
    for (mlir::OpOperand &operand : op->getOpOperands()) {
      unsigned i = operand.getOperandNumber();
      mlir::Value before = operand.get();
      operand.set(moves.bringOutOfTurn(sources[i], way.operands[i], op));
      if (before != sources[i] && before != operand.get() && moves.isUnused(before))
        moves.drop(before.getDefiningOp());
    }
    mlir::OpResult result = op->getResult(0);
    int32_t held = values.layoutOf(result);
    if (way.result == held)
      return;
    moves.layOut(op, way.result);
    if (!behind) {
      moves.passOn(result, held);
    } else if (values.layoutOf(behind->getResult(0)) == way.result) {
      behind->getResult(0).replaceAllUsesWith(result);
      moves.drop(behind);
    }
  }

  Layouts &layouts;
  Values &values;
  Moves &moves;
  OpKinds &kinds;
  ReshardCosts &costs;
  llvm::DenseSet<mlir::Operation *> isOfStage; ///< Moves that are no op of the user.
  size_t numKnown = 0;                         ///< Moves of the stage that are in it.
  llvm::DenseMap<mlir::Operation *, int> looks;
  std::vector<int32_t> key;
  KeyNumbers keys;
  std::deque<Way> ways; ///< By number of the key.
};

} // namespace

void lookAgain(Layouts &layouts, Values &values, Moves &moves, OpKinds &kinds,
               ReshardCosts &costs) {
  SecondLook(layouts, values, moves, kinds, costs).run();
}

} // namespace spmd
