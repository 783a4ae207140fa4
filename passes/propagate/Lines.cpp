#include "spmd/passes/propagate/Lines.h"

#include "spmd/dialect/partitioning/Partitionable.h"
#include "spmd/dialect/spmd/DataFlow.h"
#include "spmd/dialect/spmd/WrittenNames.h"

namespace spmd {

AxisList axisToSplit(const Mesh &mesh, absl::Span<const AxisRef> used, int64_t size) {
  AxisList found;
  for (size_t a = 0; a < mesh.axes().size(); ++a) {
    AxisRef axis = wholeAxis(mesh, static_cast<int>(a));
    if (axis.size == 1 || axis.size > size || overlaps(axis, used))
      continue;
    if (size % axis.size == 0)
      return {axis};
    if (found.empty())
      found = {axis};
  }
  return found;
}

std::string lineThatShards(mlir::Value value, const std::string &sharding) {
  std::string type, name = writtenName(value);
  llvm::raw_string_ostream(type) << value.getType();
  auto argument = llvm::dyn_cast<mlir::BlockArgument>(value);
  if (argument && llvm::isa<mlir::func::FuncOp>(argument.getOwner()->getParentOp())) {
    if (name.empty())
      name = "%arg" + std::to_string(argument.getArgNumber());
    return name + ": " + type + " {sdy.sharding = #sdy.sharding<" + sharding + ">}";
  }
  return "%split = sdy.sharding_constraint " + (name.empty() ? "%value" : name) + " <" + sharding +
         "> : " + type;
}

sdy::ShardingAttr closed(sdy::ShardingAttr attr) {
  ShardingSpec spec = attr.getSpec();
  for (DimSpec &dim : spec.dims) {
    dim.open = false;
    dim.priority.reset();
  }
  return sdy::ShardingAttr::get(attr.getContext(), attr.getMeshOrRef(), spec);
}

std::string innerText(sdy::ShardingAttr attr) {
  std::string text;
  llvm::raw_string_ostream(text) << attr;
  llvm::StringRef inner = text;
  inner.consume_front("#sdy.sharding<");
  inner.consume_back(">");
  return inner.str();
}

/// The axes of `mesh` that are manual where `value` is: it is a part along them already.
static AxisList manualAxesAt(const Mesh &mesh, mlir::Value value) {
  mlir::Operation *around = value.getParentBlock()->getParentOp();
  AxisList manual;
  for (llvm::StringRef name : manualAxesInside(around))
    if (std::optional<int> axis = mesh.axisNamed({name.data(), name.size()}))
      manual.push_back(wholeAxis(mesh, *axis));
  return manual;
}

std::string lineThatSplits(ShardingCodec &codec, mlir::Value value) {
  mlir::RankedTensorType type = tensorTypeOf(value);
  int32_t mesh = codec.mainMesh();
  if (!type || mesh < 0)
    return "";
  int64_t chosen = -1;
  AxisList axes, manual = manualAxesAt(codec.mesh(mesh), value);
  for (int64_t d = 0; d < type.getRank(); ++d) {
    AxisList axis = axisToSplit(codec.mesh(mesh), manual, type.getDimSize(d));
    bool divides = !axis.empty() && type.getDimSize(d) % sizeOf(axis) == 0;
    if (axis.empty() || (chosen >= 0 && !divides))
      continue;
    chosen = d;
    axes = axis;
    if (divides)
      break;
  }
  if (chosen < 0)
    return "";
  Sharding sharding = Sharding::replicatedOf(type.getRank(), /*open=*/true);
  sharding.dims[chosen] = {axes, /*open=*/false};
  return lineThatShards(value, innerText(codec.encode({mesh, sharding})));
}

} // namespace spmd
