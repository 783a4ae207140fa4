#include "spmd/passes/reshard/GatherRemarks.h"

#include "spmd/ir/rules/AllSplits.h"

#include "mlir/IR/Diagnostics.h"

namespace spmd {

/// Whether some dim of `layout` is cut along any of `axes`.
static bool holdsAny(const Sharding &layout, absl::Span<const AxisRef> axes) {
  return llvm::any_of(layout.dims,
                      [&](const DimSharding &dim) { return overlaps(dim.axes, axes); });
}

void remarkOnGathers(mlir::Operation *op, const Strategies &strategies, const Choice &choice,
                     absl::Span<const TensorSituation> operands,
                     llvm::function_ref<const Mesh &(int32_t)> meshAt) {
  if (choice.operands.size() != operands.size())
    return;
  const Strategy &strategy = strategies[choice.strategy];
  if (strategy.rule.custom)
    return; // Its author knows.
  for (size_t i = 0; i < operands.size(); ++i) {
    const MeshSharding &held = *operands[i].sharding, &wanted = choice.operands[i];
    if (operands[i].isFree || held.mesh != wanted.mesh)
      continue;
    for (size_t d = 0; d < held.sharding.dims.size(); ++d) {
      const AxisList &axes = held.sharding.dims[d].axes;
      const DimFactors &factors = strategy.rule.operands[i][d];
      bool isSplittable = llvm::any_of(
          factors, [&](int32_t f) { return canSplit(strategy.rule, strategy.windows, f); });
      if (sizeOf(axes) > 1 && operands[i].shape[d] > 1 && !isSplittable &&
          !holdsAny(wanted.sharding, axes))
        op->emitRemark() << "'" << op->getName() << "' op operand " << i << " dim " << d
                         << " is gathered over " << str(toSpecs(meshAt(held.mesh), axes))
                         << "; no algorithm splits what the op does along it";
    }
  }
}

} // namespace spmd
