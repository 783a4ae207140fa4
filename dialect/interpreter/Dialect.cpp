#include "spmd/dialect/interpreter/Dialect.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace spmd::interpreter;

#include "spmd/dialect/interpreter/Dialect.cpp.inc"

#define GET_OP_CLASSES
#include "spmd/dialect/interpreter/Ops.cpp.inc"

void InterpreterDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "spmd/dialect/interpreter/Ops.cpp.inc"
      >();
}

LogicalResult RunParallelOp::verify() {
  if (getPrograms().empty() || cast<ArrayAttr>(getPrograms()[0]).empty())
    return emitOpError() << "programs names no function";
  size_t columns = cast<ArrayAttr>(getPrograms()[0]).size();
  for (auto [row, programs] : llvm::enumerate(getPrograms()))
    if (size_t count = cast<ArrayAttr>(programs).size(); count != columns)
      return emitOpError() << "row " << row << " of programs has " << count
                           << " functions, row 0 has " << columns;
  if (getInfeed() && getInfeed()->empty())
    return emitOpError() << "infeed names no function; leave it out where nothing comes in";
  return success();
}

/// Checks `ours`, the values that pass, against `theirs`, what the functions take or give.
static LogicalResult checkTypes(Operation *op, StringRef what, TypeRange ours,
                                ArrayRef<Type> theirs) {
  if (ours.size() != theirs.size())
    return op->emitOpError() << "has " << ours.size() << " " << what << "s, the programs have "
                             << theirs.size();
  for (size_t i = 0; i < ours.size(); ++i)
    if (ours[i] != theirs[i])
      return op->emitOpError() << what << " " << i << " has type " << ours[i]
                               << ", in its program it has type " << theirs[i];
  return success();
}

LogicalResult RunParallelOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto lookup = [&](Attribute name) -> FunctionOpInterface {
    auto function =
        symbols.lookupNearestSymbolFrom<FunctionOpInterface>(*this, cast<FlatSymbolRefAttr>(name));
    if (!function)
      emitOpError() << "names " << name << ", which is no function here";
    return function;
  };
  SmallVector<Type> arguments, results;
  for (Attribute row : getPrograms())
    for (Attribute name : cast<ArrayAttr>(row)) {
      FunctionOpInterface function = lookup(name);
      if (!function)
        return failure();
      llvm::append_range(arguments, function.getArgumentTypes());
      llvm::append_range(results, function.getResultTypes());
    }
  if (failed(checkTypes(*this, "operand", getOperandTypes(), arguments)) ||
      failed(checkTypes(*this, "result", getResultTypes(), results)))
    return failure();
  for (Attribute name : getInfeed() ? getInfeed()->getValue() : ArrayRef<Attribute>()) {
    FunctionOpInterface function = lookup(name);
    if (!function)
      return failure();
    if (function.getNumArguments() != 0)
      return emitOpError() << "infeed function " << name << " takes " << function.getNumArguments()
                           << " arguments, expected none";
    for (Type type : function.getResultTypes())
      if (!isa<RankedTensorType>(type))
        return emitOpError() << "infeed function " << name << " gives " << type
                             << ", expected tensors";
  }
  return success();
}
