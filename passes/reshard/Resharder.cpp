#include "spmd/passes/reshard/Resharder.h"

#include "spmd/dialect/partitioning/AssumedRule.h"
#include "spmd/dialect/partitioning/CustomCallRules.h"
#include "spmd/dialect/partitioning/CustomRule.h"
#include "spmd/dialect/partitioning/Placement.h"
#include "spmd/dialect/spmd/CompositeRule.h"
#include "spmd/dialect/spmd/DataFlow.h"
#include "spmd/ir/graph/KeyNumbers.h"
#include "spmd/passes/reshard/FunctionPlan.h"
#include "spmd/passes/reshard/GatherRemarks.h"
#include "spmd/passes/reshard/InPlace.h"
#include "spmd/passes/reshard/LendBuffer.h"
#include "spmd/passes/reshard/LimitHoisting.h"
#include "spmd/passes/reshard/OneDevice.h"
#include "spmd/passes/reshard/Reports.h"
#include "spmd/passes/reshard/Survey.h"
#include "spmd/passes/reshard/WholeRegions.h"

#include "mlir/Interfaces/CallInterfaces.h"

namespace spmd {

namespace {

class Resharder {
public:
  Resharder(mlir::ModuleOp module, const ReshardOptions &options)
      : module(module), options(options), codec(module), layouts(codec),
        survey(codec, kinds, values, options.onMissing, options.hoistBytes),
        costs([this](int32_t mesh) -> const Mesh & { return codec.mesh(mesh); }, CostModel{}),
        moves(layouts, values, costs),
        wholeRegions(module,
                     [this](mlir::Value value, mlir::Operation *user) {
                       return isTensor(value) ? moves.bring(value, wholeLayout(value), user)
                                              : value;
                     }),
        reports(module, options.onNoRule) {}

  mlir::LogicalResult run() {
    if (codec.mainMesh() < 0)
      return dropPlacements(module), mlir::success();
    if (mlir::failed(checkSingleBlocks(module)))
      return mlir::failure();
    if (options.onNoRule == OnNoRule::inferFromUsers)
      assumeRulesOfCalls();
    OnlyCallees callees(module);
    if (mlir::failed(survey.run(module, callees)))
      return mlir::failure();
    for (auto func : llvm::to_vector(module.getOps<mlir::func::FuncOp>())) // Copies may be added.
      if (isRun(func))
        visitFunction(func);
    moves.eraseDropped();
    return mlir::failure(failed);
  }

private:
  struct Decision : FunctionPlan::OpLayouts {
    bool isPossible = false;
    bool isAsItLies = false; ///< Nothing moves.
    /// Nothing is split, though something around the op is.
    bool isKeptWhole = false;
  };

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
    freeOps.clear();
    nextOp = survey.beginOf(func);
    for (mlir::BlockArgument argument : func.getArguments())
      if (isTensor(argument))
        declaredLayout(argument);
    isPlanned = functionPlan.decide(func, survey.opsOf(func));
    moves.setReadInSeveralBlocks([this](mlir::Value value, int32_t layout) {
      return isPlanned && functionPlan.isReadInSeveralBlocks(value, layout);
    });
    visitBlock(func.getBody().front());
    moves.composeChains();
    limitHoisting(func, options.hoistBytes, values, moves);
    moves.dropUnused(freeOps);
  }

  void visitBlock(mlir::Block &block) {
    for (mlir::Operation &op : llvm::make_early_inc_range(block))
      visit(&op, *survey.ops()[nextOp++].kind); // What is inserted meanwhile is not visited.
  }

  void visit(mlir::Operation *op, const OpKind &kind) {
    if (kind.isFree)
      freeOps.push_back(op);
    switch (kind.treatment) {
    case Treatment::call:
      return visitCall(llvm::cast<mlir::CallOpInterface>(op));
    case Treatment::dataFlow:
      return visitDataFlow(llvm::cast<DataFlow>(op));
    case Treatment::terminator:
      return op->getParentOp() == func ? visitReturn(op) : void(); // Else `visitDataFlow` does.
    case Treatment::placement:
      return visitPlacement(op);
    case Treatment::nothing:
      return;
    case Treatment::buffer:
      return visitBufferOp(op, bufferOf(op));
    case Treatment::byRule:
      return visitByRule(op, kind);
    case Treatment::withoutRule:
      return visitWithoutRule(op);
    }
  }

  static bool isTensor(mlir::Value value) { return tensorTypeOf(value) != nullptr; }
  static bool isBuffer(mlir::Value value) { return llvm::isa<BufferType>(value.getType()); }

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
      warnIfWrittenOtherwise(op, op->getOperand(0), buffer, layout, values, layouts, costs);
    apply(op, decision);
  }

