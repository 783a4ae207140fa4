#include "spmd/passes/propagate/ProgramGraph.h"

#include "spmd/ir/rules/Parts.h"

#include "mlir/Interfaces/CallInterfaces.h"

#include "llvm/ADT/MapVector.h"

#include <map>

namespace spmd {

/// More instances than this times the module's own tensors, and calls begin to share.
constexpr int64_t maxGrowth = 8;
constexpr int64_t minTensors = 100000;

class ProgramGraphBuilder {
public:
  explicit ProgramGraphBuilder(mlir::ModuleOp module)
      : module(module), program(new ProgramGraph(module)) {}

  mlir::FailureOr<std::unique_ptr<ProgramGraph>> build() {
    for (auto func : module.getOps<mlir::func::FuncOp>())
      if (!func.isExternal())
        addBody(func);
    if (failed || mlir::failed(resolveCalls()) || mlir::failed(checkRecursion()))
      return mlir::failure();
    for (size_t body = 0; body < program->bodies.size(); ++body)
      if (!isCalled[body])
        instantiate(body);
    if (mlir::failed(readShardings()))
      return mlir::failure();
    return std::move(program);
  }

private:
  using Body = ProgramGraph::Body;
  using BodyOp = ProgramGraph::BodyOp;
  using Tensor = ProgramGraph::Tensor;

  //===- Functions -----------------------------------------------------------===//

  void addBody(mlir::func::FuncOp func) {
    bodyIndex[func.getSymName()] = program->bodies.size();
    Body &body = program->bodies.emplace_back();
    program->bodyOps.emplace_back();
    body.func = func;
    for (mlir::BlockArgument argument : func.getArguments())
      addTensor(body, argument);
    body.firstResult = body.tensors.size();
    for (unsigned i = 0; i < func.getNumResults(); ++i)
      addTensor(body, {}, static_cast<int32_t>(i),
                tensorTypeOf(func.getFunctionType().getResult(i)), shardingOfResult(func, i));
    groups.clear();
    cells.clear();
    for (mlir::Operation &op : func.getBody().front())
      addOp(body, &op);
    for (auto &[id, members] : groups)
      if (members.size() > 1)
        addEdge(members);
    for (auto &[buffer, cell] : cells)
      if (cell.history.size() > 1 && !cell.isClosed)
        addEdge(cell.history);
    numTensors += body.tensors.size();
  }

  void addTensor(Body &body, mlir::Value value, bool isFree = false) {
    if (!tensorTypeOf(value))
      return;
    program->tensorIndex.set(value, body.tensors.size());
    addTensor(body, value, 0, tensorTypeOf(value), shardingOf(value), isFree);
  }

  void addTensor(Body &body, mlir::Value value, int32_t resultIndex, mlir::RankedTensorType type,
                 ValueSharding sharding, bool isFree = false) {
    if (type && !type.hasStaticShape()) {
      mlir::emitError(value ? value.getLoc() : body.func.getLoc())
          << "type " << type << " has a dynamic dim; shardings need static shapes";
      failed = true;
    }
    if (sharding)
      body.shardings.emplace_back(body.tensors.size(), sharding);
    auto [shape, elementBits] = describe(type);
    body.tensors.push_back({value, resultIndex, shape, elementBits});
    body.isFree.push_back(isFree);
  }

  /// Returns the graph's index of a type's shape, and the bits of an element.
  std::pair<int32_t, int32_t> describe(mlir::RankedTensorType type) {
    auto [known, isNew] = describedTypes.try_emplace(type);
    if (isNew && type)
      known->second = {program->graph.internShape({type.getShape().begin(), type.getShape().end()}),
                       elementBits(type.getElementType())};
    else if (isNew)
      known->second = {program->graph.internShape({}), 0};
    return known->second;
  }

