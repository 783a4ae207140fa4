#include "spmd/passes/propagate/Edges.h"

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

/// Returns the name of tensor `t` of an op of the graph: its place among the operands or results of
/// the op in the program, or, where it is none, among the tensors tied.
sdy::ValueIndex nameOf(const ProgramGraph &program, Place place, const ShardGraph::Op &of,
                       size_t t) {
  const ProgramGraph::Instance &instance = program.instances[place.instance];
  int32_t v = program.graph.tensorsOf(of)[t];
  auto isIt = [&](mlir::Value value) { return program.valueOf(instance, value) == v; };
  size_t numOperands = of.numOperands;
  for (mlir::OpOperand &operand : place.op->getOpOperands())
    if (isIt(operand.get()) && (t < numOperands || place.op->getNumRegions() > 0))
      return {false, operand.getOperandNumber()};
  for (mlir::OpResult result : place.op->getResults())
    if (isIt(result))
      return {true, result.getResultNumber()};
  bool isResult = t >= numOperands;
  return {isResult, static_cast<int64_t>(isResult ? t - numOperands : t)};
}

/// Adds one edge, to those from the same tensor along the same axis if there are any.
void addEdge(std::vector<sdy::AxisEdge> &edges, const AxisSpec &axis, sdy::ValueIndex from,
             sdy::ValueIndex to) {
  for (sdy::AxisEdge &edge : edges)
    if (edge.axis == axis && edge.source == from) {
      if (!llvm::is_contained(edge.targets, to))
        edge.targets.push_back(to);
      return;
    }
  edges.push_back({axis, from, {to}});
}

} // namespace

Edges::Edges(const ProgramGraph &program, const History &history) : program(program) {
  Past past(program.graph, history);
  int32_t count = history.changes.size();
  for (int32_t first = 0, last = 0; first < count; first = last) {
    const Change &change = history.changes[first];
    last = first + 1;
    if (change.kind != Change::Cause::step)
      continue;
    while (last < count && history.changes[last].step == change.step &&
           history.changes[last].kind == Change::Cause::step)
      ++last;
    addStep(past, first, last);
  }
}

/// Adds the edges of changes [first, last), which are one step.
void Edges::addStep(const Past &past, int32_t first, int32_t last) {
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
  for (int32_t i = first; i < last; ++i) {
    const Change &learnt = past.history.changes[i];
    size_t t = llvm::find(tensors, learnt.value) - tensors.begin();
    const MeshSharding &after = graph.sharding(learnt.after);
    FactorAxes has = project(rule, rule.tensor(t), after.sharding);
    for (int32_t f = 0; f < rule.numFactors(); ++f)
      if (isPrefix(projected[t][f], has[f]))
        for (const AxisRef &axis : afterPrefix(projected[t][f], has[f]))
          addEdge(step.edges, toSpec(graph.mesh(after.mesh), axis),
                  nameOf(program, place, op, wishes[f].tensor), nameOf(program, place, op, t));
  }
  if (!step.edges.empty())
    steps[place.instance][place.op].push_back(std::move(step));
}

void Edges::visit(
    int32_t instance,
    llvm::function_ref<void(mlir::Operation *, sdy::PropagationEdgesAttr)> visit) const {
  auto known = steps.find(instance);
  if (known == steps.end())
    return;
  for (const auto &[op, own] : known->second)
    visit(op, sdy::PropagationEdgesAttr::get(op->getContext(), own));
}

} // namespace spmd
