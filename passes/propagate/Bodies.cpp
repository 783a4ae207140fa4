#include "spmd/passes/propagate/Bodies.h"

#include "spmd/dialect/partitioning/CustomRule.h"
#include "spmd/dialect/spmd/DataFlow.h"
#include "spmd/ir/rules/Parts.h"
#include "spmd/passes/propagate/Contradictions.h"

#include "mlir/Interfaces/CallInterfaces.h"

#include "llvm/ADT/MapVector.h"

#include <map>

namespace spmd {

/// Functions of more ops than this are long.
constexpr size_t maxShortBody = 64;

class BodyBuilder {
public:
  explicit BodyBuilder(ProgramGraph &program) : program(program) {}

  mlir::LogicalResult run(mlir::ModuleOp module) {
    auto functions = module.getOps<mlir::func::FuncOp>();
    size_t numFunctions = std::distance(functions.begin(), functions.end());
    program.bodies.reserve(numFunctions);
    program.bodyOps.reserve(numFunctions);
    for (auto func : module.getOps<mlir::func::FuncOp>())
      if (!func.isExternal())
        addBody(func);
    return mlir::failure(failed);
  }

private:
  using Body = ProgramGraph::Body;
  using BodyOp = ProgramGraph::BodyOp;
  using Tensor = ProgramGraph::Tensor;

  //===- Functions -----------------------------------------------------------===//

  void addBody(mlir::func::FuncOp func) {
    Body &body = program.bodies.emplace_back();
    program.bodyOps.emplace_back();
    body.func = func;
    reserve(body, program.bodyOps.back());
    for (mlir::BlockArgument argument : func.getArguments())
      addTensor(body, argument);
    body.firstResult = body.tensors.size();
    for (unsigned i = 0; i < func.getNumResults(); ++i)
      addTensor(body, {}, static_cast<int32_t>(i),
                tensorTypeOf(func.getFunctionType().getResult(i)), shardingOfResult(func, i));
    groups.clear();
    pinnedMembers.clear();
    cells.clear();
    addBlock(body, func.getBody().front());
    for (auto &[id, members] : groups)
      if (members.size() > 1)
        addEdge(members);
    for (auto &[buffer, cell] : cells)
      if (cell.history.size() > 1 && !cell.isClosed)
        addEdge(cell.history);
  }

  /// Makes just the room that a short function needs: a tensor and two operands for each op. There
  /// may be thousands of them. Long ones are not counted, they grow.
  static void reserve(Body &body, ProgramGraph::BodyOps &ops) {
    size_t numOps = 0;
    for (mlir::Operation &op : body.func.getBody().front()) {
      static_cast<void>(op);
      if (++numOps > maxShortBody)
        return;
    }
    size_t numTensors = numOps + body.func.getNumArguments() + body.func.getNumResults();
    body.tensors.reserve(numTensors);
    body.isFree.reserve(numTensors);
    ops.ops.reserve(numOps + body.func.getNumResults());
    ops.tensors.reserve(3 * numOps);
  }

  void addTensor(Body &body, mlir::Value value, bool isFree = false) {
    mlir::RankedTensorType type = tensorTypeOf(value);
    if (!type)
      return;
    program.tensorIndex.set(value, body.tensors.size());
    addTensor(body, value, 0, type, shardingOf(value), isFree);
  }

  void addTensor(Body &body, mlir::Value value, int32_t resultIndex, mlir::RankedTensorType type,
                 ValueSharding sharding, bool isFree = false) {
    TypeInfo info = describe(type);
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
    body.tensors.push_back({value, resultIndex, info.shape, info.elementBits, turns});
    body.isFree.push_back(isFree);
  }

  /// What the graph says of a type: the index of its shape, and the bits of an element.
  struct TypeInfo {
    int32_t shape, elementBits;
    bool isDynamic;
  };

  TypeInfo describe(mlir::RankedTensorType type) {
    if (auto known = describedTypes.find(type); known != describedTypes.end())
      return known->second;
    if (!type)
      return describedTypes[type] = {program.graph.internShape({}), 0, false};
    return describedTypes[type] = {
               program.graph.internShape({type.getShape().begin(), type.getShape().end()}),
               elementBits(type.getElementType()), !type.hasStaticShape()};
  }

  /// What is the same for all ops of one name; each of these is a search otherwise.
  struct NameInfo {
    bool isLoad, isStore, isFlow, isCall, isTerminator;
  };

