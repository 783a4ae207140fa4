#include "spmd/passes/propagate/ProgramGraph.h"

#include "spmd/dialect/spmd/DataFlow.h"
#include "spmd/ir/sharding/Spec.h"
#include "spmd/passes/propagate/Bodies.h"

#include "mlir/Interfaces/CallInterfaces.h"

#include <map>

namespace spmd {

/// More instances than this times the module's own tensors, and calls begin to share.
constexpr int64_t maxGrowth = 8;
constexpr int64_t minTensors = 100000;

/// Makes instances of bodies, and reads their shardings.
class InstanceBuilder {
public:
  InstanceBuilder(ProgramGraph &graph, bool readsOpen) : program(&graph), readsOpen(readsOpen) {
    for (auto [index, body] : llvm::enumerate(program->bodies)) {
      bodyIndex[body.func.getSymNameAttr()] = index;
      numTensors += body.tensors.size();
    }
  }

  mlir::LogicalResult run() {
    if (mlir::failed(resolveCalls()) || mlir::failed(checkRecursion()))
      return mlir::failure();
    program->instances.reserve(program->bodies.size());
    reserveOnce();
    for (size_t body = 0; body < program->bodies.size(); ++body)
      if (!isCalled[body])
        instantiate(body);
    program->bodyOps = {};
    tieGroups();
    return readShardings();
  }

private:
  using Body = ProgramGraph::Body;
  using BodyOp = ProgramGraph::BodyOp;
  using Axes = llvm::SmallVector<llvm::StringRef, 0>;

  //===- Calls ---------------------------------------------------------------===//

  static mlir::SymbolRefAttr calleeOf(mlir::Operation *op) {
    if (auto call = llvm::dyn_cast<mlir::func::CallOp>(op))
      return call.getCalleeAttr();
    return llvm::dyn_cast<mlir::SymbolRefAttr>(
        llvm::cast<mlir::CallOpInterface>(op).getCallableForCallee());
  }

  mlir::LogicalResult resolveCalls() {
    isCalled.assign(program->bodies.size(), false);
    for (Body &body : program->bodies) {
      for (ProgramGraph::Call &call : body.calls) {
        mlir::SymbolRefAttr callee = calleeOf(call.op);
        auto found = callee ? bodyIndex.find(callee.getRootReference()) : bodyIndex.end();
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
        int32_t child = instanceOf(call.callee, manualAxesAt(index, call),
                                   program->instances[index].turns * call.turns);
        program->instances[index].children.push_back(child);
        tieCall(index, child, call);
      }
    }
  }

  /// Makes room for an instance of each body: mostly there are no more.
  void reserveOnce() {
    size_t numOps = 0;
    for (const Body &body : program->bodies) {
      numOps += body.numOps + body.callOperands.size();
      for (const ProgramGraph::Call &call : body.calls)
        numOps += call.op->getNumResults();
    }
    program->graph.reserve(numTensors, numOps, program->bodyOps.tensors.size() + 2 * numOps);
  }

  /// The axes that are manual where an instance makes a call.
  Axes manualAxesAt(int32_t caller, const ProgramGraph::Call &call) const {
    const ProgramGraph::Instance &instance = program->instances[caller];
    Axes axes = instance.manualAxes;
    if (call.region != ShardGraph::none)
      llvm::append_range(
          axes, manualAxesInside(program->bodies[instance.body].manualRegions[call.region].op));
    llvm::sort(axes);
    axes.erase(std::unique(axes.begin(), axes.end()), axes.end());
    return axes;
  }

  int32_t instanceOf(int32_t callee, Axes manualAxes, float turns) {
    bool mayGrow = program->graph.numValues() + static_cast<int64_t>(program->instances.size()) <
                   minTensors + maxGrowth * numTensors;
    if (!mayGrow) {
      if (sharedInstance.empty())
        for (auto [index, instance] : llvm::enumerate(program->instances))
          sharedInstance[{instance.body, instance.manualAxes}] = index;
      auto [shared, isFirst] =
          sharedInstance.try_emplace({callee, manualAxes}, program->instances.size());
      if (!isFirst)
        return shared->second;
    }
    int32_t index = addInstance(callee, turns);
    program->instances.back().manualAxes = std::move(manualAxes);
    return index;
  }

