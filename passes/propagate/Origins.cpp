#include "spmd/passes/propagate/Origins.h"

#include "spmd/ir/sharding/Spec.h"

namespace spmd {

Origins::Origins(ProgramGraph &program, const History &history)
    : program(program), isFree(program.freeValues()), past(program.graph, history),
      tracer(past, isFree), flows(program) {
  nameOps();
}

/// Numbers constraints, manual computations and other annotated ops, in program order.
void Origins::nameOps() {
  int constraints = 0, computations = 0, others = 0;
  auto name = [&](mlir::Operation *op, const llvm::Twine &text) {
    op->setAttr(sdy::shardingOriginNameName, mlir::StringAttr::get(op->getContext(), text));
    names[op] = text.str();
  };
  for (ProgramGraph::Body &body : program.bodies)
    walkDataFlow(body.func, [&](mlir::Operation *op) {
      auto flow = llvm::dyn_cast<DataFlow>(op);
      if (llvm::isa<sdy::ShardingConstraintOp>(op))
        name(op, "constraint_" + llvm::Twine(constraints++));
      else if (flow && flow.getOwnManualAxes())
        name(op, "mc_" + llvm::Twine(computations++));
      else if (op->getNumResults() > 0 && pinOf(op->getResult(0)))
        name(op, "op_" + llvm::Twine(others++));
    });
}

std::string Origins::nameOf(int32_t root, int32_t seenFrom) const {
  if (root == seenFrom)
    return "self";
  int32_t index = program.instanceOfValue(root);
  const ProgramGraph::Instance &instance = program.instances[index];
  const ProgramGraph::Body &body = program.bodies[instance.body];
  const ProgramGraph::Tensor &tensor = body.tensors[root - instance.firstValue];
  mlir::func::FuncOp func = body.func;
  std::string prefix =
      index == program.instanceOfValue(seenFrom) ? "" : "@" + func.getSymName().str() + " ";
  if (std::optional<FlowPlace> place = flows.flowOf(root); place && names.count(place->op)) {
    size_t inputs = place->op->getNumOperands();
    return names.lookup(place->op) + (place->flow < inputs
                                          ? "_input: " + std::to_string(place->flow)
                                          : "_output: " + std::to_string(place->flow - inputs));
  }
  if (auto argument = llvm::dyn_cast_if_present<mlir::BlockArgument>(tensor.value))
    return prefix + "input: " + std::to_string(argument.getArgNumber());
  if (!tensor.value && tensor.resultIndex != ProgramGraph::Tensor::inside)
    return prefix + "output: " + std::to_string(tensor.resultIndex);
  mlir::Operation *op = tensor.value ? tensor.value.getDefiningOp() : nullptr;
  return op && names.count(op) ? names.lookup(op) : "buffer";
}

/// Of an axis that a value got in parts, the part that made it what it is.
static AxisRef lastPartOf(AxisRef axis) {
  int32_t part = 2;
  while (axis.size % part != 0)
    ++part;
  return {axis.axis, axis.preSize * (axis.size / part), part};
}

mlir::DictionaryAttr Origins::of(int32_t value) {
  mlir::MLIRContext *context = program.bodies.front().func.getContext();
  llvm::SmallVector<mlir::NamedAttribute> entries;
  int32_t known = program.graph.value(value).sharding;
  if (known == ShardGraph::none)
    return mlir::DictionaryAttr::get(context);
  MeshSharding lies = program.graph.sharding(known);
  const Mesh &mesh = program.graph.mesh(lies.mesh);
  for (size_t d = 0; d < lies.sharding.dims.size(); ++d)
    for (const AxisRef &axis : lies.sharding.dims[d].axes) {
      ValueDim root = tracer.rootOf({value, static_cast<int32_t>(d)}, lastPartOf(axis));
      std::string key = toSpec(mesh, axis).str();
      key.erase(std::remove(key.begin(), key.end(), '"'), key.end());
      entries.emplace_back(mlir::StringAttr::get(context, key),
                           mlir::StringAttr::get(context, nameOf(root.value, value)));
    }
  return mlir::DictionaryAttr::get(context, entries);
}

/// Sets an attribute with an entry for each value, if any of these has axes.
static void setAll(mlir::Operation *op, llvm::StringRef name,
                   llvm::ArrayRef<mlir::Attribute> entries) {
  auto isEmpty = [](mlir::Attribute each) {
    return llvm::cast<mlir::DictionaryAttr>(each).empty();
  };
  if (!llvm::all_of(entries, isEmpty))
    op->setDiscardableAttr(name, mlir::ArrayAttr::get(op->getContext(), entries));
}

void Origins::write(mlir::Operation *op, int32_t v, size_t count) {
  llvm::SmallVector<mlir::Attribute> entries;
  for (size_t i = 0; i < count; ++i)
    entries.push_back(of(v + static_cast<int32_t>(i)));
  if (llvm::isa<sdy::ShardingConstraintOp>(op))
    op->setDiscardableAttr(sdy::shardingOriginsName, entries.front());
  else
    setAll(op, sdy::shardingOriginsName, entries);
}

void Origins::writeFlows(DataFlow op, llvm::ArrayRef<int32_t> values) {
  llvm::SmallVector<mlir::Attribute> arguments, results;
  for (auto [flow, v] : llvm::zip(op.getFlows(), values)) {
    bool comesOut =
        llvm::any_of(flow.targets, [](mlir::Value target) { return target.getDefiningOp(); });
    (comesOut ? results : arguments)
        .push_back(v == ShardGraph::none ? mlir::DictionaryAttr::get(op->getContext()) : of(v));
  }
  setAll(op, sdy::blockArgShardingOriginsName, arguments);
  setAll(op, sdy::resultShardingOriginsName, results);
}

ProgramGraph::Origin ProgramGraph::originOf(int32_t op) const {
  if (op >= firstGroupTie)
    return {nullptr};
  auto next = llvm::upper_bound(
      instances, op, [](int32_t o, const Instance &instance) { return o < instance.firstOp; });
  const Instance &instance = *std::prev(next);
  const Body &own = bodies[instance.body];
  if (op - instance.firstOp < own.numOps)
    return {sources[own.firstOp + op - instance.firstOp]};
  // Edges of calls stand behind the ops of the callee, or of what was added last.
  absl::Span<const int32_t> tied = graph.tensorsOf(graph.op(op));
  for (bool isArgument : {true, false}) {
    int32_t caller = instanceOfValue(tied[isArgument ? 0 : 1]);
    int32_t callee = instanceOfValue(tied[isArgument ? 1 : 0]);
    auto isCalled = [&](const Instance &from, size_t c) {
      const Body &body = bodies[from.body];
      const Call &call = body.calls[c];
      auto operands =
          llvm::ArrayRef(body.callOperands).slice(call.firstOperand, call.op->getNumOperands());
      mlir::ValueRange outside = isArgument ? mlir::ValueRange(call.op->getOperands())
                                            : mlir::ValueRange(call.op->getResults());
      int32_t outer = tied[isArgument ? 0 : 1];
      int32_t left = outer - from.firstValue - call.firstLeft;
      return from.children[c] == callee &&
             (llvm::any_of(outside,
                           [&](mlir::Value value) { return valueOf(from, value) == outer; }) ||
              (call.passesBuffers() &&
               (llvm::is_contained(operands, outer - from.firstValue) ||
                (left >= 0 && left < bodies[instances[callee].body].numLeft))));
    };
    const Instance &from = instances[caller];
    for (size_t c = 0; c < from.children.size(); ++c)
      if (isCalled(from, c))
        return {bodies[from.body].calls[c].op, callee};
  }
  return {nullptr};
}

} // namespace spmd
