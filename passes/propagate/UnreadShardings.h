// Shardings in a notation that is not read.
#pragma once

#include "mlir/IR/BuiltinOps.h"

namespace spmd {

/// Arguments, results and ops that have a `mhlo.sharding` (GSPMD's notation) and no `sdy.sharding`:
/// how many, and where the first ones are.
class UnreadShardings {
public:
  /// Looks at an op, and at the arguments and results if it is a function.
  void look(mlir::Operation *op);

  /// Warns, once for all of them, if there are any.
  void warn() const;

private:
  void add(mlir::DictionaryAttr attributes, mlir::Location location, const llvm::Twine &name);

  static constexpr size_t mostNamed = 3;
  size_t count = 0;
  llvm::SmallVector<std::pair<mlir::Location, std::string>, mostNamed> named;
};

} // namespace spmd
