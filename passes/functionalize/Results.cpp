#include "spmd/passes/functionalize/Results.h"

#include "spmd/dialect/spmd/ValueSharding.h"

namespace spmd {

void appendResults(mlir::func::FuncOp func, llvm::ArrayRef<Content> contents) {
  if (contents.empty())
    return;
  mlir::Operation *terminator = func.getBody().front().getTerminator();
  llvm::SmallVector<mlir::Value> returned(terminator->getOperands());
  llvm::SmallVector<mlir::Type> types(func.getResultTypes());
  for (const Content &content : contents) {
    returned.push_back(content.tensor);
    types.push_back(content.tensor.getType());
  }
  unsigned next = func.getNumResults();
  llvm::SmallVector<mlir::DictionaryAttr> attrs;
  func.getAllResultAttrs(attrs);
  terminator->setOperands(returned);
  func.setFunctionType(mlir::FunctionType::get(func.getContext(), func.getArgumentTypes(), types));
  attrs.resize(types.size(), mlir::DictionaryAttr::get(func.getContext()));
  func.setAllResultAttrs(attrs);
  BoundaryAttributes boundary(func);
  for (const Content &content : contents) {
    if (ValueSharding sharding = shardingOf(func.getArgument(content.argument)))
      setSharding(boundary.ofResult(next), sharding);
    ++next;
  }
  boundary.write();
}

} // namespace spmd
