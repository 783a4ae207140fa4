#include "spmd/passes/propagate/Edges.h"

#include "spmd/dialect/spmd/DataFlow.h"
#include "spmd/ir/explain/Trace.h"
#include "spmd/ir/rules/Propagation.h"
#include "spmd/ir/sharding/Spec.h"

namespace spmd {

namespace {

/// The op of the program that an op of the graph stands for, and the instance that it is in.
struct Place {
  mlir::Operation *op;
  int32_t instance;
};

Place placeOf(const ProgramGraph &program, int32_t index) {
  ProgramGraph::Origin origin = program.originOf(index);
  absl::Span<const int32_t> tensors = program.graph.tensorsOf(program.graph.op(index));
  int32_t instance = program.instanceOfValue(tensors.front());
  if (instance == origin.callee) // What a call returns comes from the callee.
    instance = program.instanceOfValue(tensors.back());
  return {origin.op, instance};
}

/// A tensor of an op of the graph.
struct Tensor {
  const ShardGraph::Op &of;
  size_t index;
  int32_t value;
};

/// Names a tensor by its place among the operands or results of the op in the program, or, where it
/// is none, among the tensors tied.
sdy::ValueIndex nameOf(const ProgramGraph &program, Place place, Tensor tensor) {
  const ProgramGraph::Instance &instance = program.instances[place.instance];
  auto isIt = [&](mlir::Value value) { return program.valueOf(instance, value) == tensor.value; };
  size_t numOperands = tensor.of.numOperands;
  if (tensor.index < numOperands)
    for (mlir::OpOperand &operand : place.op->getOpOperands())
      if (isIt(operand.get()))
        return {false, operand.getOperandNumber()};
  for (mlir::OpResult result : place.op->getResults())
    if (isIt(result))
      return {true, result.getResultNumber()};
  bool isResult = tensor.index >= numOperands;
  return {isResult, static_cast<int64_t>(isResult ? tensor.index - numOperands : tensor.index)};
}

/// Names a tensor of a flow: the place where it comes in, or what comes out.
sdy::ValueIndex nameInFlow(const ProgramGraph &program, Place place, const Flow &flow, int32_t v) {
  const ProgramGraph::Instance &instance = program.instances[place.instance];
  for (auto [i, source] : llvm::enumerate(flow.sources))
    if (program.valueOf(instance, source->get()) == v)
      return {false, static_cast<int64_t>(i)};
  return {true, 0};
}

/// Whether an op ties what a function returns to its results.
bool isReturn(mlir::Operation *op) {
  return op->hasTrait<mlir::OpTrait::IsTerminator>() &&
         llvm::isa<mlir::func::FuncOp>(op->getParentOp());
}

int32_t firstResultOf(const ProgramGraph &program, int32_t index) {
  const ProgramGraph::Instance &instance = program.instances[index];
  return instance.firstValue + program.bodies[instance.body].firstResult;
}

/// Adds one edge, to those from the same tensor along the same axis if there are any.
void addEdge(std::vector<sdy::AxisEdge> &edges, const AxisSpec &axis, sdy::ValueIndex from,
             sdy::ValueIndex to) {
  if (from == to) // Outside and inside of a border are one tensor.
    return;
  for (sdy::AxisEdge &edge : edges)
    if (edge.axis == axis && edge.source == from) {
      auto comesBefore = [](const sdy::ValueIndex &a, const sdy::ValueIndex &b) {
        return std::tie(a.isResult, a.index) < std::tie(b.isResult, b.index);
      };
      if (!llvm::is_contained(edge.targets, to))
        edge.targets.insert(llvm::upper_bound(edge.targets, to, comesBefore), to);
      return;
    }
  edges.push_back({axis, from, {to}});
}

} // namespace

Edges::Edges(const ProgramGraph &program, const History &history) : program(program) {
  Past past(program.graph, history);
  FlowTensors flows(program);
  int32_t count = history.changes.size();
  for (int32_t first = 0, last = 0; first < count; first = last) {
    const Change &change = history.changes[first];
    last = first + 1;
    if (change.kind != Change::Cause::step)
      continue;
    while (last < count && history.changes[last].step == change.step &&
           history.changes[last].kind == Change::Cause::step)
      ++last;
    addStep(past, flows, first, last);
  }
}

/// Adds the edges of changes [first, last), which are one step.
void Edges::addStep(const Past &past, const FlowTensors &flows, int32_t first, int32_t last) {
  const Change &change = past.history.changes[first];
  const ShardGraph &graph = program.graph;
  const ShardGraph::Op &op = graph.op(change.cause);
  const OpRule &rule = graph.rule(op.rule);
  Place place = placeOf(program, change.cause);
  std::optional<std::vector<Sharding>> before = shardingsBefore(past, op, first);
  if (!place.op || !before)
    return; // Members of a sharding group have no op between them.
  StepScope scope;
  scope.onlyPass = change.round <= 2;
  scope.unanimous = past.history.unanimous;
  std::vector<FactorAxes> projected;
  std::vector<FactorWish> wishes =
      wishesOf(rule, *before, bytesOfTensors(graph, op), scope, projected);
  sdy::PropagationStep step{change.step, {}};
  absl::Span<const int32_t> tensors = graph.tensorsOf(op);
  std::optional<Flow> flow;
  unsigned slot = 0;
  if (auto dataFlow = llvm::dyn_cast<DataFlow>(place.op)) {
    slot = flows.flowOf(tensors.front())->flow;
    flow = dataFlow.getFlows()[slot];
  } else if (isReturn(place.op)) {
    slot = tensors.back() - firstResultOf(program, place.instance);
  }
  auto nameOfTensor = [&](size_t t) -> sdy::ValueIndex {
    if (flow)
      return nameInFlow(program, place, *flow, tensors[t]);
    if (isReturn(place.op))
      return {t > 0, 0};
    return nameOf(program, place, {op, t, tensors[t]});
  };
  for (int32_t i = first; i < last; ++i) {
    const Change &learnt = past.history.changes[i];
    size_t t = llvm::find(tensors, learnt.value) - tensors.begin();
    const MeshSharding &after = graph.sharding(learnt.after);
    FactorAxes has = project(rule, rule.tensor(t), after.sharding);
    for (int32_t f = 0; f < rule.numFactors(); ++f)
      if (isPrefix(projected[t][f], has[f]))
        for (const AxisRef &axis : afterPrefix(projected[t][f], has[f]))
          addEdge(step.edges, toSpec(graph.mesh(after.mesh), axis), nameOfTensor(wishes[f].tensor),
                  nameOfTensor(t));
  }
  if (!step.edges.empty())
    steps[place.instance][place.op][slot].push_back(std::move(step));
}

static sdy::PropagationEdgesAttr attrOf(mlir::Operation *op,
                                        const std::vector<sdy::PropagationStep> &steps) {
  return sdy::PropagationEdgesAttr::get(op->getContext(), steps);
}

/// The attributes of a data-flow op: lists by result, and by argument of what only goes in.
static void visitFlows(DataFlow op,
                       const std::map<unsigned, std::vector<sdy::PropagationStep>> &own,
                       llvm::function_ref<void(mlir::Operation *, mlir::NamedAttribute)> visit) {
  llvm::SmallVector<mlir::Attribute> arguments, results;
  bool hasArguments = false, hasResults = false;
  for (auto [i, flow] : llvm::enumerate(op.getFlows())) {
    bool comesOut =
        llvm::any_of(flow.targets, [](mlir::Value target) { return target.getDefiningOp(); });
    auto steps = own.find(i);
    (comesOut ? hasResults : hasArguments) |= steps != own.end();
    (comesOut ? results : arguments)
        .push_back(
            attrOf(op, steps == own.end() ? std::vector<sdy::PropagationStep>() : steps->second));
  }
  mlir::Builder builder(op->getContext());
  if (hasArguments)
    visit(op,
          builder.getNamedAttr(sdy::blockArgPropagationEdgesName, builder.getArrayAttr(arguments)));
  if (hasResults)
    visit(op, builder.getNamedAttr(sdy::resultPropagationEdgesName, builder.getArrayAttr(results)));
}

void Edges::visit(int32_t instance,
                  llvm::function_ref<void(mlir::Operation *, mlir::NamedAttribute)> visit) const {
  auto known = steps.find(instance);
  if (known == steps.end())
    return;
  for (const auto &[op, own] : known->second)
    if (auto dataFlow = llvm::dyn_cast<DataFlow>(op))
      visitFlows(dataFlow, own, visit);
    else if (!isReturn(op))
      visit(op, {mlir::StringAttr::get(op->getContext(), sdy::propagationEdgesName),
                 attrOf(op, own.at(0))});
}

sdy::PropagationEdgesAttr Edges::ofResult(int32_t instance, unsigned result) const {
  auto known = steps.find(instance);
  if (known == steps.end())
    return {};
  mlir::Operation *end = mlir::func::FuncOp(program.bodies[program.instances[instance].body].func)
                             .getBody()
                             .front()
                             .getTerminator();
  auto own = known->second.find(end);
  if (own == known->second.end() || !own->second.count(result))
    return {};
  return attrOf(end, own->second.at(result));
}

} // namespace spmd
