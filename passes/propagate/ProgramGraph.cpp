#include "spmd/passes/propagate/ProgramGraph.h"


#include "mlir/Interfaces/CallInterfaces.h"

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
    if (mlir::failed(resolveCalls()) || mlir::failed(checkRecursion()))
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

  //===- Functions -----------------------------------------------------------===//

  void addBody(mlir::func::FuncOp func) {
    bodyIndex[func.getSymName()] = program->bodies.size();
    Body &body = program->bodies.emplace_back();
    program->bodyOps.emplace_back();
    body.func = func;
    for (mlir::BlockArgument argument : func.getArguments())
      addTensor(body, argument);
    body.firstResult = body.tensors.size();
    for (unsigned i = 0; i < func.getNumResults(); ++i) {
      body.tensors.push_back({{}, static_cast<int32_t>(i)});
      body.isFree.push_back(false);
    }
    groups.clear();
    for (mlir::Operation &op : func.getBody().front())
      addOp(body, &op);
    for (auto &[id, members] : groups)
      if (members.size() > 1)
        addEdge(std::move(members));
    numTensors += body.tensors.size();
  }

  void addTensor(Body &body, mlir::Value value, bool isFree = false) {
    if (!tensorTypeOf(value))
      return;
    program->tensorIndex[value] = body.tensors.size();
    body.tensors.push_back({value});
    body.isFree.push_back(isFree);
  }

  void addOp(Body &body, mlir::Operation *op) {
    bool isFree = costsNothing(body, op);
    for (mlir::Value result : op->getResults())
      addTensor(body, result, isFree);
    if (auto group = llvm::dyn_cast<sdy::ShardingGroupOp>(op)) {
      groups[group.getGroupId()].push_back(indexOf(group.getInput()));
    } else if (llvm::isa<mlir::CallOpInterface>(op)) {
      body.calls.push_back({op, 0});
    } else if (op->hasTrait<mlir::OpTrait::ReturnLike>()) {
      for (mlir::OpOperand &operand : op->getOpOperands())
        if (int32_t returned = indexOf(operand.get()); returned != ShardGraph::none)
          addEdge({returned, body.firstResult + static_cast<int32_t>(operand.getOperandNumber())});
    } else if (const Strategies *strategies = strategyCache.lookup(op)) {
      addRule(op, strategies->front().rule);
    }
  }

  /// Constants, and what is made of nothing but them and scalars.
  bool costsNothing(const Body &body, mlir::Operation *op) {
    if (auto partitionable = llvm::dyn_cast<Partitionable>(op); partitionable && partitionable.isFree())
      return true;
    if (op->getNumOperands() == 0 || !mlir::isMemoryEffectFree(op) || llvm::isa<mlir::CallOpInterface>(op))
      return false;
    return llvm::all_of(op->getOperands(), [&](mlir::Value operand) {
      mlir::RankedTensorType type = tensorTypeOf(operand);
      int32_t index = indexOf(operand);
      return type && (type.getRank() == 0 || (index != ShardGraph::none && body.isFree[index]));
    });
  }

  int32_t indexOf(mlir::Value value) const {
    auto found = program->tensorIndex.find(value);
    return found == program->tensorIndex.end() ? ShardGraph::none : found->second;
  }

  void addEdge(std::vector<int32_t> tensors) {
    program->bodyOps.back().push_back({ShardGraph::none, 1, std::move(tensors)});
  }

  /// Adds the op if all its operands and results are tensors of the rule's ranks.
  void addRule(mlir::Operation *op, const OpRule &rule) {
    if (rule.operands.size() != op->getNumOperands() || rule.results.size() != op->getNumResults())
      return;
    BodyOp bodyOp{program->graph.internRule(rule), static_cast<int32_t>(op->getNumOperands()), {}};
    auto add = [&](mlir::Value value) {
      bodyOp.tensors.push_back(indexOf(value));
      return bodyOp.tensors.back() != ShardGraph::none;
    };
    if (llvm::all_of(op->getOperands(), add) && llvm::all_of(op->getResults(), add))
      program->bodyOps.back().push_back(std::move(bodyOp));
  }

  //===- Calls ---------------------------------------------------------------===//

  mlir::LogicalResult resolveCalls() {
    isCalled.assign(program->bodies.size(), false);
    for (Body &body : program->bodies) {
      for (ProgramGraph::Call &call : body.calls) {
        auto callee = llvm::dyn_cast<mlir::SymbolRefAttr>(
            llvm::cast<mlir::CallOpInterface>(call.op).getCallableForCallee());
        auto found = callee ? bodyIndex.find(callee.getRootReference().getValue()) : bodyIndex.end();
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

  /// Adds an instance of `root` and of all that it calls.
  void instantiate(int32_t root) {
    std::vector<int32_t> pending = {addInstance(root)};
    while (!pending.empty()) {
      int32_t index = pending.back();
      pending.pop_back();
      const Body &body = program->bodies[program->instances[index].body];
      for (const ProgramGraph::Call &call : body.calls) {
        bool isNew = false;
        int32_t child = instanceOf(call.callee, isNew);
        if (isNew)
          pending.push_back(child);
        program->instances[index].children.push_back(child);
        tieCall(index, child, call.op);
      }
    }
  }

  int32_t instanceOf(int32_t callee, bool &isNew) {
    bool mayGrow = program->graph.numValues() < minTensors + maxGrowth * numTensors;
    auto [shared, isFirst] = sharedInstance.try_emplace(callee, 0);
    if (!mayGrow && !isFirst)
      return shared->second;
    isNew = true;
    return shared->second = addInstance(callee);
  }

  int32_t addInstance(int32_t bodyIndex) {
    Body &body = program->bodies[bodyIndex];
    int32_t first = program->graph.numValues();
    for (const ProgramGraph::Tensor &tensor : body.tensors) {
      mlir::RankedTensorType type =
          tensor.value ? tensorTypeOf(tensor.value)
                       : tensorTypeOf(body.func.getFunctionType().getResult(tensor.resultIndex));
      ShardGraph::Shape shape;
      if (type)
        shape.assign(type.getShape().begin(), type.getShape().end());
      program->graph.addValue(std::move(shape), type ? elementBits(type.getElementType()) : 0);
    }
    std::vector<int32_t> tensors;
    for (const BodyOp &op : program->bodyOps[bodyIndex]) {
      tensors.clear();
      for (int32_t tensor : op.tensors)
        tensors.push_back(first + tensor);
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
    const ProgramGraph::Instance &outer = program->instances[caller], &inner = program->instances[callee];
    mlir::func::FuncOp func = program->bodies[inner.body].func;
    for (auto [operand, argument] :
         llvm::zip(llvm::cast<mlir::CallOpInterface>(call).getArgOperands(), func.getArguments()))
      if (tensorTypeOf(operand))
        program->graph.addEdge({program->valueOf(outer, operand), program->valueOf(inner, argument)});
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
      Body &body = program->bodies[instance.body];
      for (size_t t = 0; t < body.tensors.size(); ++t) {
        const ProgramGraph::Tensor &tensor = body.tensors[t];
        ValueSharding found = tensor.value ? shardingOf(tensor.value)
                                           : shardingOfResult(body.func, tensor.resultIndex);
        if (!found)
          continue;
        const MeshSharding *sharding = codec.decode(found.attr);
        if (!sharding) {
          result = mlir::failure();
          continue;
        }
        ShardGraph::Value &value = program->graph.value(instance.firstValue + t);
        addMeshes();
        if (codec.mesh(sharding->mesh).axes().empty())
          continue; // The empty mesh stands for any mesh, a maximal one splits nothing.
        value.sharding = program->graph.internSharding(*sharding);
        value.state = found.state;
      }
    }
    return result;
  }

  mlir::ModuleOp module;
  std::unique_ptr<ProgramGraph> program;
  StrategyCache strategyCache;
  llvm::StringMap<int32_t> bodyIndex;
  std::map<uint64_t, std::vector<int32_t>> groups; ///< Tensors of the function by sharding group.
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
  auto found = tensorIndex.find(value);
  return found == tensorIndex.end() ? ShardGraph::none : instance.firstValue + found->second;
}

} // namespace spmd
