// Rows of the batch at a product, and the weight that wants their axis.
//
// Under FSDP rows and weights are split along one axis, and one of them has to move. The program
// says that its computation lies by rows (`SteadyAxes`), and a weight may be on its way before
// anything waits for it; rows that go to the weight, and sums that come back, are waited for:
//
//     x [{"d"}, {}] . W [{}, {"d"}] -> y [{"d"}, {}]     x and y are at home; W is gathered
#pragma once

#include "spmd/ir/choose/Choose.h"

#include <algorithm>

namespace spmd {

/// How many times a move of rows, or of sums of theirs, counts where a weight could come to them:
/// it decides where one is about as dear as the other, as at a small head with one row a device.
/// (With half as much again, steps of which each layer has one row a device gather four times the
/// bytes.)
inline constexpr double rowsTimes = 1.25;

/// What of a product lies along an axis of the batch that something unhurried wants elsewhere.
class Homes {
public:
  /// None where `isProduct` is not so.
  Homes(bool isProduct, const OpRule &rule, int32_t mesh,
        absl::Span<const TensorSituation> operands, absl::Span<const TensorSituation> results,
        const ReshardCosts &costs) {
    if (!isProduct)
      return;
    auto forEach = [&](bool unhurried, auto visit) {
      for (size_t t = 0; t < operands.size() + results.size(); ++t) {
        bool isOperand = t < operands.size();
        const TensorSituation &tensor = isOperand ? operands[t] : results[t - operands.size()];
        if (!tensor.isFree && tensor.isUnhurried == unhurried && tensor.sharding->mesh == mesh)
          visit(t, isOperand ? rule.operands[t] : rule.results[t - operands.size()], tensor);
      }
    };
    // Of each factor: axes along which something that is at home is split, and those along which
    // something unhurried is that is no such rows.
    FactorAxes atHome(rule.numFactors()), wanted(rule.numFactors());
    auto homeOf = [&](const AxisRef &axis, const TensorSituation &tensor) {
      int32_t home = costs.steadyAxes().dimOf(mesh, axis);
      return hasRowsAlong(costs.meshOf(mesh).axes()[axis.axis].size, home, tensor.shape) ? home
                                                                                         : -1;
    };
    forEach(false, [&](size_t, const TensorFactors &factors, const TensorSituation &tensor) {
      FactorAxes own = project(rule, factors, tensor.sharding->sharding);
      for (size_t d = 0; d < factors.size(); ++d)
        for (int32_t f : factors[d])
          for (const AxisRef &axis : own[f])
            if (homeOf(axis, tensor) == static_cast<int32_t>(d))
              atHome[f].push_back(axis);
    });
    forEach(true, [&](size_t, const TensorFactors &factors, const TensorSituation &tensor) {
      FactorAxes own = project(rule, factors, tensor.sharding->sharding);
      for (int32_t f = 0; f < rule.numFactors(); ++f)
        for (const AxisRef &axis : own[f])
          if (!overlaps(axis, atHome[f]))
            wanted[f].push_back(axis);
    });
    auto isWantedBeside = [&](const AxisRef &axis, const DimFactors &dim) {
      for (int32_t f = 0; f < rule.numFactors(); ++f)
        if (overlaps(axis, wanted[f]) && std::find(dim.begin(), dim.end(), f) == dim.end())
          return true;
      return false;
    };
    forEach(false, [&](size_t t, const TensorFactors &factors, const TensorSituation &tensor) {
      for (size_t d = 0; d < factors.size(); ++d)
        for (const AxisRef &axis : tensor.sharding->sharding.dims[d].axes) {
          int32_t home = homeOf(axis, tensor);
          if (home >= 0 && (home != static_cast<int32_t>(d) || isWantedBeside(axis, factors[d])))
            split.push_back({t, d, axis});
        }
    });
  }

  /// Returns how many times a move of tensor `t`, operands first, counts between `place` and where
  /// it lies or, of a result, should lie.
  double timesFor(size_t t, const MeshSharding &place) const {
    auto isMoved = [&](const Split &each) {
      return each.tensor == t && !overlaps(each.axis, place.sharding.dims[each.dim].axes);
    };
    return std::any_of(split.begin(), split.end(), isMoved) ? rowsTimes : 1;
  }

private:
  /// A dim of a tensor that is split along an axis of the batch.
  struct Split {
    size_t tensor, dim;
    AxisRef axis;
  };

  /// Whether a tensor has a row along `home` for each position of an axis. What the program splits
  /// along its last dim has features there.
  static bool hasRowsAlong(int64_t positions, int32_t home, absl::Span<const int64_t> shape) {
    return home >= 0 && home + 1 < static_cast<int32_t>(shape.size()) && shape[home] >= positions;
  }

  absl::InlinedVector<Split, 3> split;
};

} // namespace spmd