  int32_t addInstance(int32_t bodyIndex, float turns = 1) {
    const Body &body = program->bodies[bodyIndex];
    const ProgramGraph::BodyOps &all = program->bodyOps;
    const auto &[firstTensor, firstValue] = all.begins[bodyIndex];
    auto ops = absl::MakeConstSpan(all.ops).subspan(body.firstOp, body.numOps);
    auto values = absl::MakeConstSpan(all.values).subspan(firstValue, body.tensors.size());
    size_t endOfTensors = static_cast<size_t>(bodyIndex) + 1 < all.begins.size()
                              ? all.begins[bodyIndex + 1].tensor
                              : all.tensors.size();
    program->graph.reserve(values.size(), ops.size(), 0);
    int32_t first = program->graph.numValues(), firstOp = program->graph.numOps();
    for (const ProgramGraph::BodyTensor &tensor : values)
      program->graph.addValueOfShape(tensor.shape, tensor.elementBits, turns * tensor.turns);
    auto tensors =
        absl::MakeConstSpan(all.tensors).subspan(firstTensor, endOfTensors - firstTensor);
    int32_t place = program->graph.addTensors(tensors, first);
    const int32_t *next = tensors.data();
    for (const BodyOp &op : ops) {
      int32_t rule = op.rule == ShardGraph::none
                         ? program->graph.ruleOfEdge(values[*next].shape, op.numTensors)
                         : op.rule;
      program->graph.addOp(
          {rule, place, op.numOperands, op.numTensors - op.numOperands, turns * op.turns});
      place += op.numTensors;
      next += op.numTensors;
    }
    for (int32_t edge : body.groupEdges)
      program->groupEdges.push_back(firstOp + edge);
    for (int32_t entry : body.entries)
      program->entries.push_back(firstOp + entry);
    for (int32_t placement : body.placements)
      program->graph.addPlacement(firstOp + placement);
    program->instances.push_back({bodyIndex, first, firstOp, {}, {}, turns});
    return program->instances.size() - 1;
  }

  void tieCall(int32_t caller, int32_t callee, const ProgramGraph::Call &call) {
    const ProgramGraph::Instance &outer = program->instances[caller],
                                 &inner = program->instances[callee];
    const Body &from = program->bodies[outer.body], &to = program->bodies[inner.body];
    mlir::func::FuncOp called = to.func;
    float turns = outer.turns * call.turns;
    ProgramGraph::CallEdges edges{program->graph.numOps(), 0, 0};
    int32_t argument = inner.firstValue; // Arguments that are no tensors are left out.
    for (unsigned i = 0; i < called.getNumArguments(); ++i)
      if (int32_t operand = from.callOperands[call.firstOperand + i]; operand != ShardGraph::none)
        tie(outer.firstValue + operand, argument++, turns);
    edges.results = program->graph.numOps();
    int32_t made = outer.firstValue + call.firstResult;
    for (auto [i, type] : llvm::enumerate(call.op->getResultTypes()))
      if (tensorTypeOf(type))
        tie(inner.firstValue + to.firstResult + static_cast<int32_t>(i), made++, turns);
    if (call.passesBuffers())
      tieLeft(outer, inner, call, turns);
    edges.last = program->graph.numOps();
    program->instances[caller].callEdges.push_back(edges);
  }

  /// What the callee leaves in buffers, the caller finds there.
  void tieLeft(const ProgramGraph::Instance &outer, const ProgramGraph::Instance &inner,
               const ProgramGraph::Call &call, float turns) {
    const Body &body = program->bodies[inner.body];
    for (int32_t i = 0; i < body.numLeft; ++i)
      tie(inner.firstValue + body.firstLeft() + i, outer.firstValue + call.firstLeft + i, turns);
  }

