// How a plan is put together: the route says which shardings to pass, a padded size per dim makes
// all of them even, and each leg appends its steps.
#include "spmd/ir/reshard/Reshard.h"

#include "spmd/ir/reshard/Detour.h"
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
  /// Plans from `source`, on the mesh `first`, to `target`, on `second`.
  Planner(Plan &plan, MeshSide first, const Sharding &source, MeshSide second,
          const Sharding &target, absl::Span<const int64_t> globalShape, const CostModel &model)
      : plan(plan), builder(plan), first(first), second(second), source(source), target(target),
        shape(globalShape), model(model),
        stops(routeBetween(plan.mesh(first), source, plan.mesh(second), target)) {}

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
        appendTransition(builder, stop.alignment, sideOf(stop), at->kind, stop.sharding.kind,
                         padded, model, [&](Block &block) {
                           prepare(block.preparedShape());
                           block.setPrepared();
                         });
      at = &stop.sharding;
    }
    leave();
  }

private:
  MeshSide sideOf(const Stop &stop) const { return stop.onTo ? second : first; }

  /// Returns the rows of dim `d`, padding included, that the plan works with: a multiple of all
  /// shard counts on the way, such that the fewest rows move when blocks change size.
  int64_t paddedSize(int d) const {
    int64_t sourceShards = numShards(source.dims[d]), targetShards = numShards(target.dims[d]);
    int64_t sourceBlock = shardSize(shape[d], sourceShards);
    int64_t targetBlock = shardSize(shape[d], targetShards);
    int64_t sourceSize = sourceBlock * sourceShards, targetSize = targetBlock * targetShards;
    int64_t unit = sourceShards;
    for (const Stop &stop : stops)
      unit = std::lcm(unit, numShards(stop.sharding.dims[d]));
    if (sourceSize == targetSize && sourceSize % unit == 0)
      return sourceSize;

    auto rowBytes = [&](const Sharding &sharding) {
      std::vector<int64_t> block = localShape(sharding, shape);
      return numElements(block) / std::max<int64_t>(block[d], 1) * builder.elementBytes();
    };
    int64_t best = 0;
    double bestCost = 0;
    for (int64_t size : {shardSize(shape[d], unit) * unit, sourceSize, targetSize}) {
      if (size % unit != 0)
        continue;
      Repad before{shape[d], sourceShards, sourceBlock, size / sourceShards};
      Repad after{shape[d], targetShards, size / targetShards, targetBlock};
      double cost =
          costOf(before, rowBytes(source), model) + costOf(after, rowBytes(target), model);
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
        appendRepad(builder, plan.mesh(first), first, source.dims[d].axes, d,
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
    exchange.beforeSide = first;
    exchange.afterSide = sideOf(stop);
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
    MeshSide side = sideOf(stops.back());
    for (size_t d = 0; d < shape.size(); ++d)
      if (int64_t shards = numShards(target.dims[d]); shards > 1 && builder.shape()[d] != wanted[d])
        appendRepad(builder, plan.mesh(side), side, target.dims[d].axes, d,
                    {shape[d], shards, builder.shape()[d], wanted[d]});
    builder.padAndTrim(Shape(wanted.begin(), wanted.end()));
  }

  Plan &plan;
  PlanBuilder builder;
  MeshSide first, second;
  const Sharding &source, &target;
  absl::Span<const int64_t> shape;
  const CostModel &model;
  std::vector<Stop> stops;
  Shape padded;
  bool isPrepared = false;
};

} // namespace

/// Returns the plan that passes `stops`, between the same ends as `like`, all on the mesh `side`.
static Plan planPast(const std::vector<Sharding> &stops, MeshSide side, const Sharding &source,
                     const Sharding &target, const Plan &like,
                     absl::Span<const int64_t> globalShape, const CostModel &model) {
  auto emptyPlan = [&](const Shape &block) {
    return Plan(like.mesh(MeshSide::from), like.mesh(MeshSide::to), block, like.elementBytes());
  };
  Plan plan = emptyPlan(like.inputShape());
  const Sharding *at = &source;
  for (size_t leg = 0; leg <= stops.size(); ++leg) {
    const Sharding &next = leg < stops.size() ? stops[leg] : target;
    Plan part = emptyPlan(plan.outputShape());
    Planner(part, side, *at, side, next, globalShape, model).run();
    PlanBuilder(plan).then(part);
    at = &next;
  }
  return plan;
}

absl::StatusOr<Plan> planReshard(const Layout &from, const Layout &to,
                                 absl::Span<const int64_t> globalShape, int64_t elementBytes,
                                 const CostModel &model) {
  if (absl::Status status = check(from, to, globalShape, elementBytes); !status.ok())
    return status;
  Sharding source = from.sharding.layout(), target = to.sharding.layout();
  std::vector<int64_t> block = localShape(source, globalShape);
  Plan plan(*from.mesh, *to.mesh, Shape(block.begin(), block.end()), elementBytes);

  // Where one side can be told in the axes of the other's mesh, one mesh is enough.
  MeshSide first = MeshSide::from, second = MeshSide::from;
  if (*from.mesh != *to.mesh) {
    if (std::optional<Sharding> there = translate(*from.mesh, *to.mesh, target)) {
      target = std::move(*there);
    } else {
      second = MeshSide::to;
      if (std::optional<Sharding> here = translate(*to.mesh, *from.mesh, source)) {
        source = std::move(*here);
        first = MeshSide::to;
      }
    }
  }
  Planner(plan, first, source, second, target, globalShape, model).run();
  auto blockOf = [&](const Sharding &sharding) {
    return numElements(localShape(sharding, globalShape));
  };
  // Where rows move between neighbours few do, and not all devices send what a permute counts.
  bool sendsFromAll = std::none_of(plan.steps().begin(), plan.steps().end(),
                                   [](const Step &step) { return step.kind == StepKind::permute; });
  if (first == second && plan.numCollectives() > 0 && sendsFromAll)
    for (const std::vector<Sharding> &stops : detoursBetween(source, target, globalShape))
      if (Plan past = planPast(stops, first, source, target, plan, globalShape, model);
          5 * past.cost(model) <= 4 * plan.cost(model))
        plan = std::move(past);
  if (first == second && plan.numCollectives() > 2)
    if (std::optional<Sharding> shared = sharedBy(source, target);
        shared && blockOf(*shared) <= 2 * std::max(blockOf(source), blockOf(target))) {
      Plan past = planPast({*shared}, first, source, target, plan, globalShape, model);
      if (past.wireBytes() <= plan.wireBytes() && past.cost(model) < plan.cost(model))
        plan = std::move(past);
    }
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
                                             int64_t elementBytes, const AxisList &held) {
  Key key{
      *from.mesh,   *to.mesh, from.sharding, to.sharding, {globalShape.begin(), globalShape.end()},
      elementBytes, held};
  auto known = plans.find(key);
  if (known == plans.end()) {
    absl::StatusOr<Plan> plan = planBeside(held, from, to, globalShape, elementBytes, model);
    if (!plan.ok())
      return plan.status();
    known = plans.emplace(std::move(key), std::make_unique<Plan>(std::move(*plan))).first;
  }
  return known->second.get();
}

} // namespace spmd
