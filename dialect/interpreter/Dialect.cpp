#include "spmd/dialect/interpreter/Dialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

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

/// Whether `attr` is a list of names of functions.
static bool isNames(Attribute attr) {
  auto list = llvm::dyn_cast<ArrayAttr>(attr);
  return list &&
         llvm::all_of(list, [](Attribute name) { return llvm::isa<FlatSymbolRefAttr>(name); });
}

LogicalResult RunParallelOp::verify() {
  if (getPrograms().empty())
    return emitOpError("has no programs; expected a row for each replica");
  size_t width = 0;
  for (Attribute row : getPrograms()) {
    if (!isNames(row) || llvm::cast<ArrayAttr>(row).empty())
      return emitOpError() << "has a row " << row << " in programs; expected names of functions";
    size_t size = llvm::cast<ArrayAttr>(row).size();
    if (width != 0 && size != width)
      return emitOpError() << "has rows of " << width << " and of " << size
                           << " programs; replicas have equally many partitions";
    width = size;
  }
  if (getInfeed() && !isNames(*getInfeed()))
    return emitOpError() << "has infeed " << *getInfeed() << "; expected names of functions";
  return success();
}

LogicalResult RunParallelOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto lookup = [&](Attribute name) -> func::FuncOp {
    auto symbol = llvm::cast<FlatSymbolRefAttr>(name);
    auto function = symbols.lookupNearestSymbolFrom<func::FuncOp>(*this, symbol);
    if (!function)
      emitOpError() << "names " << symbol << ", which is no function";
    return function;
  };
  SmallVector<Type> arguments, results;
  for (Attribute row : getPrograms())
    for (Attribute name : llvm::cast<ArrayAttr>(row)) {
      func::FuncOp function = lookup(name);
      if (!function)
        return failure();
      llvm::append_range(arguments, function.getArgumentTypes());
      llvm::append_range(results, function.getResultTypes());
    }
  if (llvm::to_vector(getOperandTypes()) != arguments)
    return emitOpError() << "has " << getNumOperands() << " operands that are not the "
                         << arguments.size() << " arguments of its programs";
  if (llvm::to_vector(getResultTypes()) != results)
    return emitOpError() << "has " << getNumResults() << " results that are not the "
                         << results.size() << " results of its programs";
  for (Attribute name : getInfeed().value_or(ArrayAttr::get(getContext(), {}))) {
    func::FuncOp function = lookup(name);
    if (!function)
      return failure();
    if (function.getNumArguments() != 0)
      return emitOpError() << "has infeed function " << name << " with "
                           << function.getNumArguments() << " arguments; expected none";
  }
  return success();
}
