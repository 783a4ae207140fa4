#include "spmd/passes/refine/Callees.h"

#include "spmd/dialect/partitioning/Partitionable.h"
#include "spmd/dialect/spmd/ByName.h"
#include "spmd/dialect/spmd/DataFlow.h"
#include "spmd/dialect/spmd/Dialect.h"
#include "spmd/dialect/spmd/Walk.h"
#include "spmd/dialect/stablehlo/Dialect.h"
#include "spmd/passes/refine/RefineShapes.h"
#include "spmd/passes/refine/StaticForms.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace spmd {

using mlir::Operation;
using mlir::func::FuncOp;

bool isDynamic(mlir::Type type) {
  if (auto tuple = llvm::dyn_cast<mlir::TupleType>(type))
    return llvm::any_of(tuple.getTypes(), [](mlir::Type part) { return isDynamic(part); });
  if (auto buffer = llvm::dyn_cast<BufferType>(type))
    return !buffer.getTensor().hasStaticShape();
  auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(type);
  return tensor && !tensor.hasStaticShape();
}

mlir::FlatSymbolRefAttr calleeOf(Operation *op) {
  if (auto call = llvm::dyn_cast<mlir::func::CallOp>(op))
    return call.getCalleeAttr();
  if (auto composite = llvm::dyn_cast<stablehlo::CompositeOp>(op))
    return composite.getDecompositionAttr();
  return {};
}

void setCallee(Operation *op, mlir::StringRef name) {
  auto symbol = mlir::FlatSymbolRefAttr::get(op->getContext(), name);
  if (auto call = llvm::dyn_cast<mlir::func::CallOp>(op))
    call.setCalleeAttr(symbol);
  else
    llvm::cast<stablehlo::CompositeOp>(op).setDecompositionAttr(symbol);
}

/// Whether an op without dynamic types has to do with sizes.
static bool asksForSizes(Operation *op) {
  return llvm::isa<stablehlo::GetDimensionSizeOp>(op) ||
         (!llvm::isa<stablehlo::RngOp>(op) && !sizeOperands(op).empty());
}

bool isDynamicOp(Operation *op) {
  auto isOpen = [](mlir::Type type) { return isDynamic(type); };
  return llvm::any_of(op->getOperandTypes(), isOpen) ||
         llvm::any_of(op->getResultTypes(), isOpen) || asksForSizes(op);
}

bool hasOwnEffects(Operation *op) {
  auto partitionable = llvm::dyn_cast<Partitionable>(op);
  bool isPlacement = partitionable && partitionable.isPlacement();
  return op->getNumRegions() == 0 && !isPlacement && !mlir::isMemoryEffectFree(op) &&
         !op->hasTrait<mlir::OpTrait::IsTerminator>();
}

bool dependsOnDevice(Operation *op) {
  auto flow = llvm::dyn_cast<DataFlow>(op);
  return op->hasTrait<stablehlo::Collective>() ||
         llvm::isa<stablehlo::PartitionIdOp, stablehlo::ReplicaIdOp>(op) ||
         (flow && flow.getOwnManualAxes());
}

Callees::Callees(mlir::ModuleOp module) {
  llvm::DenseMap<mlir::StringAttr, llvm::SmallVector<FuncOp>> callersOf;
  for (auto func : module.getOps<FuncOp>()) {
    if (llvm::any_of(func.getArgumentTypes(),
                     [](mlir::Type type) { return spmd::isDynamic(type); }))
      dynamic.insert(func);
    if (func.isExternal())
      effectful.insert(func);
    func.walk([&](Operation *op) {
      if (isDynamicOp(op))
        dynamic.insert(func);
      if (mlir::FlatSymbolRefAttr callee = calleeOf(op))
        callersOf[callee.getAttr()].push_back(func);
      else if (op != func && hasOwnEffects(op))
        effectful.insert(func);
      if (spmd::dependsOnDevice(op))
        perDevice.insert(func);
    });
  }
  for (Functions *marked : {&dynamic, &effectful, &perDevice}) {
    llvm::SmallVector<Operation *> open(marked->begin(), marked->end());
    while (!open.empty())
      for (FuncOp caller :
           callersOf.lookup(llvm::cast<FuncOp>(open.pop_back_val()).getSymNameAttr()))
        if (marked->insert(caller).second)
          open.push_back(caller);
  }
}

void Callees::addRefined(FuncOp copy, FuncOp func) {
  for (Functions *marked : {&effectful, &perDevice})
    if (marked->contains(func))
      marked->insert(copy);
}

bool isDynamic(mlir::ModuleOp module) {
  auto isOpen = [](mlir::Type type) { return isDynamic(type); };
  // Of an op by its name alone. What calls of one name ask for, their targets say.
  auto mayAsk = [](Operation *op) {
    return llvm::isa<stablehlo::CustomCallOp>(op) || asksForSizes(op);
  };
  ByName<bool> mayAskForSizes;
  return anyOp(module, [&](Operation *op) { // Operands are results of others, or arguments.
    for (mlir::Region &region : op->getRegions())
      for (mlir::Block &block : region)
        if (llvm::any_of(block.getArgumentTypes(), isOpen))
          return true;
    return llvm::any_of(op->getResultTypes(), isOpen) ||
           (mayAskForSizes.of(op, mayAsk) && asksForSizes(op));
  });
}

void eraseUnreached(mlir::ModuleOp module) {
  mlir::SymbolTable symbols(module);
  llvm::DenseSet<Operation *> reached;
  llvm::SmallVector<Operation *> open;
  for (Operation &op : *module.getBody()) {
    auto func = llvm::dyn_cast<FuncOp>(op);
    if (!func || !func.isPrivate())
      open.push_back(&op);
  }
  reached.insert(open.begin(), open.end());
  while (!open.empty()) {
    auto uses = mlir::SymbolTable::getSymbolUses(open.pop_back_val());
    if (!uses)
      return; // An op of an unknown dialect may refer to anything.
    for (const mlir::SymbolTable::SymbolUse &use : *uses)
      if (Operation *used = symbols.lookup(use.getSymbolRef().getRootReference()))
        if (reached.insert(used).second)
          open.push_back(used);
  }
  for (auto func : llvm::make_early_inc_range(module.getOps<FuncOp>()))
    if (!reached.contains(func))
      func.erase();
}

} // namespace spmd
