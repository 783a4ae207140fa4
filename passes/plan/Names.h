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

  /// Returns what else an argument, a result or an op may be called, as `--spmd-explain` takes it:
  /// `%w`, `arg:3`, `result:0`, `%3` of an op, places such as `12:8`. No pattern stands for these.
  std::vector<std::string> aliasesOfArgument(mlir::func::FuncOp func, unsigned index);
  static std::vector<std::string> aliasesOfResult(unsigned index);
  std::vector<std::string> aliasesOfOp(mlir::Operation *op);

private:
  std::string inSource(mlir::Location location);
  std::string beforeEquals(mlir::Location location);
  std::optional<llvm::StringRef> lineOf(mlir::FileLineColLoc place);

  SourceFiles files;
};

/// Returns what a plan may call `location` by: names, `file:line` and `file:line:column`, the file
/// with its folders and without, of all that the location is made of.
std::vector<std::string> namesOfLocation(mlir::Location location);

/// Whether some argument of `func` has a name of the framework's, and not only that of the text or
/// its number: `arg0` is one that JAX writes without debug information.
bool hasFrameworkNames(mlir::func::FuncOp func);

/// What to do where a program has none, behind a semicolon.
inline constexpr llvm::StringLiteral namesAdvice =
    "; the program's text has no names of the framework: JAX writes them with "
    "lower(..).as_text(debug_info=True)";

} // namespace spmd
