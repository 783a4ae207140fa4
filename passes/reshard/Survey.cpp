#include "spmd/passes/reshard/Survey.h"

#include "spmd/dialect/spmd/DataFlow.h"
#include "spmd/passes/reshard/MovedOnce.h"

namespace spmd {

mlir::LogicalResult Survey::run(mlir::ModuleOp module, OnlyCallees &callees) {
  for (auto func : module.getOps<mlir::func::FuncOp>())
    if (isRun(func))
      visitFunction(func);
  markUnchanging(loops, hoistBytes, callees, kinds, values);
  return mlir::failure(missing.hasFailed());
}

void Survey::visitFunction(mlir::func::FuncOp func) {
  size_t begin = begins[func] = all.size();
  mlir::Block &block = func.getBody().front();
  missing.begin(func);
  visitBlock(block, /*needsShardings=*/true);
  missing.end(func);
  numOps[func] = all.size() - begin;
}

void Survey::visitBlock(mlir::Block &block, bool needsShardings) {
  for (mlir::Operation &op : block)
    visit(op, needsShardings);
}

void Survey::visit(mlir::Operation &op, bool needsShardings) {
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
  const OpKind &kind = kinds.of(&op);
  all.push_back({&op, &kind});
  values.add(&op, kind, shardings);
  if (!flow)
    return;
  if (flow.isLoop())
    loops.push_back(flow);
  bool needsInside = needsShardings && !isAllManual(flow);
  for (mlir::Region &region : op.getRegions())
    for (mlir::Block &inner : region)
      visitBlock(inner, needsInside);
}

} // namespace spmd
