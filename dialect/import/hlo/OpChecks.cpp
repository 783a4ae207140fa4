#include "spmd/dialect/import/hlo/OpChecks.h"

#include "mlir/IR/OpDefinition.h"

namespace spmd::import_hlo {

void OpChecks::notifyOperationInserted(mlir::Operation *op, mlir::OpBuilder::InsertPoint) {
  // A terminator may ask for the op that it ends a region of, which is made after it.
  if (!op->hasTrait<mlir::OpTrait::IsTerminator>())
    check(op);
}

void OpChecks::check(mlir::Operation *op) {
  std::optional<mlir::RegisteredOperationName> name = op->getRegisteredInfo();
  if (failed || !name)
    return;
  failed = mlir::failed(name->verifyInvariants(op));
  for (mlir::Region &region : op->getRegions())
    for (mlir::Block &block : region)
      if (!failed && !block.empty())
        check(&block.back());
  if (!failed && op->getNumRegions() > 0)
    failed = mlir::failed(name->verifyRegionInvariants(op));
  if (llvm::isa<mlir::SymbolUserOpInterface>(op))
    symbolUsers.push_back(op);
}

mlir::LogicalResult OpChecks::finish() {
  mlir::SymbolTableCollection tables;
  for (mlir::Operation *op : symbolUsers)
    failed = failed ||
             mlir::failed(llvm::cast<mlir::SymbolUserOpInterface>(op).verifySymbolUses(tables));
  return mlir::failure(failed);
}

} // namespace spmd::import_hlo
