#include "spmd/passes/reshard/Unchanging.h"

#include "spmd/dialect/spmd/Hoisted.h"
#include "spmd/ir/choose/Choose.h"

#include "llvm/ADT/MapVector.h"

namespace spmd {

namespace {

/// With more readers, what each of them wants is not asked.
constexpr size_t mostReaders = 64;

/// Such a share of what is moved may be left at most, of what the device then holds more of, too:
/// rows that are all read once are moved by a gather at half of what reductions take.
constexpr double enoughLess = 0.9, enoughLessToGrow = 0.55;

/// A reduction sinks behind so many ops at most.
constexpr int maxSteps = 8;

/// An op in a loop that reads a value, so many times.
struct Reader {
  mlir::OpOperand *use;
  const OpKind *kind;
  double times;
};

/// Where a value that does not change in a loop is found, and who reads it there.
struct Reach {
  llvm::SmallVector<std::pair<DataFlow, unsigned>, 1> flows; ///< The loop's own, and inner ones.
  llvm::SmallVector<mlir::BlockArgument, 1> arguments;       ///< Of functions.
  llvm::SmallVector<Reader, 4> readers;
  llvm::SmallPtrSet<mlir::OpOperand *, 4> handsOn;
};

class Follower {
public:
  Follower(OnlyCallees &callees, OpKinds &kinds, Values &values)
      : callees(callees), kinds(kinds), values(values) {}

  /// Adds to `reach` where flow `number` of `loop` goes, which turns `times` over. Returns false
  /// if the loop changes the value, or if who reads it is bound to how it lies, or not known.
  bool follow(DataFlow loop, unsigned number, double times, Reach &reach) {
    const Flow &flow = flowsOf(loop)[number];
    for (mlir::OpOperand *source : flow.sources)
      if (source->getOwner() != loop) {
        if (!llvm::is_contained(flow.targets, source->get()))
          return false;
        reach.handsOn.insert(source);
      }
    double turns = times * static_cast<double>(loop.getTripCount().value_or(1));
    bool isOuter = reach.flows.empty();
    reach.flows.push_back({loop, number});
    return llvm::all_of(flow.targets, [&](mlir::Value target) {
      bool isInside = llvm::isa<mlir::BlockArgument>(target);
      return !values.isPinned(target) &&
             ((isOuter && !isInside) || follow(target, isInside ? turns : times, reach));
    });
  }

  llvm::ArrayRef<Flow> flowsOf(DataFlow loop) {
    auto [entry, isNew] = flows.try_emplace(loop);
    if (isNew)
      entry->second = std::make_unique<Flows>(loop.getFlows());
    return *entry->second;
  }

private:
  using Flows = llvm::SmallVector<Flow, 0>;

  bool follow(mlir::Value value, double times, Reach &reach) {
    return llvm::all_of(value.getUses(), [&](mlir::OpOperand &use) {
      return reach.handsOn.contains(&use) || follow(use, times, reach);
    });
  }

  bool follow(mlir::OpOperand &use, double times, Reach &reach) {
    mlir::Operation *op = use.getOwner();
    if (auto call = llvm::dyn_cast<mlir::func::CallOp>(op)) {
      mlir::func::FuncOp callee = callees.of(call);
      if (!callee || !isRun(callee))
        return false;
      mlir::BlockArgument argument = callee.getArgument(use.getOperandNumber());
      reach.arguments.push_back(argument);
      return !pinOf(argument) && follow(argument, times, reach);
    }
    if (auto flow = llvm::dyn_cast<DataFlow>(op)) {
      if (flow.isLoop())
        for (auto [number, each] : llvm::enumerate(flowsOf(flow)))
          if (llvm::is_contained(each.sources, &use))
            return follow(flow, number, times, reach);
      return false;
    }
    const OpKind &kind = kinds.of(op);
    if (kind.treatment != Treatment::byRule || !kind.strategies || kind.isAssumed ||
        op->getNumRegions() > 0 || reach.readers.size() == mostReaders)
      return false;
    reach.readers.push_back({&use, &kind, times});
    return true;
  }

  OnlyCallees &callees;
  OpKinds &kinds;
  Values &values;
  llvm::DenseMap<mlir::Operation *, std::unique_ptr<Flows>> flows; ///< By loop.
};

class Settler {
public:
  Settler(uint64_t limit, OnlyCallees &callees, OpKinds &kinds, Layouts &layouts, Values &values,
          ReshardCosts &costs)
      : limit(limit), follower(callees, kinds, values), kinds(kinds), layouts(layouts),
        values(values), costs(costs) {}

  void run(DataFlow loop) {
    for (auto [number, flow] : llvm::enumerate(follower.flowsOf(loop))) {
      mlir::Value outside = flow.sources.front()->get();
      Reach reach;
      if (flow.sources.size() > 1 && isSplit(outside) && isSplit(flow.targets.front()) &&
          follower.follow(loop, number, 1, reach))
        settle(outside, values.layoutOf(flow.targets.front()), reach);
    }
  }

