#include "spmd/passes/reshard/ComposeGathers.h"

#include "spmd/passes/reshard/ElementWork.h"

namespace spmd {

namespace {

/// So many ops may stand between both: what is looked at twice stays little.
constexpr size_t mostOps = 8;

class Composer {
public:
  Composer(Layouts &layouts, Values &values, Moves &moves, StrategyCache &cache)
      : layouts(layouts), values(values), moves(moves), cache(cache) {}

  void run() {
    for (size_t i = 0; i < moves.all().size(); ++i)
      if (mlir::Operation *move = moves.all()[i]; !moves.isDropped(move))
        visit(move);
  }

private:
  /// An op between both, the operand that it has from the one before, and its new layouts.
  struct Link {
    mlir::OpOperand *operand;
    const OpRule *rule;
    llvm::SmallVector<int32_t, 3> wanted;
    int32_t produced = -1;

    mlir::Operation *op() const { return operand->getOwner(); }
  };

  bool isGather(mlir::Operation *move) {
    return isGathered(layouts[values.layoutOf(move->getOperand(0))],
                      layouts[values.layoutOf(move->getResult(0))],
                      [](const AxisRef &) { return true; });
  }

  /// Looks at what stands before a gather, from its operand up to a move.
  void visit(mlir::Operation *last) {
    if (!isGather(last))
      return;
    std::vector<Link> links;
    mlir::Operation *reader = last, *maker = nullptr;
    mlir::Value value = last->getOperand(0);
    while (true) {
      maker = value.getDefiningOp();
      if (!maker || maker->getBlock() != last->getBlock() || !moves.isOnlyUser(value, reader))
        return;
      if (moves.isMove(maker))
        break;
      std::optional<Link> link = linkOf(maker);
      if (!link || links.size() == mostOps)
        return;
      links.insert(links.begin(), *link);
      reader = maker;
      value = link->operand->get();
    }
    if (!links.empty() && layOut(links, maker) && isWorthIt(links, maker, last))
      apply(links, maker);
  }

  /// Returns how `op` hands on the one operand that is not made anew; nothing if it does more than
  /// to work on single elements.
  std::optional<Link> linkOf(mlir::Operation *op) {
    mlir::OpOperand *moved = nullptr;
    for (mlir::OpOperand &operand : op->getOpOperands()) {
      if (values.isFree(operand.get()))
        continue;
      if (moved || !tensorTypeOf(operand.get()))
        return std::nullopt;
      moved = &operand;
    }
    const OpRule *rule = moved ? ruleOfElementWork(op, cache) : nullptr;
    if (!rule)
      return std::nullopt;
    return Link{moved, rule, {}, -1};
  }

  /// Fills the layouts that all have if what `first` moves stays where it is. Returns false if an
  /// op cannot hand that on, or has more to do then.
  bool layOut(std::vector<Link> &links, mlir::Operation *first) {
    int32_t held = values.layoutOf(first->getOperand(0));
    if (!layouts[held].sharding.unreduced.empty())
      return false;
    for (Link &link : links) {
      const MeshSharding source = layouts[held];
      const OpRule &rule = *link.rule;
      unsigned number = link.operand->getOperandNumber();
      FactorAxes axes = project(rule, rule.operands[number], source.sharding);
      bool isExact = true;
      auto layOutOne = [&](const TensorFactors &factors) {
        return layouts.intern({source.mesh, unproject(rule, factors, axes, &isExact)});
      };
      for (const TensorFactors &operand : rule.operands)
        link.wanted.push_back(layOutOne(operand));
      link.produced = layOutOne(rule.results[0]);
      if (!isExact || link.wanted[number] != held ||
          !cutsNoLess(layouts[link.produced], layouts[values.layoutOf(link.op()->getResult(0))]))
        return false;
      held = link.produced;
    }
    return true;
  }

  static int64_t bitsOf(mlir::Value value) {
    mlir::RankedTensorType type = tensorTypeOf(value);
    return type.getNumElements() * elementBits(type.getElementType());
  }

  /// Whether no more bytes travel, and it takes no longer.
  bool isWorthIt(const std::vector<Link> &links, mlir::Operation *first, mlir::Operation *last) {
    mlir::Value made = links.back().op()->getResult(0);
    int32_t target = values.layoutOf(last->getResult(0));
    return bitsOf(made) <= bitsOf(first->getResult(0)) &&
           moves.costOf(made, links.back().produced, target) <=
               moves.costOf(first->getResult(0), values.layoutOf(first->getOperand(0)),
                            values.layoutOf(first->getResult(0))) +
                   moves.costOf(made, values.layoutOf(made), target);
  }

  void apply(const std::vector<Link> &links, mlir::Operation *first) {
    links.front().operand->set(first->getOperand(0));
    moves.drop(first);
    for (const Link &link : links) {
      for (mlir::OpOperand &operand : link.op()->getOpOperands())
        if (&operand != link.operand)
          operand.set(moves.bringOutOfTurn(operand.get(), link.wanted[operand.getOperandNumber()],
                                           link.op()));
      moves.layOut(link.op(), link.produced);
    }
  }

  Layouts &layouts;
  Values &values;
  Moves &moves;
  StrategyCache &cache;
};

} // namespace

void composeGathers(Layouts &layouts, Values &values, Moves &moves, StrategyCache &strategies) {
  Composer(layouts, values, moves, strategies).run();
}

} // namespace spmd
