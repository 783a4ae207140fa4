#include "spmd/passes/reshard/FunctionPlan.h"

#include "spmd/ir/choose/PartsChoice.h"
#include "spmd/ir/planner/Planner.h"
#include "spmd/ir/rules/Propagation.h"
#include "spmd/ir/sharding/Layout.h"
#include "spmd/passes/reshard/InPlace.h"

#include "mlir/Dialect/Quant/IR/QuantTypes.h"
#include "mlir/Interfaces/CallInterfaces.h"

namespace spmd {

static bool isTensor(mlir::Value value) { return tensorTypeOf(value) != nullptr; }
static bool isBuffer(mlir::Value value) { return llvm::isa<BufferType>(value.getType()); }
/// Returns whether a device may hold a share of `value`, as a term of a sum.
static bool mayBeShared(mlir::Value value) {
  return !llvm::isa<mlir::quant::QuantizedType>(tensorTypeOf(value).getElementType());
}

/// Begin the keys of option sets that are not those of strategies, which begin with an address.
constexpr int64_t constraintKind = -1, flowKind = -2, fixedKind = -3;

/// A product is divided among at least this share of the devices among which propagation divides
/// its result, lest small programs are replicated to save bytes (docs/rationale/one-plan.md).
constexpr double leastParallelism = 1.0 / 4;

bool FunctionPlan::decide(mlir::func::FuncOp func, llvm::ArrayRef<SurveyedOp> ops) {
  this->func = func;
  nodes.clear();
  planned.clear();
  numbers.clear();
  insideLayouts.clear();
  flowSources.clear();
  flows.clear();
  optionNumbers.clear();
  growthLeft = static_cast<double>(hoistBytes);
  lightOps.clear();
  readIn.clear();
  readInSeveral.clear();
  remade.startFunction();
  remadeValues.clear();
  if (!table) // Layouts and the costs of moves are the same in all functions.
    table.emplace(codec.mainMesh(), costs);
  if (table->mesh().axes().empty() || !table->mesh().isIota())
    return false;
  graph = std::make_unique<DecisionGraph>(*table);
  blocks.start(func, table->mesh());
  for (const SurveyedOp &each : ops) // Before what is fused is asked for.
    if (each.kind->treatment == Treatment::byRule) {
      const OpRule &rule = each.kind->strategies->front().rule;
      lightOps[each.op] =
          !each.kind->strategies->front().multiplies && (isLight(rule) || isBroadcast(rule));
    }
  bool isComplete =
      llvm::all_of(ops, [&](const SurveyedOp &each) { return addOp(each.op, *each.kind); });
  for (mlir::Value value : remadeValues) // Found anew as ops are visited.
    values.unmarkFree(value);
  if (!isComplete)
    return false;
  graph->finish();
  PlanOfOptions plan = spmd::decide(*graph);
  write(plan.options);
  return true;
}

//===- Translation into the graph -------------------------------------------===//

bool FunctionPlan::addOp(mlir::Operation *op, const OpKind &kind) {
  switch (kind.treatment) {
  case Treatment::byRule:
    return addByRule(op, kind);
  case Treatment::placement:
    return op->getNumResults() == 0 || !isTensor(op->getOperand(0)) || addPlacement(op);
  case Treatment::dataFlow:
    return addDataFlow(llvm::cast<DataFlow>(op));
  case Treatment::terminator:
    return addTerminator(op);
  case Treatment::nothing:
    return true;
  case Treatment::call: {
    auto call = llvm::cast<mlir::CallOpInterface>(op);
    auto callee =
        llvm::dyn_cast_if_present<mlir::func::FuncOp>(call.resolveCallableInTable(&symbols));
    for (mlir::OpOperand &operand : op->getOpOperands()) {
      if (!isTensor(operand.get()) || isBuffer(operand.get()))
        continue;
      int64_t rank = tensorTypeOf(operand.get()).getRank();
      ValueSharding sharding = callee && isRun(callee)
                                   ? shardingOf(callee.getArgument(operand.getOperandNumber()))
                                   : ValueSharding();
      int32_t layout = sharding                  ? layouts.of(sharding.attr, rank)
                       : callee && isRun(callee) ? values.layoutOf(operand.get())
                                                 : layouts.replicated(rank);
      if (!addReader(op, operand.getOperandNumber(), layout))
        return false;
    }
    return true;
  }
  case Treatment::buffer: {
    int32_t layout = values.layoutOf(bufferOf(op));
    for (mlir::OpOperand &operand : op->getOpOperands())
      if (isTensor(operand.get()) && !isBuffer(operand.get()) &&
          !addReader(op, operand.getOperandNumber(), layout))
        return false;
    return true;
  }
  case Treatment::withoutRule:
    for (mlir::OpOperand &operand : op->getOpOperands())
      if (isTensor(operand.get()) &&
          !addReader(op, operand.getOperandNumber(),
                     layouts.replicated(tensorTypeOf(operand.get()).getRank())))
        return false;
    return true;
  }
  return true;
}

bool FunctionPlan::addByRule(mlir::Operation *op, const OpKind &kind) {
  bool isRemade = remade.add(op, kind);
  if (isRemade)
    remadeValues.push_back(op->getResult(0));
  if (kind.isFree || isRemade)
    return llvm::all_of(op->getOpOperands(), [&](mlir::OpOperand &operand) {
      mlir::RankedTensorType type = tensorTypeOf(operand.get());
      return !type || type.getRank() > 0 || // Made anew, too.
             addReader(op, operand.getOperandNumber(), layouts.replicated(0));
    });
  const OpRule &rule = kind.strategies->front().rule;
  if (isOnePart(rule) || kind.strategies->size() > 1) // Another strategy may join the parts.
    return addPart(op, *kind.strategies,
                   llvm::to_vector(llvm::seq<int32_t>(0, op->getNumOperands())),
                   llvm::to_vector(llvm::seq<int32_t>(0, op->getNumResults())));
  bool isDone = true;
  int32_t number = 0;
  forEachPart(rule, [&](RulePart part) {
    const Strategies *&strategies = knownParts[{kind.strategies, number++}];
    if (!strategies) {
      const Strategy &whole = kind.strategies->front();
      Strategy own;
      own.windows = windowsOf(whole, part);
      own.rule = std::move(part.rule);
      own.flops = whole.flops / part.numParts;
      own.multiplies = whole.multiplies;
      own.tieBytes = whole.tieBytes;
      strategies = &partStrategies.emplace_back(Strategies{std::move(own)});
    }
    isDone = isDone && addPart(op, *strategies, part.operands, part.results);
  });
  return isDone;
}

bool FunctionPlan::addPart(mlir::Operation *op, const Strategies &strategies,
                           llvm::ArrayRef<int32_t> operands, llvm::ArrayRef<int32_t> results) {
  OptionRequest request{strategies, {}, {}, blocks.axesIn(op->getBlock()), {}, /*mayShare=*/true};
  std::vector<int64_t> key{reinterpret_cast<intptr_t>(&strategies),
                           static_cast<int64_t>(request.axes.size())};
  key.insert(key.end(), request.axes.begin(), request.axes.end());
  std::vector<int32_t> read, kinds;
  auto note = [&](mlir::Value value, bool isResult) -> bool {
    OpTensor tensor{kindOf(value)};
    tensor.isFree = values.isFree(value);
    tensor.isFused = isResult && isFused(op, value);
    std::optional<int32_t> declared = tableLayout(values.layoutOf(value));
    if (!declared)
      return false;
    bool isUsual = dividesEvenly((*table)[*declared], table->shapeOf(tensor.kind));
    request.declared.push_back(*declared);
    request.mayShare &= mayBeShared(value);
    (isResult ? request.results : request.operands).push_back(tensor);
    key.insert(key.end(),
               {tensor.kind, tensor.isFree + 2 * tensor.isFused, isUsual ? -1 : *declared});
    return true;
  };
  for (int32_t i : operands) {
    std::optional<int32_t> number = numberOf(op->getOperand(i));
    if (!number || !note(op->getOperand(i), false))
      return false;
    read.push_back(*number);
  }
  for (int32_t i : results) {
    if (!note(op->getResult(i), true))
      return false;
    kinds.push_back(request.results.back().kind);
  }
  for (size_t t = operands.size(); t < request.declared.size(); ++t)
    request.leastDegree =
        std::max(request.leastDegree, leastParallelism * table->shardsOf(request.declared[t]));
  key.insert(key.end(), {request.mayShare, static_cast<int64_t>(request.leastDegree)});
  auto [entry, isNew] = optionNumbers.try_emplace(key, -1);
  if (isNew)
    if (std::optional<OptionSet> set = makeOptions(request, *table, costs.costModel()))
      entry->second = graph->addOptions(*std::move(set));
  if (entry->second < 0)
    return false;
  int32_t firstValue = graph->numValues();
  int32_t node = graph->addNode(entry->second, read, kinds, blocks.tripCountOf(op->getBlock()));
  nodes.push_back(
      {op, node, llvm::SmallVector<int32_t, 4>(operands), llvm::SmallVector<int32_t, 4>(results),
       llvm::any_of(request.declared,
                    [&](int32_t layout) { return !(*table)[layout].isFullyReplicated(); })});
  for (size_t i = 0; i < results.size(); ++i) {
    mlir::Value result = op->getResult(results[i]);
    int32_t made = firstValue + static_cast<int32_t>(i);
    if (values.isPinned(result)) { // Moved at once to the layout that the user gave.
      int32_t layout = *tableLayout(values.layoutOf(result)), kind = kinds[i];
      graph->addNode(fixedOptions(layout, layout), {made}, {kind},
                     blocks.tripCountOf(op->getBlock()));
      made = graph->numValues() - 1;
    }
    numbers[result] = made;
    weighMoves(result, made);
  }
  return true;
}

/// Moves of values that do not change in a loop are hoisted: they happen once for all iterations.
/// That may take `hoistBytes` of memory, which a tensor surely fits into if all of it does.
void FunctionPlan::weighMoves(mlir::Value value, int32_t number) {
  mlir::Operation *around = value.getParentBlock()->getParentOp();
  bool isHoisted = values.isUnchanging(value) &&
                   table->bytesOf(kindOf(value)) <= static_cast<double>(hoistBytes);
  if (around != func && isHoisted)
    graph->setMoveWeight(number, blocks.tripCountOf(around->getBlock()));
}

/// Returns the one option of what reads a value in layout `read`, or makes one in layout `made`.
int32_t FunctionPlan::fixedOptions(std::optional<int32_t> read, std::optional<int32_t> made) {
  std::vector<int64_t> key{fixedKind, read.value_or(-1), made.value_or(-1)};
  auto [entry, isNew] = optionNumbers.try_emplace(key, -1);
  auto listed = [](std::optional<int32_t> layout) {
    return layout ? std::vector<int32_t>{*layout} : std::vector<int32_t>();
  };
  if (isNew)
    entry->second = graph->addOptions(fixedOption(listed(read), listed(made)));
  return entry->second;
}

/// Returns the options of a constraint: the layout that it says, and those that split further.
int32_t FunctionPlan::constraintOptions(int32_t pinned, int32_t kind,
                                        const std::vector<int32_t> &axes) {
  std::vector<int64_t> key{constraintKind, pinned, kind};
  key.insert(key.end(), axes.begin(), axes.end());
  auto [entry, isNew] = optionNumbers.try_emplace(key, -1);
  if (!isNew)
    return entry->second;
  return entry->second = graph->addOptions(refinements(pinned, kind, axes, *table));
}

bool FunctionPlan::addPlacement(mlir::Operation *op) {
  mlir::Value result = op->getResult(0);
  std::optional<int32_t> pinned = tableLayout(values.layoutOf(result)),
                         operand = numberOf(op->getOperand(0));
  if (!pinned || !operand)
    return false;
  bool mayRefine = llvm::isa<sdy::ShardingConstraintOp>(op);
  int32_t kind = kindOf(result);
  int32_t options = mayRefine ? constraintOptions(*pinned, kind, blocks.axesIn(op->getBlock()))
                              : fixedOptions(*pinned, *pinned);
  int32_t node = graph->addNode(options, {*operand}, {kind}, blocks.tripCountOf(op->getBlock()));
  nodes.push_back({op, node, {0}, {0}});
  numbers[result] = graph->numValues() - 1;
  return true;
}

bool FunctionPlan::addReader(mlir::Operation *op, unsigned operand, int32_t layout) {
  mlir::Value value = op->getOperand(operand);
  std::optional<int32_t> number = numberOf(value), wanted = tableLayout(layout);
  if (!number || !wanted)
    return false;
  if (*number != DecisionGraph::none)
    graph->addNode(fixedOptions(*wanted, std::nullopt), {*number}, {},
                   blocks.tripCountOf(op->getBlock()));
  return true;
}

/// A flow has one layout at all places where it is read and made. It is the user's where the user
/// gave one, or where the regions compute on local shapes.
bool FunctionPlan::addDataFlow(DataFlow op) {
  for (auto [i, flow] : llvm::enumerate(op.getFlows())) {
    mlir::Value outside = flow.sources.front()->get();
    if (!isTensor(outside))
      continue;
    int64_t rank = tensorTypeOf(outside).getRank();
    ValueSharding sharding = op.getFlowSharding(i);
    int32_t layout = sharding ? layouts.of(sharding.attr, rank) : layouts.replicated(rank);
    if (op.getOwnManualAxes() || sharding.state == ShardingState::pinned) {
      int32_t inside = layout;
      if (sharding) {
        ValueSharding own = shardingInside(op, i);
        inside = own ? layouts.of(own.attr, rank) : values.layoutOf(outside);
      }
      for (mlir::OpOperand *source : flow.sources)
        insideLayouts[source] = source->getOwner() == op ? layout : inside;
    } else if (!addFlow(op, i, flow, layout)) {
      return false;
    }
  }
  for (mlir::OpOperand &operand : op->getOpOperands()) {
    if (!isTensor(operand.get()) || flowSources.contains(&operand))
      continue;
    auto found = insideLayouts.find(&operand);
    int32_t layout = found == insideLayouts.end()
                         ? layouts.replicated(tensorTypeOf(operand.get()).getRank())
                         : found->second;
    if (!addReader(op, operand.getOperandNumber(), layout))
      return false;
  }
  return true;
}

bool FunctionPlan::addFlow(DataFlow op, unsigned index, const Flow &flow, int32_t layout) {
  std::optional<int32_t> declared = tableLayout(layout);
  if (!declared)
    return false;
  int32_t kind = kindOf(flow.sources.front()->get());
  auto numSources = static_cast<int32_t>(flow.sources.size());
  const std::vector<int32_t> &axes = blocks.axesIn(op->getBlock());
  HandedOn value{kind, *declared, numSources, mayBeShared(flow.sources.front()->get()),
                 std::numeric_limits<double>::infinity()};
  bool mayGrow = !op.isLoop() || reserveGrowth(kind, *declared);
  if (!mayGrow)
    value.mostBytes = table->bytesOf(kind) / table->shardsOf(*declared);
  std::vector<int64_t> key{flowKind, *declared, kind, numSources, value.mayShare, mayGrow};
  key.insert(key.end(), axes.begin(), axes.end());
  auto [entry, isNew] = optionNumbers.try_emplace(key, -1);
  if (isNew)
    entry->second = graph->addOptions(anyLayout(value, axes, *table));
  std::vector<int32_t> operands(numSources, DecisionGraph::none);
  for (auto [s, source] : llvm::enumerate(flow.sources)) {
    if (source->getOwner() != op)
      continue;
    std::optional<int32_t> number = numberOf(source->get());
    if (!number)
      return false;
    operands[s] = *number;
  }
  int32_t node =
      graph->addNode(entry->second, operands, {kind, kind}, blocks.tripCountOf(op->getBlock()));
  graph->markFlow(node);
  int32_t insideValue = graph->numValues() - 2, outsideValue = graph->numValues() - 1;
  for (auto [s, source] : llvm::enumerate(flow.sources))
    flowSources[source] = {node, static_cast<int32_t>(s)};
  for (mlir::Value target : flow.targets) {
    bool isResult = llvm::isa<mlir::OpResult>(target);
    numbers[target] = isResult ? outsideValue : insideValue;
    if (isResult)
      continue;
    graph->setMoveWeight(insideValue, blocks.tripCountOf(target.getParentBlock()));
    weighMoves(target, insideValue);
  }
  flows.push_back({op, index, node});
  return true;
}

/// Returns whether a loop may hand on a tensor in any layout: together, such tensors need no more
/// than `hoistBytes` on a device above what propagation found.
bool FunctionPlan::reserveGrowth(int32_t kind, int32_t declared) {
  double growth = table->bytesOf(kind) * (1 - 1 / table->shardsOf(declared));
  if (growth > growthLeft)
    return false;
  growthLeft -= growth;
  return true;
}

bool FunctionPlan::addTerminator(mlir::Operation *op) {
  bool isReturn = op->getParentOp() == func;
  for (mlir::OpOperand &operand : op->getOpOperands()) {
    if (!isTensor(operand.get()))
      continue;
    if (auto flow = flowSources.find(&operand); flow != flowSources.end()) {
      std::optional<int32_t> number = numberOf(operand.get());
      if (!number)
        return false;
      graph->setOperand(flow->second.first, flow->second.second, *number);
      continue;
    }
    int64_t rank = tensorTypeOf(operand.get()).getRank();
    int32_t layout = 0;
    if (isReturn) {
      ValueSharding sharding = shardingOfResult(func, operand.getOperandNumber());
      layout = sharding ? layouts.of(sharding.attr, rank) : values.layoutOf(operand.get());
    } else {
      auto found = insideLayouts.find(&operand);
      layout = found == insideLayouts.end() ? layouts.replicated(rank) : found->second;
    }
    if (!addReader(op, operand.getOperandNumber(), layout))
      return false;
  }
  return true;
}

std::optional<int32_t> FunctionPlan::numberOf(mlir::Value value) {
  if (values.isFree(value))
    return DecisionGraph::none;
  if (auto found = numbers.find(value); found != numbers.end())
    return found->second;
  std::optional<int32_t> layout = tableLayout(values.layoutOf(value));
  if (!layout)
    return std::nullopt;
  graph->addNode(fixedOptions(std::nullopt, *layout), {}, {kindOf(value)},
                 blocks.tripCountOf(value.getParentBlock()));
  weighMoves(value, graph->numValues() - 1);
  return numbers[value] = graph->numValues() - 1;
}

std::optional<int32_t> FunctionPlan::tableLayout(int32_t layout) {
  if (layout < 0 || layouts[layout].mesh != codec.mainMesh())
    return std::nullopt;
  return table->intern(layouts[layout].sharding);
}

int32_t FunctionPlan::ownLayout(int32_t tableLayout) {
  return layouts.intern({codec.mainMesh(), (*table)[tableLayout]});
}

int32_t FunctionPlan::kindOf(mlir::Value value) {
  mlir::RankedTensorType type = tensorTypeOf(value);
  return table->kindOf(absl::MakeConstSpan(type.getShape().data(), type.getRank()),
                       elementBits(type.getElementType()));
}

/// Whether all readers of a light op's result compute it on their way.
bool FunctionPlan::isFused(mlir::Operation *op, mlir::Value result) {
  if (!lightOps.lookup(op) || result.use_empty())
    return false;
  return llvm::all_of(result.getUsers(), [&](mlir::Operation *user) {
    bool isReduction = user->getNumRegions() > 0 && lightOps.contains(user);
    bool isMove = user->getNumResults() == 1 && values.isPlaced(user->getResult(0));
    return lightOps.lookup(user) || isReduction || isMove;
  });
}

//===- Translation back -----------------------------------------------------===//

void FunctionPlan::write(const std::vector<int32_t> &options) {
  for (const PlannedNode &each : nodes) {
    const OptionSet &set = graph->optionsOf(each.node);
    OpLayouts &own = planned[each.op];
    own.operands.resize(each.op->getNumOperands(), -1);
    own.results.resize(each.op->getNumResults(), -1);
    own.wasSplit |= each.wasSplit;
    for (auto [i, operand] : llvm::enumerate(each.operands)) {
      own.operands[operand] = ownLayout(set.layoutOf(options[each.node], i));
      noteReader(each.op, operand, own.operands[operand]);
    }
    for (auto [i, result] : llvm::enumerate(each.results))
      own.results[result] = ownLayout(set.layoutOf(options[each.node], each.operands.size() + i));
  }
  writeFlows(options);
  for (auto &[op, own] : planned) {
    llvm::SmallVector<ValueSharding, 1> shardings;
    bool differs = false;
    for (auto [result, made] : llvm::zip(op->getResults(), own.results)) {
      bool isKept = values.isPinned(result) && !values.isPlaced(result);
      int32_t shown = isKept ? values.layoutOf(result) : made;
      shardings.push_back({layouts.attr(shown), ShardingState::inferred});
      if (values.isPinned(result))
        shardings.back().state = ShardingState::pinned;
      differs |= shown != values.layoutOf(result);
    }
    if (!differs)
      continue;
    setShardings(op, shardings);
    for (auto [result, sharding] : llvm::zip(op->getResults(), shardings))
      if (sharding.state != ShardingState::pinned || values.isPlaced(result))
        values.setLayout(result, layouts.of(sharding.attr, tensorTypeOf(result).getRank()));
  }
}

/// Notes values that ops of several blocks read in one layout.
void FunctionPlan::noteReader(mlir::Operation *op, int32_t operand, int32_t layout) {
  std::pair<mlir::Value, int32_t> read{op->getOperand(operand), layout};
  auto [first, isNew] = readIn.try_emplace(read, op->getBlock());
  if (!isNew && first->second != op->getBlock())
    readInSeveral.insert(read);
}

void FunctionPlan::writeFlows(const std::vector<int32_t> &options) {
  llvm::MapVector<mlir::Operation *, llvm::SmallVector<ValueSharding>> shardings;
  for (const PlannedFlow &flow : flows) {
    mlir::Operation *op = flow.op;
    llvm::SmallVector<ValueSharding> &own = shardings[op];
    if (own.empty())
      for (mlir::Value result : op->getResults())
        own.push_back(shardingOf(result));
    int32_t layout = graph->optionsOf(flow.node).layoutOf(options[flow.node], 0);
    own[flow.index] = {layouts.attr(ownLayout(layout)), ShardingState::inferred};
  }
  for (auto &[op, own] : shardings) {
    setShardings(op, own);
    for (const Flow &flow : llvm::cast<DataFlow>(op).getFlows())
      for (mlir::Value target : flow.targets)
        if (isTensor(target))
          values.refresh(target);
  }
}

} // namespace spmd
