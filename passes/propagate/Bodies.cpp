#include "spmd/passes/propagate/Bodies.h"

#include "spmd/dialect/partitioning/CustomRule.h"
#include "spmd/dialect/spmd/GrownPin.h"
#include "spmd/passes/propagate/BeforeLoops.h"
#include "spmd/passes/propagate/BorderDims.h"
#include "spmd/passes/propagate/CompositeRules.h"
#include "spmd/passes/propagate/Contents.h"
#include "spmd/passes/propagate/Donations.h"
#include "spmd/passes/propagate/KnownRules.h"
#include "spmd/passes/propagate/NamedOps.h"
#include "spmd/passes/propagate/Placements.h"
#include "spmd/passes/propagate/ShardingGroups.h"
#include "spmd/passes/propagate/TensorTypes.h"

#include "llvm/ADT/SmallBitVector.h"

namespace spmd {

class BodyBuilder {
public:
  BodyBuilder(ProgramGraph &program, bool keepsOrigins)
      : program(program), ops(program.bodyOps), keepsOrigins(keepsOrigins),
        knownRules(program.graph), groups(program), types(program.graph) {}

  mlir::LogicalResult run(mlir::ModuleOp module, const FirstLook &look) {
    if (look.hasBuffers)
      effects.emplace(module);
    auto functions = module.getOps<mlir::func::FuncOp>();
    reserve(look, functions);
    for (auto [index, func] : llvm::enumerate(functions))
      if (isRun(func))
        addBody(func, index < look.functions.size() ? look.functions[index] : FirstLook::Size());
    for (const auto &[group, members] : program.groupMembers)
      agreeOnFree(members);
    return mlir::failure(failed);
  }

private:
  using Body = ProgramGraph::Body;
  using BodyOp = ProgramGraph::BodyOp;
  using GroupMember = ProgramGraph::GroupMember;
  using Tensor = ProgramGraph::Tensor;

  //===- Functions -----------------------------------------------------------===//

  void addBody(mlir::func::FuncOp func, const FirstLook::Size &size) {
    Body &body = program.bodies.emplace_back();
    body.func = func;
    // Just the room that it needs: there may be thousands of functions, or a large one.
    body.tensors.reserve(size.numResults + func.getNumArguments() + func.getNumResults());
    ops.begins.push_back({ops.tensors.size(), ops.values.size()});
    body.firstOp = static_cast<int32_t>(ops.ops.size());
    if (effects)
      contents.emplace(func, *effects);
    program.noteArguments(func);
    for (mlir::BlockArgument argument : func.getArguments())
      addTensor(body, argument);
    body.firstResult = body.tensors.size();
    llvm::SmallBitVector aligned = alignedResults(func);
    for (unsigned i = 0; i < func.getNumResults(); ++i) {
      ValueSharding known = shardingOfResult(func, i);
      if (aligned[i] && known.state == ShardingState::inferred)
        known = {}; // Found anew at the end, and spread to nothing.
      addTensor(body, {}, static_cast<int32_t>(i),
                tensorTypeOf(func.getFunctionType().getResult(i)), known);
    }
    if (contents)
      addLeft(body);
    addBlock(body, func.getBody().front());
    for (std::vector<int32_t> &members : groups.endBody())
      tieMembers(body, std::move(members));
    if (contents)
      finishBuffers(body);
    body.numOps = static_cast<int32_t>(ops.ops.size()) - body.firstOp;
  }

  void tieMembers(Body &body, std::vector<int32_t> members) {
    if (members.size() < 2)
      return;
    llvm::sort(members);
    body.groupEdges.push_back(static_cast<int32_t>(ops.ops.size()) - body.firstOp);
    addEdge(members);
    llvm::SmallVector<GroupMember> tied;
    for (int32_t tensor : members)
      tied.push_back({static_cast<int32_t>(program.bodies.size()) - 1, tensor});
    agreeOnFree(tied);
  }

  /// A constant that is tied to what is none lies as that does, and no longer as its users want it.
  void agreeOnFree(llvm::ArrayRef<GroupMember> members) {
    auto tensorOf = [&](const GroupMember &member) -> Tensor & {
      return program.bodies[member.body].tensors[member.tensor];
    };
    bool isFree =
        llvm::all_of(members, [&](const GroupMember &each) { return tensorOf(each).isFree; });
    for (const GroupMember &each : members)
      tensorOf(each).isFree = isFree;
  }

