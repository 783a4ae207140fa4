#include "spmd/passes/explain/Computations.h"

#include "spmd/dialect/sdy/InlineComputations.h"
#include "spmd/dialect/spmd/WrittenNames.h"

namespace spmd {

void inlineWithNames(mlir::ModuleOp module,
                     llvm::DenseMap<mlir::Operation *, Places::Border> &borders) {
  auto note = [&](mlir::Value was, mlir::Value is) {
    auto argument = llvm::dyn_cast<mlir::BlockArgument>(was);
    unsigned index =
        argument ? argument.getArgNumber() : llvm::cast<mlir::OpResult>(was).getResultNumber();
    auto op = llvm::cast<sdy::NamedComputationOp>(argument ? argument.getOwner()->getParentOp()
                                                           : was.getDefiningOp());
    sdy::ShardingPerValueAttr shardings =
        argument ? op.getInShardingsAttr() : op.getOutShardingsAttr();
    if (!shardings || !llvm::isa<mlir::RankedTensorType>(was.getType())) {
      for (const std::string &name : writtenNames(was))
        addOtherName(is, name);
      return;
    }
    mlir::Operation *constraint = is.getDefiningOp();
    constraint->setLoc(withNamesOf(was, withoutWrittenNames(was.getLoc())));
    borders[constraint] = {
        op.getNumResults() > 0 ? writtenName(op.getResult(0)) : "", describeValue(was),
        argument ? op.getInShardingsAttrName().str() : op.getOutShardingsAttrName().str(),
        shardings, index};
  };
  sdy::inlineNamedComputations(module, note);
}

} // namespace spmd
