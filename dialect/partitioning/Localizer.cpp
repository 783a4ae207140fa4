#include "spmd/dialect/partitioning/Localizer.h"

namespace spmd {

mlir::RankedTensorType localTypeOf(mlir::RankedTensorType type, const Sharding &sharding) {
  std::vector<int64_t> shape =
      localShape(sharding, absl::MakeConstSpan(type.getShape().data(), type.getRank()));
  return type.clone(shape);
}

Localizer::Localizer(mlir::Operation *op, const Mesh &mesh, Positions &positions,
                     const Strategy *strategy, llvm::ArrayRef<Tensor> operands,
                     llvm::ArrayRef<Tensor> results)
    : op(op), builder(op), mesh(mesh), positions(positions), strategy(strategy), operands(operands),
      results(results) {
  if (!strategy)
    return;
  axesOfFactors.resize(strategy->rule.numFactors());
  auto take = [&](const TensorFactors &factors, const Tensor &tensor) {
    if (!tensor.type)
      return;
    FactorAxes own = project(strategy->rule, factors, *tensor.sharding);
    for (size_t f = 0; f < own.size(); ++f)
      if (axesOfFactors[f].empty())
        axesOfFactors[f] = std::move(own[f]);
  };
  for (size_t i = 0; i < operands.size(); ++i)
    take(strategy->rule.operands[i], operands[i]);
  for (size_t i = 0; i < results.size(); ++i)
    take(strategy->rule.results[i], results[i]);
}

mlir::RankedTensorType Localizer::localType(const Tensor &tensor) const {
  return localTypeOf(tensor.type, *tensor.sharding);
}

void Localizer::setResultTypes() {
  for (mlir::OpResult result : op->getResults())
    if (const Tensor &tensor = results[result.getResultNumber()]; tensor.type)
      result.setType(localType(tensor));
}

void setResultTypes(Localizer &localizer) { localizer.setResultTypes(); }

void Localizer::replaceWith(mlir::ValueRange values) {
  op->replaceAllUsesWith(values);
  op->erase();
}

} // namespace spmd
