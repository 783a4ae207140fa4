#include "spmd/passes/propagate/Contents.h"

#include "spmd/dialect/partitioning/Partitionable.h"
#include "spmd/dialect/spmd/Donation.h"
#include "spmd/dialect/spmd/GrownPin.h"

namespace spmd {

int32_t countUses(mlir::Value value) {
  return llvm::count_if(value.getUsers(), [](mlir::Operation *user) {
    if (user->getNumResults() > 0)
      return true;
    auto partitionable = llvm::dyn_cast<Partitionable>(user);
    return !llvm::isa<StoreOp>(user) && !(partitionable && partitionable.getGroup());
  });
}

BufferContents::BufferContents(mlir::func::FuncOp func, const BufferEffects &effects) {
  for (mlir::BlockArgument argument : func.getArguments())
    if (isBuffer(argument))
      heldBy(argument);
  func.walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    if (auto alloc = llvm::dyn_cast<AllocOp>(op)) {
      track(alloc);
    } else if (auto load = llvm::dyn_cast<LoadOp>(op)) {
      int32_t content = heldBy(load.getBuffer());
      loaded[load] = content;
      contents[content].numUses += countUses(load.getResult());
    } else if (auto store = llvm::dyn_cast<StoreOp>(op)) {
      put(store.getBuffer(), contentOf(store.getValue()), store);
    } else if (auto call = llvm::dyn_cast<mlir::func::CallOp>(op)) {
      follow(call, effects);
    }
  });
  if (effects.isCalled(func))
    for (mlir::BlockArgument argument : func.getArguments())
      if (isBuffer(argument) && effects.writes(func, argument.getArgNumber())) {
        left.push_back({argument, cells[argument].content});
        ++contents[left.back().content].numUses;
      }
}

int32_t BufferContents::add(mlir::Value value, sdy::ShardingAttr pin) {
  contents.push_back({value, pin, value && !isBuffer(value) ? countUses(value) : 0});
  return static_cast<int32_t>(contents.size()) - 1;
}

/// Returns the content that a tensor is.
int32_t BufferContents::contentOf(mlir::Value value) {
  if (auto load = value.getDefiningOp<LoadOp>())
    if (auto known = loaded.find(load); known != loaded.end())
      return known->second;
  auto [known, isNew] = numbers.try_emplace(value, none);
  if (isNew)
    known->second = add(value, originalPinOf(value).attr);
  return known->second;
}

BufferContents::Cell &BufferContents::track(mlir::Value buffer) {
  auto [cell, isNew] = cells.try_emplace(buffer);
  if (isNew) {
    cell->second.pin = originalPinOf(buffer);
    cell->second.isDonated = isDonated(buffer);
  }
  return cell->second;
}

int32_t BufferContents::heldBy(mlir::Value buffer) {
  Cell &cell = track(buffer);
  if (cell.content == none) {
    cell.content = add(buffer, cell.pin.attr);
    cell.history.insert(cell.content);
  }
  return cell.content;
}

void BufferContents::put(mlir::Value buffer, int32_t given, mlir::Operation *op) {
  Cell &cell = track(buffer);
  if (cell.content == given)
    return;
  cell.content = given;
  if (cell.pin) {
    noteOpen(buffer, cell.pin.attr);
    noteOpen(contents[given].value, contents[given].pin);
  }
  if (cell.pin && contents[given].pin != cell.pin.attr) {
    ++contents[given].numUses;
    cell.content = add({}, cell.pin.attr);
  }
  cell.history.insert(cell.content);
  puts[op].push_back({buffer, given, cell.content});
}

void BufferContents::noteOpen(mlir::Value value, sdy::ShardingAttr pin) {
  if (value && pin && !isClosed({pin, ShardingState::pinned}))
    openlyPinned.insert(value);
}

void BufferContents::follow(mlir::func::CallOp call, const BufferEffects &effects) {
  if (llvm::none_of(call->getOperands(), isBuffer))
    return;
  llvm::SmallVector<mlir::Value, 2> written;
  for (mlir::OpOperand &operand : call->getOpOperands()) {
    passed[call].push_back(isBuffer(operand.get()) ? heldBy(operand.get()) : none);
    if (passed[call].back() != none)
      ++contents[passed[call].back()].numUses;
    if (effects.writes(operand))
      written.push_back(operand.get());
  }
  for (mlir::Value buffer : written)
    put(buffer, add({}, {}), call);
}

ValueSharding BufferContents::knownBy(mlir::Value access, int32_t content) const {
  ValueSharding known = shardingOf(access);
  const auto &[value, pin, numUses] = contents[content];
  if (known && pin && !value && mayGrowInto(pin, known.attr))
    return {known.attr, ShardingState::pinned};
  return pinOf(access) ? ValueSharding() : known;
}

llvm::ArrayRef<int32_t> BufferContents::passedBy(mlir::Operation *call) const {
  auto found = passed.find(call);
  return found == passed.end() ? llvm::ArrayRef<int32_t>() : llvm::ArrayRef(found->second);
}

llvm::ArrayRef<BufferContents::Put> BufferContents::putsOf(mlir::Operation *op) const {
  auto found = puts.find(op);
  return found == puts.end() ? llvm::ArrayRef<Put>() : llvm::ArrayRef(found->second);
}

bool BufferContents::isUsedOnce(mlir::Value value) const {
  int32_t content = none;
  if (auto load = loaded.find(value.getDefiningOp()); load != loaded.end())
    content = load->second;
  else if (auto number = numbers.find(value); number != numbers.end())
    content = number->second;
  return content == none ? countUses(value) == 1 : contents[content].numUses == 1;
}

} // namespace spmd
