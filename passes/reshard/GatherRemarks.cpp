#include "spmd/passes/reshard/GatherRemarks.h"

#include "spmd/ir/rules/AllSplits.h"

#include "mlir/IR/Diagnostics.h"

namespace spmd {

/// Whether some dim of `layout` is cut along any of `axes`.
static bool holdsAny(const Sharding &layout, absl::Span<const AxisRef> axes) {
  return llvm::any_of(layout.dims,
                      [&](const DimSharding &dim) { return overlaps(dim.axes, axes); });
}

/// Returns the dim of a result in which `factor` stands behind others of more than one row, so that
/// it cannot be split there alone: "result 0 dim 1"; empty if some result has it first, or none.
static std::string innerPlace(const OpRule &rule, int32_t factor) {
  std::string place;
  for (size_t r = 0; r < rule.results.size(); ++r)
    for (size_t d = 0; d < rule.results[r].size(); ++d) {
      const DimFactors &factors = rule.results[r][d];
      if (!llvm::is_contained(factors, factor))
        continue;
      auto major = llvm::find_if(factors, [&](int32_t f) { return rule.factors[f].size > 1; });
      if (major != factors.end() && *major == factor)
        return "";
      place = "result " + std::to_string(r) + " dim " + std::to_string(d);
    }
  return place;
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
      std::string inner = factors.size() == 1 ? innerPlace(strategy.rule, factors.front()) : "";
      if (isSplittable ? inner.empty() : isSplitElsewhere(strategies, i, d))
        continue;
      mlir::InFlightDiagnostic remark =
          op->emitRemark() << "'" << op->getName() << "' op operand " << i << " dim " << d
                           << " is gathered over " << str(toSpecs(meshAt(held.mesh), axes)) << "; ";
      if (!isSplittable)
        remark << "no algorithm splits what the op does along it";
      else
        remark << "it is an inner part of " << inner
               << ", which is split from the outermost on; split another dim, or keep them apart";
    }
  }
}

} // namespace spmd