  void addOp(Body &body, mlir::Operation *op) {
    operands.clear();
    for (mlir::Value operand : op->getOperands())
      operands.push_back(indexOf(operand));
    if (auto load = llvm::dyn_cast<LoadOp>(op); load && !shardingOf(load.getResult()))
      return addLoad(body, load);
    bool isFree = costsNothing(body, op);
    for (mlir::Value result : op->getResults())
      addTensor(body, result, isFree);
    if (auto group = llvm::dyn_cast<sdy::ShardingGroupOp>(op)) {
      groups[group.getGroupId()].push_back(operands[0]);
    } else if (auto store = llvm::dyn_cast<StoreOp>(op)) {
      addStore(body, store);
    } else if (llvm::isa<mlir::CallOpInterface>(op)) {
      body.calls.push_back({op, 0});
      forgetContents(op);
    } else if (op->hasTrait<mlir::OpTrait::ReturnLike>()) {
      for (size_t i = 0; i < operands.size(); ++i)
        if (operands[i] != ShardGraph::none)
          addEdge({operands[i], body.firstResult + static_cast<int32_t>(i)});
    } else if (const Strategies *strategies = strategyCache.lookup(op)) {
      addRule(body, op, strategies->front().rule);
    }
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
    program->tensorIndex.set(load.getResult(), content);
    body.loads.emplace_back(load.getResult(), content);
  }