  void visitByRule(mlir::Operation *op, const OpKind &kind) {
    if (op->getNumRegions() > 0)
      wholeRegions.bringCaptures(op);
    if (const FunctionPlan::OpLayouts *own = isPlanned ? functionPlan.of(op) : nullptr)
      return runPlanned(op, kind, *own);
    const Decision *known = decisionFor(op, kind);
    if (failed |= !known; !known)
      return;
    if (!known->isPossible) {
      op->emitOpError("cannot be brought to one split: its operands and results lie on meshes "
                      "between which there is no way");
      failed = true;
      return;
    }
    run(op, kind, *known);
  }

  /// Lets `op` run as the plan says. Remarks are made once for all ops that run alike.
  void runPlanned(mlir::Operation *op, const OpKind &kind, const FunctionPlan::OpLayouts &own) {
    Decision decision{own, /*isPossible=*/true};
    auto splits = [&](int32_t layout) { return isSplit(layout); };
    decision.isKeptWhole =
        own.wasSplit && llvm::none_of(own.operands, splits) && llvm::none_of(own.results, splits);
    key.assign(1, -1 - kind.number); // No key of `decisionFor` is negative there.
    for (auto [operand, wanted] : llvm::zip(op->getOperands(), own.operands))
      key.insert(key.end(), {values.operandSituation(operand), wanted});
    bool isNew = keys.number(key).second;
    if (isNew)
      decisions.emplace_back(); // One for each key.
    if (isNew && !llvm::is_contained(own.operands, -1)) {
      Choice choice;
      std::vector<TensorSituation> held;
      for (auto [operand, wanted] : llvm::zip(op->getOperands(), own.operands)) {
        choice.operands.push_back(layouts[wanted]);
        held.push_back(situationOf(operand, values.operandSituation(operand)));
      }
      remark(op, *kind.strategies, choice, held);
    }
    run(op, kind, decision);
  }

  TensorSituation situationOf(mlir::Value value, int32_t situation) {
    mlir::RankedTensorType type = tensorTypeOf(value);
    return {absl::MakeConstSpan(type.getShape().data(), type.getRank()),
            elementBits(type.getElementType()), &layouts[Values::layoutOfSituation(situation)],
            Values::isFreeSituation(situation)};
  }

  void remark(mlir::Operation *op, const Strategies &strategies, const Choice &choice,
              absl::Span<const TensorSituation> operands) {
    remarkOnGathers(op, strategies, choice, operands,
                    [&](int32_t mesh) -> const Mesh & { return codec.mesh(mesh); });
  }

  /// Lets `op` run by `decision`, with a word on what the user should know.
  void run(mlir::Operation *op, const OpKind &kind, const Decision &decision) {
    if (kind.isAssumed)
      reportAssumed(op, decision);
    else if (decision.isKeptWhole)
      reports.keptWhole(op);
    else if (kind.lacksAttribute && isAroundSplit(op))
      reports.lacksAttribute(op);
    if (!decision.isAsItLies)
      apply(op, decision);
    moves.addOp(op, kind);
  }

  /// Returns what is best for `op` as its operands lie now, or null after a diagnostic.
  const Decision *decisionFor(mlir::Operation *op, const OpKind &kind) {
    key.assign(1, kind.number);
    for (mlir::Value operand : op->getOperands())
      key.push_back(values.operandSituation(operand));
    for (mlir::OpResult result : op->getResults())
      key.push_back(values.resultSituation(result));
    if (llvm::any_of(key, [](int32_t part) { return part < 0; }))
      return nullptr;
    auto [number, isNew] = keys.number(key);
    if (isNew)
      decisions.push_back(decide(op, *kind.strategies));
    return &decisions[number];
  }

  /// Where a call runs on parts by a rule that nobody gave, the user should know which it is.
  void reportAssumed(mlir::Operation *op, const Decision &decision) {
    op->removeDiscardableAttr(assumedRuleAttrName);
    auto splits = [&](int32_t layout) { return isSplit(layout); };
    if (llvm::none_of(decision.operands, splits) && llvm::none_of(decision.results, splits))
      return reportIfAroundIsSplit(op);
    reports.assumed(op);
  }

  bool isSplit(int32_t layout) const {
    return layout >= 0 && !layouts[layout].sharding.isFullyReplicated();
  }

