#include "spmd/dialect/partitioning/Localizer.h"

namespace spmd {

mlir::RankedTensorType localTypeOf(mlir::RankedTensorType type, const Sharding &sharding) {
  std::vector<int64_t> shape =
      localShape(sharding, absl::MakeConstSpan(type.getShape().data(), type.getRank()));
  return type.clone(shape);
}

mlir::RankedTensorType Localizer::localType(const Tensor &tensor) const {
  return localTypeOf(tensor.type, *tensor.sharding);
}

mlir::RankedTensorType LocalTypes::of(mlir::RankedTensorType type, const Sharding &sharding) {
  mlir::RankedTensorType &local = known[{type, &sharding}];
  if (!local)
    local = localTypeOf(type, sharding);
  return local;
}

void Localizer::setResultTypes() {
  for (mlir::OpResult result : op->getResults())
    if (const Tensor &tensor = results[result.getResultNumber()]; tensor.type)
      result.setType(withTensorType(result.getType(), types.of(tensor.type, *tensor.sharding)));
}

void setResultTypes(Localizer &localizer) { localizer.setResultTypes(); }

/// Returns the attributes of `op` whose dialect is not known, and that no tool of XLA writes.
static llvm::SmallVector<mlir::NamedAttribute> foreignAttributes(mlir::Operation *op) {
  llvm::SmallVector<mlir::NamedAttribute> foreign;
  for (mlir::NamedAttribute attribute : op->getRawDictionaryAttrs()) {
    llvm::StringRef name = attribute.getName();
    if (name.contains('.') && !name.starts_with("mhlo.") && !attribute.getNameDialect())
      foreign.push_back(attribute);
  }
  return foreign;
}

void Localizer::handAttributesOn(mlir::ValueRange values) {
  llvm::SmallVector<mlir::NamedAttribute> foreign = foreignAttributes(op);
  if (foreign.empty())
    return;
  llvm::SmallPtrSet<mlir::Operation *, 8> made;
  mlir::Operation *first = opBefore ? opBefore->getNextNode() : &op->getBlock()->front();
  for (mlir::Operation *each = first; each != op; each = each->getNextNode())
    made.insert(each);
  for (mlir::NamedAttribute attribute : foreign) {
    // A copy of the op has its attributes already.
    if (llvm::any_of(made, [&](mlir::Operation *each) {
          return each->getName() == op->getName() && each->hasAttr(attribute.getName());
        }))
      continue;
    for (mlir::Value value : values)
      if (mlir::Operation *maker = value.getDefiningOp();
          maker && made.contains(maker) && !maker->hasAttr(attribute.getName()))
        maker->setDiscardableAttr(attribute.getName(), attribute.getValue());
  }
}

void Localizer::replaceWith(mlir::ValueRange values) {
  handAttributesOn(values);
  op->replaceAllUsesWith(values);
  op->erase();
}

} // namespace spmd