  void addStore(Body &body, StoreOp store) {
    Cell &cell = cellOf(store.getBuffer());
    ValueSharding pin = pinOf(store.getBuffer());
    int32_t stored = operands[0];
    if (pin && pinOf(store.getValue()).attr != pin.attr) {
      addTensor(body, {}, Tensor::inside, tensorTypeOf(store.getValue()), pin);
      addEdge({stored, static_cast<int32_t>(body.tensors.size()) - 1});
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
  bool costsNothing(const Body &body, mlir::Operation *op) {
    if (auto partitionable = llvm::dyn_cast<Partitionable>(op);
        partitionable && partitionable.isFree())
      return true;
    if (op->getNumOperands() == 0 || !mlir::isMemoryEffectFree(op) ||
        llvm::isa<mlir::CallOpInterface>(op))
      return false;
    return llvm::all_of(operands, [&](int32_t index) {
      return index != ShardGraph::none &&
             (body.isFree[index] || program->graph.shape(body.tensors[index].shape).empty());
    });
  }

  int32_t indexOf(mlir::Value value) const { return program->tensorIndex.lookup(value); }

  void addEdge(llvm::ArrayRef<int32_t> tensors) {
    ProgramGraph::BodyOps &all = program->bodyOps.back();
    all.ops.push_back({ShardGraph::none, 1, static_cast<int32_t>(tensors.size())});
    llvm::append_range(all.tensors, tensors);
  }

  /// Adds the op, whose results are the last tensors of `body`, as one op of the graph for each
  /// part of its rule, if all its operands and results are tensors.
  void addRule(const Body &body, mlir::Operation *op, const OpRule &rule) {
    if (rule.operands.size() != op->getNumOperands() ||
        rule.results.size() != op->getNumResults() ||
        llvm::is_contained(operands, ShardGraph::none) ||
        !llvm::all_of(op->getResultTypes(),
                      [](mlir::Type type) { return tensorTypeOf(type) != nullptr; }))
      return;
    ProgramGraph::BodyOps &all = program->bodyOps.back();
    int32_t numOperands = op->getNumOperands(), numResults = op->getNumResults();
    int32_t firstResult = body.tensors.size() - numResults;
    const KnownRule &known = knowRule(rule);
    if (known.parts.empty()) {
      all.ops.push_back({known.index, numOperands, numOperands + numResults});
      llvm::append_range(all.tensors, operands);
      for (int32_t i = 0; i < numResults; ++i)
        all.tensors.push_back(firstResult + i);
    }
    for (const auto &[part, index] : known.parts) {
      int32_t own = part.operands.size(), ofResults = part.results.size();
      all.ops.push_back({index, own, own + ofResults});
      for (int32_t operand : part.operands)
        all.tensors.push_back(operands[operand]);
      for (int32_t result : part.results)
        all.tensors.push_back(firstResult + result);
    }
  }

  /// A rule's index in the graph; if it has several parts, these and theirs instead.
  struct KnownRule {
    int32_t index = ShardGraph::none;
    std::vector<std::pair<RulePart, int32_t>> parts;
  };

  /// Rules belong to the cache of strategies, so one is told by where it lies.
  const KnownRule &knowRule(const OpRule &rule) {
    auto [entry, isNew] = knownRules.try_emplace(&rule);
    std::unique_ptr<KnownRule> &known = entry->second;
    if (!isNew)
      return *known;
    known = std::make_unique<KnownRule>();
    std::vector<RulePart> parts = partsOf(rule);
    if (parts.size() == 1)
      known->index = program->graph.internRule(rule);
    else
      for (RulePart &part : parts) {
        int32_t index = program->graph.internRule(part.rule);
        part.rule = {}; // The graph has it.
        known->parts.emplace_back(std::move(part), index);
      }
    return *known;
  }

  //===- Calls ---------------------------------------------------------------===//

  mlir::LogicalResult resolveCalls() {
    isCalled.assign(program->bodies.size(), false);
    for (Body &body : program->bodies) {
      for (ProgramGraph::Call &call : body.calls) {
        auto callee = llvm::dyn_cast<mlir::SymbolRefAttr>(
            llvm::cast<mlir::CallOpInterface>(call.op).getCallableForCallee());
        auto found =
            callee ? bodyIndex.find(callee.getRootReference().getValue()) : bodyIndex.end();
        if (found == bodyIndex.end())
          return call.op->emitOpError("calls a function without a body");
        call.callee = found->second;
        isCalled[call.callee] = true;
      }
    }
    return mlir::success();
  }

  /// Reports each call that closes a circle.
  mlir::LogicalResult checkRecursion() {
    enum Mark : char { unseen, open, done };
    std::vector<Mark> marks(program->bodies.size(), unseen);
    int32_t numDone = 0;
    mlir::LogicalResult result = mlir::success();
    struct Frame {
      int32_t body;
      size_t next;
    };
    for (size_t root = 0; root < marks.size(); ++root) {
      if (marks[root] != unseen)
        continue;
      std::vector<Frame> stack = {{static_cast<int32_t>(root), 0}};
      marks[root] = open;
      while (!stack.empty()) {
        Frame &frame = stack.back();
        Body &body = program->bodies[frame.body];
        if (frame.next == body.calls.size()) {
          marks[frame.body] = done;
          body.callOrder = numDone++;
          stack.pop_back();
          continue;
        }
        const ProgramGraph::Call &call = body.calls[frame.next++];
        if (marks[call.callee] == open)
          result = call.op->emitOpError("calls @")
                   << program->bodies[call.callee].func.getSymName() << ", which is still running; "
                   << "recursion has no sharding";
        else if (marks[call.callee] == unseen) {
          marks[call.callee] = open;
          stack.push_back({call.callee, 0});
        }
      }
    }
    return result;
  }

  //===- Instances -----------------------------------------------------------===//

  /// Adds an instance of `root` and of all that it calls, in program order of the calls of each
  /// level.
  void instantiate(int32_t root) {
    for (size_t index = addInstance(root); index < program->instances.size(); ++index) {
      const Body &body = program->bodies[program->instances[index].body];
      for (const ProgramGraph::Call &call : body.calls) {
        int32_t child = instanceOf(call.callee);
        program->instances[index].children.push_back(child);
        tieCall(index, child, call.op);
      }
    }
  }

  int32_t instanceOf(int32_t callee) {
    bool mayGrow = program->graph.numValues() + static_cast<int64_t>(program->instances.size()) <
                   minTensors + maxGrowth * numTensors;
    auto [shared, isFirst] = sharedInstance.try_emplace(callee, 0);
    if (!mayGrow && !isFirst)
      return shared->second;
    return shared->second = addInstance(callee);
  }

  int32_t addInstance(int32_t bodyIndex) {
    const std::vector<Tensor> &bodyTensors = program->bodies[bodyIndex].tensors;
    const ProgramGraph::BodyOps &all = program->bodyOps[bodyIndex];
    program->graph.reserve(bodyTensors.size(), all.ops.size(), all.tensors.size());
    int32_t first = program->graph.numValues();
    for (const Tensor &tensor : bodyTensors)
      program->graph.addValueOfShape(tensor.shape, tensor.elementBits);
    std::vector<int32_t> tensors;
    size_t next = 0;
    for (const BodyOp &op : all.ops) {
      tensors.clear();
      for (int32_t i = 0; i < op.numTensors; ++i)
        tensors.push_back(first + all.tensors[next++]);
      if (op.rule == ShardGraph::none)
        program->graph.addEdge(tensors);
      else
        program->graph.addOp(op.rule, absl::MakeConstSpan(tensors).first(op.numOperands),
                             absl::MakeConstSpan(tensors).subspan(op.numOperands));
    }
    program->instances.push_back({bodyIndex, first, {}});
    return program->instances.size() - 1;
  }

  void tieCall(int32_t caller, int32_t callee, mlir::Operation *call) {
    const ProgramGraph::Instance &outer = program->instances[caller],
                                 &inner = program->instances[callee];
    mlir::func::FuncOp func = program->bodies[inner.body].func;
    for (auto [operand, argument] :
         llvm::zip(llvm::cast<mlir::CallOpInterface>(call).getArgOperands(), func.getArguments()))
      if (tensorTypeOf(operand))
        program->graph.addEdge(
            {program->valueOf(outer, operand), program->valueOf(inner, argument)});
    for (mlir::OpResult result : call->getResults())
      if (tensorTypeOf(result))
        program->graph.addEdge({inner.firstValue + program->bodies[inner.body].firstResult +
                                    static_cast<int32_t>(result.getResultNumber()),
                                program->valueOf(outer, result)});
  }

  //===- Shardings -----------------------------------------------------------===//

  mlir::LogicalResult readShardings() {
    mlir::LogicalResult result = mlir::success();
    ShardingCodec &codec = program->codec;
    auto addMeshes = [&] { // The same index in both.
      for (int32_t mesh = program->graph.numMeshes(); mesh < codec.numMeshes(); ++mesh)
        program->graph.addMesh(codec.mesh(mesh));
    };
    addMeshes();
    for (const ProgramGraph::Instance &instance : program->instances) {
      for (const auto &[tensor, found] : program->bodies[instance.body].shardings) {
        const MeshSharding *sharding = codec.decode(found.attr);
        if (!sharding) {
          result = mlir::failure();
          continue;
        }
        ShardGraph::Value &value = program->graph.value(instance.firstValue + tensor);
        addMeshes();
        int64_t rank = program->graph.shape(value.shape).size();
        std::optional<MeshSharding> onAxes = codec.onAxes(*sharding, rank);
        if (!onAxes)
          continue; // No mesh of the module can split anything.
        value.sharding = program->graph.internSharding(*onAxes);
        value.state = found.state;
      }
    }
    return result;
  }

  mlir::ModuleOp module;
  std::unique_ptr<ProgramGraph> program;
  StrategyCache strategyCache;
  bool failed = false;
  llvm::StringMap<int32_t> bodyIndex;
  std::map<uint64_t, std::vector<int32_t>> groups; ///< Tensors of the function by sharding group.
  llvm::MapVector<int32_t, Cell> cells;            ///< Buffers of the function, by their tensor.
  std::vector<int32_t> operands; ///< Of the op at hand: their tensors, or ShardGraph::none.
  llvm::DenseMap<mlir::Type, std::pair<int32_t, int32_t>> describedTypes;
  llvm::DenseMap<const OpRule *, std::unique_ptr<KnownRule>> knownRules;
  std::vector<bool> isCalled;
  llvm::DenseMap<int32_t, int32_t> sharedInstance;
  int64_t numTensors = 0;
};

mlir::FailureOr<std::unique_ptr<ProgramGraph>> ProgramGraph::build(mlir::ModuleOp module) {
  return ProgramGraphBuilder(module).build();
}

std::vector<bool> ProgramGraph::freeValues() const {
  std::vector<bool> isFree(graph.numValues(), false);
  for (const Instance &instance : instances) {
    const std::vector<bool> &own = bodies[instance.body].isFree;
    std::copy(own.begin(), own.end(), isFree.begin() + instance.firstValue);
  }
  return isFree;
}

int32_t ProgramGraph::valueOf(const Instance &instance, mlir::Value value) const {
  int32_t index = tensorIndex.lookup(value);
  return index == ShardGraph::none ? ShardGraph::none : instance.firstValue + index;
}

} // namespace spmd
