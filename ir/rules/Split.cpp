#include "spmd/ir/rules/Split.h"

#include "spmd/ir/sharding/Excluding.h"

#include <algorithm>

namespace spmd {

std::optional<PartialState> passedOn(const Strategy &strategy,
                                     absl::Span<const Sharding *const> operands) {
  PartialState held, passed;
  Passing passing = Passing::no;
  int numPartial = 0;
  for (size_t i = 0; i < operands.size(); ++i) {
    if (!operands[i] || operands[i]->unreduced.empty())
      continue;
    if (i >= strategy.commuting.size())
      return std::nullopt;
    PartialState own = {operands[i]->unreduced, operands[i]->kind};
    const Commuting::Entry &entry = strategy.commuting[i][own.kind];
    PartialState left = {own.axes, entry.becomes};
    bool fits = numPartial == 0 || (own == held && left == passed && entry.passing == passing);
    if (!fits || entry.passing == Passing::no)
      return std::nullopt;
    held = own;
    passed = left;
    passing = entry.passing;
    ++numPartial;
  }
  if (numPartial == 0)
    return passed;
  if (strategy.rule.results.size() != 1 || (passing == Passing::alone && numPartial > 1))
    return std::nullopt;
  for (size_t i = 0; i < operands.size() && passing == Passing::jointly; ++i)
    if (operands[i] && operands[i]->unreduced.empty() &&
        strategy.commuting[i][held.kind].passing == Passing::jointly)
      return std::nullopt;
  return passed;
}

/// The axes of reduce factors, in mesh order and merged; nothing if they are of several kinds.
static std::optional<PartialState> reducedState(const OpRule &rule, const FactorAxes &factorAxes) {
  PartialState reduced;
  AxisList axes;
  for (int64_t f = 0; f < rule.numFactors(); ++f) {
    if (!leavesPartial(rule.factors[f].kind) || factorAxes[f].empty())
      continue;
    if (!axes.empty() && reduced.kind != rule.factors[f].reduction)
      return std::nullopt;
    reduced.kind = rule.factors[f].reduction;
    axes.insert(axes.end(), factorAxes[f].begin(), factorAxes[f].end());
  }
  std::sort(axes.begin(), axes.end());
  for (const AxisRef &ref : axes)
    appendMerged(reduced.axes, ref);
  return reduced;
}

std::optional<PartialState> partialResult(const OpRule &rule, const FactorAxes &factorAxes,
                                          const PartialState &passed) {
  std::optional<PartialState> reduced = reducedState(rule, factorAxes);
  if (!reduced || passed.axes.empty())
    return reduced;
  for (const AxisList &axes : factorAxes)
    if (exclude(passed.axes, axes))
      return std::nullopt; // Devices that hold shares of one value hold the same rest.
  if (reduced->axes.empty())
    return passed;
  if (reduced->kind != passed.kind)
    return std::nullopt;
  AxisList all = passed.axes;
  all.insert(all.end(), reduced->axes.begin(), reduced->axes.end());
  std::sort(all.begin(), all.end());
  PartialState both = {{}, passed.kind};
  for (const AxisRef &ref : all)
    appendMerged(both.axes, ref);
  return both;
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

std::optional<FactorAxes> splitOf(const Strategy &strategy,
                                  absl::Span<const Sharding *const> tensors) {
  const OpRule &rule = strategy.rule;
  std::optional<PartialState> passed =
      passedOn(strategy, tensors.first(std::min(tensors.size(), rule.operands.size())));
  if (!passed)
    return std::nullopt;
  FactorAxes factorAxes(rule.factors.size()), own(rule.factors.size());
  std::vector<bool> isSeen(rule.factors.size(), false);
  for (size_t t = 0; t < tensors.size(); ++t)
    if (tensors[t] && !mergeSplit(rule, rule.tensor(t), *tensors[t], factorAxes, isSeen, own))
      return std::nullopt;
  std::optional<PartialState> left = partialResult(rule, factorAxes, *passed);
  for (size_t t = rule.operands.size(); t < tensors.size(); ++t)
    if (tensors[t] && (!left || tensors[t]->unreduced != left->axes))
      return std::nullopt;
  return factorAxes;
}

} // namespace spmd
