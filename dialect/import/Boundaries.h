// Where a program says shardings: the arguments and results of its functions, and ops.
#pragma once

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"

#include <string>

namespace spmd {

/// An argument or a result of a function.
struct BoundaryValue {
  std::string name;                ///< "argument 0 of @main"
  mlir::Location location;         ///< Of a result, its function's.
  mlir::DictionaryAttr attributes; ///< May be null.
  mlir::Type type;
  unsigned index;
  bool isResult;
};

/// Calls `visit` with each argument of `function`, and then with each result.
template <typename Visit> void forEachBoundary(mlir::func::FuncOp function, Visit visit) {
  auto name = [&](llvm::StringRef kind, unsigned i) {
    return (kind + " " + llvm::Twine(i) + " of @" + function.getSymName()).str();
  };
  for (auto [i, type] : llvm::enumerate(function.getArgumentTypes())) {
    unsigned index = static_cast<unsigned>(i);
    mlir::Location location =
        function.isExternal() ? function.getLoc() : function.getArgument(index).getLoc();
    visit(BoundaryValue{name("argument", index), location, function.getArgAttrDict(index), type,
                        index, false});
  }
  for (auto [i, type] : llvm::enumerate(function.getResultTypes())) {
    unsigned index = static_cast<unsigned>(i);
    visit(BoundaryValue{name("result", index), function.getLoc(), function.getResultAttrDict(index),
                        type, index, true});
  }
}

/// Where a program says a sharding: at an op, or at an argument or a result.
struct SaidAt {
  SaidAt(mlir::Operation *op) : op(op), location(op->getLoc()) {}
  SaidAt(const BoundaryValue &value) : location(value.location), name(value.name) {}

  /// The message begins with the name of an argument or a result.
  mlir::InFlightDiagnostic emitError() const {
    if (op)
      return op->emitError();
    return std::move(mlir::emitError(location) << name << ": ");
  }

  mlir::Operation *op = nullptr;
  mlir::Location location;
  std::string name;
};

} // namespace spmd