  /// Ties the sharding groups that have members in several functions. Where callers made other axes
  /// manual, sizes are of another whole.
  void tieGroups() {
    program->firstGroupTie = program->graph.numOps();
    for (const auto &[id, members] : program->groupMembers) {
      if (members.front().body == members.back().body)
        continue;
      std::map<Axes, std::vector<int32_t>> tied;
      for (const ProgramGraph::Instance &instance : program->instances)
        for (const ProgramGraph::GroupMember &member : members)
          if (member.body == instance.body)
            tied[instance.manualAxes].push_back(instance.firstValue + member.tensor);
      for (const auto &[axes, values] : tied)
        if (values.size() > 1)
          program->groupEdges.push_back(program->graph.addEdge(values));
    }
  }

  void tie(int32_t from, int32_t to, float turns) {
    int32_t edge = program->graph.addEdge({from, to});
    program->graph.op(edge).turns = turns;
  }

  //===- Shardings -----------------------------------------------------------===//

  mlir::LogicalResult readShardings() {
    addMeshes();
    for (const ProgramGraph::Instance &instance : program->instances) {
      const Body &body = program->bodies[instance.body];
      for (const auto &[tensor, found] : body.shardings)
        readSharding(instance, tensor, found);
    }
    for (const ProgramGraph::Instance &instance : program->instances) {
      const Body &body = program->bodies[instance.body];
      for (const ProgramGraph::FlowOp &flowOp : body.flowOps)
        reserveManualAxes(instance, flowOp);
      for (const ProgramGraph::ManualRegion &region : body.manualRegions)
        if (auto op = llvm::cast<DataFlow>(region.op); isAllManual(op, instance.manualAxes))
          makeWhole(instance, region);
    }
    for (const ProgramGraph::Instance &instance : program->instances)
      noteParts(instance);
    return mlir::failure(failed);
  }

  /// Tells the graph what lies inside manual regions, and what is called from there.
  void noteParts(const ProgramGraph::Instance &instance) {
    const Body &body = program->bodies[instance.body];
    int32_t first = instance.firstValue;
    if (!instance.manualAxes.empty())
      addParts(first, first + body.tensors.size(), instance.manualAxes);
    for (const ProgramGraph::ManualRegion &region : body.manualRegions)
      addParts(first + region.first, first + region.last, manualAxesInside(region.op));
  }

  /// A mesh without the manual axes splits nothing: its devices hold different parts.
  void addParts(int32_t first, int32_t last, llvm::ArrayRef<llvm::StringRef> names) {
    ShardGraph::Parts parts{first, last, {}};
    for (int32_t number = 0; number < program->graph.numMeshes(); ++number) {
      const Mesh &mesh = program->graph.mesh(number);
      bool hasAll = llvm::all_of(names, [&](llvm::StringRef name) { return mesh.axisNamed(name); });
      for (size_t axis = 0; axis < mesh.axes().size(); ++axis)
        if (!hasAll || llvm::is_contained(names, llvm::StringRef(mesh.axes()[axis].name)))
          parts.axes.emplace_back(number, static_cast<int32_t>(axis));
    }
    program->graph.addParts(std::move(parts));
  }

