#include "spmd/passes/propagate/Origins.h"

#include "spmd/dialect/spmd/DataFlow.h"
#include "spmd/ir/sharding/Spec.h"

namespace spmd {

constexpr llvm::StringLiteral originNameAttrName = "sdy.sharding_origin_name";

Origins::Origins(ProgramGraph &program, const History &history)
    : program(program), isFree(program.freeValues()), past(program.graph, history),
      tracer(past, isFree) {
  nameOps();
}

/// Numbers constraints, manual computations and other annotated ops, in program order.
void Origins::nameOps() {
  int constraints = 0, computations = 0, others = 0;
  auto name = [&](mlir::Operation *op, const llvm::Twine &text) {
    op->setAttr(originNameAttrName, mlir::StringAttr::get(op->getContext(), text));
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
  if (auto argument = llvm::dyn_cast_if_present<mlir::BlockArgument>(tensor.value))
    return prefix + "input: " + std::to_string(argument.getArgNumber());
  if (!tensor.value && tensor.resultIndex != ProgramGraph::Tensor::inside)
    return prefix + "output: " + std::to_string(tensor.resultIndex);
  for (const ProgramGraph::FlowOp &flowOp : body.flowOps)
    for (auto [flow, tied] : llvm::enumerate(flowOp.tensors))
      if (tied == root - instance.firstValue && names.count(flowOp.op)) {
        size_t inputs = flowOp.op->getNumOperands();
        return names.lookup(flowOp.op) + (flow < inputs
                                              ? "_input: " + std::to_string(flow)
                                              : "_output: " + std::to_string(flow - inputs));
      }
  mlir::Operation *op = tensor.value ? tensor.value.getDefiningOp() : nullptr;
  return op && names.count(op) ? names.lookup(op) : "buffer";
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
      ValueDim root = tracer.rootOf({value, static_cast<int32_t>(d)}, axis);
      std::string key = toSpec(mesh, axis).str();
      key.erase(std::remove(key.begin(), key.end(), '"'), key.end());
      entries.emplace_back(mlir::StringAttr::get(context, key),
                           mlir::StringAttr::get(context, nameOf(root.value, value)));
    }
  return mlir::DictionaryAttr::get(context, entries);
}

} // namespace spmd
