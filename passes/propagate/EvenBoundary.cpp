#include "spmd/passes/propagate/EvenBoundary.h"

#include <numeric>

namespace spmd {

/// Returns what a dim of `size` keeps of its axes: those of the front that split it evenly. What
/// was found must be whole axes; of one that the user placed, whose dims are closed, a part will
/// do.
static AxisList evenAxes(const DimSharding &dim, int64_t size, const Mesh &mesh) {
  AxisList kept;
  for (const AxisRef &axis : dim.axes) {
    auto common = static_cast<int32_t>(std::gcd(size, axis.size));
    bool fits = common == axis.size && (!dim.open || axis == wholeAxis(mesh, axis.axis));
    if (!fits) {
      if (!dim.open && common > 1)
        kept.push_back({axis.axis, axis.preSize, common});
      break;
    }
    kept.push_back(axis);
    size /= axis.size;
  }
  return kept;
}

static void keepEven(ProgramGraph &program, int32_t v, ValueSharding written, History *history) {
  ShardGraph &graph = program.graph;
  if (graph.value(v).sharding == ShardGraph::none)
    return;
  MeshSharding sharding = graph.shardingOf(v);
  const ShardGraph::Shape &shape = graph.shape(graph.value(v).shape);
  // A pin to one device has no dims.
  bool isPinned =
      written && written.state == ShardingState::pinned && !written.attr.getSpec().dims.empty();
  bool changes = false;
  for (auto [d, dim] : llvm::enumerate(sharding.sharding.dims)) {
    AxisList kept = evenAxes(dim, shape[d], graph.mesh(sharding.mesh));
    size_t said = isPinned ? written.attr.getSpec().dims[d].axes.size() : 0;
    if (kept.size() <= said)
      kept.assign(dim.axes.begin(), dim.axes.begin() + std::min(said, dim.axes.size()));
    changes |= kept != dim.axes;
    dim.axes = std::move(kept);
    if (dim.axes.empty() && !dim.open)
      dim.priority.reset(); // Of nothing.
  }
  if (!changes)
    return;
  int32_t before = graph.value(v).sharding;
  program.uneven[v] = program.codec.encode(graph.shardingOf(v));
  graph.setSharding(v, std::move(sharding));
  if (history)
    history->changes.push_back({v, before, graph.value(v).sharding, ShardGraph::none,
                                history->numSteps, Change::Cause::evened});
}

/// Visits the arguments and results of functions that are called from outside: each as a value of
/// the graph, with what the program says of it, and what an earlier run noted there, which may be
/// null.
static void
forEachAtBoundary(ProgramGraph &program,
                  llvm::function_ref<void(int32_t, ValueSharding, mlir::Attribute)> visit) {
  std::vector<bool> isCalled(program.instances.size());
  for (const ProgramGraph::Instance &instance : program.instances)
    for (int32_t child : instance.children)
      isCalled[child] = true;
  for (auto [index, instance] : llvm::enumerate(program.instances)) {
    const ProgramGraph::Body &body = program.bodies[instance.body];
    mlir::func::FuncOp func = body.func;
    if (isCalled[index] || (!func.isPublic() && func.getSymName() != "main"))
      continue;
    for (mlir::BlockArgument argument : func.getArguments())
      if (int32_t v = program.valueOf(instance, argument); v != ShardGraph::none)
        visit(v, shardingOf(argument), func.getArgAttr(argument.getArgNumber(), unevenAttrName));
    for (unsigned i = 0; i < func.getNumResults(); ++i)
      if (tensorTypeOf(func.getFunctionType().getResult(i)))
        visit(instance.firstValue + body.firstResult + static_cast<int32_t>(i),
              shardingOfResult(func, i), func.getResultAttr(i, unevenAttrName));
  }
}

void keepBoundaryEven(ProgramGraph &program, History *history) {
  forEachAtBoundary(program, [&](int32_t v, ValueSharding written, mlir::Attribute) {
    keepEven(program, v, written, history);
  });
}

/// Whether one sharding is what is left of another.
static bool isLeftOf(const MeshSharding &kept, const MeshSharding &uneven) {
  auto isFront = [](const auto &dims) {
    const auto &[left, all] = dims;
    return isPrefix(left.axes, all.axes) && left.open == all.open;
  };
  return kept.mesh == uneven.mesh && kept.sharding.replicated == uneven.sharding.replicated &&
         llvm::all_of(llvm::zip_equal(kept.sharding.dims, uneven.sharding.dims), isFront);
}

void restoreUneven(ProgramGraph &program) {
  forEachAtBoundary(program, [&](int32_t v, ValueSharding, mlir::Attribute noted) {
    auto attr = llvm::dyn_cast_if_present<sdy::ShardingAttr>(noted);
    const MeshSharding *uneven = attr ? program.codec.decode(attr) : nullptr;
    if (uneven && program.graph.value(v).sharding != ShardGraph::none &&
        isLeftOf(program.graph.shardingOf(v), *uneven)) // Else somebody wrote it anew.
      program.graph.setSharding(v, *uneven);
  });
}

} // namespace spmd