  /// Makes room for the ops of all functions.
  template <typename Functions> void reserve(const FirstLook &look, Functions functions) {
    FirstLook::Size all = look.total();
    size_t numValues = all.numResults, numFunctions = 0;
    for (mlir::func::FuncOp func : functions) {
      numValues += func.getNumArguments() + func.getNumResults();
      ++numFunctions;
    }
    program.bodies.reserve(numFunctions);
    ops.begins.reserve(numFunctions);
    ops.ops.reserve(std::max(all.numOps, all.numResults));
    ops.tensors.reserve(all.numOperands + all.numResults);
    ops.values.reserve(numValues);
  }

  void addTensor(Body &body, mlir::Value value, bool isFree = false) {
    mlir::RankedTensorType type = tensorTypeOf(value);
    if (!type)
      return;
    program.setTensor(value, body.tensors.size());
    addTensor(body, value, 0, type, shardingOf(value), isFree);
  }

  void addTensor(Body &body, mlir::Value value, int32_t resultIndex, mlir::RankedTensorType type,
                 ValueSharding sharding, bool isFree = false) {
    TensorTypes::Info info = types.of(type);
    if (info.isDynamic) {
      mlir::emitError(value ? value.getLoc() : body.func.getLoc())
          << "type " << type << " has a dynamic dim; shardings need static shapes";
      failed = true;
    }
    auto isSplit = [](const DimSpec &dim) { return !dim.axes.empty(); };
    if (sharding && isQuantizedAlongDim(type) &&
        llvm::any_of(sharding.attr.getSpec().dims, isSplit)) {
      mlir::emitError(value ? value.getLoc() : body.func.getLoc())
          << "type " << type << " has scales along a dim and cannot be sharded; leave it whole";
      failed = true;
    }
    if (sharding)
      body.shardings.emplace_back(body.tensors.size(), sharding);
    body.tensors.push_back({value, resultIndex, isFree});
    ops.values.push_back({info.shape, info.elementBits, turns});
  }

  void addOp(Body &body, mlir::Operation *op) {
    operands.clear();
    for (mlir::OpOperand &operand : op->getOpOperands())
      operands.push_back(indexOf(operand.get()));
    NamedOps::Info info = namedOps.of(op);
    if (info.isAccess && contents)
      return addAccess(body, op);
    bool isFree = !info.isFlow && costsNothing(body, op, info);
    size_t firstResult = body.tensors.size();
    for (mlir::Value result : op->getResults())
      addTensor(body, result, isFree);
    addHints(body, op);
    if (info.isFlow) {
      addDataFlow(body, llvm::cast<DataFlow>(op));
    } else if (std::optional<uint64_t> group = ShardingGroups::groupOf(op)) {
      if (operands[0] != ShardGraph::none)
        failed |= mlir::failed(groups.add(op, *group, operands[0], region));
    } else if (const OpRule *rule = info.isCall ? compositeRules.of(op) : nullptr) {
      addRule(body, op, *rule, static_cast<int32_t>(firstResult));
    } else if (info.isCall) {
      addCall(body, op, static_cast<int32_t>(firstResult));
    } else if (info.isTerminator) {
      if (op->getParentOp() != body.func)
        return; // Its operands are sources of flows.
      for (size_t i = 0; i < operands.size(); ++i)
        if (operands[i] != ShardGraph::none)
          addEdge({operands[i], body.firstResult + static_cast<int32_t>(i)}, op);
      if (contents)
        for (auto [i, left] : llvm::enumerate(contents->getLeft()))
          addEdge({tensorOf(left.content), body.firstLeft() + static_cast<int32_t>(i)}, op);
    } else if (const Strategies *strategies = strategyCache.lookup(op)) {
      if (!body.shardings.empty() &&
          body.shardings.back().first >= static_cast<int32_t>(firstResult) && pinsOneResult(op))
        notePlacement(body);
      addRule(body, op, strategies->front().rule, static_cast<int32_t>(firstResult));
    } else if (std::string wrong = whyNoRule(op); !wrong.empty()) {
      op->emitOpError() << wrong;
      failed = true;
    }
  }

  /// How many ops `body` has so far, which is also the number of the next one.
  int32_t numOpsOf(const Body &body) const {
    return static_cast<int32_t>(ops.ops.size()) - body.firstOp;
  }

  /// Notes that the next op does nothing but pin its one result.
  void notePlacement(Body &body) { body.placements.push_back(numOpsOf(body)); }

