// What any reshard must send, from the definition: who holds what before and after.
//
// Cut lines of both sides divide the tensor into cells that are held or not held as a whole.
#include "spmd/ir/reshard/Reshard.h"

#include <algorithm>
#include <map>
#include <set>

namespace spmd {

namespace {

/// What one side of a reshard means for each device, by device id.
struct Holders {
  std::vector<Shard> shards;
  /// Which of the shares it holds, and which whole value the shares make up: devices of one group
  /// hold the shares of one.
  std::vector<int64_t> share, group;
  int64_t numShares;

  Holders(const Layout &layout, absl::Span<const int64_t> globalShape) {
    const Mesh &mesh = *layout.mesh;
    AxisList others = complement(mesh, layout.sharding.unreduced);
    numShares = sizeOf(layout.sharding.unreduced);
    shards.resize(mesh.numDevices());
    share.resize(mesh.numDevices());
    group.resize(mesh.numDevices());
    for (int64_t position = 0; position < mesh.numDevices(); ++position) {
      int64_t device = mesh.deviceAt(position);
      shards[device] = shardAt(mesh, layout.sharding, globalShape, position);
      share[device] = coordinateOf(mesh, position, layout.sharding.unreduced);
      group[device] = coordinateOf(mesh, position, others);
    }
  }

  bool has(int64_t device, absl::Span<const int64_t> element) const {
    const Shard &shard = shards[device];
    for (size_t d = 0; d < element.size(); ++d)
      if (element[d] < shard.offsets[d] || element[d] >= shard.offsets[d] + shard.sizes[d])
        return false;
    return true;
  }
};

} // namespace

/// Returns how many times `element` must travel from a device to another, or fewer.
///
/// The first whole value costs a journey for each share that is missing where it comes about; after
/// that, whoever has it not yet must still receive something.
static int64_t travels(const Holders &from, const Holders &to, bool sameKind,
                       absl::Span<const int64_t> element) {
  int64_t numDevices = from.shards.size();
  // Devices whose target is one value each, by that value: the shares of it that they hold now.
  std::map<int64_t, std::set<int64_t>> wanted;
  for (int64_t device = 0; device < numDevices; ++device) {
    if (!to.has(device, element))
      continue;
    std::set<int64_t> &shares = wanted[to.group[device]];
    if (from.has(device, element))
      shares.insert(from.share[device]);
  }
  int64_t lacking = 0, fewestMissing = from.numShares;
  for (const auto &[group, shares] : wanted) {
    int64_t held = shares.size();
    if (from.numShares > 1 && to.numShares > 1 && !sameKind)
      held = std::min<int64_t>(held, 1); // Shares of another kind do not combine where they are.
    if (held < from.numShares) {
      ++lacking;
      fewestMissing = std::min(fewestMissing, from.numShares - held);
    }
  }
  return lacking == 0 ? 0 : fewestMissing + lacking - 1;
}

double lowerBoundBytes(const Layout &from, const Layout &to, absl::Span<const int64_t> globalShape,
                       int64_t elementBytes) {
  Holders before(from, globalShape), after(to, globalShape);
  std::vector<std::vector<int64_t>> lines(globalShape.size());
  for (size_t d = 0; d < globalShape.size(); ++d) {
    for (const Holders *side : {&before, &after})
      for (const Shard &shard : side->shards)
        lines[d].push_back(shard.offsets[d]);
    lines[d].push_back(globalShape[d]);
    std::sort(lines[d].begin(), lines[d].end());
    lines[d].erase(std::unique(lines[d].begin(), lines[d].end()), lines[d].end());
    if (lines[d].size() == 1)
      return 0; // No elements.
  }

  bool sameKind = from.sharding.kind == to.sharding.kind;
  double total = 0;
  std::vector<size_t> cell(globalShape.size(), 0);
  for (bool more = true; more;) {
    std::vector<int64_t> element;
    int64_t size = 1;
    for (size_t d = 0; d < cell.size(); ++d) {
      element.push_back(lines[d][cell[d]]);
      size *= lines[d][cell[d] + 1] - element[d];
    }
    total += static_cast<double>(travels(before, after, sameKind, element)) * size;
    more = false;
    for (size_t d = cell.size(); d-- > 0 && !more;) {
      more = ++cell[d] + 1 < lines[d].size();
      if (!more)
        cell[d] = 0;
    }
  }
  return total * elementBytes / from.mesh->numDevices();
}

} // namespace spmd
