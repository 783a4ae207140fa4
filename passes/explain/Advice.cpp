#include "spmd/passes/explain/Advice.h"

#include "spmd/dialect/spmd/DataFlow.h"
#include "spmd/ir/sharding/Excluding.h"
#include "spmd/passes/explain/Annotations.h"
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

/// Returns the axes of a mesh that `value` is a part along already, and those that an op makes
/// manual which it comes out of: these stay with their dims.
AxisList manualAxes(const Places &places, int32_t value, int32_t mesh) {
  const ShardGraph &graph = places.program.graph;
  AxisList manual;
  mlir::Value known = places.tensorOf(value).value;
  if (auto flow = llvm::dyn_cast_if_present<DataFlow>(known ? known.getDefiningOp() : nullptr))
    if (sdy::ManualAxesAttr own = flow.getOwnManualAxes())
      for (mlir::StringAttr name : own.getAxes())
        if (std::optional<int> axis =
                graph.mesh(mesh).axisNamed({name.getValue().data(), name.getValue().size()}))
          manual.push_back(wholeAxis(graph.mesh(mesh), *axis));
  for (const ShardGraph::Parts &parts : graph.parts())
    for (auto [ofMesh, axis] : parts.axes)
      if (ofMesh == mesh && parts.first <= value && value < parts.last)
        manual.push_back(wholeAxis(graph.mesh(mesh), axis));
  return manual;
}

/// Whether a value has a sharding, and one on `mesh`: axes of another mesh are others.
bool isOnMesh(const ShardGraph &graph, int32_t value, int32_t mesh) {
  return value != ShardGraph::none && graph.value(value).sharding != ShardGraph::none &&
         graph.sharding(graph.value(value).sharding).mesh == mesh;
}

/// Returns the first of `axes` that split anything and together have no more positions than a dim
/// has rows.
AxisList thatFit(const AxisList &axes, int64_t size) {
  AxisList fitting;
  int64_t positions = 1;
  for (const AxisRef &axis : axes) {
    if ((positions *= axis.size) > size)
      break;
    if (axis.size > 1)
      fitting.push_back(axis);
  }
  return fitting;
}

/// Says why no axis but those `used` splits a dim of `size`.
std::string whyNoneSplits(const Mesh &mesh, const AxisList &used, int64_t size) {
  bool isAny = false;
  const MeshAxis *smallest = nullptr;
  for (size_t a = 0; a < mesh.axes().size(); ++a) {
    const MeshAxis &axis = mesh.axes()[a];
    isAny |= axis.size > 1;
    if (axis.size > 1 && !overlaps(wholeAxis(mesh, static_cast<int>(a)), used) &&
        (!smallest || axis.size < smallest->size))
      smallest = &axis;
  }
  if (!isAny)
    return "no axis of the mesh has more than one position";
  if (!smallest)
    return "each axis of the mesh is in use here already";
  return "it has size " + std::to_string(size) + ", and the smallest axis that is left, \"" +
         smallest->name + "\", " + std::to_string(smallest->size) + " positions";
}

/// Returns the value's sharding on a mesh as it lies, or open.
Sharding shardingOn(const ShardGraph &graph, int32_t value) {
  const ShardGraph::Value &known = graph.value(value);
  return known.sharding == ShardGraph::none
             ? Sharding::replicatedOf(graph.shape(known.shape).size(), /*open=*/true)
             : graph.sharding(known.sharding).sharding;
}

