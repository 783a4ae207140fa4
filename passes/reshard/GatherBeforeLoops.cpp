#include "spmd/passes/reshard/GatherBeforeLoops.h"

#include "spmd/dialect/spmd/DataFlow.h"
#include "spmd/dialect/spmd/Hoisted.h"
#include "spmd/passes/reshard/ElementWork.h"

namespace spmd {

namespace {

/// So many ops may stand between a loop and the gather of a piece.
constexpr size_t mostOps = 8;

class BeforeLoops {
public:
  BeforeLoops(uint64_t limit, Layouts &layouts, Values &values, Moves &moves, StrategyCache &cache)
      : limit(limit), layouts(layouts), values(values), moves(moves), cache(cache) {}

  void run() {
    size_t numMoves = moves.all().size(); // More are made meanwhile: none of them in a loop.
    for (size_t i = 0; i < numMoves; ++i)
      if (mlir::Operation *move = moves.at(i); !moves.isDropped(move))
        visit(move);
  }

private:
  /// An op that cuts a piece, or hands it on, and how what it makes lies if nothing is split.
  struct Link {
    mlir::OpOperand *operand;
    int32_t produced = -1;

    mlir::Operation *op() const { return operand->getOwner(); }
  };

  /// What a loop hands from turn to turn as it is.
  struct Handed {
    DataFlow loop;
    unsigned number = 0;
    Flow flow;
    mlir::Operation *first = nullptr; ///< The move of what comes in.
  };

  void visit(mlir::Operation *last) {
    if (!isGather(last))
      return;
    std::vector<Link> links; // From the gather to the loop.
    mlir::Operation *reader = last;
    mlir::Value value = last->getOperand(0);
    while (mlir::Operation *maker = value.getDefiningOp()) {
      mlir::OpOperand *operand = maker->getBlock() == last->getBlock() &&
                                         moves.isOnlyUser(value, reader) && links.size() < mostOps
                                     ? operandOf(maker)
                                     : nullptr;
      if (!operand)
        return;
      links.push_back({operand});
      reader = maker;
      value = operand->get();
    }
    std::optional<Handed> handed = handedThrough(llvm::cast<mlir::BlockArgument>(value), reader);
    if (!handed)
      return;
    int32_t wanted = layOut(links, value, last);
    if (wanted >= 0 && isWorthIt(*handed, wanted, last))
      apply(*handed, wanted, links, last);
  }

  bool isGather(mlir::Operation *move) {
    return isGathered(layouts[values.layoutOf(move->getOperand(0))],
                      layouts[values.layoutOf(move->getResult(0))],
                      [](const AxisRef &) { return true; });
  }

  /// Returns the operand of `op`, which makes one tensor of it; null if it reads others, but
  /// numbers and what is made anew.
  mlir::OpOperand *operandOf(mlir::Operation *op) {
    if (!makesOneTensor(op) || moves.isMove(op))
      return nullptr;
    mlir::OpOperand *found = nullptr;
    for (mlir::OpOperand &operand : op->getOpOperands()) {
      mlir::RankedTensorType type = tensorTypeOf(operand.get());
      if (type && type.getRank() == 0)
        continue;
      if (found || !type || !type.hasStaticShape())
        return nullptr;
      found = &operand;
    }
    return found;
  }

  /// Returns the loop that hands `argument` on as it is, to nobody but `reader`, and has it from a
  /// move that nobody else reads. Behind a gather nothing is saved: each byte travels once anyhow.
  std::optional<Handed> handedThrough(mlir::BlockArgument argument, mlir::Operation *reader) {
    auto loop = llvm::dyn_cast<DataFlow>(argument.getOwner()->getParentOp());
    if (!loop || !loop.isLoop() || loop.getTripCount().value_or(0) < 2)
      return std::nullopt;
    unsigned number = argument.getArgNumber();
    Handed handed{loop, number, loop.getFlows()[number]};
    for (mlir::OpOperand *source : handed.flow.sources) {
      if (source->getOwner() == loop)
        handed.first = source->get().getDefiningOp();
      else if (source->get() != argument)
        return std::nullopt;
    }
    auto isRead = [&](mlir::OpOperand &use) {
      return use.getOwner() != reader && !llvm::is_contained(handed.flow.sources, &use) &&
             !moves.isDropped(use.getOwner());
    };
    for (mlir::Value target : handed.flow.targets)
      if (values.isPinned(target) || values.isConstrained(target) ||
          llvm::any_of(target.getUses(), isRead))
        return std::nullopt;
    bool isMoved = handed.first && moves.isMove(handed.first) && !isGather(handed.first) &&
                   values.isInserted(handed.first->getResult(0)) &&
                   handed.first->getBlock() == loop->getBlock() &&
                   moves.onlyUseOf(handed.first->getResult(0));
    return isMoved ? std::optional(std::move(handed)) : std::nullopt;
  }

