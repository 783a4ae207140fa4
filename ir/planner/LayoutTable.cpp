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
  if (number == static_cast<int32_t>(details.size())) {
    details.push_back(detailOf(layout));
    if (layout.dims.size() >= numOfRank.size())
      numOfRank.resize(layout.dims.size() + 1, 0);
    numberOf.push_back(numOfRank[layout.dims.size()]++);
  }
  return number;
}

LayoutTable::Detail LayoutTable::detailOf(const Sharding &layout) const {
  Detail detail;
  detail.isRegular = layout.replicated.empty();
  detail.dimOf.assign(axisSizes.size(), replicated);
  detail.rankOf.assign(axisSizes.size(), 0);
  auto note = [&](const AxisList &axes, int32_t place) {
    int32_t rank = 0;
    for (const AxisRef &axis : axes) {
      detail.isRegular &= isWhole(mesh(), axis);
      detail.dimOf[axis.axis] = place;
      detail.rankOf[axis.axis] = rank++;
      if (place >= 0)
        detail.shards *= axis.size;
    }
  };
  for (size_t d = 0; d < layout.dims.size(); ++d) {
    note(layout.dims[d].axes, static_cast<int32_t>(d));
    detail.numAxes.push_back(static_cast<int32_t>(layout.dims[d].axes.size()));
  }
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
    paddings.emplace_back();
  }
  return entry->second;
}

/// Returns how many times larger a tensor is once all its shards are full.
double LayoutTable::computePadding(int32_t kind, int32_t layout) const {
  double padding = 1;
  for (size_t d = 0; d < layouts[layout].dims.size(); ++d) {
    int64_t size = kinds[kind].shape[d], shards = sizeOf(layouts[layout].dims[d].axes);
    if (size % shards != 0)
      padding *=
          static_cast<double>((size + shards - 1) / shards * shards) / static_cast<double>(size);
  }
  return padding;
}

double LayoutTable::plannedCost(int32_t kind, int32_t from, int32_t to) {
  double seconds = costs.cost({meshNumber, layouts[from]}, {meshNumber, layouts[to]},
                              kinds[kind].shape, kinds[kind].elementBits);
  return std::min(seconds * costs.costModel().bandwidth, impossible);
}

double LayoutTable::moveCost(int32_t kind, int32_t from, int32_t to) {
  if (from == to)
    return 0;
  if (!isLinear(kind, from) || !isLinear(kind, to))
    return plannedCost(kind, from, to);
  Move &move = moveOf(from, to);
  if (move.exact.bytes < 0)
    move.exact = measure(from, to);
  return costOf(move.exact, kinds[kind].bytes);
}

void LayoutTable::roughMoveCosts(int32_t kind, int32_t from, absl::Span<const int32_t> to,
                                 float *costs) {
  for (size_t i = 0; i < to.size(); ++i) {
    double padding = std::max(paddingOf(kind, from), paddingOf(kind, to[i]));
    costs[i] = static_cast<float>(costOf(moveOf(from, to[i]).rough, kinds[kind].bytes * padding));
  }
}

bool LayoutTable::areRegular(int32_t kind, absl::Span<const int32_t> layouts) {
  return std::all_of(layouts.begin(), layouts.end(),
                     [&](int32_t layout) { return isLinear(kind, layout); });
}

double LayoutTable::leastMoveCost(int32_t kind, int32_t from, int32_t to) {
  if (from == to || !isLinear(kind, from) || !isLinear(kind, to))
    return 0;
  const Move &move = moveOf(from, to);
  return costOf(move.exact.bytes < 0 ? move.least : move.exact, kinds[kind].bytes);
}

LayoutTable::Move &LayoutTable::moveOf(int32_t from, int32_t to) {
  if (static_cast<size_t>(from) >= moves.size())
    moves.resize(layouts.size());
  std::vector<Move> &row = moves[from];
  if (static_cast<size_t>(numberOf[to]) >= row.size())
    row.resize(numOfRank[layouts[to].dims.size()]);
  Move &known = row[numberOf[to]];
  if (known.rough.bytes < 0)
    known = estimate(from, to);
  return known;
}

