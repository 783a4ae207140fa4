#include "spmd/passes/reshard/InPlace.h"

#include "spmd/dialect/partitioning/Partitionable.h"
#include "spmd/dialect/spmd/Donation.h"
#include "spmd/passes/reshard/Moves.h"

#include "mlir/IR/Diagnostics.h"

namespace spmd {

mlir::Value bufferOf(mlir::Operation *op) {
  for (mlir::ValueRange values :
       {mlir::ValueRange(op->getOperands()), mlir::ValueRange(op->getResults())})
    for (mlir::Value value : values)
      if (llvm::isa<BufferType>(value.getType()))
        return value;
  return nullptr;
}

mlir::Value argumentTakenOver(mlir::func::FuncOp func, mlir::Value value) {
  for (mlir::OpOperand &use : value.getUses()) {
    if (!llvm::isa<mlir::func::ReturnOp>(use.getOwner()) || use.getOwner()->getParentOp() != func)
      continue;
    for (unsigned i = 0; i < func.getNumArguments(); ++i)
      if (auto result = func.getArgAttrOfType<mlir::IntegerAttr>(i, donationName);
          result && result.getInt() == use.getOperandNumber())
        return func.getArgument(i);
  }
  return {};
}

namespace {

class MoveFinder {
public:
  MoveFinder(mlir::Value updated, Values &values, Layouts &layouts, ReshardCosts &costs)
      : updated(updated), values(values), layouts(layouts), costs(costs) {}

  /// Warns, and returns true, if `made`, which is to be written, must be moved for that.
  bool warnIfMoved(mlir::Operation *op, mlir::Value made, int32_t wanted) {
    if (!isCostly(made, wanted))
      return false;
    mlir::InFlightDiagnostic warning = mlir::emitWarning(op->getLoc())
                                       << "what is written in place comes as "
                                       << layouts.attr(values.layoutOf(made)).getSpec().str()
                                       << ", and moves to " << layouts.attr(wanted).getSpec().str()
                                       << ", as what it updates lies";
    warning.attachNote(made.getLoc()) << "it is made here";
    return true;
  }

  /// Warns, and returns true, if what was there is moved for the op that makes `made` of it, and
  /// comes back with it.
  bool warnIfTakenAlong(mlir::Operation *op, mlir::Value made, int32_t wanted) {
    mlir::Operation *maker = made.getDefiningOp();
    for (mlir::Value operand : maker ? maker->getOperands() : mlir::ValueRange()) {
      mlir::Value from = beforeMoves(operand);
      int32_t to = from != operand && isWhatWasThere(from) ? values.layoutOf(operand) : -1;
      if (to < 0 || to == wanted || !isCostly(from, to))
        continue;
      mlir::InFlightDiagnostic warning = mlir::emitWarning(op->getLoc())
                                         << "what is updated in place lies as "
                                         << layouts.attr(wanted).getSpec().str()
                                         << ", and moves to " << layouts.attr(to).getSpec().str()
                                         << " and back, as the op that updates it wants it";
      warning.attachNote(maker->getLoc()) << "the op is here";
      return true;
    }
    return false;
  }

  /// Warns if what was there stays, and what the op that makes `made` puts to it is a sum of which
  /// each device has a share: these are added up at every write.
  void warnIfAddedUp(mlir::Operation *op, mlir::Value made, int32_t wanted) {
    mlir::Operation *maker = made.getDefiningOp();
    if (!maker || llvm::none_of(maker->getOperands(),
                                [&](mlir::Value operand) { return isWhatWasThere(operand); }))
      return;
    for (mlir::Value operand : maker->getOperands()) {
      mlir::Value shares = beforeMoves(operand);
      int32_t held = shares != operand ? values.layoutOf(shares) : -1;
      if (held < 0 || layouts.attr(held).getSpec().unreduced.empty())
        continue;
      mlir::InFlightDiagnostic warning = mlir::emitWarning(op->getLoc())
                                         << "what updates in place comes as "
                                         << layouts.attr(held).getSpec().str()
                                         << ", shares of a sum, and is added up, as what it "
                                            "updates lies as "
                                         << layouts.attr(wanted).getSpec().str();
      warning.attachNote(shares.getLoc()) << "it is made here";
      return;
    }
  }

  static mlir::Value beforeMoves(mlir::Value value) {
    while (auto move = value.getDefiningOp<sdy::ReshardOp>())
      value = move.getInput();
    return value;
  }

private:
  bool isWhatWasThere(mlir::Value value) const {
    auto load = value.getDefiningOp<LoadOp>();
    return value == updated || (load && load.getBuffer() == updated);
  }

  /// Whether data moves where `value` comes to `wanted`.
  bool isCostly(mlir::Value value, int32_t wanted) {
    mlir::RankedTensorType type = tensorTypeOf(value);
    int32_t held = type ? values.layoutOf(value) : -1;
    return held >= 0 && wanted >= 0 && held != wanted && !values.isFree(value) &&
           costs.cost(layouts[held], layouts[wanted],
                      absl::MakeConstSpan(type.getShape().data(), type.getRank()),
                      elementBits(type.getElementType())) > 0;
  }

  mlir::Value updated;
  Values &values;
  Layouts &layouts;
  ReshardCosts &costs;
};

} // namespace

void warnIfWrittenOtherwise(mlir::Operation *op, mlir::Value value, mlir::Value updated,
                            int32_t wanted, Values &values, Layouts &layouts, ReshardCosts &costs) {
  MoveFinder finder(updated, values, layouts, costs);
  mlir::Value made = MoveFinder::beforeMoves(value);
  if (!finder.warnIfMoved(op, made, wanted) && !finder.warnIfTakenAlong(op, made, wanted))
    finder.warnIfAddedUp(op, made, wanted);
}

} // namespace spmd
