#include "spmd/dialect/sdy/GroupCopies.h"

#include "spmd/dialect/sdy/Dialect.h"

namespace spmd::sdy {

void GroupCopies::readBut(mlir::func::FuncOp copy) {
  isRead = true;
  for (auto func : module.getOps<mlir::func::FuncOp>())
    if (func != copy)
      func.walk([&](ShardingGroupOp op) {
        auto [known, isNew] = functionOf.try_emplace(op.getGroupId(), func);
        if (known->second != func)
          known->second = nullptr;
      });
}

uint64_t GroupCopies::freshNumber() {
  while (functionOf.count(next))
    ++next;
  return next;
}

void GroupCopies::separate(mlir::func::FuncOp copy) {
  if (!isRead)
    readBut(copy);
  std::map<uint64_t, uint64_t> numbers;
  copy.walk([&](ShardingGroupOp op) {
    mlir::Operation *owner = functionOf[op.getGroupId()];
    if (!owner || owner == copy)
      return;
    auto [number, isNew] = numbers.try_emplace(op.getGroupId(), 0);
    if (isNew)
      functionOf[number->second = freshNumber()] = copy;
    op.setGroupId(number->second);
  });
}

void GroupCopies::renumber(mlir::ModuleOp others) {
  if (!isRead)
    readBut(nullptr);
  std::map<uint64_t, uint64_t> numbers;
  others.walk([&](ShardingGroupOp op) {
    auto [number, isNew] = numbers.try_emplace(op.getGroupId(), 0);
    if (isNew)
      functionOf[number->second = freshNumber()] = nullptr;
    op.setGroupId(number->second);
  });
}

} // namespace spmd::sdy
