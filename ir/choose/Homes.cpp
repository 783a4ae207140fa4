#include "spmd/ir/choose/Homes.h"

#include <algorithm>

namespace spmd {

/// Looks at the tensors of one product.
class Homes::Finder {
public:
  Finder(const OpRule &rule, int32_t mesh, absl::Span<const TensorSituation> operands,
         absl::Span<const TensorSituation> results, const ReshardCosts &costs)
      : rule(rule), mesh(mesh), operands(operands), results(results), costs(costs),
        atHome(rule.numFactors()), wanted(rule.numFactors()) {}

  absl::InlinedVector<Split, 3> run() {
    findAtHome();
    findWanted();
    absl::InlinedVector<Split, 3> found;
    forEach(false, [&](size_t t, const TensorFactors &factors, const TensorSituation &tensor) {
      for (size_t d = 0; d < factors.size(); ++d)
        for (const AxisRef &axis : tensor.sharding->sharding.dims[d].axes) {
          int32_t home = homeOf(axis, tensor);
          if (home >= 0 && (home != static_cast<int32_t>(d) || isWantedBeside(axis, factors[d])))
            found.push_back({t, d, axis});
        }
    });
    return found;
  }

private:
  /// Calls `visit` for the tensors that are split on the mesh and are in a hurry, or are not.
  template <typename Visit> void forEach(bool unhurried, Visit visit) const {
    for (size_t t = 0; t < operands.size() + results.size(); ++t) {
      bool isOperand = t < operands.size();
      size_t i = isOperand ? t : t - operands.size();
      const TensorSituation &tensor = isOperand ? operands[i] : results[i];
      if (!tensor.isFree && tensor.isUnhurried == unhurried && tensor.sharding->mesh == mesh)
        visit(t, isOperand ? rule.operands[i] : rule.results[i], tensor);
    }
  }

  /// Returns the dim of the batch along an axis, -1 if a tensor has no row along it for each
  /// position of the axis. What the program splits along its last dim has features there.
  int32_t homeOf(const AxisRef &axis, const TensorSituation &tensor) const {
    int32_t home = costs.steadyAxes().dimOf(mesh, axis);
    bool hasRows = home >= 0 && home + 1 < static_cast<int32_t>(tensor.shape.size()) &&
                   tensor.shape[home] >= costs.meshOf(mesh).axes()[axis.axis].size;
    return hasRows ? home : -1;
  }

  void findAtHome() {
    forEach(false, [&](size_t, const TensorFactors &factors, const TensorSituation &tensor) {
      FactorAxes own = project(rule, factors, tensor.sharding->sharding);
      for (size_t d = 0; d < factors.size(); ++d)
        for (int32_t f : factors[d])
          for (const AxisRef &axis : own[f])
            if (homeOf(axis, tensor) == static_cast<int32_t>(d))
              atHome[f].push_back(axis);
    });
  }

  void findWanted() {
    forEach(true, [&](size_t, const TensorFactors &factors, const TensorSituation &tensor) {
      FactorAxes own = project(rule, factors, tensor.sharding->sharding);
      for (int32_t f = 0; f < rule.numFactors(); ++f)
        for (const AxisRef &axis : own[f])
          if (!overlaps(axis, atHome[f]))
            wanted[f].push_back(axis);
    });
  }

  /// Whether something unhurried wants an axis for what is not in this dim.
  bool isWantedBeside(const AxisRef &axis, const DimFactors &dim) const {
    for (int32_t f = 0; f < rule.numFactors(); ++f)
      if (overlaps(axis, wanted[f]) && std::find(dim.begin(), dim.end(), f) == dim.end())
        return true;
    return false;
  }

  const OpRule &rule;
  int32_t mesh;
  absl::Span<const TensorSituation> operands, results;
  const ReshardCosts &costs;
  /// Of each factor: axes along which something at home is split, and those along which something
  /// unhurried is that is no such rows.
  FactorAxes atHome, wanted;
};

Homes::Homes(bool isProduct, const OpRule &rule, int32_t mesh,
             absl::Span<const TensorSituation> operands, absl::Span<const TensorSituation> results,
             const ReshardCosts &costs) {
  if (isProduct)
    split = Finder(rule, mesh, operands, results, costs).run();
}

double Homes::timesFor(size_t t, const MeshSharding &place) const {
  auto isMoved = [&](const Split &each) {
    return each.tensor == t && !overlaps(each.axis, place.sharding.dims[each.dim].axes);
  };
  return std::any_of(split.begin(), split.end(), isMoved) ? rowsTimes : 1;
}

} // namespace spmd
