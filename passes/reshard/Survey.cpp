#include "spmd/passes/reshard/Survey.h"

#include "spmd/dialect/spmd/DataFlow.h"
#include "spmd/passes/reshard/Collected.h"
#include "spmd/passes/reshard/MovedOnce.h"
#include "spmd/passes/reshard/Waiting.h"

namespace spmd {

mlir::LogicalResult Survey::run(mlir::ModuleOp module, OnlyCallees &callees) {
  for (auto func : module.getOps<mlir::func::FuncOp>())
    if (isRun(func))
      visitFunction(func);
  for (DataFlow loop : loops)
    markCollected(loop, hoistBytes, callees, kinds, values);
  markUnchanging(loops, hoistBytes, callees, kinds, values);
  return mlir::failure(missing.hasFailed());
}

SteadyAxes Survey::steadyAxes(Layouts &layouts, ShardingCodec &codec) {
  SteadyAxes axes;
  auto addKept = [&](sdy::ShardingAttr attr) {
    if (const MeshSharding *sharding = codec.decode(attr))
      axes.addKept(*sharding);
  };
  llvm::for_each(kept, addKept);
  std::vector<bool> isKnown;
  for (mlir::Value pin : pins) {
    int32_t layout = values.layoutOf(pin);
    if (layout < 0)
      continue;
    if (values.isAhead(pin) || values.isLate(pin)) {
      addKept(shardingOf(pin).attr);
    } else if (isKnown.resize(layouts.size()); !isKnown[layout]) {
      isKnown[layout] = true;
      axes.add(layouts[layout]);
    }
  }
  return axes;
}

void Survey::visitFunction(mlir::func::FuncOp func) {
  size_t begin = begins[func] = all.size();
  mlir::Block &block = func.getBody().front();
  bool isMain = func.getName() == "main";
  if (isMain)
    for (mlir::BlockArgument argument : func.getArguments()) {
      values.markAhead(argument);
      if (ValueSharding sharding = shardingOf(argument);
          sharding && sharding.state == ShardingState::pinned)
        kept.push_back(sharding.attr);
    }
  missing.begin(func);
  visitBlock(block, isMain, /*needsShardings=*/true);
  missing.end(func);
  numOps[func] = all.size() - begin;
  if (isMain)
    markLate(block, begin);
}

void Survey::visitBlock(mlir::Block &block, bool isMain, bool needsShardings) {
  for (mlir::Operation &op : block)
    visit(op, isMain, needsShardings);
}

void Survey::visit(mlir::Operation &op, bool isMain, bool needsShardings) {
  auto flow = op.getNumRegions() > 0 ? llvm::dyn_cast<DataFlow>(op) : DataFlow();
  if (!flow)
    for (mlir::Region &region : op.getRegions())
      clearShardings(region);
  auto read = [&] {
    bool isAnyMissing = false;
    shardings.clear();
    for (mlir::Value result : op.getResults()) {
      shardings.push_back(shardingOf(result));
      isAnyMissing |= MissingShardings::isMissing(result, shardings.back());
    }
    return isAnyMissing;
  };
  if (read() && needsShardings) {
    missing.fillResults(&op);
    read();
  }
  for (auto [result, sharding] : llvm::zip(op.getResults(), shardings))
    if (sharding.state == ShardingState::pinned && tensorTypeOf(result))
      pins.push_back(result);
  const OpKind &kind = kinds.of(&op);
  all.push_back({&op, &kind});
  values.add(&op, kind, shardings, /*mayBeLate=*/isMain);
  if (isMain)
    markAhead(&op, kind, values);
  if (!flow)
    return;
  if (flow.isLoop())
    loops.push_back(flow);
  bool needsInside = needsShardings && !isAllManual(flow);
  for (mlir::Region &region : op.getRegions())
    for (mlir::Block &inner : region)
      visitBlock(inner, /*isMain=*/false, needsInside);
}

/// What some later op needs to go on is not late.
void Survey::markLate(mlir::Block &block, size_t begin) {
  for (const SurveyedOp &each : llvm::reverse(llvm::ArrayRef(all).drop_front(begin)))
    if (each.op->getBlock() == &block)
      markWaited(each.op, *each.kind, values);
}

} // namespace spmd
