#include "spmd/passes/slices/InlineMoves.h"

#include "spmd/dialect/stablehlo/Dialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"

namespace spmd {

using namespace stablehlo;

/// Longer functions stay, so that a program grows by no more than that much per call.
static constexpr size_t maxOps = 64;

static bool movesElements(mlir::Operation &op) {
  auto isScalar = [](mlir::Type type) {
    auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(type);
    return tensor && tensor.getRank() == 0;
  };
  if (!op.getDiscardableAttrDictionary().empty())
    return false;
  return llvm::isa<SliceOp, PadOp, ConcatenateOp, ReverseOp, BroadcastInDimOp, ReshapeOp,
                   TransposeOp, mlir::func::ReturnOp>(op) ||
         (llvm::isa<ConstantOp, ConvertOp>(op) && isScalar(op.getResult(0).getType()));
}

static bool isMove(mlir::func::FuncOp func) {
  if (!func.isPrivate() || func.isExternal() || !func.getBody().hasOneBlock() ||
      func.getArgAttrsAttr() || func.getResAttrsAttr())
    return false;
  mlir::Block &body = func.getBody().front();
  return body.getOperations().size() <= maxOps && llvm::all_of(body, movesElements);
}

static void inlineCall(mlir::func::CallOp call, mlir::func::FuncOp func) {
  mlir::OpBuilder builder(call);
  mlir::IRMapping mapping;
  mapping.map(func.getArguments(), call.getOperands());
  mlir::Block &body = func.getBody().front();
  for (mlir::Operation &op : body.without_terminator())
    builder.clone(op, mapping);
  llvm::SmallVector<mlir::Value> results;
  for (mlir::Value result : body.getTerminator()->getOperands())
    results.push_back(mapping.lookup(result));
  call->replaceAllUsesWith(results);
  call->erase();
}

void inlineMoves(mlir::ModuleOp module) {
  llvm::SmallVector<mlir::func::FuncOp> moves;
  for (auto func : module.getOps<mlir::func::FuncOp>())
    if (isMove(func))
      moves.push_back(func);
  if (moves.empty())
    return;
  mlir::SymbolTableCollection tables;
  mlir::SymbolUserMap users(tables, module);
  for (mlir::func::FuncOp func : moves) {
    bool hasOthers = false;
    for (mlir::Operation *user : users.getUsers(func)) {
      auto call = llvm::dyn_cast<mlir::func::CallOp>(user);
      if (call && call->getDiscardableAttrDictionary().empty() &&
          call.getOperandTypes() == func.getArgumentTypes())
        inlineCall(call, func);
      else
        hasOthers = true;
    }
    if (!hasOthers)
      func.erase();
  }
}

} // namespace spmd
