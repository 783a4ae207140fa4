#include "spmd/passes/reshard/Resharder.h"

#include "spmd/dialect/partitioning/AssumedRule.h"
#include "spmd/dialect/partitioning/CustomCallRules.h"
#include "spmd/dialect/partitioning/CustomRule.h"
#include "spmd/dialect/partitioning/Placement.h"
#include "spmd/dialect/partitioning/SuggestRule.h"
#include "spmd/dialect/spmd/DataFlow.h"
#include "spmd/passes/reshard/ComposeGathers.h"
#include "spmd/passes/reshard/GatherRemarks.h"
#include "spmd/passes/reshard/InPlace.h"
#include "spmd/passes/reshard/Missing.h"
#include "spmd/passes/reshard/Moves.h"
#include "spmd/passes/reshard/OneDevice.h"
#include "spmd/passes/reshard/SinkReductions.h"
#include "spmd/passes/reshard/Waiting.h"
#include "spmd/passes/reshard/WholeRegions.h"

#include "mlir/Interfaces/CallInterfaces.h"
#include "llvm/ADT/StringMap.h"

namespace spmd {

namespace {

class Resharder {
public:
  Resharder(mlir::ModuleOp module, const ReshardOptions &options)
      : module(module), options(options), codec(module), layouts(codec),
        costs([this](int32_t mesh) -> const Mesh & { return codec.mesh(mesh); }, CostModel{}),
        moves(layouts, costs),
        wholeRegions(module, [this](mlir::Value value, mlir::Operation *user) {
          return isTensor(value) ? moves.bring(value, wholeLayout(value), user) : value;
        }) {}

  mlir::LogicalResult run() {
    if (codec.mainMesh() < 0) {
      dropPlacements(module);
      return mlir::success();
    }
    if (mlir::failed(checkSingleBlocks(module)) ||
        mlir::failed(fillMissing(module, codec, options.onMissing)))
      return mlir::failure();
    if (options.onNoRule == OnNoRule::inferFromUsers)
      assumeRulesOfCalls();
    clearScalarBodies(module);
    costs.setSteadyAxes(steadyAxes());
    for (auto func : llvm::to_vector(module.getOps<mlir::func::FuncOp>())) // Copies may be added.
      if (!func.isExternal())
        visitFunction(func);
    moves.eraseDropped();
    return mlir::failure(failed);
  }

private:
  /// The layout that each operand must have, and that each result comes out with; -1 for no tensor.
  struct Decision {
    llvm::SmallVector<int32_t, 3> operands;
    llvm::SmallVector<int32_t, 1> results;
  };

  /// Those that pins of what is neither an argument nor a result say.
  SteadyAxes steadyAxes() {
    SteadyAxes axes;
    for (auto func : module.getOps<mlir::func::FuncOp>()) {
      if (func.isExternal())
        continue;
      waiting.start(func);
      func.walk([&](mlir::Operation *op) {
        for (mlir::OpResult result : op->getResults())
          if (ValueSharding pin = pinOf(result);
              pin && !waiting.isAhead(result) && !waiting.isLate(result))
            if (const MeshSharding *decoded = codec.decode(pin.attr))
              axes.add(*decoded);
      });
    }
    return axes;
  }

  /// Where propagation has not: by how the results lie.
  void assumeRulesOfCalls() {
    std::vector<mlir::Operation *> calls = callsWithoutRule(module);
    std::vector<WantedDims> wanted;
    for (mlir::Operation *call : calls)
      wanted.push_back(dimsSplit(call));
    assumeRules(calls, wanted);
  }

  //===- Walk ----------------------------------------------------------------===//

  void visitFunction(mlir::func::FuncOp func) {
    this->func = func;
    moves.startFunction();
    waiting.start(func);
    for (mlir::BlockArgument argument : func.getArguments())
      if (isTensor(argument))
        declaredLayout(argument);
    visitBlock(func.getBody().front());
    moves.composeChains();
    sinkReductions(layouts, costs, moves, strategyCache);
    moves.composeChains();
    composeGathers(layouts, costs, moves, strategyCache);
    moves.dropUnused(func);
  }

  void visitBlock(mlir::Block &block) {
    for (mlir::Operation &op : llvm::make_early_inc_range(block))
      visit(&op);
  }

