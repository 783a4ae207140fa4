// Tensors of an op that stay as the program says that its computation lies, and what is moved to
// them.
#pragma once

#include "spmd/ir/choose/Choose.h"

#include <algorithm>

namespace spmd {

/// Axes along which tensors that do not move are split, each along its steady dim (`Timing.h`).
struct Anchors {
  AxisList ofOperands; ///< Neither ahead nor late, as of results.
  AxisList ofAll;
  AxisList staying; ///< Of all operands.
  bool hasOneOperand, doAllStay = true;
  const OpRule *combining; ///< Null for an op that is a product, or only moves elements.

  /// Takes in what stays of an op that runs by `choice`.
  Anchors(const Choice &choice, const Strategy &strategy, const OpRule &rule,
          absl::Span<const TensorSituation> operands, absl::Span<const TensorSituation> results,
          const SteadyAxes &steady)
      : hasOneOperand(operands.size() == 1),
        combining(strategy.flops > 0 && !strategy.multiplies ? &rule : nullptr) {
    auto look = [&](const TensorSituation &tensor, const MeshSharding &wanted, AxisList &axes) {
      if (tensor.isFree || !(wanted == *tensor.sharding))
        return;
      for (size_t d = 0; d < wanted.sharding.dims.size(); ++d)
        for (const AxisRef &axis : wanted.sharding.dims[d].axes)
          if (steady.dimOf(wanted.mesh, axis) == static_cast<int32_t>(d))
            axes.push_back(axis);
    };
    for (size_t i = 0; i < operands.size(); ++i) {
      look(operands[i], choice.operands[i], staying);
      doAllStay &= operands[i].isFree || choice.operands[i] == *operands[i].sharding;
      if (!operands[i].isUnhurried)
        look(operands[i], choice.operands[i], ofOperands);
    }
    ofAll = ofOperands;
    for (size_t i = 0; i < results.size(); ++i)
      if (!results[i].isUnhurried)
        look(results[i], choice.results[i], ofAll);
  }

  /// Whether operand `i` is gathered to meet what stays: another operand, if there is one. What is
  /// combined there, such as the updates of a scatter, is no weight.
  bool isMetBy(const MeshSharding &from, const MeshSharding &wanted, size_t i) const {
    return !(combining && isReduced(*combining, combining->operands[i], from.sharding)) &&
           isGathered(from, wanted, [&](const AxisRef &axis) {
             return overlaps(axis, ofAll) && (hasOneOperand || overlaps(axis, staying));
           });
  }

  /// Whether shares of a sum are added up onto parts, where all operands stay.
  bool isScattered(const AxisList &partial, const Sharding &to) const {
    auto isAmong = [&](const AxisRef &axis) {
      return std::any_of(to.dims.begin(), to.dims.end(),
                         [&](const DimSharding &dim) { return overlaps(axis, dim.axes); });
    };
    return doAllStay && !partial.empty() &&
           std::all_of(partial.begin(), partial.end(), [&](const AxisRef &axis) {
             return overlaps(axis, ofOperands) && isAmong(axis);
           });
  }

private:
  /// Whether a tensor that lies as `from` is split along what the op reduces.
  static bool isReduced(const OpRule &rule, const TensorFactors &factors, const Sharding &from) {
    for (size_t d = 0; d < factors.size(); ++d)
      if (!from.dims[d].axes.empty() &&
          std::any_of(factors[d].begin(), factors[d].end(),
                      [&](int32_t f) { return rule.factors[f].kind == FactorKind::reduce; }))
        return true;
    return false;
  }
};

} // namespace spmd
