#include "spmd/passes/explain/Places.h"

#include "spmd/dialect/spmd/Donation.h"
#include "spmd/dialect/spmd/WrittenNames.h"
#include "spmd/ir/sharding/Spec.h"
#include "spmd/passes/plan/ApplyPlan.h"

#include "llvm/Support/Format.h"

namespace spmd {

const ProgramGraph::Tensor &Places::tensorOf(int32_t value) const {
  const ProgramGraph::Instance &instance = program.instances[program.instanceOfValue(value)];
  return program.bodies[instance.body].tensors[value - instance.firstValue];
}

bool Places::isDonated(int32_t value) const {
  mlir::Value known = tensorOf(value).value;
  return known && spmd::isDonated(known);
}

mlir::func::FuncOp Places::functionOf(int32_t value) const {
  return program.bodies[program.instances[program.instanceOfValue(value)].body].func;
}

mlir::Operation *Places::ownerOf(int32_t value) const {
  const ProgramGraph::Instance &instance = program.instances[program.instanceOfValue(value)];
  for (const ProgramGraph::FlowOp &flowOp : program.bodies[instance.body].flowOps)
    if (llvm::is_contained(flowOp.tensors, value - instance.firstValue))
      return flowOp.op;
  return nullptr;
}

std::string Places::nameOf(int32_t value) const {
  const ProgramGraph::Tensor &tensor = tensorOf(value);
  if (tensor.value) {
    std::string written = writtenName(tensor.value);
    return written.empty() ? describeValue(tensor.value) : written;
  }
  if (tensor.resultIndex != ProgramGraph::Tensor::inside)
    return ("result " + llvm::Twine(tensor.resultIndex) + " of @" + functionOf(value).getSymName())
        .str();
  mlir::Operation *owner = ownerOf(value);
  return owner ? "what goes into '" + owner->getName().getStringRef().str() + "'"
               : "what a buffer holds";
}

std::string Places::descriptionOf(int32_t value) const {
  mlir::Value known = tensorOf(value).value;
  if (!known || writtenName(known).empty())
    return "";
  auto border = computations.find(known.getDefiningOp());
  return border == computations.end() ? describeValue(known) : border->second.description;
}

std::string Places::locationOf(int32_t value) const {
  if (mlir::Value known = tensorOf(value).value)
    return placeText(known.getLoc());
  mlir::Operation *owner = ownerOf(value);
  return placeText(owner ? owner->getLoc() : functionOf(value).getLoc());
}

std::string Places::nameOfOp(int32_t op) const {
  ProgramGraph::Origin origin = program.originOf(op);
  if (!origin.op)
    return "a sharding group or buffer";
  if (computations.contains(origin.op))
    return "'" + sdy::NamedComputationOp::getOperationName().str() + "'";
  if (origin.callee == ShardGraph::none)
    return "'" + origin.op->getName().getStringRef().str() + "'";
  mlir::func::FuncOp callee = program.bodies[program.instances[origin.callee].body].func;
  return "the call of @" + callee.getSymName().str();
}

std::string Places::locationOfOp(int32_t op) const {
  if (mlir::Operation *origin = program.originOf(op).op)
    return placeText(origin->getLoc());
  return locationOf(program.graph.tensorsOf(program.graph.op(op)).front());
}

std::string Places::shardingText(int32_t sharding) const {
  if (sharding == ShardGraph::none)
    return "none";
  const MeshSharding &known = program.graph.sharding(sharding);
  return toSpec(program.graph.mesh(known.mesh), known.sharding).str();
}

std::string Places::annotationText(int32_t value, int32_t sharding) const {
  if (sharding == ShardGraph::none)
    return "none";
  MeshSharding annotated = program.graph.sharding(sharding);
  for (size_t d = 0; d < annotated.sharding.dims.size(); ++d)
    if (int64_t priority = program.graph.priorityOf(value, static_cast<int32_t>(d)))
      annotated.sharding.dims[d].priority = priority;
  return toSpec(program.graph.mesh(annotated.mesh), annotated.sharding).str();
}

std::string Places::originText(int32_t value, int32_t sharding) const {
  std::string place = planPlaceOf(value);
  return annotationText(value, sharding) + (place.empty() ? "" : " by the plan (" + place + ")");
}

std::string Places::planPlaceOf(int32_t value) const {
  const ProgramGraph::Tensor &tensor = tensorOf(value);
  mlir::func::FuncOp func = functionOf(value);
  mlir::Attribute place;
  if (auto argument = llvm::dyn_cast_if_present<mlir::BlockArgument>(tensor.value)) {
    if (argument.getOwner()->getParentOp() == func)
      place = func.getArgAttr(argument.getArgNumber(), planPlaceAttrName);
  } else if (tensor.value) {
    place = tensor.value.getDefiningOp()->getAttr(planPlaceAttrName);
  } else if (tensor.resultIndex != ProgramGraph::Tensor::inside) {
    place = func.getResultAttr(tensor.resultIndex, planPlaceAttrName);
  }
  auto location = llvm::dyn_cast_if_present<mlir::LocationAttr>(place);
  return location ? placeText(mlir::Location(location)) : "";
}

std::string Places::axesText(int32_t value, absl::Span<const AxisRef> axes) const {
  int32_t sharding = program.graph.value(value).sharding;
  if (sharding == ShardGraph::none)
    return "";
  const Mesh &mesh = program.graph.mesh(program.graph.sharding(sharding).mesh);
  return str(toSpecs(mesh, axes));
}

static std::string withCommas(int64_t number) {
  std::string digits = std::to_string(number);
  for (int64_t at = static_cast<int64_t>(digits.size()) - 3; at > 0; at -= 3)
    digits.insert(at, ",");
  return digits;
}

std::string bytesText(double bytes) {
  return withCommas(static_cast<int64_t>(bytes)) + (bytes == 1 ? " byte" : " bytes");
}

std::string timeText(double seconds) {
  double micros = seconds * 1e6;
  if (micros >= 100)
    return withCommas(static_cast<int64_t>(micros)) + " us";
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.3g us", micros);
  return text;
}

} // namespace spmd
