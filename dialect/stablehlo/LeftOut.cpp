#include "spmd/dialect/stablehlo/LeftOut.h"

#include "mlir/IR/BuiltinDialect.h"
#include "mlir/IR/DialectResourceBlobManager.h"

namespace spmd {

bool isLeftOut(mlir::Attribute value) {
  auto resource = llvm::dyn_cast_if_present<mlir::DenseResourceElementsAttr>(value);
  return resource && !resource.getRawHandle().getBlob();
}

mlir::ElementsAttr leftOutValue(mlir::RankedTensorType type) {
  constexpr llvm::StringLiteral name = "__elided__";
  auto &manager = mlir::DenseResourceElementsHandle::getManagerInterface(type.getContext());
  mlir::DialectResourceBlobManager::BlobEntry *entry = manager.getBlobManager().lookup(name);
  bool isEmpty = entry && !entry->getBlob(); // One with data is somebody else's.
  auto *dialect = type.getContext()->getLoadedDialect<mlir::BuiltinDialect>();
  mlir::DenseResourceElementsHandle handle =
      isEmpty ? mlir::DenseResourceElementsHandle(entry, dialect) : manager.insert(name);
  return mlir::DenseResourceElementsAttr::get(type, handle);
}

} // namespace spmd