  /// Writes what was settled.
  void write() {
    auto shardingOfLayout = [&](int32_t layout) {
      return ValueSharding{layouts.attr(layout), ShardingState::inferred};
    };
    for (auto &[loop, settled] : settledResults) {
      llvm::SmallVector<ValueSharding> shardings;
      for (mlir::Value result : loop->getResults())
        shardings.push_back(shardingOf(result));
      for (auto [result, layout] : settled)
        shardings[llvm::cast<mlir::OpResult>(result).getResultNumber()] = shardingOfLayout(layout);
      setShardings(loop, shardings);
    }
    for (auto &[func, settled] : settledArguments) {
      BoundaryAttributes boundary(llvm::cast<mlir::func::FuncOp>(func));
      for (auto [argument, layout] : settled)
        setSharding(boundary.ofArgument(llvm::cast<mlir::BlockArgument>(argument).getArgNumber()),
                    shardingOfLayout(layout));
      boundary.write();
    }
  }

private:
  bool isSplit(mlir::Value value) {
    mlir::RankedTensorType type = tensorTypeOf(value);
    if (!type || !type.hasStaticShape() || llvm::isa<BufferType>(value.getType()))
      return false;
    int32_t layout = values.layoutOf(value);
    return layout >= 0 && !layouts[layout].sharding.isFullyReplicated() &&
           layouts[layout].sharding.unreduced.empty();
  }

  /// Settles how `outside`, which lies as `held` where it is found, lies there.
  void settle(mlir::Value outside, int32_t held, const Reach &reach) {
    std::vector<size_t> dims = dimsReadByIndex(held, reach);
    if (dims.empty())
      return;
    int32_t best = held;
    double before = costOf(outside, held, reach), least = before * enoughLess;
    for (size_t d : dims)
      for (int32_t layout : layoutsWithout(best, d, tensorTypeOf(outside))) {
        double cost = costOf(outside, layout, reach);
        uint64_t more = values.growthOf(outside, layout);
        if (cost < least && (more == 0 || (cost <= before * enoughLessToGrow &&
                                           isPaidFor(outside, layout, more)))) {
          least = cost;
          best = layout;
        }
      }
    if (best == held)
      return;
    pay(outside, best, reach.flows.front().first);
    note(best, reach);
  }

  /// Returns the split dims along which some reader reads what values say.
  std::vector<size_t> dimsReadByIndex(int32_t held, const Reach &reach) const {
    std::vector<size_t> found;
    const Sharding &sharding = layouts[held].sharding;
    for (size_t d = 0; d < sharding.dims.size(); ++d)
      if (!sharding.dims[d].axes.empty() && llvm::any_of(reach.readers, [&](const Reader &reader) {
            const OpRule &rule = reader.kind->strategies->front().rule;
            return llvm::any_of(rule.operands[reader.use->getOperandNumber()][d], [&](int32_t f) {
              return rule.factors[f].kind == FactorKind::index;
            });
          }))
        found.push_back(d);
    return found;
  }

  /// Returns `held` without what splits dim `d`, and with that along each other dim which it
  /// divides.
  std::vector<int32_t> layoutsWithout(int32_t held, size_t d, mlir::RankedTensorType type) {
    MeshSharding without = layouts[held];
    AxisList axes = std::move(without.sharding.dims[d].axes);
    without.sharding.dims[d].axes.clear();
    std::vector<int32_t> found = {layouts.intern(without)};
    for (size_t e = 0; e < without.sharding.dims.size(); ++e) {
      MeshSharding other = without;
      AxisList &longer = other.sharding.dims[e].axes;
      for (const AxisRef &axis : axes)
        appendMerged(longer, axis);
      if (e != d && type.getDimSize(e) % sizeOf(longer) == 0)
        found.push_back(layouts.intern(other));
    }
    return found;
  }

  /// Returns what is moved if `outside` lies as `layout` inside, before the loop and by readers.
  double costOf(mlir::Value outside, int32_t layout, const Reach &reach) {
    mlir::RankedTensorType type = tensorTypeOf(outside);
    double cost = costs.cost(layouts[values.layoutOf(outside)], layouts[layout],
                             absl::MakeConstSpan(type.getShape().data(), type.getRank()),
                             elementBits(type.getElementType()));
    for (const Reader &reader : reach.readers)
      cost += reader.times * costOf(reader, layout);
    return cost;
  }

