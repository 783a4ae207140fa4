#include "spmd/passes/propagate/BareMarkers.h"

#include "spmd/dialect/import/Shardings.h"
#include "spmd/dialect/spmd/ValueSharding.h"
#include "spmd/passes/propagate/Lines.h"

#include "mlir/IR/Diagnostics.h"

namespace spmd {

void remarkBareMarkers(mlir::ModuleOp module) {
  SourceNames names;
  module.walk([&names](mlir::Operation *op) {
    auto name =
        llvm::dyn_cast_if_present<mlir::StringAttr>(op->removeDiscardableAttr(bareMarkerAttrName));
    ValueSharding found =
        name && op->getNumResults() == 1 ? shardingOf(op->getResult(0)) : ValueSharding();
    if (!found)
      return;
    sdy::ShardingAttr meant = closed(found.attr);
    mlir::emitRemark(op->getLoc())
        << name.getValue() << ", which takes this, was meant to carry " << meant.getSpec().str()
        << ", as far as what is around it tells; to pin it, write: "
        << lineThatShards(op->getResult(0), meant, names);
  });
}

} // namespace spmd