/// Adds axes to those of a dim, and closes it.
sdy::ShardingAttr withAxes(ProgramGraph &program, ValueDim place, int32_t mesh, Sharding sharding,
                           const AxisList &axes) {
  sharding.replicated.clear();
  // What splits another dim must leave it, and so must parts that no cut of the axis has beside it;
  // parts of an axis that it stood between are one then.
  auto leave = [&](AxisList &list) {
    for (const AxisRef &ref : std::exchange(list, {}))
      if (!exclude(ref, axes))
        appendMerged(list, ref);
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

/// Returns the value's sharding with the dim split, or null after setting `why`.
sdy::ShardingAttr withSplit(Places &places, ValueDim place, const Suggestion &suggestion,
                            std::string &why) {
  ProgramGraph &program = places.program;
  const ShardGraph::Value &value = program.graph.value(place.value);
  if (suggestion.chosen && suggestion.chosen->dim == place.dim)
    return withAxes(program, place, suggestion.chosen->mesh, shardingOn(program.graph, place.value),
                    suggestion.chosen->axes);
  int32_t mesh = meshFor(program, place.value, suggestion.from);
  if (mesh < 0 || program.graph.mesh(mesh).axes().empty())
    return {};
  Sharding sharding = shardingOn(program.graph, place.value);
  int64_t size = program.graph.shape(value.shape)[place.dim];
  AxisList axes = thatFit(suggestion.axes, size / sizeOf(sharding.dims[place.dim].axes));
  AxisList used = sharding.usedAxes(), manual = manualAxes(places, place.value, mesh);
  if (overlaps(axes, manual) || !isOnMesh(program.graph, suggestion.from, mesh))
    axes.clear();
  used.insert(used.end(), manual.begin(), manual.end());
  AxisList taken = used;
  for (const auto &[ofMesh, axis] : suggestion.taken)
    if (ofMesh == mesh)
      taken.push_back(axis);
  for (const AxisList &avoided : {taken, used})
    if (axes.empty())
      axes = axisToSplit(program.graph.mesh(mesh), avoided, size);
  if (axes.empty()) {
    why = whyNoneSplits(program.graph.mesh(mesh), used, size);
    return {};
  }
  return withAxes(program, place, mesh, std::move(sharding), axes);
}

/// Whether a constraint on what an op makes splits its dim, so that another one would say nothing
/// new.
bool isConstrained(mlir::Value value, int32_t dim) {
  return value.getDefiningOp() && llvm::any_of(value.getUsers(), [&](mlir::Operation *user) {
           auto constraint = llvm::dyn_cast<sdy::ShardingConstraintOp>(user);
           if (!constraint)
             return false;
           const std::vector<DimSpec> &dims = constraint.getSharding().getSpec().dims;
           return !dims.empty() && !dims[dim].axes.empty(); // On one device there are none.
         });
}

} // namespace

void Suggestion::avoid(const ShardGraph &graph, int32_t value) {
  int32_t sharding = graph.value(value).sharding;
  if (sharding == ShardGraph::none)
    return;
  const MeshSharding &known = graph.sharding(sharding);
  for (const AxisRef &ref : known.sharding.usedAxes())
    if (!llvm::is_contained(taken, std::pair(known.mesh, ref)))
      taken.emplace_back(known.mesh, ref);
}

/// Returns the line that says `sharding` of a value, a dim of which it splits.
static Advice adviceFor(Places &places, ValueDim place, sdy::ShardingAttr sharding) {
  const ProgramGraph::Tensor &tensor = places.tensorOf(place.value);
  if (!tensor.value && tensor.resultIndex == ProgramGraph::Tensor::inside)
    return {};
  if (!tensor.value)
    return {lineOfResult(places.functionOf(place.value), tensor.resultIndex, sharding), {}, ""};
  Advice advice{lineOfAnnotation(places, tensor.value, sharding), followersOf(places, tensor.value),
                ""};
  if (!advice.line.empty())
    return advice;
  if (!isConstrained(tensor.value, place.dim)) {
    advice.line = lineThatShards(tensor.value, sharding, places.names);
    return advice;
  }
  advice.line = lineThatPins(tensor.value, sharding);
  if (advice.line.empty())
    advice.unsplit = "the constraint behind it splits what it gives alone, and a file in this "
                     "notation says nothing of the op itself";
  return advice;
}

Advice adviceToSplit(Places &places, ValueDim place, const Suggestion &suggestion) {
  std::string why;
  sdy::ShardingAttr sharding = withSplit(places, place, suggestion, why);
  return sharding ? adviceFor(places, place, sharding) : Advice{"", {}, why};
}

Advice adviceToSplitAlong(Places &places, ValueDim place, int32_t from, const AxisList &axes) {
  ProgramGraph &program = places.program;
  int32_t mesh = meshFor(program, place.value, from);
  int64_t size = program.graph.shape(program.graph.value(place.value).shape)[place.dim];
  AxisList fitting = thatFit(axes, size);
  if (fitting.empty() || !isOnMesh(program.graph, from, mesh) ||
      overlaps(fitting, manualAxes(places, place.value, mesh)))
    return {};
  Sharding sharding = shardingOn(program.graph, place.value);
  sharding.dims[place.dim].axes.clear();
  return adviceFor(places, place, withAxes(program, place, mesh, std::move(sharding), fitting));
}

} // namespace spmd
