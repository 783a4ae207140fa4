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

void returnContents(mlir::func::FuncOp func, const BufferEffects &effects) {
  mlir::Operation *terminator = func.getBody().front().getTerminator();
  mlir::OpBuilder builder(terminator);
  BoundaryAttributes boundary(func);
  std::vector<Content> contents;
  for (mlir::BlockArgument argument : func.getArguments()) {
    unsigned index = argument.getArgNumber();
    mlir::NamedAttrList &attributes = boundary.ofArgument(index);
    bool isKept = attributes.erase(notDonatedAttrName) != nullptr;
    if (!isBuffer(argument) || !effects.writes(func, index) || attributes.get(donationName))
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
