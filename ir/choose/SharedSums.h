// Sums that devices already share.
//
//     y = a . b     a: [{}, {"x"}], b: [{"x"}, {}]
//
// Each device along "x" has what it takes for its part of the sum; the parts are added up, or stay
// partial. To gather a and b instead, so that all of them do all the work and hold all of both,
// pays only if that moves much less.
#pragma once

#include "spmd/ir/choose/Choose.h"
#include "spmd/ir/choose/Work.h"

#include <algorithm>

namespace spmd {

/// Such a gather must move less than one part in so many.
inline constexpr double costOfSharedWork = 2;

class SharedSums {
public:
  /// Of an op that runs on `mesh`, all of whose operands must outlive this.
  SharedSums(const OpRule &rule, absl::Span<const TensorSituation> operands, int32_t mesh)
      : rule(rule) {
    if (!readsApart(rule)) // Other sums are cheap to repeat.
      return;
    for (int32_t f = 0; f < rule.numFactors(); ++f)
      if (rule.factors[f].kind == FactorKind::reduce)
        if (AxisList axes = sharedAxes(f, operands, mesh); !axes.empty())
          sums.push_back({f, std::move(axes)});
  }

  /// Returns what it costs more than `operandCosts`, the moves of operands, to run by a split that
  /// gives each factor `factorAxes`.
  double surcharge(const FactorAxes &factorAxes, absl::Span<const double> operandCosts) const {
    double moves = 0;
    for (const Sum &sum : sums) {
      auto isUsed = [&](const AxisList &axes) { return overlaps(axes, sum.axes); };
      if (std::any_of(factorAxes.begin(), factorAxes.end(), isUsed))
        continue;
      for (size_t i = 0; i < operandCosts.size(); ++i)
        moves += has(rule.operands[i], sum.factor) ? operandCosts[i] : 0;
    }
    return moves * (costOfSharedWork - 1);
  }

private:
  struct Sum {
    int32_t factor;
    AxisList axes;
  };

  static bool has(const TensorFactors &tensor, int32_t factor) {
    return std::any_of(tensor.begin(), tensor.end(), [&](const DimFactors &dim) {
      return std::find(dim.begin(), dim.end(), factor) != dim.end();
    });
  }

  /// Returns the axes along which two or more operands are split alike along `factor`, all that
  /// have it; none if there are no such.
  AxisList sharedAxes(int32_t factor, absl::Span<const TensorSituation> operands,
                      int32_t mesh) const {
    AxisList shared;
    int count = 0;
    for (size_t i = 0; i < operands.size(); ++i) {
      if (!has(rule.operands[i], factor))
        continue;
      if (operands[i].isFree || operands[i].sharding->mesh != mesh)
        return {};
      AxisList axes = project(rule, rule.operands[i], operands[i].sharding->sharding)[factor];
      if (count > 0 && axes != shared)
        return {};
      shared = std::move(axes);
      ++count;
    }
    return count > 1 ? shared : AxisList();
  }

  const OpRule &rule;
  std::vector<Sum> sums;
};

} // namespace spmd
