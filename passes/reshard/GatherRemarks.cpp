#include "spmd/passes/reshard/GatherRemarks.h"

#include "spmd/ir/rules/AllSplits.h"

#include "mlir/IR/Diagnostics.h"

namespace spmd {

/// Whether some dim of `layout` is cut along any of `axes`.
static bool holdsAny(const Sharding &layout, absl::Span<const AxisRef> axes) {
  return llvm::any_of(layout.dims,
                      [&](const DimSharding &dim) { return overlaps(dim.axes, axes); });
}

/// Whether some other strategy splits dim `d` of operand `i`: what it costs decided against it.
static bool isSplitElsewhere(const Strategies &strategies, size_t i, size_t d) {
  return llvm::any_of(strategies, [&](const Strategy &strategy) {
    const DimFactors &factors = strategy.rule.operands[i][d];
    return !factors.empty() && canSplit(strategy.rule, strategy.windows, factors.front());
  });
}

/// Whether what a rule says of a dim is the user's.
static bool isUsers(const OpRule &rule, const DimFactors &factors) {
  return factors.empty() ? rule.custom
                         : llvm::any_of(factors, [&](int32_t f) { return rule.factors[f].custom; });
}

void remarkOnGathers(mlir::Operation *op, const Strategies &strategies, const Choice &choice,
                     absl::Span<const TensorSituation> operands,
                     llvm::function_ref<const Mesh &(int32_t)> meshAt) {
  if (choice.operands.size() != operands.size())
    return;
  const Strategy &strategy = strategies[choice.strategy];
  for (size_t i = 0; i < operands.size(); ++i) {
    const MeshSharding &held = *operands[i].sharding, &wanted = choice.operands[i];
    if (operands[i].isFree || held.mesh != wanted.mesh)
      continue;
    for (size_t d = 0; d < held.sharding.dims.size(); ++d) {
      const AxisList &axes = held.sharding.dims[d].axes;
      const DimFactors &factors = strategy.rule.operands[i][d];
      if (sizeOf(axes) <= 1 || operands[i].shape[d] <= 1 || holdsAny(wanted.sharding, axes))
        continue;
      if (isUsers(strategy.rule, factors))
        continue; // Who wrote it knows.
      bool isSplittable = llvm::any_of(
          factors, [&](int32_t f) { return canSplit(strategy.rule, strategy.windows, f); });
      std::optional<ResultDim> inner =
          factors.size() == 1 ? innerPlace(strategy.rule, factors.front()) : std::nullopt;
      if (isSplittable ? !inner : isSplitElsewhere(strategies, i, d))
        continue;
      mlir::InFlightDiagnostic remark =
          op->emitRemark() << "'" << op->getName() << "' op operand " << i << " dim " << d
                           << " is gathered over " << str(toSpecs(meshAt(held.mesh), axes)) << "; ";
      if (!isSplittable)
        remark << "no algorithm splits what the op does along it";
      else
        remark << "it is an inner part of result " << inner->result << " dim " << inner->dim
               << ", which is split from the outermost on; split another dim, or keep them apart";
    }
  }
}

} // namespace spmd
