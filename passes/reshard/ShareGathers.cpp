#include "spmd/passes/reshard/ShareGathers.h"

#include "spmd/ir/rules/Projection.h"

#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"

namespace spmd {

namespace {

class Sharer {
public:
  Sharer(Layouts &layouts, Values &values, Moves &moves, OpKinds &kinds, ReshardCosts &costs)
      : layouts(layouts), values(values), moves(moves), kinds(kinds), costs(costs) {}

  void run(llvm::ArrayRef<mlir::Operation *> ops) {
    std::vector<mlir::Operation *> found;
    llvm::copy_if(ops, std::back_inserter(found),
                  [&](mlir::Operation *op) { return exchanges(op, FactorKind::sort); });
    addParts(found);
    bool isAnyWhole = false;
    auto makeWholeIfLess = [&](const Group &group) {
      bool isLess = isLessWhole(group);
      if (isLess)
        makeWhole(group);
      isAnyWhole |= isLess;
      return isLess;
    };
    for (const Group &chained : groupsOf(found, true))
      if (!makeWholeIfLess(chained))
        for (const Group &group : groupsOf(chained, false))
          if (group.size() < chained.size())
            makeWholeIfLess(group);
    if (isAnyWhole)
      moves.composeChains();
  }

private:
  using Group = std::vector<mlir::Operation *>;

  /// Whether `op` has a factor of `kind`, as the rows that it sorts, along a dim that is split.
  bool exchanges(mlir::Operation *op, FactorKind kind) {
    const OpKind &known = kinds.of(op);
    if (known.treatment != Treatment::byRule || !known.strategies ||
        (kind == FactorKind::sort && known.strategies->size() != 1))
      return false;
    const OpRule &rule = known.strategies->front().rule;
    auto isOfKind = [&](const Factor &factor) { return factor.kind == kind; };
    if (rule.operands.size() != op->getNumOperands() || llvm::none_of(rule.factors, isOfKind))
      return false;
    for (auto [tensor, operand] : llvm::zip(rule.operands, op->getOperands())) {
      FactorAxes axes = project(rule, tensor, layouts[values.layoutOf(operand)].sharding);
      for (size_t f = 0; f < rule.factors.size(); ++f)
        if (isOfKind(rule.factors[f]) && !axes[f].empty())
          return true;
    }
    return false;
  }

  /// Adds ops that take a part of a tensor along a split dim, as slices do, which is moved and
  /// nothing else.
  void addParts(std::vector<mlir::Operation *> &found) {
    for (mlir::Operation *move : moves.all()) {
      mlir::Operation *op = moves.isDropped(move) ? nullptr : move->getOperand(0).getDefiningOp();
      if (op && op->getNumOperands() == 1 && !moves.isMove(op) && !moves.isDropped(op) &&
          moves.isOnlyUser(move->getOperand(0), move) && exchanges(op, FactorKind::window) &&
          kinds.of(op).strategies->front().flops == 0)
        found.push_back(op);
    }
  }

  /// Ops of a block that read values in common, directly or by others between them; if `chained`,
  /// or what others of them make.
  std::vector<Group> groupsOf(llvm::ArrayRef<mlir::Operation *> ops, bool chained) {
    llvm::EquivalenceClasses<mlir::Operation *> classes;
    llvm::DenseMap<std::pair<mlir::Block *, mlir::Value>, mlir::Operation *> readers;
    for (mlir::Operation *op : ops) {
      classes.insert(op);
      for (mlir::Value operand : op->getOperands())
        if (!values.isFree(operand))
          classes.unionSets(op, readers.try_emplace({op->getBlock(), operand}, op).first->second);
    }
    if (chained)
      for (mlir::Operation *op : ops)
        for (mlir::Value operand : op->getOperands())
          if (mlir::Operation *maker = makerOf(operand); classes.contains(maker))
            classes.unionSets(op, maker);
    llvm::MapVector<mlir::Operation *, Group> groups; // In program order.
    for (mlir::Operation *op : ops)
      groups[classes.getLeaderValue(op)].push_back(op);
    std::vector<Group> all;
    for (auto &[_, group] : groups)
      all.push_back(std::move(group));
    return all;
  }

  /// Returns the op that makes `value`, moves apart.
  mlir::Operation *makerOf(mlir::Value value) {
    mlir::Operation *maker = value.getDefiningOp();
    while (moves.isMove(maker))
      maker = maker->getOperand(0).getDefiningOp();
    return maker;
  }

  /// How tensors of an op lie, by number.
  struct Place {
    llvm::SmallVector<int32_t, 3> operands, results;
  };

  static bool isExchanged(const Factor &factor) {
    return factor.kind == FactorKind::sort || factor.kind == FactorKind::window;
  }