  void visit(mlir::Operation *op) {
    if (auto call = llvm::dyn_cast<mlir::CallOpInterface>(op))
      return visitCall(call);
    if (auto flow = llvm::dyn_cast<DataFlow>(op))
      return visitDataFlow(flow);
    if (op->hasTrait<mlir::OpTrait::IsTerminator>())
      return op->getParentOp() == func ? visitReturn(op) : void(); // Else `visitDataFlow` does.
    if (auto partitionable = llvm::dyn_cast<Partitionable>(op);
        partitionable && partitionable.isPlacement())
      return visitPlacement(op);
    if (llvm::none_of(op->getOperands(), isTensor) && llvm::none_of(op->getResults(), isTensor))
      return;
    if (mlir::Value buffer = bufferOf(op))
      return visitBufferOp(op, buffer);
    const Strategies *strategies = strategyCache.lookup(op);
    if (strategies && llvm::all_of(op->getOperands(), isTensor) &&
        llvm::all_of(op->getResults(), isTensor))
      return visitByRule(op, *strategies);
    visitWithoutRule(op);
  }

  static bool isTensor(mlir::Value value) { return tensorTypeOf(value) != nullptr; }
  static bool isBuffer(mlir::Value value) { return llvm::isa<BufferType>(value.getType()); }

  /// Returns the buffer that `op` makes, reads or writes; null for any other op.
  static mlir::Value bufferOf(mlir::Operation *op) {
    for (mlir::ValueRange values :
         {mlir::ValueRange(op->getOperands()), mlir::ValueRange(op->getResults())})
      for (mlir::Value value : values)
        if (isBuffer(value))
          return value;
    return nullptr;
  }

  /// A buffer stays as it lies: what goes into it and comes out lies alike.
  void visitBufferOp(mlir::Operation *op, mlir::Value buffer) {
    int32_t layout = declaredLayout(buffer);
    auto own = [&](mlir::Value value) { return isTensor(value) && !isBuffer(value) ? layout : -1; };
    Decision decision;
    for (mlir::Value operand : op->getOperands())
      decision.operands.push_back(own(operand));
    for (mlir::Value result : op->getResults())
      decision.results.push_back(own(result));
    if (llvm::isa<StoreOp>(op))
      warnIfWrittenOtherwise(op, op->getOperand(0), buffer, layout, layouts, costs);
    apply(op, decision);
  }

  void visitByRule(mlir::Operation *op, const Strategies &strategies) {
    wholeRegions.bringCaptures(op);
    key.clear();
    for (mlir::Value operand : op->getOperands())
      key.push_back(declaredLayout(operand) * 4 + Moves::isFree(operand) * 2 +
                    waiting.isAhead(operand));
    for (mlir::OpResult result : op->getResults())
      key.push_back(declaredLayout(result) * 2 + waiting.isLate(result));
    if (llvm::any_of(key, [](int32_t layout) { return layout < 0; }))
      return;
    Decision &decision = decisions[{&strategies, key}];
    if (decision.operands.empty() && decision.results.empty())
      decision = decide(op, strategies);
    if (decision.operands.size() != op->getNumOperands() ||
        decision.results.size() != op->getNumResults()) {
      op->emitOpError("cannot be brought to one split: its operands and results lie on meshes "
                      "between which there "
                      "is no way");
      failed = true;
      return;
    }
    if (op->removeDiscardableAttr(assumedRuleAttrName))
      reportAssumed(op, decision);
    else
      reportIfKeptWhole(op, decision);
    apply(op, decision);
  }

  /// Where a call runs on parts by a rule that nobody gave, the user should know which it is.
  void reportAssumed(mlir::Operation *op, const Decision &decision) {
    auto splits = [&](int32_t layout) { return isSplit(layout); };
    if (llvm::none_of(decision.operands, splits) && llvm::none_of(decision.results, splits))
      return reportIfAroundIsSplit(op);
    mlir::InFlightDiagnostic warning =
        op->emitWarning() << "'" << op->getName()
                          << "' op has no sharding rule; each device makes its part of the results "
                             "of the same part of the operands, as those who use them want it, "
                             "which is wrong if the op does more than that";
    noteOperands(warning, op);
    auto rule = op->getAttrOfType<mlir::DictionaryAttr>(customRuleAttrName);
    if (auto dims = rule ? rule.getAs<mlir::StringAttr>("dims") : mlir::StringAttr())
      warning.attachNote(op->getLoc())
          << "assumed: " << planRule(*customCallTarget(op), dims.getValue())
          << "; if it is true, put it in a plan, else set on-no-rule=replicate";
  }

