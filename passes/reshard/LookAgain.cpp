#include "spmd/passes/reshard/LookAgain.h"

#include "spmd/dialect/spmd/OpNumbers.h"
#include "spmd/ir/graph/KeyNumbers.h"
#include "spmd/passes/reshard/ElementWork.h"

#include <limits>

namespace spmd {

namespace {

/// What is decided anew moves other things, beside which ops may stand that were looked at before.
constexpr int mostLooks = 2;

} // namespace

class LookAgain::Impl {
public:
  Impl(Layouts &layouts, Values &values, Moves &moves, OpKinds &kinds, ReshardCosts &costs)
      : layouts(layouts), values(values), moves(moves), kinds(kinds), costs(costs) {}

  void run() {
    size_t numBefore = moves.all().size();
    for (size_t i = 0; i < moves.all().size(); ++i) { // It grows.
      mlir::Operation *move = moves.at(i);
      int most = i < numBefore ? 1 : mostLooks;
      if (!moves.isDropped(move))
        look(move->getOperand(0).getDefiningOp(), most);
      if (!moves.isDropped(move))
        look(onlyReader(move->getResult(0)), most);
    }
  }

private:
  /// How an op runs: how its operands must lie, how its result comes out, and what all of it costs.
  struct Way {
    llvm::SmallVector<int32_t, 3> operands;
    int32_t result = -1;
    double cost = std::numeric_limits<double>::infinity();
  };

  /// An op between moves: where its operands come from, and how all around it lies.
  struct Place {
    mlir::Operation *op = nullptr;
    const OpKind *kind = nullptr;
    mlir::Operation *behind = nullptr; ///< The move that alone reads the result, if one does.
    llvm::SmallVector<mlir::Value, 3> sources; ///< Of operands, before moves for this op alone.
    int32_t held = -1, wanted = -1;            ///< By the result, and behind the move.
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
  bool isOwnMove(mlir::Operation *op) const {
    return op && op->getNumResults() == 1 && values.isInserted(op->getResult(0));
  }

  bool isPartial(int32_t layout) const { return !layouts[layout].sharding.unreduced.empty(); }
  bool isPartial(mlir::Value value) { return isPartial(values.layoutOf(value)); }

  /// Whether `op` may lie otherwise as far as its result and its operands go.
  bool isOpen(mlir::Operation *op) {
    if (op->getNumResults() != 1 || op->getNumOperands() == 0)
      return false;
    mlir::Value result = op->getResult(0);
    return !values.isDropped(result) && !values.isPlaced(result) && !values.isFree(result) &&
           !values.isPinned(result) && !values.isConstrained(result) && tensorTypeOf(result) &&
           !isPartial(result) && llvm::all_of(op->getOperands(), [&](mlir::Value operand) {
             return tensorTypeOf(operand) && !isPartial(operand);
           });
  }

  void look(mlir::Operation *op, int most) {
    int before = op ? std::max(looks.lookup(op), 0) : most;
    if (before >= most || !isOpen(op)) // Many moves may be for one op.
      return;
    looks.set(op, before + 1);
    Place place;
    if (!find(op, place))
      return;
    const Way &other = betterWay(place);
    if (other.result >= 0)
      follow(place, other);
  }

  /// Finds what is around `op`. Returns false if no move is, or if it was not decided by its rule.
  bool find(mlir::Operation *op, Place &place) {
    mlir::Value result = op->getResult(0);
    place.op = op;
    place.held = place.wanted = values.layoutOf(result);
    if (mlir::Operation *behind = onlyReader(result); isOwnMove(behind)) {
      place.behind = behind;
      place.wanted = values.layoutOf(behind->getResult(0));
    }
    for (mlir::Value operand : op->getOperands())
      place.sources.push_back(sourceOf(operand, op));
    if (!place.behind && llvm::equal(place.sources, op->getOperands()))
      return false;
    place.kind = &kinds.of(op);
    return place.kind->treatment == Treatment::byRule && !place.kind->isAssumed;
  }

  /// Returns what a move brings to `op` alone, else `operand`.
  mlir::Value sourceOf(mlir::Value operand, mlir::Operation *op) {
    mlir::Operation *maker = operand.getDefiningOp();
    bool isForOp = isOwnMove(maker) && maker->getBlock() == op->getBlock() &&
                   moves.isOnlyUser(operand, op) && !isPartial(maker->getOperand(0));
    return isForOp ? maker->getOperand(0) : operand;
  }

