#include "spmd/ir/rules/Restrict.h"

#include <optional>

namespace spmd {

/// Returns the factors of a user's rule that make up what `own` has as factor number `place` of a
/// dim; empty if some reach beyond it.
static DimFactors partOf(const OpRule &user, const DimFactors &users, const OpRule &own,
                         const DimFactors &owns, size_t place) {
  DimFactors longer; // Those of size 1 are nowhere in particular.
  for (int32_t factor : users)
    if (user.factors[factor].size > 1)
      longer.push_back(factor);
  // Sizes may differ then: a slice has the factor of its operand in a smaller result.
  if (owns.size() == 1)
    return longer.empty() ? users : longer;
  auto next = longer.rbegin();
  DimFactors part;
  for (size_t i = owns.size(); i-- > place;) {
    part.clear();
    int64_t left = own.factors[owns[i]].size;
    for (; left > 1 && next != longer.rend(); ++next) {
      if (left % user.factors[*next].size != 0)
        return {};
      left /= user.factors[*next].size;
      part.insert(part.begin(), *next);
    }
    if (left > 1)
      return {};
  }
  return part;
}

void restrictTo(OpRule &own, const OpRule &user) {
  std::vector<std::optional<DimFactors>> parts(own.factors.size());
  for (int64_t t = 0; t < own.numTensors(); ++t)
    for (size_t d = 0; d < own.tensor(t).size(); ++d) {
      const DimFactors &owns = own.tensor(t)[d];
      for (size_t place = 0; place < owns.size(); ++place) {
        Factor &factor = own.factors[owns[place]];
        if (owns.size() > 1 && factor.size == 1)
          continue; // Never split.
        DimFactors part = partOf(user, user.tensor(t)[d], own, owns, place);
        std::optional<DimFactors> &before = parts[owns[place]];
        bool isBlocked = part.empty() || (before && *before != part), isWhole = false;
        for (int32_t users : part) {
          isBlocked |= user.factors[users].blocked;
          isWhole |= user.factors[users].kind == FactorKind::whole;
        }
        factor.custom |= isBlocked || isWhole;
        own.custom |= factor.custom;
        factor.blocked |= isBlocked;
        if (isWhole)
          factor.kind = FactorKind::whole;
        before = std::move(part);
      }
    }
}

} // namespace spmd
