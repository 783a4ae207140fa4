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

void Localizer::replaceWith(mlir::ValueRange values) {
  op->replaceAllUsesWith(values);
  op->erase();
}

} // namespace spmd
