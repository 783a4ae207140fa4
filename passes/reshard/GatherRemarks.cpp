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

/// Returns the dim of a result in which dim `factor` is merged with others that lie inside of it.
static std::optional<ResultDim> outerPlace(const OpRule &rule, int32_t factor) {
  auto isMore = [&](int32_t f) { return rule.factors[f].size > 1; };
  for (size_t r = 0; r < rule.results.size(); ++r)
    for (size_t d = 0; d < rule.results[r].size(); ++d) {
      const DimFactors &factors = rule.results[r][d];
      if (llvm::count_if(factors, isMore) > 1 && *llvm::find_if(factors, isMore) == factor)
        return ResultDim{r, d};
    }
  return std::nullopt;
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
      // Pieces of rows that are merged are pieces of what they become only if all are as long.
      std::optional<ResultDim> uneven =
          factors.size() == 1 && operands[i].shape[d] % sizeOf(axes) != 0
              ? outerPlace(strategy.rule, factors.front())
              : std::nullopt;
      if (isSplittable ? !inner && !uneven : isSplitElsewhere(strategies, i, d))
        continue;
      mlir::InFlightDiagnostic remark =
          op->emitRemark() << "'" << op->getName() << "' op operand " << i << " dim " << d
                           << " is gathered over " << str(toSpecs(meshAt(held.mesh), axes)) << "; ";
      if (!isSplittable)
        remark << "no algorithm splits what the op does along it";
      else if (!inner)
        remark << "its " << operands[i].shape[d] << " rows are cut unevenly, and so otherwise than "
               << "those of result " << uneven->result << " dim " << uneven->dim
               << ", into which it is merged; let the devices divide it, or keep the dims apart";
      else
        remark << "it is an inner part of result " << inner->result << " dim " << inner->dim
               << ", which is split from the outermost on; split another dim, or keep them apart";
    }
  }
}

} // namespace spmd