  bool isSplit(int32_t layout) const {
    return layout >= 0 && !layouts[layout].sharding.isFullyReplicated();
  }

  /// Where an attribute of an op keeps it whole though something around it is split, the user
  /// should know which.
  void reportIfKeptWhole(mlir::Operation *op, const Decision &decision) {
    auto isAround = [&](mlir::Value value) {
      return isTensor(value) && isSplit(layouts.ofValue(value));
    };
    auto splits = [&](int32_t layout) { return isSplit(layout); };
    if (llvm::any_of(decision.operands, splits) || llvm::any_of(decision.results, splits) ||
        (llvm::none_of(op->getOperands(), isAround) && llvm::none_of(op->getResults(), isAround)))
      return;
    std::string reason = whyNotSplit(op);
    if (reason.empty())
      return;
    mlir::InFlightDiagnostic warning =
        op->emitWarning() << "'" << op->getName() << "' op has a rule that does not split it "
                          << reason << "; every device runs it whole";
    noteOperands(warning, op);
  }

  /// Every operand comes to what the callee's argument says, results come out as the callee's.
  void visitCall(mlir::CallOpInterface call) {
    auto callee =
        llvm::dyn_cast_if_present<mlir::func::FuncOp>(call.resolveCallableInTable(&symbols));
    if (!callee || callee.isExternal())
      return visitWithoutRule(call);
    Decision decision;
    for (mlir::OpOperand &operand : call->getOpOperands()) {
      ValueSharding wanted = shardingOf(callee.getArgument(operand.getOperandNumber()));
      decision.operands.push_back(isTensor(operand.get()) ? layoutOr(wanted, operand.get()) : -1);
      if (isBuffer(operand.get()))
        lend(operand, std::exchange(decision.operands.back(), -1));
    }
    for (mlir::OpResult result : call->getResults())
      decision.results.push_back(
          isTensor(result) ? layoutOr(shardingOfResult(callee, result.getResultNumber()), result)
                           : -1);
    apply(call, decision);
  }

  /// A callee that wants a buffer to lie otherwise gets one of its own, which is copied back after
  /// the call.
  void lend(mlir::OpOperand &operand, int32_t wanted) {
    mlir::Operation *call = operand.getOwner();
    mlir::Value buffer = operand.get();
    int32_t held = declaredLayout(buffer);
    if (held == wanted || held < 0 || wanted < 0)
      return;
    mlir::OpBuilder builder(call);
    auto copy = [&](mlir::Value from, mlir::Value to, int32_t layout, int32_t target) {
      auto load = LoadOp::create(builder, call->getLoc(), from);
      setShardings(load, {{layouts.attr(layout), ShardingState::inferred}});
      mlir::Operation *move = createReshard(builder, call->getLoc(), load, layouts.attr(target));
      StoreOp::create(builder, call->getLoc(), move->getResult(0), to);
    };
    auto lent = AllocOp::create(builder, call->getLoc(), buffer.getType());
    setShardings(lent, {{layouts.attr(wanted), ShardingState::inferred}});
    copy(buffer, lent, held, wanted);
    operand.set(lent);
    builder.setInsertionPointAfter(call);
    copy(lent, buffer, wanted, held);
  }

  void visitReturn(mlir::Operation *op) {
    Decision decision;
    for (mlir::OpOperand &operand : op->getOpOperands())
      decision.operands.push_back(
          isTensor(operand.get())
              ? layoutOr(shardingOfResult(func, operand.getOperandNumber()), operand.get())
              : -1);
    apply(op, decision);
  }

  void visitPlacement(mlir::Operation *op) {
    if (op->getNumResults() == 0)
      return moves.drop(op); // Said all it had to say in propagation.
    if (!isTensor(op->getOperand(0))) {
      op->getResult(0).replaceAllUsesWith(op->getOperand(0)); // A token lies nowhere.
      return moves.drop(op);
    }
    int32_t held = declaredLayout(op->getOperand(0)), wanted = declaredLayout(op->getResult(0));
    if (held < 0 || wanted < 0)
      return;
    if (mlir::Value updated = argumentTakenOver(func, op->getResult(0)))
      warnIfWrittenOtherwise(op, op->getOperand(0), updated, wanted, layouts, costs);
    op->getResult(0).replaceAllUsesWith(moves.bring(op->getOperand(0), wanted, op));
    moves.drop(op);
  }