  /// Every operand comes to what the callee's argument says, results come out as the callee's.
  void visitCall(mlir::CallOpInterface call) {
    auto callee =
        llvm::dyn_cast_if_present<mlir::func::FuncOp>(call.resolveCallableInTable(&symbols));
    if (!callee || !isRun(callee))
      return visitWithoutRule(call);
    Decision decision;
    for (mlir::OpOperand &operand : call->getOpOperands()) {
      ValueSharding wanted = shardingOf(callee.getArgument(operand.getOperandNumber()));
      decision.operands.push_back(isTensor(operand.get()) ? layoutOr(wanted, operand.get()) : -1);
      if (!isBuffer(operand.get()))
        continue;
      int32_t held = declaredLayout(operand.get());
      int32_t lent = std::exchange(decision.operands.back(), -1);
      if (held != lent && held >= 0 && lent >= 0)
        lendBuffer(operand, held, lent, layouts);
    }
    for (mlir::OpResult result : call->getResults())
      decision.results.push_back(
          isTensor(result) ? layoutOr(shardingOfResult(callee, result.getResultNumber()), result)
                           : -1);
    apply(call, decision);
    call->removeDiscardableAttr(compositeRuleAttrName);
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
      warnIfWrittenOtherwise(op, op->getOperand(0), updated, wanted, values, layouts, costs);
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
      values.refresh(result);
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

  bool isAroundSplit(mlir::Operation *op) {
    auto isAround = [&](mlir::Value value) {
      return isTensor(value) && isSplit(declaredLayout(value));
    };
    return llvm::any_of(op->getOperands(), isAround) || llvm::any_of(op->getResults(), isAround);
  }

  void reportIfAroundIsSplit(mlir::Operation *op) {
    if (isAroundSplit(op))
      failed |= !reports.withoutRule(op);
  }

  //===- Layouts of values ---------------------------------------------------===//

  /// How `value` should lie, as propagation says, and, once its op is visited, how it does.
  int32_t declaredLayout(mlir::Value value) { return check(values.layoutOf(value)); }

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
    for (auto [i, operand] : llvm::enumerate(op->getOperands()))
      operands.push_back(situationOf(operand, key[i + 1]));
    for (mlir::OpResult result : op->getResults())
      results.push_back(
          situationOf(result, key[1 + op->getNumOperands() + result.getResultNumber()]));
    Choice choice = choose(strategies, operands, results, costs);
    remark(op, strategies, choice, operands);
    Decision decision;
    for (const MeshSharding &operand : choice.operands)
      decision.operands.push_back(layouts.intern(operand));
    for (const MeshSharding &result : choice.results)
      decision.results.push_back(layouts.intern(result));
    compare(op, decision);
    return decision;
  }

  /// Says what `decision` changes of how the tensors around `op`, which are in `key`, lie.
  void compare(mlir::Operation *op, Decision &decision) {
    decision.isPossible = decision.operands.size() == op->getNumOperands() &&
                          decision.results.size() == op->getNumResults();
    llvm::SmallVector<int32_t> around;
    for (int32_t known : llvm::drop_begin(key))
      around.push_back(Values::layoutOfSituation(known));
    auto own = llvm::concat<const int32_t>(decision.operands, decision.results);
    auto splits = [&](int32_t layout) { return isSplit(layout); };
    decision.isAsItLies = decision.isPossible && llvm::equal(own, around);
    decision.isKeptWhole = llvm::none_of(own, splits) && llvm::any_of(around, splits);
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
      if (produced != wanted) {
        values.setLayout(result, produced);
        moves.passOn(result, wanted);
      }
  }

  mlir::ModuleOp module;
  mlir::SymbolTableCollection symbols;
  ReshardOptions options;
  ShardingCodec codec;
  StrategyCache strategyCache;
  OpKinds kinds{strategyCache};
  Layouts layouts;
  Values values{layouts, kinds};
  Survey survey;
  ReshardCosts costs;
  Moves moves;
  FunctionPlan functionPlan{codec, layouts, values, costs, options.hoistBytes};
  bool isPlanned = false; ///< The function that is visited.
  WholeRegions wholeRegions;
  Reports reports;
  mlir::func::FuncOp func;
  size_t nextOp = 0;                      ///< Of those of the survey.
  std::vector<mlir::Operation *> freeOps; ///< Ops of the function that are made anew.
  bool failed = false;
  std::vector<int32_t> key; ///< What a decision depends on: the op's kind and what is around it.
  KeyNumbers keys;
  std::deque<Decision> decisions; ///< By number of the key.
};

} // namespace

mlir::LogicalResult reshardModule(mlir::ModuleOp module, const ReshardOptions &options) {
  return Resharder(module, options).run();
}

} // namespace spmd