  /// As tensors of `op` lie, with nothing along what it exchanges. Empty if that is no layout.
  Place placeWithout(mlir::Operation *op) {
    const OpRule &rule = kinds.of(op).strategies->front().rule;
    FactorAxes axes(rule.factors.size());
    int32_t mesh = -1;
    for (auto [tensor, operand] : llvm::zip(rule.operands, op->getOperands())) {
      const MeshSharding &layout = layouts[values.layoutOf(operand)];
      FactorAxes own = project(rule, tensor, layout.sharding);
      for (size_t f = 0; f < axes.size(); ++f)
        if (axes[f].empty() && !own[f].empty()) {
          mesh = layout.mesh;
          if (!isExchanged(rule.factors[f]))
            axes[f] = own[f];
        }
    }
    bool isExact = mesh >= 0;
    auto layOut = [&](const TensorFactors &tensor) {
      return layouts.intern({mesh, unproject(rule, tensor, axes, &isExact)});
    };
    Place place;
    for (const TensorFactors &operand : rule.operands)
      place.operands.push_back(layOut(operand));
    for (const TensorFactors &result : rule.results)
      place.results.push_back(layOut(result));
    return isExact ? place : Place();
  }

  Place placeNow(mlir::Operation *op) {
    Place place;
    for (mlir::Value operand : op->getOperands())
      place.operands.push_back(values.layoutOf(operand));
    for (mlir::Value result : op->getResults())
      place.results.push_back(values.layoutOf(result));
    return place;
  }

  /// As `result` is read: as it is moved to, if all that reads it is one move.
  int32_t layoutRead(mlir::Value result) {
    for (mlir::Operation *user : result.getUsers())
      if (moves.isMove(user) && moves.isOnlyUser(result, user))
        return values.layoutOf(user->getResult(0));
    return values.layoutOf(result);
  }

  /// What it costs to run `op` where its operands lie so, and to bring results to where they are
  /// read.
  double costAt(mlir::Operation *op, llvm::ArrayRef<int32_t> operandLayouts) {
    auto situation = [&](mlir::Value value, int32_t layout) {
      mlir::RankedTensorType type = tensorTypeOf(value);
      return TensorSituation{absl::MakeConstSpan(type.getShape().data(), type.getRank()),
                             elementBits(type.getElementType()), &layouts[layout],
                             values.isFree(value)};
    };
    std::vector<TensorSituation> operands, results;
    for (auto [operand, layout] : llvm::zip(op->getOperands(), operandLayouts))
      operands.push_back(situation(operand, layout));
    for (mlir::Value result : op->getResults())
      results.push_back(situation(result, layoutRead(result)));
    return choose(*kinds.of(op).strategies, operands, results, costs).cost;
  }

  bool isLessWhole(const Group &group) {
    double split = 0, whole = 0;
    llvm::DenseSet<std::pair<mlir::Value, int32_t>> gathered;
    llvm::DenseMap<mlir::Operation *, Place> made;
    auto isMadeThere = [&](mlir::Value operand, int32_t wanted) {
      mlir::Operation *maker = makerOf(operand);
      auto known = made.find(maker);
      return known != made.end() &&
             llvm::any_of(llvm::zip(maker->getResults(), known->second.results), [&](auto each) {
               return std::get<1>(each) == wanted && isSame(operand, std::get<0>(each));
             });
    };
    for (mlir::Operation *op : group) {
      Place now = placeNow(op), then = placeWithout(op);
      if (then.operands.empty())
        return false;
      split += costAt(op, now.operands);
      whole += costAt(op, then.operands);
      for (auto [operand, held, wanted] : llvm::zip(op->getOperands(), now.operands, then.operands))
        if (!values.isFree(operand) && gathered.insert({operand, wanted}).second &&
            !isMadeThere(operand, wanted) && !isBrought(operand, wanted, op->getBlock()))
          whole += moves.costOf(operand, held, wanted);
      made[op] = std::move(then);
    }
    return whole < split * (1 - 1e-9);
  }

  /// Whether `value` is `result`, moves apart.
  bool isSame(mlir::Value value, mlir::Value result) {
    while (value != result && moves.isMove(value.getDefiningOp()))
      value = value.getDefiningOp()->getOperand(0);
    return value == result;
  }

  /// Whether another op of the block has `value` brought there already.
  bool isBrought(mlir::Value value, int32_t wanted, mlir::Block *block) {
    return llvm::any_of(value.getUsers(), [&](mlir::Operation *user) {
      return moves.isMove(user) && !moves.isDropped(user) && user->getBlock() == block &&
             values.layoutOf(user->getResult(0)) == wanted;
    });
  }

  void makeWhole(const Group &group) {
    for (mlir::Operation *op : group) {
      Place now = placeNow(op), then = placeWithout(op);
      for (auto [operand, wanted] : llvm::zip(op->getOpOperands(), then.operands))
        operand.set(moves.bringOutOfTurn(operand.get(), wanted, op));
      llvm::SmallVector<ValueSharding, 2> shardings;
      for (int32_t layout : then.results)
        shardings.push_back({layouts.attr(layout), ShardingState::inferred});
      setShardings(op, shardings);
      for (auto [result, held, made] : llvm::zip(op->getResults(), now.results, then.results)) {
        values.setLayout(result, made);
        if (held != made)
          moves.passOn(result, held);
      }
    }
  }

  Layouts &layouts;
  Values &values;
  Moves &moves;
  OpKinds &kinds;
  ReshardCosts &costs;
};

} // namespace

void shareGathers(llvm::ArrayRef<mlir::Operation *> ops, Layouts &layouts, Values &values,
                  Moves &moves, OpKinds &kinds, ReshardCosts &costs) {
  Sharer(layouts, values, moves, kinds, costs).run(ops);
}

} // namespace spmd
