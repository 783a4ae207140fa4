#include "spmd/ir/choose/SplitCost.h"

#include "spmd/ir/reshard/SortExchange.h"

#include <algorithm>
#include <cmath>

namespace spmd {

SplitCost::SplitCost(const Strategy &strategy, const OpRule &rule,
                     absl::Span<const WindowUse> windows, double flops,
                     absl::Span<const TensorSituation> operands,
                     absl::Span<const TensorSituation> results, const CostModel &model,
                     const WorkWeights &weights)
    : rule(rule), windows(windows), flops(flops), tieBytes(strategy.tieBytes), operands(operands),
      results(results), model(model), weights(weights), isReadApart(isProduct(rule)),
      combinesNothing(flops == 0 && std::all_of(rule.factors.begin(), rule.factors.end(),
                                                [](const Factor &factor) {
                                                  return factor.kind == FactorKind::pass ||
                                                         factor.kind == FactorKind::window;
                                                })) {
  for (const TensorSituation &operand : operands)
    held.push_back(heldBytes(operand));
}

SplitCost::~SplitCost() = default;

double SplitCost::work(const FactorAxes &split) const {
  double made = 0;
  for (size_t i = 0; i < results.size(); ++i)
    made += localBytes(split, rule.results[i], results[i]);
  double bytes = made;
  for (size_t i = 0; i < operands.size(); ++i)
    bytes += bytesRead(split, i, made);
  return arithmetic(split) + bytes * weights.memoryByte / model.bandwidth;
}

double SplitCost::arithmetic(const FactorAxes &split) const {
  double shards = 1;
  for (const AxisList &axes : split)
    shards *= static_cast<double>(sizeOf(axes));
  return flops / shards * weights.operation / model.bandwidth;
}

double SplitCost::bytesRead(const FactorAxes &split, size_t operand, double bytesMade) const {
  double bytes = localBytes(split, rule.operands[operand], operands[operand]);
  if (combinesNothing)
    return std::min(bytes, bytesMade);
  return isReadApart && !operands[operand].isFree && bytes < held[operand] ? 3 * bytes : bytes;
}

double SplitCost::exchanges(const FactorAxes &split) {
  double cost = 0;
  for (size_t i = 0; i < windows.size(); ++i)
    if (!split[windows[i].factor].empty())
      cost += exchange(split, i);
  for (int32_t f = 0; f < rule.numFactors(); ++f) {
    FactorKind kind = rule.factors[f].kind;
    if (split[f].empty())
      continue;
    if (kind == FactorKind::fold)
      cost += gatherOfResults(split, static_cast<double>(sizeOf(split[f])));
    else if (kind == FactorKind::sort)
      cost += exchangeOfSort(split, f);
    else if (kind == FactorKind::transpose)
      cost += exchangeOfLines(split, f);
  }
  return cost;
}

double SplitCost::exchangeOfLines(const FactorAxes &split, int32_t f) const {
  auto shards = static_cast<double>(sizeOf(split[f]));
  double cost = 0;
  auto add = [&](const TensorFactors &factors, const TensorSituation &tensor) {
    double length = 1;
    for (size_t d = 0; d < factors.size(); ++d)
      if (std::find(factors[d].begin(), factors[d].end(), f) != factors[d].end())
        length = static_cast<double>(tensor.shape[d]);
    double line = length * std::max(tensor.elementBits, 1) / 8,
           lines = std::max(localBytes(split, factors, tensor) * shards / line, 1.0),
           sent = line / length * std::ceil(length / shards) * std::ceil(lines / shards);
    cost += model.latency + sent * (shards - 1) / model.bandwidth;
  };
  for (size_t i = 0; i < operands.size(); ++i)
    add(rule.operands[i], operands[i]);
  for (size_t i = 0; i < results.size(); ++i)
    add(rule.results[i], results[i]);
  // Where moves in front of the op and behind it take as long, those may meet others.
  return cost * (1 + 1e-6);
}

double SplitCost::exchangeOfSort(const FactorAxes &split, int32_t f) const {
  SortedDim dim{rule.factors[f].size, sizeOf(split[f])};
  double bytes = 0;
  for (size_t i = 0; i < operands.size(); ++i)
    bytes += localBytes(split, rule.operands[i], operands[i]);
  double bytesBeside = tieBytes > 0 ? tieBytes : dim.isPadded() ? 1 : 0;
  bytes += localBytes(split, rule.operands[0], operands[0]) * 8 * bytesBeside /
           std::max(operands[0].elementBits, 1);
  double rows = static_cast<double>(dim.size) / static_cast<double>(dim.shards);
  return costOfSort(dim, bytes / rows,
                    static_cast<int64_t>(operands.size()) + (bytesBeside > 0 ? 1 : 0), model);
}

double SplitCost::gatherOfResults(const FactorAxes &split, double shards) const {
  double cost = 0;
  for (size_t i = 0; i < results.size(); ++i)
    cost += model.latency +
            (shards - 1) * localBytes(split, rule.results[i], results[i]) / model.bandwidth;
  return cost;
}

double SplitCost::localBytes(const FactorAxes &split, const TensorFactors &factors,
                             const TensorSituation &tensor) const {
  double bytes = bytesOf(tensor);
  for (const DimFactors &dim : factors)
    for (int32_t factor : dim)
      bytes /= static_cast<double>(sizeOf(split[factor]));
  return bytes;
}

double SplitCost::passOfAllBlocks(const FactorAxes &split, const WindowUse &use) const {
  const TensorFactors &factors = rule.operands[use.operand];
  double shards = static_cast<double>(sizeOf(split[use.factor])),
         bytes = localBytes(split, factors, operands[use.operand]);
  bool isCut = std::any_of(factors.begin(), factors.end(), [&](const DimFactors &dim) {
    return std::find(dim.begin(), dim.end(), use.factor) != dim.end();
  });
  double bytesOfBlock = isCut ? bytes : bytes / shards, all = shards, passing = 0;
  for (const AxisList &axes : split)
    all *= static_cast<double>(sizeOf(axes));
  for (const WindowUse &each : windows)
    passing += each.window.stride == 0 ? 1 : 0;
  double workOnBlock = isCut ? flops * weights.operation / all / passing : 0;
  return (shards - 1) * (model.latency + (std::max(0.0, bytesOfBlock - workOnBlock) +
                                          bytesOfBlock * weights.memoryByte) /
                                             model.bandwidth);
}

double SplitCost::exchange(const FactorAxes &split, size_t index) {
  const WindowUse &use = windows[index];
  if (use.window.stride == 0)
    return passOfAllBlocks(split, use);
  const TensorSituation &operand = operands[use.operand];
  const TensorFactors &factors = rule.operands[use.operand];
  int64_t shards = sizeOf(split[use.factor]), size = 1;
  double bytesOfRow = bytesOf(operand);
  for (size_t d = 0; d < factors.size(); ++d)
    for (int32_t factor : factors[d]) {
      if (factor == use.factor)
        bytesOfRow /= static_cast<double>(size = operand.shape[d]);
      else
        bytesOfRow /= static_cast<double>(sizeOf(split[factor]));
    }
  if (rule.factors[use.factor].kind == FactorKind::scan) // One row from each device.
    return model.latency + static_cast<double>(shards - 1) * bytesOfRow / model.bandwidth;
  WindowedDim windowed{use.window, size, use.rows, shards};
  auto [plan, isNew] = halos.try_emplace({index, shards});
  if (isNew)
    plan->second = planHalo(windowed);
  return costOfHalo(windowed, plan->second, bytesOfRow, model);
}

} // namespace spmd