  /// Notes what is left of earlier shardings. Where axes are manual, sizes are of another whole.
  void addHints(Body &body, mlir::Operation *op) {
    if (op->getRawDictionaryAttrs().empty())
      return;
    auto hint =
        llvm::dyn_cast_if_present<sdy::ShardingPerValueAttr>(op->getDiscardableAttr(hintAttrName));
    if (!hint)
      return;
    body.hintedOps.push_back(op);
    for (auto [result, sharding] : llvm::zip(op->getResults(), hint.getShardings()))
      if (region == ShardGraph::none && tensorTypeOf(result) &&
          llvm::isa<mlir::FlatSymbolRefAttr>(sharding.getMeshOrRef()))
        body.hints.emplace_back(indexOf(result), sharding);
  }

  void addBlock(Body &body, mlir::Block &block) {
    for (mlir::Operation &op : block)
      addOp(body, &op);
  }

  //===- Regions -------------------------------------------------------------===//

  void addDataFlow(Body &body, DataFlow op) {
    llvm::SmallVector<Flow, 0> flows = op.getFlows();
    std::vector<int32_t> tensors;
    for (auto [i, flow] : llvm::enumerate(flows))
      tensors.push_back(tensorOfFlow(body, op, i, flow));
    body.flowOps.push_back({op, tensors});
    bool isManual = op.getOwnManualAxes() != nullptr;
    int32_t around = region;
    float outerTurns = turns;
    turns *= static_cast<float>(std::max<int64_t>(1, op.getTripCount().value_or(1)));
    for (auto [flow, tensor] : llvm::zip(flows, tensors))
      if (tensor != ShardGraph::none) {
        mlir::Value held = beforeLoops.heldFor(op, flow);
        int32_t outside = held ? indexOf(held) : ShardGraph::none;
        ownValue(tensor).turns = outside == ShardGraph::none ? turns : ownValue(outside).turns;
      }
    if (isManual) {
      region = body.manualRegions.size();
      body.manualRegions.push_back({op, static_cast<int32_t>(body.tensors.size()), 0});
    }
    for (auto [flow, tensor] : llvm::zip(flows, tensors))
      addArguments(body, op, flow, tensor, isManual);
    int32_t firstInside = numOpsOf(body);
    for (mlir::Region &inner : op->getRegions())
      for (mlir::Block &block : inner)
        addBlock(body, block);
    for (auto [flow, tensor] : llvm::zip(flows, tensors))
      tieSources(body, op, flow, tensor, isManual, firstInside);
    if (isManual)
      body.manualRegions[std::exchange(region, around)].last = body.tensors.size();
    turns = outerTurns;
  }

  /// The result that comes out, else a tensor of its own at the border.
  int32_t tensorOfFlow(Body &body, DataFlow op, unsigned index, const Flow &flow) {
    for (mlir::Value target : flow.targets)
      if (target.getDefiningOp())
        return indexOf(target);
    mlir::RankedTensorType type = tensorTypeOf(flow.sources.front()->get());
    if (!type)
      return ShardGraph::none;
    addTensor(body, {}, Tensor::inside, type, op.getWrittenSharding(index));
    return body.tensors.size() - 1;
  }

  /// Arguments of regions are the flow's tensor, or, where axes are manual, a part of it.
  void addArguments(Body &body, mlir::Operation *op, const Flow &flow, int32_t tensor,
                    bool isManual) {
    for (mlir::Value target : flow.targets) {
      if (tensor == ShardGraph::none || target.getDefiningOp())
        continue;
      if (isManual) {
        addTensor(body, target);
        body.entries.push_back(numOpsOf(body));
        tieAcrossBorder(body, op, tensor, indexOf(target));
      } else {
        program.tensorIndex.set(target, tensor);
      }
    }
  }

  void tieSources(Body &body, mlir::Operation *op, const Flow &flow, int32_t tensor, bool isManual,
                  int32_t firstInside) {
    llvm::SmallVector<int32_t, 4> tied = {tensor};
    bool isHandedOn = false; // As it came in.
    for (mlir::OpOperand *source : flow.sources) {
      int32_t index = indexOf(source->get());
      isHandedOn |= index == tensor;
      if (tensor == ShardGraph::none || index == ShardGraph::none ||
          llvm::is_contained(tied, index))
        continue;
      if (isManual && source->getOwner() != op)
        tieAcrossBorder(body, op, tensor, index);
      else if (!body.tensors[index].isFree || isUsedOnce(source->get()))
        tied.push_back(index); // A constant with other uses is made anew for each of them.
    }
    if (tied.size() == 2 && isHandedOn)
      tied.push_back(tensor); // Of several sources, one of them at its place: all come to it.
    if (tied.size() <= 1)
      return;
    if (isHandedOn)
      body.handedOnEdges.emplace_back(numOpsOf(body), firstInside);
    addEdge(tied, op);
  }

