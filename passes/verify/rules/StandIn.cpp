#include "spmd/passes/verify/rules/StandIn.h"

#include "spmd/dialect/sdy/Dialect.h"
#include "spmd/dialect/stablehlo/Dialect.h"
#include "spmd/passes/refine/RefineShapes.h"
#include "spmd/passes/verify/rules/OpProgram.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/Verifier.h"

namespace spmd {

/// On a stand-in, the name of the function whose first op it stands for.
static constexpr llvm::StringLiteral subjectAttrName = "spmd.subject";
static constexpr llvm::StringLiteral subjectName = "spmd.subject_of_rule";
static constexpr llvm::StringLiteral standInTarget = "spmd.stand_in";
static mlir::func::FuncOp makeFunction(mlir::OpBuilder &builder, mlir::ModuleOp module,
                                       llvm::StringRef name, mlir::Location loc,
                                       mlir::TypeRange arguments, mlir::TypeRange results) {
  builder.setInsertionPointToEnd(module.getBody());
  auto func =
      mlir::func::FuncOp::create(builder, loc, name, builder.getFunctionType(arguments, results));
  func.setPrivate();
  builder.setInsertionPointToStart(func.addEntryBlock());
  return func;
}

mlir::OwningOpRef<mlir::ModuleOp> makeStandIn(mlir::Operation *op, mlir::Attribute rule,
                                              llvm::ArrayRef<mlir::Type> types) {
  mlir::Location loc = op->getLoc();
  mlir::OpBuilder builder(op->getContext());
  mlir::OwningOpRef<mlir::ModuleOp> module = mlir::ModuleOp::create(loc);
  copyNamedFunctions(op, *module);
  auto operandTypes = types.take_front(op->getNumOperands()),
       resultTypes = types.drop_front(op->getNumOperands());
  auto subject =
      makeFunction(builder, *module, subjectName, loc, op->getOperandTypes(), op->getResultTypes());
  mlir::Operation *copy = builder.clone(*op);
  copy->setOperands(subject.getArguments());
  mlir::func::ReturnOp::create(builder, loc, copy->getResults());

  auto main = makeFunction(builder, *module, "main", loc, operandTypes, resultTypes);
  auto call = stablehlo::CustomCallOp::create(builder, loc, resultTypes,
                                              mlir::ValueRange(main.getArguments()));
  call.setCallTargetName(standInTarget);
  mlir::func::ReturnOp::create(builder, loc, call->getResults());
  call->setAttr(sdy::shardingRuleName, rule);
  if (mlir::Attribute reference = op->getAttr(referenceAttrName))
    call->setAttr(referenceAttrName, reference);
  else
    call->setAttr(subjectAttrName, mlir::SymbolRefAttr::get(subject));
  return module;
}

mlir::Operation *standInOf(mlir::ModuleOp module) {
  return &module.lookupSymbol<mlir::func::FuncOp>("main").getBody().front().front();
}

bool standsForKnownOp(mlir::Operation *op) { return op->hasAttr(subjectAttrName); }

//===- What they stand for -------------------------------------------------===//

static mlir::LogicalResult replaceBySubject(mlir::Operation *standIn, mlir::func::FuncOp func) {
  mlir::OpBuilder builder(standIn);
  mlir::Operation *copy = builder.clone(func.getBody().front().front());
  copy->setOperands(standIn->getOperands());
  for (auto [result, type] : llvm::zip(copy->getResults(), standIn->getResultTypes()))
    result.setType(type);
  copy->removeAttr(sdy::shardingName);
  copy->removeAttr(sdy::shardingRuleName);
  if (mlir::failed(mlir::verify(copy)))
    return mlir::failure();
  standIn->replaceAllUsesWith(copy->getResults());
  standIn->erase();
  return mlir::success();
}

/// Returns the ops of @main that have attribute `name`.
static llvm::SmallVector<mlir::Operation *> opsWith(mlir::ModuleOp module, llvm::StringRef name) {
  llvm::SmallVector<mlir::Operation *> found;
  module.lookupSymbol<mlir::func::FuncOp>("main").walk([&](mlir::Operation *op) {
    if (op->hasAttr(name))
      found.push_back(op);
  });
  return found;
}

static mlir::func::FuncOp functionNamed(mlir::ModuleOp module, mlir::Attribute name) {
  auto symbol = llvm::dyn_cast<mlir::FlatSymbolRefAttr>(name);
  return symbol ? module.lookupSymbol<mlir::func::FuncOp>(symbol.getValue()) : nullptr;
}

mlir::LogicalResult replaceSubjects(mlir::ModuleOp module) {
  for (mlir::Operation *op : opsWith(module, subjectAttrName))
    if (mlir::failed(replaceBySubject(op, functionNamed(module, op->getAttr(subjectAttrName)))))
      return mlir::failure();
  if (auto subject = module.lookupSymbol<mlir::func::FuncOp>(subjectName))
    subject.erase();
  return mlir::success();
}

} // namespace spmd
