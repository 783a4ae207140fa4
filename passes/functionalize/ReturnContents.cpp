#include "spmd/dialect/sdy/Dialect.h"
#include "spmd/dialect/spmd/Donation.h"
#include "spmd/dialect/spmd/ValueSharding.h"
#include "spmd/passes/functionalize/Functionalize.h"
#include "spmd/passes/functionalize/Results.h"

namespace spmd {

/// Lets the program write a copy of `argument`, which stays as it is. Returns the copy.
static mlir::Value copyOf(mlir::BlockArgument argument) {
  mlir::OpBuilder builder = mlir::OpBuilder::atBlockBegin(argument.getOwner());
  auto copy = AllocOp::create(builder, argument.getLoc(), argument.getType());
  if (ValueSharding pin = pinOf(argument))
    setShardings(copy, {pin});
  argument.replaceAllUsesWith(copy);
  auto load = LoadOp::create(builder, argument.getLoc(), argument);
  StoreOp::create(builder, argument.getLoc(), load, copy);
  return copy;
}

/// Returns what `tensor` is, whatever it is pinned to.
static mlir::Value withoutPins(mlir::Value tensor) {
  while (auto constraint = tensor.getDefiningOp<sdy::ShardingConstraintOp>())
    tensor = constraint.getInput();
  return tensor;
}

/// Returns whether result `number` of the function of `argument`, which it writes, is what that
/// holds at the end: what was stored last, or a load behind it. One that there is not is reported
/// where donations are checked.
static bool isReturned(mlir::BlockArgument argument, uint64_t number) {
  mlir::Operation *terminator = argument.getOwner()->getTerminator();
  if (number >= terminator->getNumOperands())
    return true;
  StoreOp last;
  for (mlir::Operation *user : argument.getUsers())
    if (auto store = llvm::dyn_cast<StoreOp>(user); store && (!last || last->isBeforeInBlock(user)))
      last = store;
  mlir::Value result = withoutPins(terminator->getOperand(number));
  auto load = result.getDefiningOp<LoadOp>();
  return last && (result == withoutPins(last.getValue()) ||
                  (load && load.getBuffer() == argument && last->isBeforeInBlock(load)));
}

/// Takes a donation from `attributes`, those of `argument`, that would lose what is written there.
static void dropFalseDonation(mlir::BlockArgument argument, mlir::NamedAttrList &attributes,
                              bool isWritten, bool isKept) {
  auto donation = llvm::dyn_cast_if_present<mlir::IntegerAttr>(attributes.get(donationName));
  if (!donation || (!isKept && (!isWritten || isReturned(argument, donation.getInt()))))
    return;
  mlir::InFlightDiagnostic warning = mlir::emitWarning(argument.getLoc())
                                     << "argument " << argument.getArgNumber()
                                     << " is donated to result " << donation.getInt();
  if (isKept)
    warning << ", and has '" << notDonatedAttrName << "'; the donation is dropped";
  else
    warning << ", which is not what it holds at the end; the donation is dropped, and what it "
               "holds is a further result";
  attributes.erase(donationName);
}

void returnContents(mlir::func::FuncOp func, const BufferEffects &effects) {
  mlir::Operation *terminator = func.getBody().front().getTerminator();
  mlir::OpBuilder builder(terminator);
  BoundaryAttributes boundary(func);
  std::vector<Content> contents;
  for (mlir::BlockArgument argument : func.getArguments()) {
    unsigned index = argument.getArgNumber();
    mlir::NamedAttrList &attributes = boundary.ofArgument(index);
    bool isKept = attributes.erase(notDonatedAttrName) != nullptr;
    bool isWritten = isBuffer(argument) && effects.writes(func, index);
    dropFalseDonation(argument, attributes, isWritten, isKept);
    if (!isWritten || attributes.get(donationName))
      continue;
    mlir::Value buffer = isKept ? copyOf(argument) : argument;
    contents.push_back({index, LoadOp::create(builder, terminator->getLoc(), buffer)});
    if (!isKept)
      attributes.set(donationName,
                     builder.getI32IntegerAttr(func.getNumResults() + contents.size() - 1));
  }
  boundary.write();
  appendResults(func, contents);
}

} // namespace spmd
