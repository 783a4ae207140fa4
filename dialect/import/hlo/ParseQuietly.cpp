#include "spmd/dialect/import/hlo/ParseQuietly.h"

#include "spmd/dialect/import/hlo/Depth.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Diagnostics.h"

namespace spmd {

/// MLIR 22's parser ends the process at an array of index.
static bool hasIndexArray(llvm::StringRef text) {
  constexpr llvm::StringLiteral start = "array<";
  for (size_t at = text.find(start); at != llvm::StringRef::npos; at = text.find(start, at + 1))
    if (text.drop_front(at + start.size()).ltrim().starts_with("index"))
      return true;
  return false;
}

mlir::Attribute parseQuietly(llvm::StringRef text, mlir::MLIRContext &context) {
  if (hasIndexArray(text) || findTooDeep(text) != llvm::StringRef::npos)
    return {};
  mlir::ScopedDiagnosticHandler silent(&context,
                                       [](mlir::Diagnostic &) { return mlir::success(); });
  return mlir::parseAttribute(text, &context);
}

} // namespace spmd
