#include "spmd/passes/propagate/BareMarkers.h"

#include "spmd/dialect/import/Shardings.h"
#include "spmd/dialect/spmd/ValueSharding.h"
#include "spmd/dialect/spmd/WrittenNames.h"
#include "spmd/passes/propagate/Lines.h"

#include "mlir/IR/Diagnostics.h"

namespace spmd {

void remarkBareMarkers(mlir::ModuleOp module) {
  module.walk([](mlir::Operation *op) {
    auto place = llvm::dyn_cast_if_present<mlir::LocationAttr>(
        op->removeDiscardableAttr(bareMarkerAttrName));
    ValueSharding found =
        place && op->getNumResults() == 1 ? shardingOf(op->getResult(0)) : ValueSharding();
    if (!found)
      return;
    sdy::ShardingAttr meant = closed(found.attr);
    mlir::Location loc(place);
    auto name = llvm::dyn_cast<mlir::NameLoc>(withoutWrittenNames(loc));
    mlir::InFlightDiagnostic remark =
        mlir::emitRemark(loc) << "'" << (name ? name.getName().getValue() : "stablehlo.custom_call")
                              << "' was meant to carry " << meant.getSpec().str()
                              << ", as far as what is around it tells";
    remark.attachNote(op->getLoc()) << "its operand is made here; to pin it, write: "
                                    << lineThatShards(op->getResult(0), innerText(meant));
  });
}

} // namespace spmd
