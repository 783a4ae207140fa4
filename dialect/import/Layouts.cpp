#include "spmd/dialect/import/Layouts.h"

#include "spmd/dialect/stablehlo/Dialect.h"

namespace spmd {

void dropLayout(mlir::Operation *op) {
  mlir::DictionaryAttr attributes = op->getDiscardableAttrDictionary();
  if (attributes.empty() || !llvm::isa_and_present<stablehlo::StablehloDialect>(op->getDialect()))
    return;
  for (llvm::StringRef name : {"xla_shape", "result_layout"})
    if (attributes.contains(name))
      op->removeDiscardableAttr(name);
}

} // namespace spmd
