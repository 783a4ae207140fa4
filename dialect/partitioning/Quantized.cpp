// What quantization forbids, whatever the op: scales of a dim cannot be cut with it, and sums of
// rounded numbers differ from a rounded sum.

#include "spmd/dialect/partitioning/Families.h"

#include "mlir/Dialect/Quant/IR/QuantTypes.h"

namespace spmd {

bool isQuantizedAlongDim(mlir::Type type) {
  mlir::RankedTensorType tensor = type ? tensorTypeOf(type) : mlir::RankedTensorType();
  return tensor && llvm::isa<mlir::quant::UniformQuantizedPerAxisType>(tensor.getElementType());
}

static bool isQuantized(mlir::Type type) {
  mlir::RankedTensorType tensor = tensorTypeOf(type);
  return tensor && llvm::isa<mlir::quant::QuantizedType>(tensor.getElementType());
}

/// Marks the factors of tensors with scales along a dim, and those that share a dim with one.
static llvm::SmallVector<bool> factorsWithScales(const OpRule &rule,
                                                 llvm::ArrayRef<mlir::Type> types) {
  llvm::SmallVector<bool> marked(rule.numFactors(), false);
  auto mark = [&](const DimFactors &dim) {
    bool isNew = false;
    for (int32_t factor : dim)
      isNew |= !std::exchange(marked[factor], true);
    return isNew;
  };
  for (size_t i = 0; i < types.size(); ++i)
    if (isQuantizedAlongDim(types[i]))
      for (const DimFactors &dim : rule.tensor(i))
        mark(dim);
  bool changed = true;
  while (changed) { // At most once a factor.
    changed = false;
    for (size_t i = 0; i < types.size(); ++i)
      for (const DimFactors &dim : rule.tensor(i))
        if (llvm::any_of(dim, [&](int32_t factor) { return marked[factor]; }))
          changed |= mark(dim);
  }
  return marked;
}

/// Takes the `dropped` factors out of the rule: their dims stay whole, and nothing passes along
/// them.
static void dropFactors(Strategy &strategy, llvm::ArrayRef<bool> dropped) {
  std::vector<int32_t> newIndex(dropped.size(), -1);
  std::vector<Factor> kept;
  for (size_t f = 0; f < dropped.size(); ++f)
    if (!dropped[f]) {
      newIndex[f] = static_cast<int32_t>(kept.size());
      kept.push_back(strategy.rule.factors[f]);
    }
  strategy.rule.factors = std::move(kept);
  for (auto *tensors : {&strategy.rule.operands, &strategy.rule.results})
    for (TensorFactors &tensor : *tensors)
      for (DimFactors &dim : tensor) {
        if (llvm::any_of(dim, [&](int32_t factor) { return dropped[factor]; }))
          dim.clear();
        for (int32_t &factor : dim)
          factor = newIndex[factor];
      }
  llvm::erase_if(strategy.padding, [&](const PaddingNeed &need) { return dropped[need.factor]; });
  for (PaddingNeed &need : strategy.padding)
    need.factor = newIndex[need.factor];
}

void keepQuantizedWhole(mlir::Operation *op, Strategies &strategies) {
  llvm::SmallVector<mlir::Type> types(op->getOperandTypes());
  llvm::append_range(types, op->getResultTypes());
  if (llvm::none_of(types, isQuantized))
    return;
  for (Strategy &strategy : strategies) {
    for (Factor &factor : strategy.rule.factors)
      if (factor.kind == FactorKind::reduce)
        factor.kind = FactorKind::whole;
    dropFactors(strategy, factorsWithScales(strategy.rule, types));
  }
}

} // namespace spmd