  /// Returns the way that is better than the one that the op of `place` goes, or one without a
  /// result. Ops alike between alike moves go alike.
  const Way &betterWay(const Place &place) {
    key.assign({place.kind->number, place.held, place.behind ? place.wanted : -1});
    for (auto [i, operand] : llvm::enumerate(place.op->getOperands())) {
      auto first = llvm::find(place.op->getOperands(), operand); // What is read twice moves once.
      key.append({static_cast<int32_t>(first.getIndex()), values.operandSituation(operand),
                  values.operandSituation(place.sources[i])});
    }
    auto [number, isNew] = keys.number(key);
    if (isNew)
      better.push_back(findBetterWay(place));
    return better[number];
  }

  Way findBetterWay(const Place &place) {
    mlir::Operation *op = place.op;
    double cost = 0;
    if (place.behind)
      cost += moves.costOf(op->getResult(0), place.held, place.wanted);
    llvm::SmallVector<int32_t, 4> now, then;
    for (auto [i, operand] : llvm::enumerate(op->getOperands())) {
      mlir::Value source = place.sources[i];
      if (isBehindOtherWork(source, operand))
        return {};
      now.push_back(plainSituation(values.operandSituation(operand)));
      then.push_back(plainSituation(values.operandSituation(source)));
      if (source != operand && !llvm::is_contained(op->getOperands().take_front(i), operand))
        cost += moves.costOf(operand, values.layoutOf(source), values.layoutOf(operand));
    }
    if (!place.behind && now == then)
      return {};
    now.push_back(place.held);
    then.push_back(place.wanted);
    const Strategies &strategies = *place.kind->strategies;
    Way other = choose(op, strategies, then), own = choose(op, strategies, now);
    bool isBetter = other.cost < (cost + own.cost) * (1 - 1e-9) && isFine(place, other);
    return isBetter ? other : Way();
  }

  /// Whether the op of `place` may run so. Light ops run as one with those behind them, which would
  /// all do more if this one did, up to a move.
  bool isFine(const Place &place, const Way &way) {
    return isProduct(place.kind->strategies->front().rule) ||
           (place.held != place.wanted && way.result == place.wanted) ||
           cutsNoLess(layouts[way.result], layouts[place.held]);
  }

  /// Whether `value` is `source`, gathered as a weight is for those who work on the batch: nobody
  /// waits for that, which `choose` has weighed. Nor does a turn of a loop for what is moved
  /// before.
  bool isBehindOtherWork(mlir::Value source, mlir::Value value) {
    int32_t known = values.operandSituation(source);
    if (source == value || Values::isOnceSituation(known))
      return source != value;
    if (!Values::isUnhurriedSituation(known))
      return false;
    const MeshSharding &from = layouts[Values::layoutOfSituation(known)];
    return isGathered(from, layouts[values.layoutOf(value)], [&](const AxisRef &axis) {
      return costs.steadyAxes().dimOf(from.mesh, axis) >= 0;
    });
  }

  /// All other moves are waited for, on both sides of a comparison.
  static int32_t plainSituation(int32_t situation) { return situation & ~5; }

  /// Returns the best way for `op` where operands and the result lie as `situations` say, the
  /// result's being its layout.
  Way choose(mlir::Operation *op, const Strategies &strategies,
             llvm::ArrayRef<int32_t> situations) {
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
    Choice choice = spmd::choose(strategies, operands, {result}, costs);
    Way way;
    if (choice.operands.size() != operands.size() || choice.results.size() != 1)
      return way;
    for (const MeshSharding &operand : choice.operands)
      way.operands.push_back(layouts.intern(operand));
    way.result = layouts.intern(choice.results.front());
    way.cost = choice.cost;
    return way;
  }

  void follow(const Place &place, const Way &way) {
    mlir::Operation *op = place.op;
    for (mlir::OpOperand &operand : op->getOpOperands()) {
      unsigned i = operand.getOperandNumber();
      mlir::Value before = operand.get();
      operand.set(moves.bringOutOfTurn(place.sources[i], way.operands[i], op));
      if (before != place.sources[i] && before != operand.get() && moves.isUnused(before))
        moves.drop(before.getDefiningOp());
    }
    mlir::OpResult result = op->getResult(0);
    if (way.result == place.held)
      return;
    moves.layOut(op, way.result);
    if (!place.behind)
      moves.passOn(result, place.held);
    else if (place.wanted == way.result)
      moves.replace(place.behind, result);
  }

  Layouts &layouts;
  Values &values;
  Moves &moves;
  OpKinds &kinds;
  ReshardCosts &costs;
  OpNumbers looks; ///< How often ops were looked at.
  llvm::SmallVector<int32_t, 12> key;
  KeyNumbers keys;
  std::deque<Way> better; ///< By number of the key.
};

LookAgain::LookAgain(Layouts &layouts, Values &values, Moves &moves, OpKinds &kinds,
                     ReshardCosts &costs)
    : impl(std::make_unique<Impl>(layouts, values, moves, kinds, costs)) {}

LookAgain::~LookAgain() = default;

void LookAgain::run() { impl->run(); }

} // namespace spmd
