#include "spmd/ir/planner/LayoutTable.h"

#include "spmd/ir/sharding/Layout.h"

#include <algorithm>
#include <cmath>

namespace spmd {

LayoutTable::LayoutTable(int32_t mesh, ReshardCosts &costs) : meshNumber(mesh), costs(costs) {
  for (const MeshAxis &axis : costs.meshOf(mesh).axes())
    axisSizes.push_back(static_cast<double>(axis.size));
}

int32_t LayoutTable::intern(const Sharding &layout) {
  int32_t number = layouts.intern(layout);
  if (number == static_cast<int32_t>(details.size()))
    details.push_back(detailOf(layout));
  return number;
}

LayoutTable::Detail LayoutTable::detailOf(const Sharding &layout) const {
  Detail detail;
  detail.isRegular = layout.replicated.empty();
  detail.dimOf.assign(axisSizes.size(), replicated);
  auto note = [&](const AxisList &axes, int32_t place) {
    for (const AxisRef &axis : axes) {
      detail.isRegular &= isWhole(mesh(), axis);
      detail.dimOf[axis.axis] = place;
      if (place >= 0)
        detail.shards *= axis.size;
    }
  };
  for (size_t d = 0; d < layout.dims.size(); ++d)
    note(layout.dims[d].axes, static_cast<int32_t>(d));
  note(layout.unreduced, holdsShares);
  return detail;
}

int32_t LayoutTable::kindOf(absl::Span<const int64_t> shape, int32_t elementBits) {
  std::vector<int64_t> key(shape.begin(), shape.end());
  auto [entry, isNew] =
      kindNumbers.try_emplace({key, elementBits}, static_cast<int32_t>(kinds.size()));
  if (isNew) {
    double bytes = std::max(elementBits, 1) / 8.0;
    for (int64_t size : shape)
      bytes *= static_cast<double>(size);
    kinds.push_back({std::move(key), elementBits, bytes});
    evenness.emplace_back();
  }
  return entry->second;
}

bool LayoutTable::isEven(int32_t kind, int32_t layout) {
  std::vector<int8_t> &known = evenness[kind];
  if (static_cast<size_t>(layout) >= known.size())
    known.resize(layouts.size(), -1);
  if (known[layout] < 0)
    known[layout] = dividesEvenly(layouts[layout], kinds[kind].shape) ? 1 : 0;
  return known[layout] == 1;
}

double LayoutTable::costBy(int32_t kind, int32_t from, int32_t to, bool exact) {
  if (from == to)
    return 0;
  const CostModel &model = costs.costModel();
  if (details[from].isRegular && details[to].isRegular && isEven(kind, from) && isEven(kind, to)) {
    const Coefficient &move = coefficient(from, to, exact);
    return std::min(move.bytes * kinds[kind].bytes +
                        move.collectives * model.latency * model.bandwidth,
                    impossible);
  }
  double seconds = costs.cost({meshNumber, layouts[from]}, {meshNumber, layouts[to]},
                              kinds[kind].shape, kinds[kind].elementBits);
  return std::min(seconds * model.bandwidth, impossible);
}

const LayoutTable::Coefficient &LayoutTable::coefficient(int32_t from, int32_t to, bool exact) {
  if (static_cast<size_t>(from) >= coefficients.size())
    coefficients.resize(layouts.size());
  std::vector<Coefficient> &row = coefficients[from];
  if (static_cast<size_t>(to) >= row.size())
    row.resize(layouts.size());
  Coefficient &known = row[to];
  if (known.bytes < 0)
    known = estimate(from, to);
  if (exact && !known.isExact)
    known = measure(from, to);
  return known;
}

/// New axes of a dim stand behind those that stay, axes that leave it stood behind them, and no dim
/// has both.
bool LayoutTable::keepsOrder(int32_t from, int32_t to) const {
  for (size_t d = 0; d < layouts[from].dims.size(); ++d) {
    const AxisList &before = layouts[from].dims[d].axes, &after = layouts[to].dims[d].axes;
    auto staying = std::count_if(before.begin(), before.end(), [&](const AxisRef &axis) {
      return std::find(after.begin(), after.end(), axis) != after.end();
    });
    auto stayed = static_cast<size_t>(staying);
    if ((before.size() > stayed && after.size() > stayed) ||
        !std::equal(before.begin(), before.begin() + staying, after.begin()))
      return false;
  }
  return true;
}

/// Follows the normal form of reshard plans: slice, reduce-scatter, all-reduce, all-to-all,
/// permute, all-gather. Each collective runs once, over all the axes that need it.
LayoutTable::Coefficient LayoutTable::estimate(int32_t from, int32_t to) const {
  const std::vector<int32_t> &before = details[from].dimOf, &after = details[to].dimOf;
  bool losesKind = !layouts[from].unreduced.empty() && !layouts[to].unreduced.empty() &&
                   layouts[from].kind != layouts[to].kind;
  double scattered = 1, reduced = 1, exchanged = 1, gathered = 1, local = 1 / shardsOf(from);
  for (size_t a = 0; a < axisSizes.size(); ++a) {
    double size = axisSizes[a];
    if (losesKind || (after[a] == holdsShares && before[a] >= 0))
      return {static_cast<float>(impossible), 0, true};
    if (before[a] == after[a] || after[a] == holdsShares)
      continue; // One device keeps the value, the others fill in zeros.
    if (before[a] == holdsShares)
      (after[a] >= 0 ? scattered : reduced) *= size;
    else if (before[a] == replicated)
      local /= size;
    else
      (after[a] >= 0 ? exchanged : gathered) *= size;
  }
  // A dim that axes both leave and come to takes several steps, and so do axes in another order.
  bool isOrdered = keepsOrder(from, to);
  Coefficient move{0, 0, isOrdered};
  auto add = [&](bool happens, double bytes) {
    move.bytes += happens ? static_cast<float>(bytes) : 0;
    move.collectives += happens ? 1 : 0;
  };
  add(scattered > 1, local * (1 - 1 / scattered));
  local /= scattered;
  add(reduced > 1, 2 * local * (1 - 1 / reduced));
  add(exchanged > 1, local * (1 - 1 / exchanged));
  add(!isOrdered, local);
  add(gathered > 1, local * (gathered - 1));
  return move;
}

/// Plans the move of a tensor whose dims are divided by all axes that they have before or after,
/// and the first one by all axes once more, so that no block has a fraction of an element.
LayoutTable::Coefficient LayoutTable::measure(int32_t from, int32_t to) const {
  std::vector<int64_t> shape(layouts[from].dims.size(), 1);
  int64_t unit = 1;
  for (size_t a = 0; a < axisSizes.size(); ++a) {
    int32_t before = details[from].dimOf[a], after = details[to].dimOf[a];
    auto size = static_cast<int64_t>(axisSizes[a]);
    unit *= before == replicated && after == replicated ? 1 : size;
    if (before >= 0)
      shape[before] *= size;
    if (after >= 0 && after != before)
      shape[after] *= size;
  }
  if (!shape.empty())
    shape[0] *= unit;
  double bytes = 1;
  for (int64_t each : shape)
    bytes *= static_cast<double>(each);
  auto plan = planReshard({&mesh(), layouts[from]}, {&mesh(), layouts[to]}, shape,
                          /*elementBytes=*/1, costs.costModel());
  if (!plan.ok())
    return {static_cast<float>(impossible), 0, true};
  return {static_cast<float>(static_cast<double>(plan->wireBytes()) / bytes),
          static_cast<float>(plan->numCollectives()), true};
}

} // namespace spmd