  NameInfo infoOf(mlir::Operation *op) {
    const void *name = op->getName().getAsOpaquePointer();
    if (auto known = namedOps.find(name); known != namedOps.end())
      return known->second;
    return namedOps[name] = {llvm::isa<LoadOp>(op), llvm::isa<StoreOp>(op), llvm::isa<DataFlow>(op),
                             llvm::isa<mlir::CallOpInterface>(op),
                             op->hasTrait<mlir::OpTrait::IsTerminator>()};
  }

  void addOp(Body &body, mlir::Operation *op) {
    operands.clear();
    for (mlir::OpOperand &operand : op->getOpOperands())
      operands.push_back(indexOf(operand.get()));
    NameInfo info = infoOf(op);
    if (info.isLoad && !shardingOf(op->getResult(0)))
      return addLoad(body, llvm::cast<LoadOp>(op));
    bool isFree = !info.isFlow && costsNothing(body, op, info);
    size_t firstResult = body.tensors.size();
    for (mlir::Value result : op->getResults())
      addTensor(body, result, isFree);
    addHints(body, op);
    if (info.isFlow) {
      addDataFlow(body, llvm::cast<DataFlow>(op));
    } else if (std::optional<uint64_t> group = groupOf(op)) {
      if (operands[0] != ShardGraph::none)
        joinGroup(body, op, *group);
    } else if (info.isStore) {
      addStore(body, llvm::cast<StoreOp>(op));
    } else if (info.isCall) {
      body.calls.push_back(
          {op, 0, region, turns, static_cast<int32_t>(program.bodyOps.back().ops.size())});
      forgetContents(op);
    } else if (info.isTerminator) {
      if (op->getParentOp() != body.func)
        return; // Its operands are sources of flows.
      for (size_t i = 0; i < operands.size(); ++i)
        if (operands[i] != ShardGraph::none)
          addEdge({operands[i], body.firstResult + static_cast<int32_t>(i)}, op);
    } else if (const Strategies *strategies = strategyCache.lookup(op)) {
      addRule(op, strategies->front().rule, static_cast<int32_t>(firstResult),
              static_cast<int32_t>(body.tensors.size()));
    } else if (std::string wrong = whyNoRule(op); !wrong.empty()) {
      op->emitOpError() << wrong;
      failed = true;
    }
  }

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

  static std::optional<uint64_t> groupOf(mlir::Operation *op) {
    if (op->getNumOperands() != 1 || op->getNumResults() != 0)
      return std::nullopt;
    auto partitionable = llvm::dyn_cast<Partitionable>(op);
    return partitionable ? partitionable.getGroup() : std::nullopt;
  }

