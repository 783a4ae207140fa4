#include "spmd/dialect/spmd/Donation.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"

namespace spmd {

bool isDonated(mlir::Value value) {
  auto argument = llvm::dyn_cast<mlir::BlockArgument>(value);
  auto func =
      argument ? llvm::dyn_cast<mlir::func::FuncOp>(argument.getOwner()->getParentOp()) : nullptr;
  return func && func.getArgAttr(argument.getArgNumber(), donationName);
}

/// Checks that of argument `index`. `donors` are the arguments that results were given so far.
static mlir::LogicalResult check(mlir::func::FuncOp func, unsigned index,
                                 llvm::SmallDenseMap<unsigned, unsigned> &donors) {
  mlir::Attribute attribute = func.getArgAttr(index, donationName);
  if (!attribute)
    return mlir::success();
  mlir::Location location = func.isExternal() ? func.getLoc() : func.getArgument(index).getLoc();
  auto fail = [&] {
    return mlir::emitError(location) << "argument " << index << " has '" << donationName << "' ";
  };
  auto number = llvm::dyn_cast<mlir::IntegerAttr>(attribute);
  if (!number)
    return fail() << attribute << "; expected the number of a result";
  if (number.getValue().isNegative() || number.getValue().uge(func.getNumResults()))
    return fail() << llvm::toString(number.getValue(), 10, /*Signed=*/true) << "; there are "
                  << func.getNumResults() << " results";
  auto result = static_cast<unsigned>(number.getValue().getZExtValue());
  auto [donor, isFirst] = donors.try_emplace(result, index);
  if (!isFirst)
    return fail() << result << ", and so has argument " << donor->second
                  << "; a result takes over one buffer";
  auto from = llvm::dyn_cast<mlir::ShapedType>(func.getArgumentTypes()[index]);
  auto to = llvm::dyn_cast<mlir::ShapedType>(func.getResultTypes()[result]);
  bool isKnown = from && to && from.hasStaticShape() && to.hasStaticShape();
  if (!isKnown ||
      (from.getShape() == to.getShape() && from.getElementType() == to.getElementType()))
    return mlir::success();
  mlir::emitWarning(location) << "argument " << index << " of @" << func.getSymName() << ", "
                              << from << ", is donated to result " << result << ", " << to
                              << "; the donation is dropped";
  func.removeArgAttr(index, donationName);
  return mlir::success();
}

mlir::LogicalResult checkDonations(mlir::ModuleOp module) {
  bool ok = true;
  for (auto func : module.getOps<mlir::func::FuncOp>()) {
    llvm::SmallDenseMap<unsigned, unsigned> donors;
    for (unsigned i = 0; i < func.getNumArguments(); ++i)
      ok &= mlir::succeeded(check(func, i, donors));
  }
  return mlir::success(ok);
}

} // namespace spmd