  /// A program pins thousands of values in few ways: what was read before is known by number.
  void readSharding(const ProgramGraph::Instance &instance, int32_t tensor, ValueSharding found) {
    int32_t v = instance.firstValue + tensor;
    ShardGraph::Value &value = program->graph.value(v);
    auto rank = static_cast<int64_t>(program->graph.shape(value.shape).size());
    bool isPinned = found.state == ShardingState::pinned;
    if (auto known = pins.find({found.attr, rank});
        known != pins.end() && isPinned && instance.manualAxes.empty()) {
      program->graph.dropPriorities(v);
      value.sharding = known->second;
      value.state = found.state;
      return;
    }
    std::optional<MeshSharding> sharding = read(found.attr);
    if (!sharding) {
      failed = true;
      return;
    }
    if (!instance.manualAxes.empty())
      checkNotManual(instance, tensor, found.attr);
    std::optional<MeshSharding> onAxes = program->codec.onAxes(*std::move(sharding), rank);
    if (!onAxes)
      return; // No mesh of the module can split anything.
    if (!readsOpen && found.state == ShardingState::inferred &&
        onAxes->sharding == Sharding::replicatedOf(rank, /*open=*/true))
      return; // It says nothing, and so belongs to no mesh.
    if (value.sharding != ShardGraph::none && found.state == ShardingState::inferred)
      return; // What is said of a content itself comes before what was inferred for who reads it.
    program->graph.setSharding(v, *std::move(onAxes));
    value.state = found.state;
    if (isPinned && !program->graph.hasPriorities(v))
      pins[{found.attr, rank}] = value.sharding;
  }

  /// As `decode`, but what names user priorities, which is mostly like no other, is not remembered.
  std::optional<MeshSharding> read(sdy::ShardingAttr attr) {
    auto hasPriority = [](const DimSpec &dim) { return dim.priority.has_value(); };
    auto mesh = meshOfAttr.find(attr.getMeshOrRef());
    if (mesh != meshOfAttr.end() && llvm::any_of(attr.getSpec().dims, hasPriority))
      if (absl::StatusOr<Sharding> own = resolve(program->codec.mesh(mesh->second), attr.getSpec());
          own.ok()) // Else it is reported below.
        return MeshSharding{mesh->second, *std::move(own)};
    const MeshSharding *known = decode(attr);
    if (!known)
      return std::nullopt;
    meshOfAttr[attr.getMeshOrRef()] = known->mesh;
    return *known;
  }

  const MeshSharding *decode(sdy::ShardingAttr attr) {
    const MeshSharding *sharding = program->codec.decode(attr);
    addMeshes();
    return sharding;
  }

  /// Keeps the graph's meshes those of the codec, with the same numbers.
  void addMeshes() {
    for (int32_t mesh = program->graph.numMeshes(); mesh < program->codec.numMeshes(); ++mesh)
      program->graph.addMesh(program->codec.mesh(mesh));
  }

  /// Reports a function that names axes its callers made manual.
  void checkNotManual(const ProgramGraph::Instance &instance, int32_t tensor,
                      sdy::ShardingAttr attr) {
    const ProgramGraph::Tensor &named = program->bodies[instance.body].tensors[tensor];
    mlir::func::FuncOp func = program->bodies[instance.body].func;
    auto check = [&](const std::vector<AxisSpec> &axes) {
      for (const AxisSpec &axis : axes) {
        if (!llvm::is_contained(instance.manualAxes, axis.name))
          continue;
        mlir::emitError(named.value ? named.value.getLoc() : func.getLoc())
            << (named.value ? describeValue(named.value)
                            : ("result of @" + func.getSymName()).str())
            << " is sharded on axis \"" << axis.name << "\", which is manual where @"
            << func.getSymName() << " is called";
        failed = true;
      }
    };
    for (const DimSpec &dim : attr.getSpec().dims)
      check(dim.axes);
    check(attr.getSpec().unreduced);
  }