  /// Fills how all lies from `argument` to `last` if what it gathers is not split; returns how the
  /// argument does, -1 if an op cannot hand that on.
  int32_t layOut(std::vector<Link> &links, mlir::Value argument, mlir::Operation *last) {
    MeshSharding source = layouts[values.layoutOf(last->getOperand(0))];
    const MeshSharding &target = layouts[values.layoutOf(last->getResult(0))];
    AxisList gathered;
    for (size_t d = 0; d < source.sharding.dims.size(); ++d)
      if (source.sharding.dims[d].axes != target.sharding.dims[d].axes) {
        if (!target.sharding.dims[d].axes.empty())
          return -1;
        for (const AxisRef &axis : source.sharding.dims[d].axes)
          gathered.push_back(axis);
      }
    MeshSharding held = layouts[values.layoutOf(argument)];
    if (!held.sharding.unreduced.empty() || !source.sharding.unreduced.empty())
      return -1;
    for (DimSharding &dim : held.sharding.dims)
      if (overlaps(dim.axes, gathered))
        dim.axes.clear();
    int32_t wanted = layouts.intern(held), produced = wanted;
    for (Link &link : llvm::reverse(links)) {
      std::optional<Sharding> made = madeOf(link, held.sharding);
      if (!made)
        return -1;
      held.sharding = std::move(*made);
      produced = link.produced = layouts.intern(held);
    }
    return produced == values.layoutOf(last->getResult(0)) ? wanted : -1;
  }

  /// Returns how what an op makes lies if its operand lies as `held`: only along what splits
  /// freely.
  std::optional<Sharding> madeOf(const Link &link, const Sharding &held) {
    const Strategies *strategies = cache.lookup(link.op());
    if (!strategies || strategies->empty())
      return std::nullopt;
    const OpRule &rule = strategies->front().rule;
    unsigned number = link.operand->getOperandNumber();
    if (number >= rule.operands.size() || rule.results.size() != 1)
      return std::nullopt;
    bool isRead = true, isMade = true;
    FactorAxes axes = project(rule, rule.operands[number], held, &isRead);
    for (auto [factor, split] : llvm::zip(rule.factors, axes))
      isRead &= split.empty() || factor.kind == FactorKind::pass;
    Sharding made = unproject(rule, rule.results[0], axes, &isMade);
    return isRead && isMade ? std::optional(made) : std::nullopt;
  }

  /// Whether what is gathered in all turns is no less than the whole, and room is left for it.
  bool isWorthIt(Handed &handed, int32_t wanted, mlir::Operation *last) {
    mlir::Value whole = handed.first->getResult(0), piece = last->getResult(0);
    auto turns = static_cast<double>(*handed.loop.getTripCount());
    double now =
        moves.costOf(whole, values.layoutOf(handed.first->getOperand(0)), values.layoutOf(whole)) +
        turns * moves.costOf(piece, values.layoutOf(last->getOperand(0)), values.layoutOf(piece));
    return turns * static_cast<double>(bitsOf(piece)) >= static_cast<double>(bitsOf(whole)) &&
           moves.costOf(whole, values.layoutOf(handed.first->getOperand(0)), wanted) <= now &&
           values.growthOf(whole, wanted) <= limit - std::min(limit, spentBefore(handed.loop));
  }

  static int64_t bitsOf(mlir::Value value) {
    mlir::RankedTensorType type = tensorTypeOf(value);
    return type.getNumElements() * elementBits(type.getElementType());
  }

  void apply(Handed &handed, int32_t wanted, llvm::ArrayRef<Link> links, mlir::Operation *last) {
    mlir::Operation *loop = handed.loop;
    mlir::Value source = handed.first->getOperand(0);
    setSpentBefore(loop, spentBefore(loop) + values.growthOf(handed.first->getResult(0), wanted));
    for (mlir::OpOperand *operand : handed.flow.sources)
      if (operand->getOwner() == loop) {
        operand->set(source); // So that the move says for which operand it is.
        operand->set(moves.bringAnew(source, wanted, loop));
      }
    moves.drop(handed.first);
    llvm::SmallVector<ValueSharding> shardings;
    for (mlir::Value result : loop->getResults())
      shardings.push_back(shardingOf(result));
    for (mlir::Value target : handed.flow.targets) {
      values.setLayout(target, wanted);
      if (auto result = llvm::dyn_cast<mlir::OpResult>(target))
        shardings[result.getResultNumber()] = {layouts.attr(wanted), ShardingState::inferred};
    }
    setShardings(loop, shardings);
    for (const Link &link : links)
      moves.layOut(link.op(), link.produced);
    moves.replace(last, last->getOperand(0));
  }

  uint64_t limit;
  Layouts &layouts;
  Values &values;
  Moves &moves;
  StrategyCache &cache;
};

} // namespace

void gatherBeforeLoops(uint64_t hoistBytes, Layouts &layouts, Values &values, Moves &moves,
                       StrategyCache &strategies) {
  BeforeLoops(hoistBytes, layouts, values, moves, strategies).run();
}

} // namespace spmd
