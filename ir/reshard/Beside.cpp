// Plans that leave axes alone: values inside a computation on local shapes are each device's own
// along its manual axes, although no sharding says so.
#include "spmd/ir/reshard/Reshard.h"

namespace spmd {

static bool usesAxes(const Index &index, absl::Span<const AxisRef> axes) {
  switch (index.op()) {
  case Index::Op::constant:
    return false;
  case Index::Op::coordinate:
    return overlaps(index.axes(), axes);
  default:
    return usesAxes(index.lhs(), axes) || usesAxes(index.rhs(), axes);
  }
}

/// A permute keeps every device where it stands along axes that it names on neither side, or alike
/// on both.
static bool usesAxes(const Exchange &exchange, absl::Span<const AxisRef> axes) {
  for (size_t i = 0; i < exchange.before.size(); ++i)
    if (exchange.before[i] != exchange.after[i] &&
        (overlaps(exchange.before[i], axes) || overlaps(exchange.after[i], axes)))
      return true;
  return false;
}

static bool usesAxes(const Plan &plan, absl::Span<const AxisRef> axes) {
  for (const Step &step : plan.steps())
    if (overlaps(step.axes, axes) || usesAxes(step.offset, axes) ||
        (step.exchange && usesAxes(*step.exchange, axes)))
      return true;
  return false;
}

/// Returns `layout` with a first dim that is split along `held`, which no plan between two such
/// layouts has a reason to touch.
static Layout withFirstDim(const Layout &layout, const AxisList &held) {
  Layout result{layout.mesh, layout.sharding.layout()};
  result.sharding.dims.insert(result.sharding.dims.begin(), {held});
  return result;
}

absl::StatusOr<Plan> planBeside(absl::Span<const AxisRef> held, const Layout &from,
                                const Layout &to, absl::Span<const int64_t> globalShape,
                                int64_t elementBytes, const CostModel &model) {
  absl::StatusOr<Plan> plan = planReshard(from, to, globalShape, elementBytes, model);
  if (!plan.ok() || held.empty())
    return plan;
  if (plan->empty())
    return plan;
  if (*from.mesh != *to.mesh)
    return absl::InvalidArgumentError(
        "moves between meshes where axes are manual; use one mesh there");
  if (overlaps(from.sharding.usedAxes(), held) || overlaps(to.sharding.usedAxes(), held))
    return absl::InvalidArgumentError("uses axes that are manual here");
  if (!usesAxes(*plan, held))
    return plan;
  AxisList first(held.begin(), held.end());
  std::vector<int64_t> shape = {sizeOf(held)};
  shape.insert(shape.end(), globalShape.begin(), globalShape.end());
  return planReshard(withFirstDim(from, first), withFirstDim(to, first), shape, elementBytes,
                     model);
}

} // namespace spmd