  /// Adds the operand of `op` to a sharding group. Members lie alike dim by dim, so they are of one
  /// rank.
  void joinGroup(const Body &body, mlir::Operation *op, uint64_t group) {
    std::vector<int32_t> &members = groups[{group, region}];
    auto rankOf = [&](int32_t tensor) {
      return program.graph.shape(body.tensors[tensor].shape).size();
    };
    if (!members.empty() && rankOf(members.front()) != rankOf(operands[0])) {
      op->emitOpError() << "adds a tensor of rank " << rankOf(operands[0]) << " to group " << group
                        << ", whose first is of rank " << rankOf(members.front());
      failed = true;
      return;
    }
    members.push_back(operands[0]);
    if (!pinOf(op->getOperand(0)))
      return;
    mlir::Value &pinned = pinnedMembers[{group, region}]; // The first stands for all.
    if (pinned)
      warnOfContraryMembers(program.codec, op, group, pinned, op->getOperand(0));
    else
      pinned = op->getOperand(0);
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
    for (int32_t tensor : tensors)
      if (tensor != ShardGraph::none)
        body.tensors[tensor].turns = turns;
    if (isManual) {
      region = body.manualRegions.size();
      body.manualRegions.push_back({op, static_cast<int32_t>(body.tensors.size()), 0});
    }
    for (auto [flow, tensor] : llvm::zip(flows, tensors))
      addArguments(body, op, flow, tensor, isManual);
    for (mlir::Region &inner : op->getRegions())
      for (mlir::Block &block : inner)
        addBlock(body, block);
    for (auto [flow, tensor] : llvm::zip(flows, tensors))
      tieSources(body, op, flow, tensor, isManual);
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
    addTensor(body, {}, Tensor::inside, type, op.getFlowSharding(index));
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
        tieAcrossBorder(body, op, tensor, indexOf(target));
      } else {
        program.tensorIndex.set(target, tensor);
      }
    }
  }

  void tieSources(Body &body, mlir::Operation *op, const Flow &flow, int32_t tensor,
                  bool isManual) {
    llvm::SmallVector<int32_t, 4> tied = {tensor};
    for (mlir::OpOperand *source : flow.sources) {
      int32_t index = indexOf(source->get());
      if (tensor == ShardGraph::none || index == ShardGraph::none ||
          llvm::is_contained(tied, index))
        continue;
      if (isManual && source->getOwner() != op)
        tieAcrossBorder(body, op, tensor, index);
      else if (!body.isFree[index] || source->get().hasOneUse())
        tied.push_back(index); // A constant with other uses is made anew for each of them.
    }
    if (tied.size() > 1)
      addEdge(tied, op);
  }

  /// Ties a tensor to what it is inside a manual region, one part along the manual axes.
  void tieAcrossBorder(Body &body, mlir::Operation *op, int32_t outside, int32_t inside) {
    const ShardGraph::Shape &whole = program.graph.shape(body.tensors[outside].shape);
    const ShardGraph::Shape &part = program.graph.shape(body.tensors[inside].shape);
    RuleBuilder builder(1, 1);
    builder.operandRank(0, whole.size()).resultRank(0, part.size());
    for (size_t d = 0; d < whole.size(); ++d) {
      int32_t free = builder.factor(part[d]);
      builder.result(0, d, {free});
      if (whole[d] == part[d]) {
        builder.operand(0, d, {free});
        continue;
      }
      Factor manual{whole[d] / part[d]};
      manual.blocked = true;
      builder.operand(0, d, {builder.factor(manual), free});
    }
    ProgramGraph::BodyOps &all = program.bodyOps.back();
    all.ops.push_back({program.graph.internRule(builder.take()), 1, 2, turns, op});
    all.tensors.insert(all.tensors.end(), {outside, inside});
  }

  //===- Buffers -------------------------------------------------------------===//

  // As where buffers became values, so that both ways give the same shardings: what is loaded is
  // what was stored last, a pinned buffer constrains what is stored, all that an unpinned one holds
  // in turn lies alike.

  /// What a buffer holds at this point, and all that it held, itself first: tensors of the body.
  struct Cell {
    int32_t content;
    llvm::SmallVector<int32_t, 2> history;
    bool isClosed;
  };

  Cell &cellOf(mlir::Value buffer) {
    int32_t index = indexOf(buffer);
    return cells.try_emplace(index, Cell{index, {index}, isClosed(pinOf(buffer))}).first->second;
  }

  void addLoad(Body &body, LoadOp load) {
    int32_t content = cellOf(load.getBuffer()).content;
    program.tensorIndex.set(load.getResult(), content);
    body.loads.emplace_back(load.getResult(), content);
  }

  void addStore(Body &body, StoreOp store) {
    Cell &cell = cellOf(store.getBuffer());
    ValueSharding pin = pinOf(store.getBuffer());
    int32_t stored = operands[0];
    if (pin && pinOf(store.getValue()).attr != pin.attr) {
      addTensor(body, {}, Tensor::inside, tensorTypeOf(store.getValue()), pin);
      addEdge({stored, static_cast<int32_t>(body.tensors.size()) - 1}, store);
      stored = body.tensors.size() - 1;
    }
    cell.content = stored;
    if (!llvm::is_contained(cell.history, stored))
      cell.history.push_back(stored);
  }

  /// What a callee leaves in a buffer is known of the buffer alone.
  void forgetContents(mlir::Operation *call) {
    for (mlir::Value operand : call->getOperands())
      if (llvm::isa<BufferType>(operand.getType()))
        cellOf(operand).content = indexOf(operand);
  }

  //===- Ops -----------------------------------------------------------------===//

  /// Constants, and what is made of nothing but them and scalars. Requires `operands` to be those
  /// of `op`.
  bool costsNothing(const Body &body, mlir::Operation *op, NameInfo info) {
    if (auto partitionable = llvm::dyn_cast<Partitionable>(op);
        partitionable && partitionable.isFree())
      return true;
    if (operands.empty() || info.isCall)
      return false;
    for (int32_t index : operands)
      if (index == ShardGraph::none ||
          (!body.isFree[index] && !program.graph.shape(body.tensors[index].shape).empty()))
        return false;
    return mlir::isMemoryEffectFree(op);
  }

  int32_t indexOf(mlir::Value value) const { return program.tensorIndex.lookup(value); }

  void addEdge(llvm::ArrayRef<int32_t> tensors, mlir::Operation *op = nullptr) {
    ProgramGraph::BodyOps &all = program.bodyOps.back();
    all.ops.push_back({ShardGraph::none, 1, static_cast<int32_t>(tensors.size()), turns, op});
    llvm::append_range(all.tensors, tensors);
  }

  /// Adds the op, whose results are tensors [firstResult, end), as one op of the graph for each
  /// part of its rule, if all its operands and results are tensors.
  void addRule(mlir::Operation *op, const OpRule &rule, int32_t firstResult, int32_t end) {
    int32_t numOperands = op->getNumOperands(), numResults = op->getNumResults();
    if (static_cast<int32_t>(rule.operands.size()) != numOperands ||
        static_cast<int32_t>(rule.results.size()) != numResults ||
        end - firstResult != numResults || llvm::is_contained(operands, ShardGraph::none))
      return;
    ProgramGraph::BodyOps &all = program.bodyOps.back();
    const KnownRule &known = knowRule(rule);
    if (known.parts.empty()) {
      all.ops.push_back({known.index, numOperands, numOperands + numResults, turns, op});
      all.tensors.insert(all.tensors.end(), operands.begin(), operands.end());
      for (int32_t i = 0; i < numResults; ++i)
        all.tensors.push_back(firstResult + i);
    }
    size_t next = 0;
    for (const KnownPart &part : known.parts) {
      all.ops.push_back(
          {part.rule, part.numOperands, part.numOperands + part.numResults, turns, op});
      for (int32_t i = 0; i < part.numOperands; ++i)
        all.tensors.push_back(operands[known.tensors[next++]]);
      for (int32_t i = 0; i < part.numResults; ++i)
        all.tensors.push_back(firstResult + known.tensors[next++]);
    }
  }

  /// A part of a rule: its index in the graph.
  struct KnownPart {
    int32_t rule, numOperands, numResults;
  };

  /// A rule's index in the graph; if it has several parts, these instead.
  struct KnownRule {
    int32_t index = ShardGraph::none;
    std::vector<KnownPart> parts;
    std::vector<int32_t> tensors; ///< Operands and results of the parts, one after the other.
  };

  /// Rules belong to the cache of strategies, so one is told by where it lies.
  const KnownRule &knowRule(const OpRule &rule) {
    if (auto known = knownRules.find(&rule); known != knownRules.end())
      return *known->second;
    auto made = std::make_unique<KnownRule>();
    forEachPart(rule, [&](const RulePart &part) {
      made->parts.push_back({program.graph.internRule(part.rule),
                             static_cast<int32_t>(part.operands.size()),
                             static_cast<int32_t>(part.results.size())});
      llvm::append_range(made->tensors, part.operands);
      llvm::append_range(made->tensors, part.results);
    });
    if (made->parts.size() == 1) {
      made->index = made->parts.front().rule;
      made->parts.clear();
      made->tensors = {};
    }
    return *(knownRules[&rule] = std::move(made));
  }

  ProgramGraph &program;
  StrategyCache strategyCache;
  bool failed = false;
  int32_t region = ShardGraph::none; ///< The innermost manual region at this point.
  float turns = 1;                   ///< How often a run of the function comes to this point.
  /// Tensors of the function by sharding group and manual region.
  std::map<std::pair<uint64_t, int32_t>, std::vector<int32_t>> groups;
  /// The first member of each that is pinned.
  std::map<std::pair<uint64_t, int32_t>, mlir::Value> pinnedMembers;
  llvm::MapVector<int32_t, Cell> cells; ///< Buffers of the function, by their tensor.
  std::vector<int32_t> operands;        ///< Of the op at hand: their tensors, or ShardGraph::none.
  llvm::DenseMap<mlir::Type, TypeInfo> describedTypes;
  llvm::DenseMap<const void *, NameInfo> namedOps;
  llvm::DenseMap<const OpRule *, std::unique_ptr<KnownRule>> knownRules;
};

mlir::LogicalResult addBodies(mlir::ModuleOp module, ProgramGraph &program) {
  return BodyBuilder(program).run(module);
}

} // namespace spmd
