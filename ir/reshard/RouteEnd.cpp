#include "spmd/ir/reshard/RouteEnd.h"

#include <algorithm>

namespace spmd {

int exponentOf(int64_t prime, int64_t number) {
  int count = 0;
  for (; number % prime == 0; number /= prime)
    ++count;
  return count;
}

static AxisList joined(AxisList a, absl::Span<const AxisRef> b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

/// Returns the parts of `list` that `removed` does not have.
static AxisList without(const Mesh &mesh, const AxisList &list, const AxisList &removed) {
  return complement(mesh, joined(complement(mesh, list), removed));
}

/// Removes a part of size `size` from the minor end of `list`, if it has one there.
static std::optional<AxisRef> popMinor(AxisList &list, int32_t size) {
  if (list.empty() || list.back().size % size != 0)
    return std::nullopt;
  AxisRef &last = list.back();
  int32_t major = last.size / size;
  AxisRef part{last.axis, last.preSize * major, size};
  if (major == 1)
    list.pop_back();
  else
    last.size = major;
  return part;
}

RouteEnd::RouteEnd(const Mesh &mesh, const Sharding &start, AxisList kept)
    : mesh_(&mesh), start(&start), kept(std::move(kept)), current(start), fills(start.rank()) {
  spare = joined(without(mesh, start.unreduced, this->kept), complement(mesh, start.usedAxes()));
}

int RouteEnd::countOf(int dim, int64_t prime) const {
  return exponentOf(prime, sizeOf(current.dims[dim].axes)) + exponentOf(prime, sizeOf(fills[dim]));
}

bool RouteEnd::fill(int dim, int32_t prime) {
  for (AxisRef &ref : spare) {
    if (ref.size % prime != 0)
      continue;
    appendMerged(fills[dim], {ref.axis, ref.preSize, prime});
    ref = {ref.axis, ref.preSize * prime, ref.size / prime};
    return true;
  }
  return false;
}

bool RouteEnd::move(int from, int to, int32_t prime) {
  std::optional<AxisRef> part = popMinor(current.dims[from].axes, prime);
  if (!part)
    return false;
  appendMerged(current.dims[to].axes, *part);
  moves.push_back({from, to, *part});
  return true;
}

bool RouteEnd::isFilledLast(int dim) const {
  return std::any_of(moves.begin(), moves.end(),
                     [&](const Part &part) { return part.from == dim; });
}

static Sharding after(Sharding sharding, int from, int to, const AxisRef &part) {
  popMinor(sharding.dims[from].axes, part.size);
  appendMerged(sharding.dims[to].axes, part);
  return sharding.layout();
}

std::vector<Sharding> RouteEnd::moved() const {
  std::vector<Sharding> steps{*start};
  for (const Part &part : moves)
    steps.push_back(after(steps.back(), part.from, part.to, part.axis));
  return steps;
}

std::vector<Sharding> RouteEnd::steps() const {
  std::vector<Sharding> steps{*start};
  Sharding at = *start;
  auto addFills = [&](bool last) {
    AxisList used;
    for (size_t d = 0; d < fills.size(); ++d)
      if (isFilledLast(d) == last) {
        at.dims[d].axes = joined(at.dims[d].axes, fills[d]);
        used = joined(used, fills[d]);
      }
    at.unreduced = last ? kept : without(*mesh_, at.unreduced, used);
    at = at.layout();
    steps.push_back(at);
  };
  addFills(false);
  for (const Part &part : moves) {
    at = after(at, part.from, part.to, part.axis);
    steps.push_back(at);
  }
  addFills(true);
  return steps;
}

} // namespace spmd
