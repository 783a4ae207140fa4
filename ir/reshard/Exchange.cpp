#include "spmd/ir/reshard/Exchange.h"

#include "spmd/ir/sharding/Spec.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace spmd {

/// Returns which block position `position` of `mesh` stands for: its place along all the lists.
static int64_t blockAt(const Mesh &mesh, absl::Span<const AxisList> lists, int64_t position) {
  int64_t block = 0;
  for (const AxisList &list : lists)
    block = block * sizeOf(list) + coordinateOf(mesh, position, list);
  return block;
}

/// Returns the axes of which no list uses a part. Devices that differ along them hold the same
/// blocks, but may compute for themselves (manual axes), so blocks stay with their coordinates
/// along these axes.
static AxisList bystanders(const Mesh &mesh, absl::Span<const AxisList> before,
                           absl::Span<const AxisList> after) {
  std::vector<bool> isUsed(mesh.axes().size(), false);
  for (absl::Span<const AxisList> lists : {before, after})
    for (const AxisList &list : lists)
      for (const AxisRef &ref : list)
        isUsed[ref.axis] = true;
  AxisList rest;
  for (int axis = 0; axis < static_cast<int>(mesh.axes().size()); ++axis)
    if (!isUsed[axis])
      rest.push_back(wholeAxis(mesh, axis));
  return rest;
}

static int64_t numBlocks(absl::Span<const AxisList> lists) {
  int64_t count = 1;
  for (const AxisList &list : lists)
    count *= sizeOf(list);
  return count;
}

std::vector<std::pair<int64_t, int64_t>> Exchange::pairs(const Mesh &from, const Mesh &to) const {
  const Mesh &source = beforeSide == MeshSide::from ? from : to;
  const Mesh &target = afterSide == MeshSide::from ? from : to;
  int64_t numDevices = source.numDevices(), count = numBlocks(before);
  int64_t inner = before.empty() ? count : count / sizeOf(before[0]);

  // Axes of two meshes cannot be told apart.
  AxisList rest = source == target ? bystanders(source, before, after) : AxisList();
  auto restAt = [&](int64_t position) { return coordinateOf(source, position, rest) * count; };

  // The block a device sends, and the devices that hold each block.
  std::vector<int64_t> sent(numDevices);
  std::vector<std::vector<int64_t>> holders(count * sizeOf(rest));
  for (int64_t position = 0; position < numDevices; ++position) {
    int64_t block = restAt(position) + blockAt(source, before, position);
    int64_t device = source.deviceAt(position);
    sent[device] = block;
    holders[block].push_back(device);
  }

  // The block a device needs, or -1. Blocks are numbered apart for each place along `rest`.
  auto neededAt = [&](int64_t position) -> int64_t {
    int64_t block = blockAt(target, after, position), receiver = block / inner;
    if (shift == 0)
      return restAt(position) + block;
    return receiver >= firstReceiver && receiver < endReceiver
               ? restAt(position) + block + shift * inner
               : -1;
  };

  // Whoever has its block keeps it; the others take the holders that are left, in order.
  std::vector<int64_t> senderOf(numDevices, -1);
  std::vector<bool> taken(numDevices, false);
  for (int64_t position = 0; position < numDevices; ++position)
    if (int64_t device = target.deviceAt(position); neededAt(position) == sent[device]) {
      senderOf[device] = device;
      taken[device] = true;
    }
  std::vector<size_t> next(holders.size(), 0);
  std::vector<std::pair<int64_t, int64_t>> result;
  for (int64_t position = 0; position < numDevices; ++position) {
    int64_t device = target.deviceAt(position), block = neededAt(position);
    if (block < 0)
      continue;
    if (senderOf[device] < 0) {
      size_t &cursor = next[block];
      while (taken[holders[block][cursor]])
        ++cursor;
      senderOf[device] = holders[block][cursor];
      taken[holders[block][cursor]] = true;
    }
    result.emplace_back(senderOf[device], device);
  }
  return result;
}

std::string Exchange::str(const Mesh &from, const Mesh &to) const {
  auto text = [&](absl::Span<const AxisList> lists, MeshSide side) {
    return absl::StrCat(side == MeshSide::to ? "to(" : "(",
                        absl::StrJoin(lists, ", ",
                                      [&](std::string *out, const AxisList &list) {
                                        const Mesh &mesh = side == MeshSide::from ? from : to;
                                        absl::StrAppend(out, "{", spmd::str(toSpecs(mesh, list)),
                                                        "}");
                                      }),
                        ")");
  };
  if (shift != 0)
    return absl::StrCat("along ", text(before, beforeSide), " to ", firstReceiver, "..",
                        endReceiver - 1, " from ", shift > 0 ? "+" : "", shift);
  return absl::StrCat(text(before, beforeSide), " -> ", text(after, afterSide));
}

} // namespace spmd
