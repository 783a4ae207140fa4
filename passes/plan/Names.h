// What values are called, by those who wrote the program.
//
// The text of a program names its values (`%w1`), and the parser forgets it; frontends leave names
// in attributes and locations. A plan may use any of them.
#pragma once

#include "spmd/dialect/spmd/SourceFiles.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Location.h"

#include <string>
#include <vector>

namespace spmd {

class ValueNames {
public:
  /// Returns the names of argument `index` of `func`, the best first: how the text calls it, the
  /// name in its location, `jax.arg_info`, that of the result it is donated to, its number, `argN`.
  std::vector<std::string> ofArgument(mlir::func::FuncOp func, unsigned index);
  /// Returns the names of result `index` of `func`: `jax.result_info`, its number.
  static std::vector<std::string> ofResult(mlir::func::FuncOp func, unsigned index);

private:
  std::string inSource(mlir::Location location);

  SourceFiles files;
};

/// Returns what a plan may call `location` by: names, `file:line` and `file:line:column`, the file
/// with its folders and without, of all that the location is made of.
std::vector<std::string> namesOfLocation(mlir::Location location);

} // namespace spmd