  /// What comes into a flow is brought to the flow's layout, on either side of the op's border;
  /// what is no part of a flow decides how often regions run, and is the same everywhere.
  void visitDataFlow(DataFlow op) {
    llvm::SmallDenseMap<mlir::OpOperand *, int32_t> wanted;
    llvm::SmallVector<sdy::ShardingAttr> shardings;
    llvm::SmallVector<int32_t> produced(op->getNumResults(), -1);
    for (auto [i, flow] : llvm::enumerate(op.getFlows())) {
      mlir::Value outside = flow.sources.front()->get();
      ValueSharding sharding = op.getFlowSharding(i);
      shardings.push_back(sharding.attr);
      if (!isTensor(outside))
        continue;
      int32_t layout = sharding ? layoutOr(sharding, outside) : wholeLayout(outside);
      int32_t inside = sharding ? layoutOr(shardingInside(op, i), outside) : layout;
      for (mlir::OpOperand *source : flow.sources)
        wanted[source] = source->getOwner() == op ? layout : inside;
      for (mlir::Value target : flow.targets)
        if (auto result = llvm::dyn_cast<mlir::OpResult>(target))
          produced[result.getResultNumber()] = layout;
    }
    bringOperands(op, wanted);
    for (mlir::Region &region : op->getRegions())
      for (mlir::Block &block : region) {
        visitBlock(block);
        bringOperands(block.getTerminator(), wanted);
      }
    llvm::SmallVector<int32_t> declared;
    for (mlir::OpResult result : op->getResults())
      declared.push_back(isTensor(result) ? declaredLayout(result) : -1);
    op.setFlowShardings(shardings);
    for (mlir::OpResult result : op->getResults())
      if (unsigned i = result.getResultNumber(); produced[i] != declared[i] && produced[i] >= 0)
        moves.passOn(result, declared[i]);
  }

  void bringOperands(mlir::Operation *op,
                     const llvm::SmallDenseMap<mlir::OpOperand *, int32_t> &wanted) {
    for (mlir::OpOperand &operand : op->getOpOperands()) {
      if (!isTensor(operand.get()))
        continue;
      auto found = wanted.find(&operand);
      int32_t layout = found == wanted.end() ? wholeLayout(operand.get()) : found->second;
      if (layout >= 0)
        operand.set(moves.bring(operand.get(), layout, op));
    }
  }

  /// The op runs whole on every device, which is worth a word where something around it is split.
  void visitWithoutRule(mlir::Operation *op) {
    reportIfAroundIsSplit(op);
    wholeRegions.makeWhole(op);
    Decision decision;
    for (mlir::Value operand : op->getOperands())
      decision.operands.push_back(isTensor(operand) ? wholeLayout(operand) : -1);
    for (mlir::Value result : op->getResults())
      decision.results.push_back(isTensor(result) ? wholeLayout(result) : -1);
    apply(op, decision);
  }

  void reportIfAroundIsSplit(mlir::Operation *op) {
    auto isAround = [&](mlir::Value value) {
      return isTensor(value) && isSplit(declaredLayout(value));
    };
    if (llvm::any_of(op->getOperands(), isAround) || llvm::any_of(op->getResults(), isAround))
      reportWithoutRule(op);
  }

  void reportWithoutRule(mlir::Operation *op) {
    mlir::InFlightDiagnostic diagnostic =
        options.onNoRule == OnNoRule::error
            ? op->emitOpError("has no sharding rule; register one or set on-no-rule=replicate")
            : op->emitWarning() << "'" << op->getName()
                                << "' op has no sharding rule; every device runs it whole";
    noteOperands(diagnostic, op);
    if (mlir::Operation *forward = forwardOf(op))
      diagnostic.attachNote(forward->getLoc())
          << "it is the backward op of this one, which has a rule; give it one, too";
    if (std::string rule = suggestedPlanRule(op); !rule.empty())
      diagnostic.attachNote(op->getLoc())
          << "a rule to begin with, for a plan: " << rule
          << "; take letters out of need_replication where the op can be split";
    failed |= options.onNoRule == OnNoRule::error;
  }

  void noteOperands(mlir::InFlightDiagnostic &diagnostic, mlir::Operation *op) {
    for (mlir::OpOperand &operand : op->getOpOperands())
      if (ValueSharding sharding = shardingOf(operand.get()))
        diagnostic.attachNote(op->getLoc()) << "operand " << operand.getOperandNumber()
                                            << " has sharding " << sharding.attr.getSpec().str();
  }

