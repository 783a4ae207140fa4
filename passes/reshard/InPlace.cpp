#include "spmd/passes/reshard/InPlace.h"

#include "spmd/dialect/partitioning/Partitionable.h"
#include "spmd/dialect/spmd/Donation.h"

#include "mlir/IR/Diagnostics.h"

namespace spmd {

bool takesOverArgument(mlir::func::FuncOp func, mlir::Value value) {
  return llvm::any_of(value.getUses(), [&](mlir::OpOperand &use) {
    if (!llvm::isa<mlir::func::ReturnOp>(use.getOwner()) || use.getOwner()->getParentOp() != func)
      return false;
    for (unsigned i = 0; i < func.getNumArguments(); ++i)
      if (auto result = func.getArgAttrOfType<mlir::IntegerAttr>(i, donationName);
          result && result.getInt() == use.getOperandNumber())
        return true;
    return false;
  });
}

void warnIfWrittenOtherwise(mlir::Operation *op, mlir::Value value, int32_t wanted, Values &values,
                            Layouts &layouts, ReshardCosts &costs) {
  mlir::Value made = value;
  while (auto move = made.getDefiningOp<sdy::ReshardOp>())
    made = move.getInput();
  mlir::RankedTensorType type = tensorTypeOf(made);
  int32_t held = type ? values.layoutOf(made) : -1;
  if (held < 0 || wanted < 0 || held == wanted || values.isFree(made) ||
      costs.cost(layouts[held], layouts[wanted],
                 absl::MakeConstSpan(type.getShape().data(), type.getRank()),
                 elementBits(type.getElementType())) <= 0)
    return;
  mlir::InFlightDiagnostic warning =
      mlir::emitWarning(op->getLoc())
      << "what is written in place comes as " << layouts.attr(held).getSpec().str()
      << ", and moves to " << layouts.attr(wanted).getSpec().str() << ", as what it updates lies";
  warning.attachNote(made.getLoc()) << "it is made here";
}

} // namespace spmd
