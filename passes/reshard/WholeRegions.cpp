#include "spmd/passes/reshard/WholeRegions.h"

#include "spmd/dialect/spmd/DataFlow.h"

#include "mlir/IR/SymbolTable.h"

namespace spmd {

void WholeRegions::makeWhole(mlir::Operation *op) {
  for (mlir::Region &region : op->getRegions())
    redirectCalls(region);
  bringCaptures(op);
}

void WholeRegions::bringCaptures(mlir::Operation *op) {
  for (mlir::Region &region : op->getRegions())
    region.walk([&](mlir::Operation *inner) {
      for (mlir::OpOperand &operand : inner->getOpOperands())
        if (!op->isAncestor(operand.get().getParentBlock()->getParentOp()))
          operand.set(bringWhole(operand.get(), op));
    });
}

void WholeRegions::redirectCalls(mlir::Region &region) {
  region.walk([&](mlir::func::CallOp call) {
    auto callee = module.lookupSymbol<mlir::func::FuncOp>(call.getCallee());
    if (callee && !callee.isExternal())
      call.setCallee(wholeCopyOf(callee).getSymName());
  });
}

mlir::func::FuncOp WholeRegions::wholeCopyOf(mlir::func::FuncOp callee) {
  if (mlir::func::FuncOp copy = copies.lookup(callee))
    return copy;
  mlir::OpBuilder builder(callee);
  builder.setInsertionPointToEnd(module.getBody());
  auto copy = llvm::cast<mlir::func::FuncOp>(builder.clone(*callee.getOperation()));
  std::string name = (callee.getSymName() + "_whole").str();
  for (int i = 1; module.lookupSymbol(name); ++i)
    name = (callee.getSymName() + "_whole_" + llvm::Twine(i)).str();
  copy.setSymName(name);
  copy.setPrivate();
  for (unsigned i = 0; i < copy.getNumArguments(); ++i)
    for (llvm::StringRef attr : {shardingAttrName, inferredAttrName, unevenAttrName})
      copy.removeArgAttr(i, attr);
  for (unsigned i = 0; i < copy.getNumResults(); ++i)
    for (llvm::StringRef attr : {shardingAttrName, inferredAttrName, unevenAttrName})
      copy.removeResultAttr(i, mlir::StringAttr::get(copy.getContext(), attr));
  copies[callee] = copy;
  copies[copy] = copy;
  clearShardings(copy.getBody());
  redirectCalls(copy.getBody());
  return copy;
}

} // namespace spmd