/// Returns whether, in each dim, one of the two lists of axes is a prefix of the other.
///
/// Axes with the same place in both lists are counted over all dims. Each dim has at most as many
/// of them as its shorter list has axes, and as many only if that list is a prefix.
bool LayoutTable::keepsOrder(int32_t from, int32_t to) const {
  const Detail &before = details[from], &after = details[to];
  int32_t staying = 0, fewest = 0;
  for (size_t a = 0; a < axisSizes.size(); ++a)
    staying += before.dimOf[a] >= 0 && before.dimOf[a] == after.dimOf[a] &&
                       before.rankOf[a] == after.rankOf[a]
                   ? 1
                   : 0;
  for (size_t d = 0; d < before.numAxes.size(); ++d)
    fewest += std::min(before.numAxes[d], after.numAxes[d]);
  return staying == fewest;
}

/// Returns the place of the part of `axis` that begins at size `at`.
int32_t LayoutTable::placeOf(int32_t layout, int32_t axis, int64_t at) const {
  const Sharding &sharding = layouts[layout];
  auto isThere = [&](const AxisRef &ref) {
    return ref.axis == axis && ref.preSize <= at && at < ref.end();
  };
  for (size_t d = 0; d < sharding.dims.size(); ++d)
    if (std::any_of(sharding.dims[d].axes.begin(), sharding.dims[d].axes.end(), isThere))
      return static_cast<int32_t>(d);
  bool isShared = std::any_of(sharding.unreduced.begin(), sharding.unreduced.end(), isThere);
  return isShared ? holdsShares : replicated;
}

std::vector<LayoutTable::AxisPart> LayoutTable::partsOf(int32_t from, int32_t to) const {
  std::vector<AxisPart> parts;
  bool isRegular = details[from].isRegular && details[to].isRegular;
  for (size_t a = 0; a < axisSizes.size(); ++a) {
    if (isRegular) {
      parts.push_back({axisSizes[a], details[from].dimOf[a], details[to].dimOf[a]});
      continue;
    }
    auto axis = static_cast<int32_t>(a);
    std::vector<int64_t> cuts{1, static_cast<int64_t>(axisSizes[a])};
    for (int32_t layout : {from, to})
      for (const AxisRef &ref : layouts[layout].usedAxes())
        if (ref.axis == axis)
          cuts.insert(cuts.end(), {ref.preSize, ref.end()});
    std::sort(cuts.begin(), cuts.end());
    cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
    for (size_t c = 0; c + 1 < cuts.size(); ++c)
      parts.push_back({static_cast<double>(cuts[c + 1]) / static_cast<double>(cuts[c]),
                       placeOf(from, axis, cuts[c]), placeOf(to, axis, cuts[c])});
  }
  return parts;
}

/// Follows the normal form of reshard plans: slice, reduce-scatter, all-reduce, all-to-all,
/// permute, all-gather. Each collective runs once, over all the axes that need it.
LayoutTable::Move LayoutTable::estimate(int32_t from, int32_t to) const {
  bool losesKind = !layouts[from].unreduced.empty() && !layouts[to].unreduced.empty() &&
                   layouts[from].kind != layouts[to].kind;
  constexpr Coefficient never{static_cast<float>(impossible), 0};
  double scattered = 1, reduced = 1, exchanged = 1, gathered = 1, local = 1 / shardsOf(from);
  for (const AxisPart &part : partsOf(from, to)) {
    if (losesKind || (part.after == holdsShares && part.before >= 0))
      return {never, never, never};
    if (part.before == part.after || part.after == holdsShares)
      continue; // One device keeps the value, the others fill in zeros.
    if (part.before == holdsShares)
      (part.after >= 0 ? scattered : reduced) *= part.size;
    else if (part.before == replicated)
      local /= part.size;
    else
      (part.after >= 0 ? exchanged : gathered) *= part.size;
  }
  // A dim that axes both leave and come to takes several steps, and so do axes in another order.
  bool isOrdered = keepsOrder(from, to);
  Coefficient least{0, 0}, rough{0, 0};
  auto add = [&](bool happens, double bytes) {
    for (Coefficient *each : {&least, &rough}) {
      each->bytes += happens ? static_cast<float>(bytes) : 0;
      each->collectives += happens ? 1 : 0;
    }
  };
  add(scattered > 1, local * (1 - 1 / scattered));
  local /= scattered;
  add(reduced > 1, 2 * local * (1 - 1 / reduced));
  add(exchanged > 1, local * (1 - 1 / exchanged));
  if (!isOrdered) {
    rough.bytes += static_cast<float>(local);
    rough.collectives += 1;
  }
  add(gathered > 1, local * (gathered - 1));
  return {least, rough, isOrdered ? rough : Coefficient()};
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
    return {static_cast<float>(impossible), 0};
  return {static_cast<float>(static_cast<double>(plan->wireBytes()) / bytes),
          static_cast<float>(plan->numCollectives())};
}

} // namespace spmd