  /// What stands at the border of a manual region takes up no manual axis but those it has.
  void reserveManualAxes(const ProgramGraph::Instance &instance,
                         const ProgramGraph::FlowOp &flowOp) {
    sdy::ManualAxesAttr manual = llvm::cast<DataFlow>(flowOp.op).getOwnManualAxes();
    for (int32_t tensor : flowOp.tensors) {
      if (!manual || tensor == ShardGraph::none)
        continue;
      ShardGraph::Value &value = program->graph.value(instance.firstValue + tensor);
      if (value.sharding == ShardGraph::none)
        continue;
      MeshSharding sharding = program->graph.sharding(value.sharding);
      const Mesh &mesh = program->graph.mesh(sharding.mesh);
      AxisList used = sharding.sharding.usedAxes(/*withReplicated=*/true);
      for (mlir::StringAttr name : manual.getAxes())
        if (std::optional<int> axis = mesh.axisNamed(name.getValue());
            axis && !overlaps(wholeAxis(mesh, *axis), used))
          sharding.sharding.replicated.push_back(wholeAxis(mesh, *axis));
      llvm::sort(sharding.sharding.replicated);
      value.sharding = program->graph.internSharding(sharding);
    }
  }

  /// Nothing can be split where all axes are manual.
  void makeWhole(const ProgramGraph::Instance &instance, const ProgramGraph::ManualRegion &region) {
    sdy::ShardingAttr some = llvm::cast<DataFlow>(region.op).getFlowSharding(0).attr;
    const MeshSharding *sharding = decode(some);
    if (!sharding)
      return; // Reported already.
    for (int32_t tensor = region.first; tensor < region.last; ++tensor) {
      ShardGraph::Value &value = program->graph.value(instance.firstValue + tensor);
      int64_t rank = program->graph.shape(value.shape).size();
      program->graph.setSharding(instance.firstValue + tensor,
                                 {sharding->mesh, Sharding::replicatedOf(rank)});
      value.state = ShardingState::inferred;
    }
  }

  ProgramGraph *program;
  bool readsOpen, failed = false;
  llvm::DenseMap<mlir::Attribute, int32_t> bodyIndex; ///< By name.
  std::vector<bool> isCalled;
  std::map<std::pair<int32_t, Axes>, int32_t> sharedInstance; ///< Once it is asked for.
  llvm::DenseMap<mlir::Attribute, int32_t> meshOfAttr;        ///< Of those that shardings named.
  /// By attribute and rank, of pins without user priorities.
  llvm::DenseMap<std::pair<mlir::Attribute, int64_t>, int32_t> pins;
  int64_t numTensors = 0;
};

mlir::FailureOr<std::unique_ptr<ProgramGraph>> ProgramGraph::build(mlir::ModuleOp module,
                                                                   const FirstLook &look,
                                                                   bool keepsOrigins,
                                                                   bool readsOpen) {
  std::unique_ptr<ProgramGraph> program(new ProgramGraph(module));
  if (module->hasAttr(prioritiesServedAttrName))
    program->graph.admitAllPriorities();
  if (mlir::failed(checkSingleBlocks(module)) ||
      mlir::failed(addBodies(module, look, keepsOrigins, *program)) ||
      mlir::failed(InstanceBuilder(*program, readsOpen).run()))
    return mlir::failure();
  return std::move(program);
}

std::vector<bool> ProgramGraph::freeValues() const {
  std::vector<bool> isFree(graph.numValues(), false);
  for (const Instance &instance : instances) {
    int32_t v = instance.firstValue;
    for (const Tensor &tensor : bodies[instance.body].tensors)
      isFree[v++] = tensor.isFree;
  }
  return isFree;
}

void ProgramGraph::noteArguments(mlir::func::FuncOp func) {
  if (!llvm::all_of(func.getArgumentTypes(),
                    [](mlir::Type type) { return tensorTypeOf(type) != nullptr; }))
    withOtherArguments.insert(&func.getBody().front());
}

int32_t ProgramGraph::valueOf(const Instance &instance, mlir::Value value) const {
  int32_t index = tensorOf(value);
  return index == ShardGraph::none ? ShardGraph::none : instance.firstValue + index;
}

int32_t ProgramGraph::instanceOfValue(int32_t value) const {
  auto next = llvm::upper_bound(instances, value, [](int32_t v, const Instance &instance) {
    return v < instance.firstValue;
  });
  return std::prev(next) - instances.begin();
}

} // namespace spmd
