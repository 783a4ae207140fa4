#include "spmd/ir/rules/Projection.h"

#include <algorithm>
#include <numeric>

namespace spmd {

/// Whether shards of a dim are of one size.
static bool isEven(const OpRule &rule, const DimFactors &dim, absl::Span<const AxisRef> axes) {
  int64_t size = 1, shards = 1;
  for (int32_t factor : dim)
    size *= rule.factors[factor].size;
  for (const AxisRef &ref : axes)
    shards *= ref.size;
  return size % shards == 0;
}

bool projectDim(const OpRule &rule, const DimFactors &dim, absl::Span<const AxisRef> axes,
                FactorAxes &factorAxes) {
  size_t at = 0;
  int64_t remaining = dim.empty() ? 1 : rule.factors[dim[0]].size;
  for (AxisRef ref : axes) {
    while (ref.size > 1) {
      while (remaining == 1 && at + 1 < dim.size())
        remaining = rule.factors[dim[++at]].size;
      if (at >= dim.size())
        return false;
      // The last factor takes what is left, whether it divides or not, if it is alone in the dim.
      if (dim.size() == 1 || remaining % ref.size == 0) {
        appendMerged(factorAxes[dim[at]], ref);
        remaining = remaining % ref.size == 0 ? remaining / ref.size : 1;
        break;
      }
      if (remaining == 1 || ref.size % remaining != 0) {
        // The major part of the axis may divide where all of it does not: 6 heads on an axis of 4.
        auto part = static_cast<int32_t>(std::gcd(remaining, ref.size));
        if (part > 1 && isEven(rule, dim, axes))
          appendMerged(factorAxes[dim[at]], {ref.axis, ref.preSize, part});
        return false;
      }
      appendMerged(factorAxes[dim[at]], {ref.axis, ref.preSize, static_cast<int32_t>(remaining)});
      ref = {ref.axis, static_cast<int32_t>(ref.preSize * remaining),
             static_cast<int32_t>(ref.size / remaining)};
      remaining = 1;
    }
  }
  return true;
}

FactorAxes project(const OpRule &rule, const TensorFactors &tensor, const Sharding &sharding,
                   bool *isExact) {
  FactorAxes factorAxes(rule.factors.size());
  bool exact = true;
  for (size_t d = 0; d < tensor.size(); ++d)
    exact &= projectDim(rule, tensor[d], sharding.dims[d].axes, factorAxes);
  if (isExact)
    *isExact = exact;
  return factorAxes;
}

AxisList unprojectDim(const OpRule &rule, const DimFactors &dim, const FactorAxes &factorAxes,
                      bool *isExact) {
  AxisList axes;
  bool full = true;
  for (int32_t factor : dim) {
    const AxisList &own = factorAxes[factor];
    if (!full) {
      if (isExact && !own.empty())
        *isExact = false;
      continue;
    }
    // Part of a dim must divide evenly: padding inside it would shift what follows.
    if (isExact && dim.size() > 1 && rule.factors[factor].size % sizeOf(own) != 0)
      *isExact = false;
    for (const AxisRef &ref : own)
      appendMerged(axes, ref);
    full = sizeOf(own) == rule.factors[factor].size;
  }
  return axes;
}

Sharding unproject(const OpRule &rule, const TensorFactors &tensor, const FactorAxes &factorAxes,
                   bool *isExact) {
  Sharding sharding;
  if (isExact)
    *isExact = true;
  sharding.dims.reserve(tensor.size());
  for (const DimFactors &dim : tensor)
    sharding.dims.push_back({unprojectDim(rule, dim, factorAxes, isExact)});
  return sharding;
}

} // namespace spmd
