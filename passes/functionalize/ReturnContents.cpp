#include "spmd/dialect/spmd/Donation.h"
#include "spmd/passes/functionalize/Functionalize.h"
#include "spmd/passes/functionalize/Results.h"

namespace spmd {

void returnContents(mlir::func::FuncOp func, const BufferEffects &effects) {
  mlir::Operation *terminator = func.getBody().front().getTerminator();
  mlir::OpBuilder builder(terminator);
  std::vector<Content> contents;
  for (mlir::BlockArgument argument : func.getArguments()) {
    unsigned index = argument.getArgNumber();
    if (!isBuffer(argument) || !effects.writes(func, index) || func.getArgAttr(index, donationName))
      continue;
    contents.push_back({index, LoadOp::create(builder, terminator->getLoc(), argument)});
    func.setArgAttr(index, donationName,
                    builder.getI32IntegerAttr(func.getNumResults() + contents.size() - 1));
  }
  appendResults(func, contents);
}

} // namespace spmd
