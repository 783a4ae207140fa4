#include "spmd/dialect/spmd/DataFlow.h"

#include "spmd/dialect/spmd/Callers.h"

#include "spmd/dialect/spmd/DataFlow.cpp.inc"

namespace spmd {

ValueSharding shardingInside(DataFlow op, unsigned flow) {
  ValueSharding sharding = op.getFlowSharding(flow);
  sdy::ManualAxesAttr manual = op.getOwnManualAxes();
  if (sharding && manual)
    sharding.attr = sdy::withoutAxes(sharding.attr, manual);
  return sharding;
}

llvm::SmallVector<llvm::StringRef> manualAxesInside(mlir::Operation *op) {
  llvm::SmallVector<llvm::StringRef> names;
  for (mlir::Operation *at = op; at; at = at->getParentOp()) {
    if (auto around = llvm::dyn_cast<DataFlow>(at))
      if (sdy::ManualAxesAttr manual = around.getOwnManualAxes())
        for (mlir::StringAttr axis : manual.getAxes())
          names.push_back(axis.getValue());
    if (auto callers = at->getAttrOfType<mlir::ArrayAttr>(manualAxesAttrName))
      for (auto axis : callers.getAsRange<mlir::StringAttr>())
        names.push_back(axis.getValue());
  }
  return names;
}

bool isAllManual(DataFlow op, llvm::ArrayRef<llvm::StringRef> manualOutside) {
  sdy::ManualAxesAttr manual = op.getOwnManualAxes();
  if (!manual || manual.getAxes().empty())
    return false;
  ValueSharding some = op.getFlowSharding(0); // The op names axes, so it has a flow to name a mesh.
  const Mesh *mesh = some ? sdy::lookupMesh(op, some.attr) : nullptr;
  if (!mesh)
    return false;
  llvm::SmallVector<llvm::StringRef> names = manualAxesInside(op);
  return llvm::all_of(mesh->axes(), [&](const MeshAxis &axis) {
    return axis.size == 1 || llvm::is_contained(names, axis.name) ||
           llvm::is_contained(manualOutside, axis.name);
  });
}

static void walkDataFlow(mlir::Region &region, llvm::function_ref<void(mlir::Operation *)> visit) {
  for (mlir::Block &block : region)
    for (mlir::Operation &op : llvm::make_early_inc_range(block)) {
      bool goesOn = op.getNumRegions() > 0 && llvm::isa<DataFlow>(op);
      visit(&op); // Which may erase what it does not go on with.
      if (goesOn)
        for (mlir::Region &inner : op.getRegions())
          walkDataFlow(inner, visit);
    }
}

void walkDataFlow(mlir::func::FuncOp func, llvm::function_ref<void(mlir::Operation *)> visit) {
  walkDataFlow(func.getBody(), visit);
}

void clearShardings(mlir::Region &region) {
  // Ops of `sdy` only say how values lie: the value itself takes the place of a result.
  std::vector<mlir::Operation *> placements;
  region.walk([&](mlir::Operation *op) {
    removeSharding(op);
    bool isSharding = op->getName().getDialectNamespace() == sdy::SdyDialect::getDialectNamespace();
    if (isSharding && op->getNumRegions() == 0 && op->getNumOperands() == 1 &&
        op->getNumResults() <= 1 && !op->hasTrait<mlir::OpTrait::IsTerminator>())
      placements.push_back(op);
  });
  for (mlir::Operation *op : placements) {
    if (op->getNumResults() == 1)
      op->getResult(0).replaceAllUsesWith(op->getOperand(0));
    op->erase();
  }
}

void clearScalarBodies(mlir::ModuleOp module) {
  for (auto func : module.getOps<mlir::func::FuncOp>())
    walkDataFlow(func, [](mlir::Operation *op) {
      if (!llvm::isa<DataFlow>(op))
        for (mlir::Region &region : op->getRegions())
          clearShardings(region);
    });
}

bool isRun(mlir::func::FuncOp func) {
  return !func.isExternal() && llvm::isa<mlir::func::ReturnOp>(func.getBody().front().back());
}

mlir::LogicalResult checkSingleBlocks(mlir::ModuleOp module) {
  mlir::LogicalResult result = mlir::success();
  std::optional<Callers> callers;
  auto isForCustomCalls = [&](mlir::func::FuncOp func) {
    if (!callers)
      callers = findCallers(module);
    mlir::StringAttr name = func.getSymNameAttr();
    auto isCall = [&](mlir::func::CallOp call) { return call.getCalleeAttr().getAttr() == name; };
    return callers->namedByOthers.contains(name) && llvm::none_of(callers->calls, isCall);
  };
  for (auto func : module.getOps<mlir::func::FuncOp>()) {
    size_t numBlocks = func.getBody().getBlocks().size();
    if (numBlocks == 1)
      if (mlir::Operation &last = func.getBody().front().back();
          !llvm::isa<mlir::func::ReturnOp>(last) && !isForCustomCalls(func))
        result = last.emitOpError("ends a function; expected 'func.return'");
    if (numBlocks <= 1)
      continue;
    mlir::InFlightDiagnostic error = func.emitOpError()
                                     << "has " << numBlocks << " blocks; only functions of one can "
                                     << "be split; write branches and loops as 'stablehlo.if', "
                                     << "'stablehlo.case' and 'stablehlo.while'";
    mlir::Block &second = *std::next(func.getBody().begin());
    if (!second.empty())
      error.attachNote(second.front().getLoc()) << "the second block begins here";
    result = error;
  }
  return result;
}

} // namespace spmd