  /// Ties a tensor to what it is inside a manual region.
  void tieAcrossBorder(Body &body, mlir::Operation *op, int32_t outside, int32_t inside) {
    OpRule rule = borderRule(shapeOf(outside), shapeOf(inside));
    push({program.graph.internRule(rule), 1, 2, turns}, op);
    ops.tensors.insert(ops.tensors.end(), {outside, inside});
  }

  //===- Calls and buffers ---------------------------------------------------===//

  void addCall(Body &body, mlir::Operation *op, int32_t firstResult) {
    bool passesBuffers = contents && !contents->passedBy(op).empty();
    if (passesBuffers)
      for (auto [tensor, content] : llvm::zip(operands, contents->passedBy(op)))
        if (content != BufferContents::none)
          tensor = tensorOf(content);
    body.calls.push_back({op, 0, region, turns, static_cast<int32_t>(ops.ops.size()) - body.firstOp,
                          static_cast<int32_t>(body.callOperands.size()), firstResult});
    llvm::append_range(body.callOperands, operands);
    if (!passesBuffers)
      return;
    body.calls.back().firstLeft = static_cast<int32_t>(body.tensors.size());
    for (const BufferContents::Put &put : contents->putsOf(op))
      addContent(body, put.given, put.buffer, {});
    addPuts(body, op);
  }

  /// What callers find in the arguments that the function writes: further results.
  void addLeft(Body &body) {
    contentTensors.clear();
    for (const BufferContents::Left &left : contents->getLeft())
      addTensor(body, {}, Tensor::inside, tensorTypeOf(left.argument),
                originalPinOf(left.argument));
    body.numLeft = static_cast<int32_t>(contents->getLeft().size());
  }

  /// Adds a tensor for a content that is no value of the program.
  void addContent(Body &body, int32_t content, mlir::Value buffer, ValueSharding pin) {
    contentTensors[content] = static_cast<int32_t>(body.tensors.size());
    addTensor(body, {}, Tensor::inside, tensorTypeOf(buffer), pin);
  }

  int32_t tensorOf(int32_t content) const {
    auto made = contentTensors.find(content);
    return made == contentTensors.end() ? indexOf(contents->valueOf(content)) : made->second;
  }

  void addAccess(Body &body, mlir::Operation *op) {
    if (llvm::isa<StoreOp>(op))
      return addPuts(body, op);
    mlir::Value result = op->getResult(0);
    if (llvm::isa<AllocOp>(op)) {
      const auto &history = contents->cellOf(result).history;
      if (!history.empty() && contents->valueOf(history.front()) != result)
        return;                                 // It lies as what is stored first.
      addTensor(body, result, /*isFree=*/true); // As a constant of zeros.
      return addRule(body, op, strategyCache.lookup(op)->front().rule, indexOf(result));
    }
    int32_t content = contents->loadedBy(llvm::cast<LoadOp>(op));
    if (!pinOf(result))
      return addAccessOf(body, result, content);
    addTensor(body, result);
    addEdge({tensorOf(content), indexOf(result)}, op);
  }

  /// Notes what lies as a content does. What is known of it is known of the content.
  void addAccessOf(Body &body, mlir::Value access, int32_t content) {
    int32_t tensor = tensorOf(content);
    program.tensorIndex.set(access, tensor);
    if (ValueSharding known = contents->knownBy(access, content))
      body.shardings.emplace_back(tensor, known);
    body.accesses.emplace_back(access, tensor);
  }

  /// What is put into a pinned buffer is brought to its pin, as by a constraint.
  void addPuts(Body &body, mlir::Operation *op) {
    for (const BufferContents::Put &put : contents->putsOf(op)) {
      if (put.held == put.given)
        continue;
      ValueSharding pin = contents->cellOf(put.buffer).pin;
      addContent(body, put.held, put.buffer, pin);
      if (pin)
        notePlacement(body);
      addEdge({tensorOf(put.given), tensorOf(put.held)}, op);
    }
  }

  /// What an unpinned argument holds at first, and what it leaves in memory that is donated, lie
  /// alike.
  void finishBuffers(Body &body) {
    llvm::append_range(body.openlyPinned, contents->getOpenlyPinned());
    for (const auto &[buffer, cell] : contents->getCells()) {
      if (cell.tiesEnds())
        tieMembers(body, {tensorOf(cell.history.front()), tensorOf(cell.content)});
      if (buffer.getDefiningOp<AllocOp>() && indexOf(buffer) == ShardGraph::none)
        addAccessOf(body, buffer, cell.history.front());
    }
  }

