#include "spmd/passes/explain/Advice.h"

#include "spmd/dialect/spmd/WrittenNames.h"
#include "spmd/passes/propagate/Lines.h"

namespace spmd {

namespace {

/// Returns the mesh that `value` lies on, or that `from` lies on, or -1.
int32_t meshFor(ProgramGraph &program, int32_t value, int32_t from) {
  for (int32_t v : {value, from})
    if (v != ShardGraph::none && program.graph.value(v).sharding != ShardGraph::none)
      return program.graph.sharding(program.graph.value(v).sharding).mesh;
  return program.codec.mainMesh();
}

/// Returns the axes of a mesh that `value` is a part along already.
AxisList manualAxes(const ShardGraph &graph, int32_t value, int32_t mesh) {
  AxisList manual;
  for (const ShardGraph::Parts &parts : graph.parts())
    for (auto [ofMesh, axis] : parts.axes)
      if (ofMesh == mesh && parts.first <= value && value < parts.last)
        manual.push_back(wholeAxis(graph.mesh(mesh), axis));
  return manual;
}

/// Returns the value's sharding with the dim split, or null.
sdy::ShardingAttr withSplit(Places &places, ValueDim place, const Suggestion &suggestion) {
  ProgramGraph &program = places.program;
  const ShardGraph::Value &value = program.graph.value(place.value);
  int32_t mesh = meshFor(program, place.value, suggestion.from);
  if (mesh < 0 || program.graph.mesh(mesh).axes().empty())
    return {};
  const ShardGraph::Shape &shape = program.graph.shape(value.shape);
  Sharding sharding = value.sharding == ShardGraph::none
                          ? Sharding::replicatedOf(shape.size(), /*open=*/true)
                          : program.graph.sharding(value.sharding).sharding;
  sharding.replicated.clear();
  AxisList axes = suggestion.axes, used = sharding.usedAxes();
  AxisList manual = manualAxes(program.graph, place.value, mesh);
  int64_t size = shape[place.dim];
  if (overlaps(axes, manual) || sizeOf(axes) * sizeOf(sharding.dims[place.dim].axes) > size)
    axes.clear();
  used.insert(used.end(), manual.begin(), manual.end());
  AxisList taken = used;
  taken.insert(taken.end(), suggestion.taken.begin(), suggestion.taken.end());
  for (const AxisList &avoided : {taken, used})
    if (axes.empty())
      axes = axisToSplit(program.graph.mesh(mesh), avoided, size);
  if (axes.empty())
    return {};
  // What splits another dim must leave it.
  auto leave = [&](AxisList &list) {
    list.erase(std::remove_if(list.begin(), list.end(),
                              [&](const AxisRef &ref) { return overlaps(ref, axes); }),
               list.end());
  };
  leave(sharding.unreduced);
  for (DimSharding &dim : sharding.dims) {
    dim.priority = std::nullopt;
    leave(dim.axes);
  }
  for (const AxisRef &ref : axes)
    appendMerged(sharding.dims[place.dim].axes, ref);
  sharding.dims[place.dim].open = false;
  return program.codec.encode({mesh, sharding});
}

/// Returns what stands in the place of the annotation of `value`; empty if it has none of its own.
std::string lineOfAnnotation(const Places &places, mlir::Value value, sdy::ShardingAttr sharding) {
  mlir::Operation *op = value.getDefiningOp();
  if (llvm::isa_and_present<sdy::ShardingConstraintOp, sdy::ReshardOp>(op))
    return places.computations.contains(op->getLoc()) ? "" : lineInPlaceOf(op, sharding);
  if (!op || op->getNumResults() != 1 || !pinOf(value) || !op->hasAttr(shardingAttrName))
    return "";
  std::string name = writtenName(value);
  return "{sdy.sharding = #sdy.sharding_per_value<[<" + innerText(sharding) + ">]>} at " +
         (name.empty() ? "%value" : name);
}

} // namespace

void Suggestion::avoid(const ShardGraph &graph, int32_t value) {
  int32_t sharding = graph.value(value).sharding;
  if (sharding == ShardGraph::none)
    return;
  for (const AxisRef &ref : graph.sharding(sharding).sharding.usedAxes())
    if (!overlaps(ref, taken))
      taken.push_back(ref);
}

std::string lineThatSplits(Places &places, ValueDim place, const Suggestion &suggestion) {
  const ProgramGraph::Tensor &tensor = places.tensorOf(place.value);
  sdy::ShardingAttr sharding = withSplit(places, place, suggestion);
  if (!sharding)
    return "";
  if (tensor.value)
    if (std::string line = lineOfAnnotation(places, tensor.value, sharding); !line.empty())
      return line;
  if (tensor.value)
    return lineThatShards(tensor.value, sharding, places.names);
  if (tensor.resultIndex == ProgramGraph::Tensor::inside)
    return "";
  return lineOfResult(places.functionOf(place.value), tensor.resultIndex, sharding);
}

} // namespace spmd
