#include "spmd/ir/rules/Propagation.h"

#include <algorithm>
#include <numeric>

namespace spmd {

namespace {

/// What a factor should be split along, and how much the tensor weighs that says so.
struct Wish {
  AxisList axes;
  double bytes = -1;
  size_t tensor = 0;
};

class Step {
public:
  Step(const OpRule &rule, absl::Span<Sharding> tensors, absl::Span<const double> bytes,
       const StepScope &scope)
      : rule(rule), tensors(tensors), bytes(bytes), scope(scope) {}

  bool run() {
    collectWishes();
    std::vector<int32_t> order;
    for (int32_t f = 0; f < rule.numFactors(); ++f)
      if (!wishes[f].axes.empty())
        order.push_back(f);
    if (order.empty())
      return false;
    std::sort(order.begin(), order.end(), [&](int32_t a, int32_t b) {
      return wishes[a].bytes != wishes[b].bytes ? wishes[a].bytes > wishes[b].bytes : a < b;
    });
    bool changed = false;
    for (int32_t f : order)
      for (size_t t = 0; t < tensors.size(); ++t)
        if (mayLearn(t))
          changed |= grow(t, f);
    return changed;
  }

private:
  bool mayLearn(size_t t) const {
    return t < rule.operands.size() ? scope.backward : scope.forward;
  }
  bool isInScope(const Factor &factor) const {
    return !factor.blocked && (!scope.onlyPass || factor.kind == FactorKind::pass);
  }

  void collectWishes() {
    wishes.resize(rule.factors.size());
    for (size_t t = 0; t < tensors.size(); ++t) {
      projected.push_back(project(rule, rule.tensor(t), tensors[t]));
      for (int32_t f = 0; f < rule.numFactors(); ++f) {
        const AxisList &axes = projected[t][f];
        if (axes.empty() || !isInScope(rule.factors[f]))
          continue;
        Wish &wish = wishes[f];
        bool isHeavier = bytes[t] > wish.bytes;
        if (isPrefix(wish.axes, axes) && wish.axes != axes)
          wish = {axes, std::max(bytes[t], wish.bytes), t};
        else if (isHeavier && !isPrefix(axes, wish.axes))
          wish = {axes, bytes[t], t};
        else if (isHeavier && axes == wish.axes)
          wish.bytes = bytes[t];
      }
    }
  }

  /// Appends to the dim of tensor `t` that holds factor `f` what it can take of the wish.
  bool grow(size_t t, int32_t f) {
    const TensorFactors &factors = rule.tensor(t);
    for (size_t d = 0; d < factors.size(); ++d) {
      auto found = std::find(factors[d].begin(), factors[d].end(), f);
      if (found == factors[d].end())
        continue;
      return tensors[t].dims[d].open && growDim(t, d, found - factors[d].begin(), f);
    }
    return false;
  }

  bool growDim(size_t t, size_t d, size_t place, int32_t f) {
    const DimFactors &dim = rule.tensor(t)[d];
    AxisList &own = projected[t][f];
    if (own == wishes[f].axes || !isPrefix(own, wishes[f].axes) || !canHold(t, dim, place))
      return false;
    AxisList used = tensors[t].usedAxes(/*withReplicated=*/true);
    int64_t held = sizeOf(own);
    bool changed = false;
    for (const AxisRef &ref : afterPrefix(own, wishes[f].axes)) {
      if (overlaps(ref, used) || !fits(dim, f, held * ref.size))
        break;
      appendMerged(own, ref);
      appendMerged(tensors[t].dims[d].axes, ref);
      held *= ref.size;
      changed = true;
    }
    return changed;
  }

  /// Whether the factors before `place` are split completely, and none behind it is split.
  bool canHold(size_t t, const DimFactors &dim, size_t place) const {
    for (size_t i = 0; i < place; ++i)
      if (sizeOf(projected[t][dim[i]]) != rule.factors[dim[i]].size)
        return false;
    for (size_t i = place + 1; i < dim.size(); ++i)
      if (!projected[t][dim[i]].empty())
        return false;
    return true;
  }

  /// A dim of one factor may be uneven, as it is where the axes come from; parts of a dim must
  /// divide.
  bool fits(const DimFactors &dim, int32_t f, int64_t shards) const {
    return dim.size() == 1 || rule.factors[f].size % shards == 0;
  }

  const OpRule &rule;
  absl::Span<Sharding> tensors;
  absl::Span<const double> bytes;
  StepScope scope;
  std::vector<FactorAxes> projected;
  std::vector<Wish> wishes;
};

} // namespace

bool propagateStep(const OpRule &rule, absl::Span<Sharding> tensors, absl::Span<const double> bytes,
                   const StepScope &scope) {
  return Step(rule, tensors, bytes, scope).run();
}

static std::vector<bool> factorsOf(const OpRule &rule, const TensorFactors &tensor) {
  std::vector<bool> has(rule.factors.size(), false);
  for (const DimFactors &dim : tensor)
    for (int32_t factor : dim)
      has[factor] = true;
  return has;
}

bool isLight(const OpRule &rule) {
  for (int64_t t = 0; t < rule.numTensors(); ++t) {
    const TensorFactors &tensor = rule.tensor(t);
    if (tensor.empty())
      continue;
    std::vector<bool> has = factorsOf(rule, tensor);
    for (int64_t f = 0; f < rule.numFactors(); ++f)
      if (!has[f] && rule.factors[f].size != 1)
        return false;
  }
  return true;
}

bool isBroadcast(const OpRule &rule) {
  std::vector<bool> inOperands(rule.factors.size(), false);
  for (const TensorFactors &operand : rule.operands)
    for (const DimFactors &dim : operand)
      for (int32_t factor : dim)
        inOperands[factor] = true;
  for (const TensorFactors &result : rule.results)
    for (const DimFactors &dim : result)
      for (int32_t factor : dim)
        if (!inOperands[factor] && rule.factors[factor].size != 1)
          return !rule.operands.empty();
  return false;
}

} // namespace spmd