  bool isUsedOnce(mlir::Value value) const {
    return contents ? contents->isUsedOnce(value) : countUses(value) == 1;
  }

  //===- Ops -----------------------------------------------------------------===//

  /// Constants, and what is made of nothing but them and scalars. Requires `operands` to be those
  /// of `op`.
  bool costsNothing(const Body &body, mlir::Operation *op, NamedOps::Info info) {
    if (info.isFree)
      return true;
    if (operands.empty() || info.isCall)
      return false;
    for (int32_t index : operands)
      if (index == ShardGraph::none || (!body.tensors[index].isFree && !shapeOf(index).empty()))
        return false;
    return info.isPure || mlir::isPure(op); // Nobody knows what a custom call costs.
  }

  /// Returns a tensor of the function at hand.
  ProgramGraph::BodyTensor &ownValue(int32_t tensor) const {
    return ops.values[ops.begins.back().value + tensor];
  }

  const ShardGraph::Shape &shapeOf(int32_t tensor) const {
    return program.graph.shape(ownValue(tensor).shape);
  }

  int32_t indexOf(mlir::Value value) const { return program.tensorOf(value); }

  void addEdge(llvm::ArrayRef<int32_t> tensors, mlir::Operation *op = nullptr) {
    push({ShardGraph::none, 1, static_cast<int32_t>(tensors.size()), turns}, op);
    llvm::append_range(ops.tensors, tensors);
  }

  /// Adds an op that stands for `source`, which may be null. Its tensors are to follow.
  void push(BodyOp op, mlir::Operation *source) {
    ops.ops.push_back(op);
    if (keepsOrigins)
      program.sources.push_back(source);
  }

  /// Adds the op, whose results are the last tensors from `firstResult` on, as one op of the graph
  /// for each part of its rule, if all its operands and results are tensors.
  void addRule(const Body &body, mlir::Operation *op, const OpRule &rule, int32_t firstResult) {
    int32_t numOperands = op->getNumOperands(), numResults = op->getNumResults();
    size_t numTensors = body.tensors.size() - firstResult; // Among the results.
    if (rule.operands.size() != op->getNumOperands() || rule.results.size() != numTensors ||
        numTensors != op->getNumResults() || llvm::is_contained(operands, ShardGraph::none))
      return;
    const KnownRules::Entry &known = knownRules.of(rule);
    if (known.parts.empty()) {
      push({known.index, numOperands, numOperands + numResults, turns}, op);
      for (int32_t operand : operands) // Few: a loop takes less than a call.
        ops.tensors.push_back(operand);
      for (int32_t i = 0; i < numResults; ++i)
        ops.tensors.push_back(firstResult + i);
    }
    const int32_t *next = known.tensors.data();
    for (auto [index, ownOperands, ownResults] : known.parts) {
      push({index, ownOperands, ownOperands + ownResults, turns}, op);
      for (int32_t i = 0; i < ownOperands; ++i)
        ops.tensors.push_back(operands[*next++]);
      for (int32_t i = 0; i < ownResults; ++i)
        ops.tensors.push_back(firstResult + *next++);
    }
  }

  ProgramGraph &program;
  ProgramGraph::BodyOps &ops; ///< Of the program.
  bool keepsOrigins;
  KnownRules knownRules;
  StrategyCache strategyCache;
  BeforeLoops beforeLoops{strategyCache};
  CompositeRules compositeRules;
  bool failed = false;
  int32_t region = ShardGraph::none; ///< The innermost manual region at this point.
  float turns = 1;                   ///< How often a run of the function comes to this point.
  ShardingGroups groups;
  std::optional<BufferEffects> effects;   ///< Of modules with buffers.
  std::optional<BufferContents> contents; ///< Then, of the function at hand.
  /// Tensors of the contents that are no values of the program.
  llvm::DenseMap<int32_t, int32_t> contentTensors;
  std::vector<int32_t> operands; ///< Of the op at hand: their tensors, or ShardGraph::none.
  TensorTypes types;
  NamedOps namedOps;
};

mlir::LogicalResult addBodies(mlir::ModuleOp module, const FirstLook &look, bool keepsOrigins,
                              ProgramGraph &program) {
  return BodyBuilder(program, keepsOrigins).run(module, look);
}

} // namespace spmd
