#include "spmd/ir/rules/Claims.h"

#include <algorithm>

namespace spmd {

static size_t numLonger(const OpRule &rule, const DimFactors &dim) {
  return std::count_if(dim.begin(), dim.end(),
                       [&](int32_t factor) { return rule.factors[factor].size > 1; });
}

/// Returns the factors that `known` has where factor number `place` of the user's dim is; empty if
/// there are none, or some reach beyond it.
static DimFactors knownPart(const OpRule &user, const DimFactors &users, size_t place,
                            const OpRule &known, const DimFactors &dim) {
  int64_t begin = 1; // Rows that one of the factor stands for.
  for (size_t i = place + 1; i < users.size(); ++i)
    begin *= user.factors[users[i]].size;
  int64_t end = begin * user.factors[users[place]].size, stride = 1;
  bool isOne = numLonger(user, users) == 1 && numLonger(known, dim) == 1;
  DimFactors part;
  for (size_t i = dim.size(); i-- > 0;) {
    int64_t next = stride * known.factors[dim[i]].size;
    if (next == stride)
      continue;
    if (isOne || (stride >= begin && next <= end))
      part.insert(part.begin(), dim[i]);
    else if (next > begin && stride < end)
      return {};
    stride = next;
  }
  return part;
}

static bool hasFactor(const std::vector<TensorFactors> &tensors, int32_t factor) {
  for (const TensorFactors &tensor : tensors)
    for (const DimFactors &dim : tensor)
      if (std::find(dim.begin(), dim.end(), factor) != dim.end())
        return true;
  return false;
}

/// Whether the dims that have `factor` of the user's belong together in `known`, too.
static bool knows(const OpRule &known, const OpRule &user, int32_t factor) {
  std::optional<DimFactors> all;
  for (int64_t t = 0; t < user.numTensors(); ++t)
    for (size_t d = 0; d < user.tensor(t).size(); ++d) {
      const DimFactors &users = user.tensor(t)[d];
      for (size_t place = 0; place < users.size(); ++place) {
        if (users[place] != factor)
          continue;
        DimFactors part = knownPart(user, users, place, known, known.tensor(t)[d]);
        if (part.empty() || (all && *all != part))
          return false;
        all = std::move(part);
      }
    }
  bool isSummed = user.factors[factor].kind == FactorKind::reduce;
  return all && (!isSummed || std::none_of(all->begin(), all->end(), [&](int32_t each) {
           return hasFactor(known.results, each);
         }));
}

std::optional<OpRule> claimsBeyond(const OpRule &user, absl::Span<const Strategy> known) {
  OpRule claims = user;
  bool hasAny = false;
  for (int32_t f = 0; f < user.numFactors(); ++f) {
    Factor &factor = claims.factors[f];
    bool isSplit = factor.size > 1 && (factor.kind == FactorKind::reduce ||
                                       (factor.kind == FactorKind::pass &&
                                        hasFactor(user.operands, f) && hasFactor(user.results, f)));
    bool isClaim = isSplit && std::none_of(known.begin(), known.end(), [&](const Strategy &each) {
                     return knows(each.rule, user, f);
                   });
    hasAny |= isClaim;
    if (!isClaim)
      factor.kind = FactorKind::whole;
  }
  return hasAny ? std::optional(std::move(claims)) : std::nullopt;
}

} // namespace spmd
