#include "spmd/dialect/sdy/Replacing.h"

#include "spmd/dialect/sdy/Dialect.h"

namespace spmd::sdy {

void giveAttributes(mlir::Operation *made, mlir::Operation *replaced) {
  made->setDiscardableAttrs(replaced->getDiscardableAttrDictionary());
  using Types = mlir::TypeRange;
  if (Types(made->getOperands()) != Types(replaced->getOperands()) ||
      Types(made->getResults()) != Types(replaced->getResults()))
    made->removeDiscardableAttr(shardingRuleName);
}

} // namespace spmd::sdy
