#include "spmd/passes/propagate/HandedOn.h"

#include "spmd/dialect/spmd/DataFlow.h"
#include "spmd/passes/propagate/NamedOps.h"

namespace spmd {

namespace {

/// Takes every value that nothing reached for a constant, and finds those that are none: what is
/// made of other things, and what is made of that.
class HandedOn {
public:
  HandedOn(const ProgramGraph &program, const InstanceCalls &calls,
           std::vector<Knowledge> &knowledge)
      : program(program), calls(calls), knowledge(knowledge) {}

  void run() {
    for (auto [index, instance] : llvm::enumerate(program.instances)) {
      const ProgramGraph::Body &body = program.bodies[instance.body];
      for (int32_t t = 0; t < static_cast<int32_t>(body.tensors.size()); ++t)
        if (int32_t value = instance.firstValue + t; mayBeConstant(value)) {
          open.push_back(value);
          addSources(value, static_cast<int32_t>(index), t);
        }
      addSourcesOfFlows(instance, body);
    }
    for (int32_t edge : program.groupEdges)
      tieMembers(program.graph.tensorsOf(program.graph.op(edge)));
    passOn();
    for (int32_t value : open)
      if (knowledge[value] == Knowledge::nothing && !isOther.contains(value))
        knowledge[value] = Knowledge::free;
  }

private:
  /// Whether nothing is known of a value; to annotate all of its dims as open says no more.
  bool mayBeConstant(int32_t value) const {
    const ShardGraph &graph = program.graph;
    if (knowledge[value] == Knowledge::nothing || graph.value(value).state != ShardingState::pinned)
      return knowledge[value] == Knowledge::nothing;
    const Sharding &given = graph.sharding(graph.value(value).sharding).sharding;
    return given == Sharding::replicatedOf(given.rank(), /*open=*/true);
  }

  void addOther(int32_t value) {
    if (isOther.insert(value).second)
      others.push_back(value);
  }

  /// `value` is made of `source`.
  void addSource(int32_t value, int32_t source) {
    if (source == ShardGraph::none)
      return addOther(value);
    const ShardGraph &graph = program.graph;
    if (knowledge[source] == Knowledge::free || graph.shape(graph.value(source).shape).empty())
      return;
    if (!mayBeConstant(source))
      return addOther(value);
    madeOf[source].push_back(value);
  }

  void addSources(int32_t value, int32_t index, int32_t tensor) {
    const ProgramGraph::Instance &instance = program.instances[index];
    const ProgramGraph::Body &body = program.bodies[instance.body];
    mlir::Value made = body.tensors[tensor].value;
    if (!made)
      return addSourceOfResult(value, instance, body.tensors[tensor].resultIndex);
    if (mlir::Operation *op = made.getDefiningOp())
      return addSourcesOfOp(value, index, llvm::cast<mlir::OpResult>(made), op);
    if (made.getParentBlock() != &mlir::func::FuncOp(body.func).getBody().front()) {
      hasFlows = true;
      return;
    }
    addSourcesOfArgument(value, index, llvm::cast<mlir::BlockArgument>(made).getArgNumber());
  }

  void addSourceOfResult(int32_t value, const ProgramGraph::Instance &instance, int32_t result) {
    if (result == ProgramGraph::Tensor::inside)
      return addOther(value);
    mlir::func::FuncOp func = program.bodies[instance.body].func;
    mlir::Operation *terminator = func.getBody().front().getTerminator();
    if (result >= static_cast<int32_t>(terminator->getNumOperands()))
      return addOther(value);
    addSource(value, program.valueOf(instance, terminator->getOperand(result)));
  }

  /// An argument is a constant if it is one in every call: what some calls alone know of a function
  /// would make a clone for them.
  void addSourcesOfArgument(int32_t value, int32_t index, unsigned argument) {
    int32_t body = program.instances[index].body;
    if (mlir::func::FuncOp(program.bodies[body].func).isPublic() || calls.callersOf(index).empty())
      return addOther(value);
    for (InstanceCalls::Caller caller : calls.callersOf(index))
      addSource(value, program.valueOf(program.instances[caller.instance],
                                       caller.op->getOperand(argument)));
    int32_t offset = value - program.instances[index].firstValue;
    auto [first, isNew] = firstOpen.try_emplace({body, offset}, value);
    if (isNew)
      return;
    madeOf[value].push_back(first->second);
    madeOf[first->second].push_back(value);
  }

