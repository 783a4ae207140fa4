// What the file that a value was read from calls it, where nobody kept the name.
#pragma once

#include "spmd/dialect/spmd/SourceFiles.h"

#include "mlir/IR/Location.h"
#include "mlir/IR/Value.h"

#include <string>

namespace spmd {

/// Reads names out of files, each once: messages about some values need not keep those of all.
class SourceNames {
public:
  /// Returns `%3`, or `%3#1` for a result of several, as `writtenName` does or else as the file has
  /// it at the location of `value`; empty where there is no file, or something else stands there.
  std::string of(mlir::Value value);

  /// Returns what the file calls the first operand of `op`, of which only the op itself may be
  /// left; empty as above.
  std::string ofOperand(mlir::Operation *op);

private:
  /// Returns the line that a place is in, cut there; nothing if it is in no file.
  std::optional<std::pair<llvm::StringRef, llvm::StringRef>> cutLine(mlir::FileLineColLoc place);

  SourceFiles files;
};

} // namespace spmd
