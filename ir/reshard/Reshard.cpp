// How a plan is put together: the route says which shardings to pass, a padded size per dim makes
// all of them even, and each leg appends its steps.
#include "spmd/ir/reshard/Reshard.h"

#include "spmd/ir/reshard/MeshMap.h"
#include "spmd/ir/reshard/Repad.h"
#include "spmd/ir/reshard/Route.h"
#include "spmd/ir/reshard/Transition.h"

#include "absl/strings/str_cat.h"

#include <algorithm>
#include <numeric>

namespace spmd {

static absl::Status check(const Layout &layout, absl::Span<const int64_t> globalShape,
                          const char *which) {
  if (layout.mesh->axes().empty())
    return absl::InvalidArgumentError(
        absl::StrCat("the ", which,
                     " mesh has no axes; give a maximal or empty mesh the axes of the "
                     "devices it stands for first"));
  if (absl::Status status = verify(*layout.mesh, layout.sharding, globalShape); !status.ok())
    return absl::InvalidArgumentError(absl::StrCat(which, " sharding: ", status.message()));
  return absl::OkStatus();
}

static absl::Status check(const Layout &from, const Layout &to,
                          absl::Span<const int64_t> globalShape, int64_t elementBytes) {
  if (absl::Status status = check(from, globalShape, "source"); !status.ok())
    return status;
  if (absl::Status status = check(to, globalShape, "target"); !status.ok())
    return status;
  if (from.mesh->numDevices() != to.mesh->numDevices())
    return absl::InvalidArgumentError(
        absl::StrCat("source mesh has ", from.mesh->numDevices(), " devices, target mesh ",
                     to.mesh->numDevices(), "; a tensor is resharded among the devices it is on"));
  if (elementBytes <= 0)
    return absl::InvalidArgumentError(
        absl::StrCat("an element has ", elementBytes, " bytes; at least 1 is needed"));
  return absl::OkStatus();
}

namespace {

/// Lays a route out as steps.
class Planner {
public:
  Planner(Plan &plan, const Mesh &from, const Sharding &source, const Mesh &to,
          const Sharding &target, absl::Span<const int64_t> globalShape, const CostModel &model)
      : builder(plan), from(from), to(to), source(source), target(target), shape(globalShape),
        model(model), stops(routeBetween(from, source, to, target)) {}

  void run() {
    if (stops.empty())
      return;
    for (size_t d = 0; d < shape.size(); ++d)
      padded.push_back(paddedSize(d));
    const Sharding *at = &source;
    for (const Stop &stop : stops) {
      if (stop.permute)
        permuteBlocks(*at, stop);
      else
        appendTransition(builder, stop.alignment, sideOf(stop.onTo), at->kind, stop.sharding.kind,
                         padded, model, [&](Block &block) {
                           prepare(block.preparedShape());
                           block.setPrepared();
                         });
      at = &stop.sharding;
    }
    leave();
  }

private:
  MeshSide sideOf(bool onTo) const { return onTo ? MeshSide::to : MeshSide::from; }

  /// Returns the rows of dim `d`, padding included, that the plan works with: a multiple of all
  /// shard counts on the way, such that the fewest rows move when blocks change size.
  int64_t paddedSize(int d) const {
    int64_t first = numShards(source.dims[d]), last = numShards(target.dims[d]), unit = first;
    for (const Stop &stop : stops)
      unit = std::lcm(unit, numShards(stop.sharding.dims[d]));
    int64_t sourceBlock = shardSize(shape[d], first), targetBlock = shardSize(shape[d], last);
    if (sourceBlock * first % unit == 0 && sourceBlock * first == targetBlock * last)
      return sourceBlock * first;

    std::vector<int64_t> before = localShape(source, shape), after = localShape(target, shape);
    auto rowBytes = [&](const std::vector<int64_t> &block) {
      return numElements(block) / std::max<int64_t>(block[d], 1) * builder.elementBytes();
    };
    int64_t best = 0;
    double bestCost = 0;
    for (int64_t size :
         {shardSize(shape[d], unit) * unit, sourceBlock * first, targetBlock * last}) {
      if (size % unit != 0)
        continue;
      double cost =
          costOf(Repad{shape[d], first, sourceBlock, size / first}, rowBytes(before), model) +
          costOf(Repad{shape[d], last, size / last, targetBlock}, rowBytes(after), model);
      if (best == 0 || cost < bestCost || (cost == bestCost && size < best)) {
        best = size;
        bestCost = cost;
      }
    }
    return best;
  }