  void addSourcesOfOp(int32_t value, int32_t index, mlir::OpResult made, mlir::Operation *op) {
    if (std::optional<int32_t> called = calls.calleeOf(index, op)) {
      const ProgramGraph::Instance &callee = program.instances[*called];
      return addSource(value, callee.firstValue + program.bodies[callee.body].firstResult +
                                  static_cast<int32_t>(made.getResultNumber()));
    }
    if (llvm::isa<DataFlow>(op)) {
      hasFlows = true;
      return;
    }
    if (!namedOps.makesConstants(op) && !(holdsSharding(op) && placesValue(op)))
      return addOther(value);
    if (op->getNumResults() > 1) { // Which are made of the same: what is told of one holds for all.
      auto [first, isNew] = firstResult.try_emplace({index, op}, value);
      if (!isNew) {
        madeOf[first->second].push_back(value);
        return;
      }
    }
    for (mlir::Value operand : op->getOperands())
      addSource(value, program.valueOf(program.instances[index], operand));
  }

  /// All flows of an op at once, if nothing reached some of them: there may be many.
  void addSourcesOfFlows(const ProgramGraph::Instance &instance, const ProgramGraph::Body &body) {
    if (!std::exchange(hasFlows, false))
      return;
    for (const ProgramGraph::FlowOp &each : body.flowOps)
      for (auto [flow, tensor] :
           llvm::zip_equal(llvm::cast<DataFlow>(each.op).getFlows(), each.tensors))
        if (tensor != ShardGraph::none && body.tensors[tensor].value)
          addSourcesOfFlow(instance.firstValue + tensor, instance, flow, each.op);
        else if (tensor != ShardGraph::none)
          addSourcesOfInside(instance, flow);
  }

  /// All that are in a sharding group are constants, or none is.
  void tieMembers(absl::Span<const int32_t> members) {
    auto isOpen = [&](int32_t value) { return knowledge[value] == Knowledge::nothing; };
    auto first = llvm::find_if(members, isOpen);
    if (first == members.end())
      return;
    for (int32_t member : members) {
      addSource(*first, member);
      if (isOpen(member))
        addSource(member, *first);
    }
  }

  /// An argument of a region that hands out nothing is what comes in.
  void addSourcesOfInside(const ProgramGraph::Instance &instance, const Flow &flow) {
    for (mlir::Value target : flow.targets)
      for (mlir::OpOperand *source : flow.sources)
        if (int32_t value = program.valueOf(instance, target); mayBeConstant(value))
          addSource(value, program.valueOf(instance, source->get()));
  }

  /// What regions hand out is the value itself, or else it is computed.
  void addSourcesOfFlow(int32_t value, const ProgramGraph::Instance &instance, const Flow &flow,
                        mlir::Operation *op) {
    if (!mayBeConstant(value))
      return;
    for (mlir::OpOperand *source : flow.sources) {
      int32_t given = program.valueOf(instance, source->get());
      if (source->getOwner() == op)
        addSource(value, given);
      else if (given != value)
        addOther(value);
    }
  }

  void passOn() {
    while (!others.empty())
      if (auto made = madeOf.find(others.pop_back_val()); made != madeOf.end())
        for (int32_t value : made->second)
          addOther(value);
  }

  const ProgramGraph &program;
  const InstanceCalls &calls;
  std::vector<Knowledge> &knowledge;
  NamedOps namedOps;
  /// By body and tensor, the first argument of an instance that nothing reached.
  llvm::DenseMap<std::pair<int32_t, int32_t>, int32_t> firstOpen;
  /// By instance and op, of those with several results the first that nothing reached.
  llvm::DenseMap<std::pair<int32_t, mlir::Operation *>, int32_t> firstResult;
  llvm::DenseMap<int32_t, llvm::SmallVector<int32_t, 2>> madeOf; ///< By source.
  llvm::SmallVector<int32_t> open;                               ///< All that are asked for.
  bool hasFlows = false; ///< Some of them, of the instance at hand, come out of regions.
  llvm::SmallVector<int32_t> others; ///< No constants; what is made of them is to be told.
  llvm::DenseSet<int32_t> isOther;
};

} // namespace

void noteHandedOn(const ProgramGraph &program, const InstanceCalls &calls,
                  std::vector<Knowledge> &knowledge) {
  if (llvm::is_contained(knowledge, Knowledge::nothing))
    HandedOn(program, calls, knowledge).run();
}

} // namespace spmd