  /// Returns what one read moves if what is read lies as `layout`.
  double costOf(const Reader &reader, int32_t layout) {
    mlir::Operation *op = reader.use->getOwner();
    std::vector<TensorSituation> operands, results;
    bool isKnown = true;
    auto situation = [&](mlir::Value value, int32_t known) {
      mlir::RankedTensorType type = tensorTypeOf(value);
      isKnown &= known >= 0;
      return TensorSituation{absl::MakeConstSpan(type.getShape().data(), type.getRank()),
                             elementBits(type.getElementType()),
                             &layouts[known < 0 ? 0 : Values::layoutOfSituation(known)]};
    };
    for (mlir::Value operand : op->getOperands()) {
      int32_t known = values.operandSituation(operand);
      operands.push_back(situation(operand, known));
      operands.back().isFree = known >= 0 && Values::isFreeSituation(known);
      if (operand == reader.use->get())
        operands.back().sharding = &layouts[layout];
    }
    for (mlir::Value result : op->getResults())
      results.push_back(situation(result, values.resultSituation(result)));
    if (!isKnown)
      return 0;
    Choice choice = choose(*reader.kind->strategies, operands, results, costs);
    double moved = choice.cost - choice.work;
    if (choice.results.size() != 1 || choice.results[0].sharding.unreduced.empty())
      return moved;
    const Sharding &made = choice.results[0].sharding;
    return moved * shareWhenSunk(op->getResult(0), made.unreduced, made.kind);
  }

  /// Returns the share of the bytes of `value`, which is reduced over `axes`, that is left where
  /// its reduction sinks behind ops that make less of it (`SinkReductions.h`).
  double shareWhenSunk(mlir::Value value, const AxisList &axes, ReductionKind kind) {
    auto before = static_cast<double>(values.bytesOf(value, values.layoutOf(value))),
         least = before;
    for (int step = 0; step < maxSteps && value.hasOneUse(); ++step) {
      mlir::OpOperand &use = *value.use_begin();
      const OpKind &user = kinds.of(use.getOwner());
      if (!user.isPlacement) {
        unsigned number = use.getOperandNumber();
        if (!user.strategies || number >= user.strategies->front().commuting.size())
          break;
        Commuting::Entry entry = user.strategies->front().commuting[number][kind];
        if (entry.passing != Passing::alone)
          break;
        kind = entry.becomes;
      }
      value = use.getOwner()->getResult(0);
      int32_t layout = values.layoutOf(value);
      if (layout < 0 || isAnySplitAlong(axes, layouts[layout].sharding))
        break;
      auto bytes = static_cast<double>(values.bytesOf(value, layout));
      if (bytes > least)
        break;
      least = bytes;
    }
    return before > 0 ? least / before : 1;
  }

  static bool isAnySplitAlong(const AxisList &axes, const Sharding &sharding) {
    return llvm::any_of(sharding.dims,
                        [&](const DimSharding &dim) { return overlaps(dim.axes, axes); });
  }

  bool isPaidFor(mlir::Value outside, int32_t layout, uint64_t bytes) const {
    return paid.contains({outside, layout}) || bytes <= limit - spent;
  }

  void pay(mlir::Value outside, int32_t layout, mlir::Operation *loop) {
    uint64_t bytes = values.growthOf(outside, layout);
    if (bytes == 0)
      return;
    if (paid.insert({outside, layout}).second)
      spent += bytes;
    setSpentBefore(loop, spentBefore(loop) + bytes);
  }

  /// Notes that the value of `reach` lies as `layout` there.
  void note(int32_t layout, const Reach &reach) {
    auto noteTarget = [&](mlir::Value target) { values.setLayout(target, layout); };
    for (auto [loop, number] : reach.flows) {
      const Flow &flow = follower.flowsOf(loop)[number];
      llvm::for_each(flow.targets, noteTarget);
      for (mlir::Value target : flow.targets)
        if (target.getDefiningOp() == loop) {
          settledResults[loop].push_back({target, layout});
          target.replaceAllUsesWith(flow.sources.front()->get());
        }
    }
    for (mlir::BlockArgument argument : reach.arguments) {
      noteTarget(argument);
      settledArguments[argument.getOwner()->getParentOp()].push_back({argument, layout});
    }
  }

  /// Values of one op, and how they shall lie.
  using Settled = llvm::SmallVector<std::pair<mlir::Value, int32_t>, 2>;

  uint64_t limit, spent = 0;
  llvm::MapVector<mlir::Operation *, Settled> settledResults, settledArguments;
  llvm::DenseSet<std::pair<mlir::Value, int32_t>> paid; ///< What comes in, and how it lies then.
  Follower follower;
  OpKinds &kinds;
  Layouts &layouts;
  Values &values;
  ReshardCosts &costs;
};

} // namespace

void settleUnchanging(llvm::ArrayRef<DataFlow> loops, uint64_t hoistBytes, OnlyCallees &callees,
                      OpKinds &kinds, Layouts &layouts, Values &values, ReshardCosts &costs) {
  Settler settler(hoistBytes, callees, kinds, layouts, values, costs);
  for (DataFlow loop : loops)
    settler.run(loop);
  settler.write();
}

} // namespace spmd
