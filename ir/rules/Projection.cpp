#include "spmd/ir/rules/Projection.h"

#include <algorithm>

namespace spmd {

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
      if (remaining == 1 || ref.size % remaining != 0)
        return false;
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
  for (const DimFactors &dim : tensor)
    sharding.dims.push_back({unprojectDim(rule, dim, factorAxes, isExact)});
  return sharding;
}

/// Collects the axes of reduce factors, in mesh order and merged.
static AxisList reducedAxes(const OpRule &rule, const FactorAxes &factorAxes) {
  AxisList axes, merged;
  for (int64_t f = 0; f < rule.numFactors(); ++f)
    if (leavesPartial(rule.factors[f].kind))
      axes.insert(axes.end(), factorAxes[f].begin(), factorAxes[f].end());
  std::sort(axes.begin(), axes.end());
  for (const AxisRef &ref : axes)
    appendMerged(merged, ref);
  return merged;
}

/// Puts what `tensor` says of its factors under `sharding` into `factorAxes`, which `isSeen` tells
/// to be known from other tensors; false if they do not fit.
static bool mergeSplit(const OpRule &rule, const TensorFactors &tensor, const Sharding &sharding,
                       FactorAxes &factorAxes, std::vector<bool> &isSeen, FactorAxes &own) {
  if (sharding.dims.size() != tensor.size())
    return false;
  for (size_t d = 0; d < tensor.size(); ++d) {
    for (int32_t factor : tensor[d])
      own[factor].clear();
    const AxisList &axes = sharding.dims[d].axes;
    if ((tensor[d].empty() && !axes.empty()) || !projectDim(rule, tensor[d], axes, own))
      return false;
    for (int32_t factor : tensor[d]) {
      if (isSeen[factor] && factorAxes[factor] != own[factor])
        return false;
      isSeen[factor] = true;
      factorAxes[factor] = own[factor];
    }
  }
  return true;
}

std::optional<FactorAxes> splitOf(const OpRule &rule, absl::Span<const Sharding *const> tensors) {
  FactorAxes factorAxes(rule.factors.size()), own(rule.factors.size());
  std::vector<bool> isSeen(rule.factors.size(), false);
  for (size_t t = 0; t < tensors.size(); ++t)
    if (tensors[t] && !mergeSplit(rule, rule.tensor(t), *tensors[t], factorAxes, isSeen, own))
      return std::nullopt;
  AxisList reduced = reducedAxes(rule, factorAxes);
  for (size_t t = 0; t < tensors.size(); ++t)
    if (tensors[t] && tensors[t]->unreduced != (t < rule.operands.size() ? AxisList() : reduced))
      return std::nullopt;
  return factorAxes;
}

} // namespace spmd