  /// Returns an op whose rule names `op` as its backward op; null if there is none.
  mlir::Operation *forwardOf(mlir::Operation *op) {
    if (!forwards) {
      forwards.emplace();
      module.walk([&](mlir::Operation *each) {
        if (std::string target = backwardTarget(each); !target.empty())
          forwards->try_emplace(target, each);
      });
    }
    std::optional<llvm::StringRef> target = customCallTarget(op);
    return target ? forwards->lookup(*target) : nullptr;
  }

  //===- Layouts of values ---------------------------------------------------===//

  /// How `value` should lie, as propagation says, and, once its op is visited, how it does.
  int32_t declaredLayout(mlir::Value value) { return check(layouts.ofValue(value)); }

  int32_t wholeLayout(mlir::Value value) {
    return layouts.replicated(tensorTypeOf(value).getRank());
  }

  int32_t layoutOr(ValueSharding sharding, mlir::Value otherwise) {
    return sharding ? check(layouts.of(sharding.attr, tensorTypeOf(otherwise).getRank()))
                    : declaredLayout(otherwise);
  }

  int32_t check(int32_t layout) {
    failed |= layout < 0;
    return layout;
  }

  //===- Decisions -----------------------------------------------------------===//

  Decision decide(mlir::Operation *op, const Strategies &strategies) {
    std::vector<TensorSituation> operands, results;
    auto situation = [&](mlir::Value value, int32_t layout, bool isFree, bool isUnhurried) {
      mlir::RankedTensorType type = tensorTypeOf(value);
      return TensorSituation{absl::MakeConstSpan(type.getShape().data(), type.getRank()),
                             elementBits(type.getElementType()), &layouts[layout], isFree,
                             isUnhurried};
    };
    for (auto [i, operand] : llvm::enumerate(op->getOperands()))
      operands.push_back(situation(operand, key[i] / 4, key[i] / 2 % 2, key[i] % 2));
    for (mlir::OpResult result : op->getResults()) {
      int32_t known = key[op->getNumOperands() + result.getResultNumber()];
      results.push_back(situation(result, known / 2, false, known % 2));
    }
    Choice choice = choose(strategies, operands, results, costs);
    remarkOnGathers(op, strategies, choice, operands,
                    [&](int32_t mesh) -> const Mesh & { return codec.mesh(mesh); });
    Decision decision;
    for (const MeshSharding &operand : choice.operands)
      decision.operands.push_back(layouts.intern(operand));
    for (const MeshSharding &result : choice.results)
      decision.results.push_back(layouts.intern(result));
    return decision;
  }

  void apply(mlir::Operation *op, const Decision &decision) {
    for (mlir::OpOperand &operand : op->getOpOperands())
      if (int32_t wanted = decision.operands[operand.getOperandNumber()]; wanted >= 0)
        operand.set(moves.bring(operand.get(), wanted, op));
    bool differs = false;
    llvm::SmallVector<ValueSharding, 1> shardings;
    llvm::SmallVector<int32_t, 1> declared;
    for (auto [result, produced] : llvm::zip(op->getResults(), decision.results)) {
      declared.push_back(produced < 0 ? -1 : declaredLayout(result));
      differs |= declared.back() != produced;
    }
    if (!differs)
      return;
    for (int32_t produced : decision.results) // Tokens among them lie as scalars do.
      shardings.push_back(
          {layouts.attr(produced < 0 ? layouts.replicated(0) : produced), ShardingState::inferred});
    setShardings(op, shardings);
    for (auto [result, produced, wanted] : llvm::zip(op->getResults(), decision.results, declared))
      if (produced != wanted)
        moves.passOn(result, wanted);
  }

  mlir::ModuleOp module;
  mlir::SymbolTableCollection symbols;
  ReshardOptions options;
  ShardingCodec codec;
  Layouts layouts;
  ReshardCosts costs;
  Moves moves;
  WholeRegions wholeRegions;
  StrategyCache strategyCache;
  Waiting waiting{strategyCache};
  mlir::func::FuncOp func;
  bool failed = false;
  std::vector<int32_t> key;
  /// By the target of their backward op; made when the first op without a rule is reported.
  std::optional<llvm::StringMap<mlir::Operation *>> forwards;
  absl::flat_hash_map<std::pair<const Strategies *, std::vector<int32_t>>, Decision> decisions;
};

} // namespace

mlir::LogicalResult reshardModule(mlir::ModuleOp module, const ReshardOptions &options) {
  return Resharder(module, options).run();
}

} // namespace spmd
