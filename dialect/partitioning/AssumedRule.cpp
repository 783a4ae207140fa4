#include "spmd/dialect/partitioning/AssumedRule.h"

#include "spmd/dialect/partitioning/CustomCallRules.h"
#include "spmd/dialect/partitioning/CustomRule.h"
#include "spmd/dialect/partitioning/Families.h"
#include "spmd/dialect/partitioning/SuggestRule.h"
#include "spmd/dialect/spmd/Dialect.h"
#include "spmd/dialect/spmd/ValueSharding.h"
#include "spmd/dialect/stablehlo/Dialect.h"

namespace spmd {

std::vector<mlir::Operation *> callsWithoutRule(mlir::ModuleOp module) {
  StrategyCache strategies;
  std::vector<mlir::Operation *> calls;
  module.walk([&](stablehlo::CustomCallOp call) {
    auto partitionable = llvm::dyn_cast<Partitionable>(call.getOperation());
    if (call->getNumResults() > 0 && !call.getHasSideEffect() && isStaticCustomCall(call) &&
        !(partitionable && partitionable.isPlacement()) && !customRuleAttrOf(call) &&
        !strategies.lookup(call))
      calls.push_back(call);
  });
  return calls;
}

static bool hasDim(mlir::Value value, std::pair<size_t, int64_t> dim) {
  llvm::ArrayRef<int64_t> shape = shapeOf(value);
  return dim.first < shape.size() && shape[dim.first] == dim.second;
}

WantedDims dimsSplit(mlir::Operation *call) {
  WantedDims split;
  for (mlir::OpResult result : call->getResults())
    if (ValueSharding sharding = shardingOf(result))
      for (auto [d, dim] : llvm::enumerate(sharding.attr.getSpec().dims))
        if (std::pair found(d, shapeOf(result)[d]);
            !dim.axes.empty() && !llvm::is_contained(split, found))
          split.push_back(found);
  return split;
}

/// Whether each device can be taken to make a part of all results along `dim` of the same part of
/// the operands.
static bool mayBeSplit(mlir::Operation *call, std::pair<size_t, int64_t> dim) {
  size_t rank = shapeOf(call->getResult(0)).size();
  auto objects = [&](mlir::Value operand) {
    llvm::ArrayRef<int64_t> shape = shapeOf(operand);
    return shape.size() == rank && shape[dim.first] != dim.second && shape[dim.first] != 1;
  };
  auto has = [&](mlir::Value value) { return hasDim(value, dim); };
  return dim.second > 1 && llvm::all_of(call->getResults(), has) &&
         llvm::any_of(call->getOperands(), has) && llvm::none_of(call->getOperands(), objects);
}

/// Returns what each load reads, where no pin stands between: what was stored last, if accesses are
/// in the blocks of their buffers.
static llvm::DenseMap<mlir::Value, mlir::Value> findLoaded(mlir::ModuleOp module) {
  llvm::DenseMap<mlir::Value, mlir::Value> stored, loaded;
  module.walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    if (auto store = llvm::dyn_cast<StoreOp>(op))
      stored[store.getBuffer()] = pinOf(store.getBuffer()) ? mlir::Value() : store.getValue();
    else if (auto load = llvm::dyn_cast<LoadOp>(op); load && !pinOf(load))
      loaded[load] = stored.lookup(load.getBuffer());
  });
  return loaded;
}

size_t assumeRules(llvm::ArrayRef<mlir::Operation *> calls, llvm::ArrayRef<WantedDims> wanted) {
  llvm::SmallDenseSet<mlir::Operation *> without(calls.begin(), calls.end());
  llvm::SmallVector<std::pair<mlir::Operation *, WantedDims>> pending;
  for (auto [call, dims] : llvm::zip(calls, wanted))
    pending.emplace_back(call, dims);
  size_t numAssumed = 0;
  if (calls.empty())
    return numAssumed;
  llvm::DenseMap<mlir::Value, mlir::Value> loaded =
      findLoaded(calls.front()->getParentOfType<mlir::ModuleOp>());
  auto makerOf = [&](mlir::Value value) {
    while (mlir::Value content = loaded.lookup(value))
      value = content;
    return value.getDefiningOp();
  };
  while (!pending.empty()) {
    auto [call, dims] = pending.pop_back_val();
    llvm::erase_if(dims, [call = call](auto dim) { return !mayBeSplit(call, dim); });
    if (dims.empty() || !without.erase(call))
      continue;
    OpRule rule = ruleByPlaces(call, [&dims = dims](size_t d, int64_t size) {
      return llvm::is_contained(dims, std::pair(d, size));
    });
    mlir::Builder builder(call->getContext());
    auto text = builder.getNamedAttr("dims", builder.getStringAttr(textWithoutSizes(rule)));
    call->setDiscardableAttr(customRuleAttrName, builder.getDictionaryAttr(text));
    call->setDiscardableAttr(assumedRuleAttrName, builder.getUnitAttr());
    ++numAssumed;
    for (mlir::Value operand : call->getOperands())
      if (mlir::Operation *maker = makerOf(operand); maker && without.contains(maker))
        pending.emplace_back(maker, dims);
  }
  return numAssumed;
}

} // namespace spmd