  /// Brings the block of the source to the padded sizes.
  void prepare(const Shape &wanted) {
    for (size_t d = 0; d < shape.size(); ++d)
      if (int64_t shards = numShards(source.dims[d]); shards > 1 && builder.shape()[d] != wanted[d])
        appendRepad(builder, from, MeshSide::from, source.dims[d].axes, d,
                    {shape[d], shards, builder.shape()[d], wanted[d]});
    builder.padAndTrim(wanted);
    isPrepared = true;
  }

  void permuteBlocks(const Sharding &at, const Stop &stop) {
    if (!isPrepared) {
      Shape wanted;
      for (size_t d = 0; d < shape.size(); ++d)
        wanted.push_back(padded[d] / numShards(at.dims[d]));
      prepare(wanted);
    }
    Exchange exchange;
    exchange.afterSide = sideOf(stop.onTo);
    auto add = [&](const AxisList &before, const AxisList &after) {
      if (before.empty())
        return;
      exchange.before.push_back(before);
      exchange.after.push_back(after);
    };
    for (size_t d = 0; d < shape.size(); ++d)
      add(at.dims[d].axes, stop.sharding.dims[d].axes);
    add(at.unreduced, stop.sharding.unreduced);
    builder.permute(std::move(exchange));
  }

  /// Brings the block to the sizes of the target.
  void leave() {
    std::vector<int64_t> wanted = localShape(target, shape);
    bool onTo = stops.back().onTo;
    for (size_t d = 0; d < shape.size(); ++d)
      if (int64_t shards = numShards(target.dims[d]); shards > 1 && builder.shape()[d] != wanted[d])
        appendRepad(builder, onTo ? to : from, sideOf(onTo), target.dims[d].axes, d,
                    {shape[d], shards, builder.shape()[d], wanted[d]});
    builder.padAndTrim(Shape(wanted.begin(), wanted.end()));
  }

  PlanBuilder builder;
  const Mesh &from, &to;
  const Sharding &source, &target;
  absl::Span<const int64_t> shape;
  const CostModel &model;
  std::vector<Stop> stops;
  Shape padded;
  bool isPrepared = false;
};

} // namespace

absl::StatusOr<Plan> planReshard(const Layout &from, const Layout &to,
                                 absl::Span<const int64_t> globalShape, int64_t elementBytes,
                                 const CostModel &model) {
  if (absl::Status status = check(from, to, globalShape, elementBytes); !status.ok())
    return status;
  Sharding source = from.sharding.layout(), target = to.sharding.layout();
  std::vector<int64_t> block = localShape(source, globalShape);
  Plan plan(*from.mesh, *to.mesh, Shape(block.begin(), block.end()), elementBytes);

  // A target that can be told in the axes of the source mesh needs no other mesh.
  const Mesh *targetMesh = to.mesh;
  if (*from.mesh == *to.mesh) {
    targetMesh = from.mesh;
  } else if (std::optional<Sharding> translated = translate(*from.mesh, *to.mesh, target)) {
    target = std::move(*translated);
    targetMesh = from.mesh;
  }
  Planner(plan, *from.mesh, source, *targetMesh, target, globalShape, model).run();
  return plan;
}

absl::StatusOr<double> estimateCost(const Layout &from, const Layout &to,
                                    absl::Span<const int64_t> globalShape, int64_t elementBytes,
                                    const CostModel &model) {
  absl::StatusOr<Plan> plan = planReshard(from, to, globalShape, elementBytes, model);
  if (!plan.ok())
    return plan.status();
  return plan->cost(model);
}

absl::StatusOr<const Plan *> PlanCache::plan(const Layout &from, const Layout &to,
                                             absl::Span<const int64_t> globalShape,
                                             int64_t elementBytes) {
  Key key{
      *from.mesh,  *to.mesh, from.sharding, to.sharding, {globalShape.begin(), globalShape.end()},
      elementBytes};
  auto known = plans.find(key);
  if (known == plans.end()) {
    absl::StatusOr<Plan> plan = planReshard(from, to, globalShape, elementBytes, model);
    if (!plan.ok())
      return plan.status();
    known = plans.emplace(std::move(key), std::make_unique<Plan>(std::move(*plan))).first;
  }
  return known->second.get();
}

} // namespace spmd
