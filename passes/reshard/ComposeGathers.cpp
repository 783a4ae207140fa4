#include "spmd/passes/reshard/ComposeGathers.h"

#include "spmd/passes/reshard/ElementWork.h"
#include "spmd/passes/reshard/WorkWhole.h"

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
      if (mlir::Operation *move = moves.at(i); !moves.isDropped(move))
        visit(move);
  }

private:
  /// How the operands and the result of an op lie, if one of them lies as something does.
  struct Around {
    llvm::SmallVector<int32_t, 3> wanted;
    int32_t produced = -1;
    bool isExact = true; ///< Else the op cannot hand that on.
  };

  /// An op between both, the operand that it has from the one before, and how all is to lie.
  struct Link {
    mlir::OpOperand *operand;
    const OpRule *rule;
    const Around *around = nullptr;

    mlir::Operation *op() const { return operand->getOwner(); }
  };

  bool isGather(mlir::Operation *move) {
    return isGathered(layouts[values.layoutOf(move->getOperand(0))],
                      layouts[values.layoutOf(move->getResult(0))],
                      [](const AxisRef &) { return true; });
  }

  /// Looks at what stands before a gather, from its operand up to a move.
  void visit(mlir::Operation *last) {
    if (!isGather(last) || workWhole(last, layouts, values, moves, cache))
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
    return Link{moved, rule};
  }

  /// Fills the layouts that all have if what `first` moves stays where it is. Returns false if an
  /// op cannot hand that on, or has more to do then.
  bool layOut(std::vector<Link> &links, mlir::Operation *first) {
    int32_t held = values.layoutOf(first->getOperand(0));
    if (!layouts[held].sharding.unreduced.empty())
      return false;
    for (Link &link : links) {
      link.around = &around(*link.rule, link.operand->getOperandNumber(), held);
      if (!link.around->isExact || !cutsNoLess(layouts[link.around->produced],
                                               layouts[values.layoutOf(link.op()->getResult(0))]))
        return false;
      held = link.around->produced;
    }
    return true;
  }

  /// Returns how all lies around an op of that rule whose operand `number` lies as `held`.
  const Around &around(const OpRule &rule, unsigned number, int32_t held) {
    auto [known, isNew] = arounds.try_emplace({&rule, {number, held}});
    if (!isNew)
      return *known->second;
    const MeshSharding source = layouts[held]; // Interning more may move it.
    FactorAxes axes = project(rule, rule.operands[number], source.sharding);
    known->second = std::make_unique<Around>();
    Around &result = *known->second;
    auto layOutOne = [&](const TensorFactors &factors) {
      bool isExact = true;
      int32_t layout = layouts.intern({source.mesh, unproject(rule, factors, axes, &isExact)});
      result.isExact &= isExact;
      return layout;
    };
    for (const TensorFactors &operand : rule.operands)
      result.wanted.push_back(layOutOne(operand));
    result.produced = layOutOne(rule.results[0]);
    result.isExact &= result.wanted[number] == held;
    return result;
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
           moves.costOf(made, links.back().around->produced, target) <=
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
          operand.set(moves.bringOutOfTurn(
              operand.get(), link.around->wanted[operand.getOperandNumber()], link.op()));
      moves.layOut(link.op(), link.around->produced);
    }
  }

  Layouts &layouts;
  Values &values;
  Moves &moves;
  StrategyCache &cache;
  /// By rule, operand and how it lies.
  llvm::DenseMap<std::pair<const OpRule *, std::pair<unsigned, int32_t>>, std::unique_ptr<Around>>
      arounds;
};

} // namespace

void composeGathers(Layouts &layouts, Values &values, Moves &moves, StrategyCache &strategies) {
  Composer(layouts, values, moves, strategies).run();
}

} // namespace spmd
