#include "spmd/passes/propagate/ShardingGroups.h"

namespace spmd {

std::optional<uint64_t> ShardingGroups::groupOf(mlir::Operation *op) {
  if (op->getNumOperands() != 1 || op->getNumResults() != 0)
    return std::nullopt;
  auto partitionable = llvm::dyn_cast<Partitionable>(op);
  return partitionable ? partitionable.getGroup() : std::nullopt;
}

mlir::LogicalResult ShardingGroups::add(mlir::Operation *op, uint64_t group, int32_t tensor,
                                        int32_t region) {
  auto rankOf = [](mlir::Operation *member) {
    return tensorTypeOf(member->getOperand(0)).getRank();
  };
  int32_t body = static_cast<int32_t>(program.bodies.size()) - 1;
  bool isInside = region != ShardGraph::none;
  Place place(isInside ? body : ShardGraph::none, region);
  mlir::Operation *first = firstAt.try_emplace({group, place}, op).first->second;
  if (rankOf(op) != rankOf(first))
    return op->emitOpError() << "adds a tensor of rank " << rankOf(op) << " to group " << group
                             << ", whose first is of rank " << rankOf(first);
  warnOfBorder(op, group, place);
  if (!isInside)
    program.groupMembers[group].push_back({body, tensor});
  members[{group, region}].push_back(tensor);
  if (pinOf(op->getOperand(0)))
    program.pinnedMembers.push_back({op, group, body, region});
  return mlir::success();
}

void ShardingGroups::warnOfBorder(mlir::Operation *op, uint64_t group, Place place) {
  const First &first = firstOf.try_emplace(group, First{op, place}).first->second;
  if (first.place == place || !warnedOf.insert(group).second)
    return;
  mlir::InFlightDiagnostic warning = op->emitWarning()
                                     << "'" << op->getName() << "' op adds a value to group "
                                     << group << ", whose first is on the other side of the border "
                                     << "of a manual computation; nothing ties them across it";
  warning.attachNote(first.op->getLoc()) << "the first is added here";
}

std::vector<std::vector<int32_t>> ShardingGroups::endBody() {
  std::vector<std::vector<int32_t>> tied;
  for (auto &[group, tensors] : members) {
    llvm::sort(tensors);
    if (tensors.size() > 1)
      tied.push_back(std::move(tensors));
  }
  members.clear();
  return tied;
}

} // namespace spmd
