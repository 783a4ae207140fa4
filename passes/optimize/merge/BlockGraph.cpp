#include "spmd/passes/optimize/merge/BlockGraph.h"

#include "spmd/dialect/stablehlo/Dialect.h"

#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/DenseMap.h"

namespace spmd {

bool Effects::has(mlir::Operation *op) {
  if (auto call = llvm::dyn_cast<mlir::CallOpInterface>(op))
    return ofCall(call);
  bool isAsInside = op->hasTrait<mlir::OpTrait::HasRecursiveMemoryEffects>();
  if (auto own = llvm::dyn_cast<mlir::MemoryEffectOpInterface>(op)) {
    if (!own.hasNoEffect())
      return true;
  } else if (!isAsInside) {
    return true;
  }
  if (isAsInside)
    for (mlir::Region &region : op->getRegions())
      for (mlir::Operation &inner : region.getOps())
        if (has(&inner))
          return true;
  return false;
}

bool Effects::ofCall(mlir::CallOpInterface call) {
  auto function =
      llvm::dyn_cast_or_null<mlir::CallableOpInterface>(call.resolveCallableInTable(&symbols));
  if (!function || !function.getCallableRegion())
    return true;
  // A function that calls itself has effects: it may not end.
  auto [known, isNew] = ofFunction.try_emplace(function, true);
  if (!isNew)
    return known->second;
  bool hasAny = llvm::any_of(function.getCallableRegion()->getOps(),
                             [&](mlir::Operation &op) { return has(&op); });
  return ofFunction[function] = hasAny;
}

BlockGraph::BlockGraph(mlir::Block &block, size_t numOps, Effects &effects) {
  llvm::DenseMap<mlir::Operation *, int32_t> numberOf;
  numberOf.reserve(numOps);
  ops.reserve(numOps);
  for (mlir::Operation &op : block) {
    numberOf[&op] = size();
    ops.push_back(&op);
  }
  befores.begins.reserve(ops.size() + 1);
  befores.numbers.reserve(2 * ops.size());
  befores.begins.push_back(0);
  int32_t lastEffect = -1;
  auto wait = [&](int32_t number) { befores.numbers.push_back(number); };
  for (mlir::Operation *op : ops) {
    auto read = [&](mlir::Operation *reader) {
      for (mlir::Value operand : reader->getOperands())
        if (mlir::Operation *maker = operand.getDefiningOp(); maker && maker->getBlock() == &block)
          wait(numberOf.lookup(maker));
    };
    read(op);
    for (mlir::Region &region : op->getRegions())
      region.walk(read);
    bool isTerminator = op->hasTrait<mlir::OpTrait::IsTerminator>();
    if (isTerminator || effects.has(op)) {
      if (lastEffect >= 0)
        wait(lastEffect);
      lastEffect = static_cast<int32_t>(befores.begins.size()) - 1;
    }
    befores.begins.push_back(static_cast<int32_t>(befores.numbers.size()));
  }
  listAfters();
  countComputed();
}

BlockGraph::BlockGraph(const BlockGraph &other, llvm::ArrayRef<int32_t> order) {
  std::vector<int32_t> numberOf(order.size());
  for (auto [number, old] : llvm::enumerate(order)) {
    numberOf[old] = static_cast<int32_t>(number);
    ops.push_back(other.op(old));
  }
  befores.begins.push_back(0);
  for (int32_t old : order) {
    for (int32_t earlier : other.before(old))
      befores.numbers.push_back(numberOf[earlier]);
    befores.begins.push_back(static_cast<int32_t>(befores.numbers.size()));
  }
  listAfters();
  countComputed();
}

void BlockGraph::listAfters() {
  std::vector<int32_t> counts(ops.size());
  for (int32_t earlier : befores.numbers)
    ++counts[earlier];
  afters.begins.reserve(ops.size() + 1);
  afters.begins.push_back(0);
  for (int32_t count : counts)
    afters.begins.push_back(afters.begins.back() + count);
  afters.numbers.resize(befores.numbers.size());
  std::vector<int32_t> next(afters.begins.begin(), afters.begins.end() - 1);
  for (int32_t number = 0; number < size(); ++number)
    for (int32_t earlier : before(number))
      afters.numbers[next[earlier]++] = number;
}

static bool computes(mlir::Operation *op) {
  bool isMadeWhenRead = op->getNumOperands() == 0 && op->getNumRegions() == 0;
  return !isMadeWhenRead && !llvm::isa<stablehlo::ReshapeOp, stablehlo::BroadcastInDimOp,
                                       stablehlo::TransposeOp, stablehlo::SliceOp>(op);
}

void BlockGraph::countComputed() {
  computedBefore.reserve(ops.size());
  int32_t count = 0;
  for (mlir::Operation *op : ops) {
    computedBefore.push_back(count);
    count += computes(op) ? 1 : 0;
  }
}

} // namespace spmd
