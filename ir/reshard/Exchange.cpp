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

  // The block a device sends, and the devices that hold each block.
  std::vector<int64_t> sent(numDevices);
  std::vector<std::vector<int64_t>> holders(count);
  for (int64_t position = 0; position < numDevices; ++position) {
    int64_t block = blockAt(source, before, position), device = source.deviceAt(position);
    sent[device] = block;
    holders[block].push_back(device);
  }

  // The block a device needs, or -1.
  auto neededAt = [&](int64_t position) -> int64_t {
    int64_t block = blockAt(target, after, position);
    if (shift == 0)
      return block;
    int64_t receiver = block / inner;
    return receiver >= firstReceiver && receiver < endReceiver ? block + shift * inner : -1;
  };

  // Whoever has its block keeps it; the others take the holders that are left, in order.
  std::vector<int64_t> senderOf(numDevices, -1);
  std::vector<bool> taken(numDevices, false);
  for (int64_t position = 0; position < numDevices; ++position)
    if (int64_t device = target.deviceAt(position); neededAt(position) == sent[device]) {
      senderOf[device] = device;
      taken[device] = true;
    }
  std::vector<size_t> next(count, 0);
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
