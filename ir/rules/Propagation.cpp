#include "spmd/ir/rules/Propagation.h"

#include "spmd/ir/sharding/Excluding.h"

#include <algorithm>
#include <numeric>

namespace spmd {

/// Whether a factor is the last dim of a transform that makes it longer or shorter, as an RFFT
/// does.
static bool isResized(const OpRule &rule, int32_t factor, absl::Span<const double> bytes) {
  return rule.numTensors() == 2 && !rule.operands.empty() && bytes[0] != bytes[1] &&
         rule.operands[0].back() == DimFactors{factor};
}

bool mayPass(const OpRule &rule, int32_t index, absl::Span<const double> bytes, bool unanimous) {
  const Factor &factor = rule.factors[index];
  bool isShardys = unanimous && !factor.custom;
  if (isShardys && factor.kind == FactorKind::sort)
    return rule.numFactors() > 1;
  if (isShardys && factor.kind == FactorKind::transpose)
    return !isResized(rule, index, bytes);
  bool isSlice = factor.kind == FactorKind::window && factor.window.size == 1;
  return !factor.blocked || rule.oneWay != OneWay::none || (isShardys && isSlice);
}

bool mayLearn(const OpRule &rule, size_t tensor) {
  bool isOperand = tensor < rule.operands.size();
  return rule.oneWay == OneWay::none || isOperand == (rule.oneWay == OneWay::backward);
}

bool isMostlyPadding(int64_t size, int64_t shards) {
  return (size + shards - 1) / shards * shards > 2 * size;
}

namespace {

bool isInScope(const OpRule &rule, int32_t f, absl::Span<const double> bytes,
               const StepScope &scope) {
  return mayPass(rule, f, bytes, scope.unanimous) &&
         (!scope.onlyPass || rule.factors[f].kind == FactorKind::pass);
}

/// Whether the factors of a dim before `place` are split completely, and none behind it is split.
bool canHold(const OpRule &rule, const DimFactors &dim, const FactorAxes &axes, size_t place) {
  for (size_t i = 0; i < place; ++i)
    if (sizeOf(axes[dim[i]]) != rule.factors[dim[i]].size)
      return false;
  for (size_t i = place + 1; i < dim.size(); ++i)
    if (!axes[dim[i]].empty())
      return false;
  return true;
}

/// A dim of one factor may be uneven, as it is where the axes come from; parts of a dim must
/// divide.
bool fits(const OpRule &rule, const DimFactors &dim, int32_t factor, int64_t shards) {
  return dim.size() == 1 || rule.factors[factor].size % shards == 0;
}

/// Whether all tensors with dims are alike, dim by dim, and there is one result. An edge of the
/// graph has one operand, and the other places of the value are results.
bool isElementwise(const OpRule &rule) {
  if (rule.results.size() != 1)
    return false;
  const TensorFactors *first = nullptr;
  for (int64_t t = 0; t < rule.numTensors(); ++t) {
    const TensorFactors &tensor = rule.tensor(t);
    if (tensor.empty())
      continue;
    if (first && *first != tensor)
      return false;
    first = &tensor;
  }
  return true;
}

/// Returns the dim of a tensor that has a factor, or -1.
int64_t dimWith(const TensorFactors &tensor, int32_t factor) {
  for (size_t d = 0; d < tensor.size(); ++d)
    if (std::find(tensor[d].begin(), tensor[d].end(), factor) != tensor[d].end())
      return static_cast<int64_t>(d);
  return -1;
}

/// Whether a factor before `f` in the dim of tensor `source` is split there, and not in tensor `t`,
/// which has it too: the op cannot run with `f` split and that one whole.
bool isPartOfSplit(const OpRule &rule, const std::vector<FactorAxes> &projected, size_t source,
                   size_t t, int32_t f) {
  int64_t d = dimWith(rule.tensor(source), f);
  if (d < 0)
    return false;
  const DimFactors &dim = rule.tensor(source)[d];
  return std::any_of(dim.begin(), std::find(dim.begin(), dim.end(), f), [&](int32_t before) {
    return projected[t][before] != projected[source][before] &&
           dimWith(rule.tensor(t), before) >= 0;
  });
}

/// Returns the longest list at the start of both, by whole elements and the major part of one.
AxisList commonStart(const AxisList &a, const AxisList &b) {
  AxisList common;
  for (size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    if (a[i].axis == b[i].axis && a[i].preSize == b[i].preSize)
      if (int32_t size = std::gcd(a[i].size, b[i].size); size > 1)
        common.push_back({a[i].axis, a[i].preSize, size});
    if (a[i] != b[i])
      break;
  }
  return common;
}

/// Cuts `axes`, which some tensor has along factor `f`, to what no other objects to.
void agree(const OpRule &rule, const std::vector<FactorAxes> &projected, int32_t f,
           AxisList &axes) {
  for (int64_t t = 0; t < rule.numTensors() && !axes.empty(); ++t) {
    if (dimWith(rule.tensor(t), f) < 0)
      continue;
    const AxisList &own = projected[t][f];
    if (isPrefix(axes, own))
      continue;
    if (!isPrefix(own, axes))
      axes = commonStart(own, axes);
  }
}

/// Cuts `axes` along factor `f` of an elementwise op to what its result has taken of them: operands
/// do not learn from each other what the result of both cannot take.
void cutToResult(const OpRule &rule, const std::vector<FactorAxes> &projected, int32_t f,
                 AxisList &axes) {
  size_t result = rule.operands.size();
  if (isElementwise(rule) && dimWith(rule.tensor(result), f) >= 0 &&
      isPrefix(projected[result][f], axes))
    axes = projected[result][f];
}

/// What a factor should be split along where all have a say.
FactorWish unanimousWish(const OpRule &rule, absl::Span<const Sharding> tensors,
                         absl::Span<const double> bytes, const std::vector<FactorAxes> &projected,
                         int32_t f) {
  FactorWish wish;
  for (const FactorAxes &of : projected)
    if (sizeOf(of[f]) > sizeOf(wish.axes))
      wish.axes = of[f];
  agree(rule, projected, f, wish.axes);
  for (size_t t = 0; t < tensors.size(); ++t)
    if (!wish.axes.empty() && bytes[t] > wish.bytes && projected[t][f] == wish.axes) {
      wish.bytes = bytes[t];
      wish.tensor = t;
    }
  return wish;
}

class Step {
public:
  Step(const OpRule &rule, absl::Span<Sharding> tensors, absl::Span<const double> bytes,
       const StepScope &scope)
      : rule(rule), tensors(tensors), bytes(bytes), scope(scope) {}

  bool run() {
    wishes = wishesOf(rule, tensors, bytes, scope, projected);
    std::vector<int32_t> order;
    for (int32_t f = 0; f < rule.numFactors(); ++f)
      if (!wishes[f].axes.empty())
        order.push_back(f);
    if (order.empty())
      return false;
    std::sort(order.begin(), order.end(), [&](int32_t a, int32_t b) { return goesFirst(a, b); });
    bool changed = false;
    for (int32_t f : order) {
      changed |= growFrom(rule.operands.size(), tensors.size(), f);
      if (scope.unanimous)
        cutToResult(rule, projected, f, wishes[f].axes);
      changed |= growFrom(0, rule.operands.size(), f);
    }
    return changed;
  }

private:
  bool goesFirst(int32_t a, int32_t b) const {
    const FactorWish &one = wishes[a], &other = wishes[b];
    if (one.bytes != other.bytes)
      return one.bytes > other.bytes;
    if (!scope.unanimous)
      return a < b;
    int64_t shards = isElementwise(rule) ? sizeOf(one.axes) - sizeOf(other.axes) : 0;
    if (shards != 0)
      return shards > 0;
    return std::tie(one.tensor, a) < std::tie(other.tensor, b);
  }

  bool mayLearn(size_t t) const {
    return t < rule.operands.size() ? scope.backward : scope.forward;
  }

  bool growFrom(size_t first, size_t last, int32_t f) {
    bool changed = false;
    for (size_t t = first; t < last; ++t)
      if (mayLearn(t))
        changed |= grow(t, f);
    return changed;
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
    if (own == wishes[f].axes || !isPrefix(own, wishes[f].axes) ||
        !canHold(rule, dim, projected[t], place) ||
        (!scope.unanimous && isPartOfSplit(rule, projected, wishes[f].tensor, t, f)))
      return false;
    AxisList used = tensors[t].usedAxes(/*withReplicated=*/true);
    int64_t held = sizeOf(own);
    bool changed = false;
    for (const AxisRef &ref : afterPrefix(own, wishes[f].axes)) {
      if (exclude(ref, used) || !fits(rule, dim, f, held * ref.size) ||
          isTooShort(t, d, f, held * ref.size))
        break;
      appendMerged(own, ref);
      appendMerged(tensors[t].dims[d].axes, ref);
      held *= ref.size;
      changed = true;
    }
    return changed;
  }

  /// Whether most of a dim would be padding that is shorter than the one it learns from.
  bool isTooShort(size_t t, size_t d, int32_t f, int64_t shards) const {
    if (scope.sizes.empty() || scope.handedOn[t] || rule.tensor(t)[d].size() != 1)
      return false;
    size_t source = wishes[f].tensor;
    int64_t longer = scope.sizes[source][dimWith(rule.tensor(source), f)];
    return isMostlyPadding(scope.sizes[t][d], shards) && scope.sizes[t][d] < longer &&
           !isMostlyPadding(longer, shards);
  }

  const OpRule &rule;
  absl::Span<Sharding> tensors;
  absl::Span<const double> bytes;
  StepScope scope;
  std::vector<FactorAxes> projected;
  std::vector<FactorWish> wishes;
};

} // namespace

std::vector<FactorWish> wishesOf(const OpRule &rule, absl::Span<const Sharding> tensors,
                                 absl::Span<const double> bytes, const StepScope &scope,
                                 std::vector<FactorAxes> &projected) {
  std::vector<FactorWish> wishes(rule.factors.size());
  projected.clear();
  if (scope.unanimous) {
    for (size_t t = 0; t < tensors.size(); ++t)
      projected.push_back(project(rule, rule.tensor(t), tensors[t]));
    for (int32_t f = 0; f < rule.numFactors(); ++f)
      if (isInScope(rule, f, bytes, scope))
        wishes[f] = unanimousWish(rule, tensors, bytes, projected, f);
    return wishes;
  }
  for (size_t t = 0; t < tensors.size(); ++t) {
    projected.push_back(project(rule, rule.tensor(t), tensors[t]));
    for (int32_t f = 0; f < rule.numFactors(); ++f) {
      const AxisList &axes = projected[t][f];
      if (axes.empty() || !isInScope(rule, f, bytes, scope))
        continue;
      FactorWish &wish = wishes[f];
      bool isHeavier = bytes[t] > wish.bytes;
      if (isPrefix(wish.axes, axes) && wish.axes != axes)
        wish = {axes, std::max(bytes[t], wish.bytes), t};
      else if (isHeavier && !isPrefix(axes, wish.axes))
        wish = {axes, bytes[t], t};
      else if (isHeavier && axes == wish.axes)
        wish.bytes = bytes[t];
    }
  }
  return wishes;
}

StepObstacle obstacleOf(const OpRule &rule, absl::Span<const Sharding> tensors,
                        absl::Span<const double> bytes, size_t tensor, size_t dim, int32_t factor,
                        bool unanimous) {
  const Sharding &sharding = tensors[tensor];
  if (!sharding.dims[dim].open)
    return StepObstacle::closed;
  if (!mayPass(rule, factor, bytes, unanimous) || !mayLearn(rule, tensor))
    return StepObstacle::blocked;
  std::vector<FactorAxes> projected;
  FactorWish wished = wishesOf(rule, tensors, bytes, {}, projected)[factor];
  if (unanimous && tensor < rule.operands.size())
    cutToResult(rule, projected, factor, wished.axes);
  const AxisList &wish = wished.axes;
  const AxisList &own = projected[tensor][factor];
  if (own == wish)
    return StepObstacle::none;
  if (!isPrefix(own, wish))
    return StepObstacle::differs;
  const DimFactors &factors = rule.tensor(tensor)[dim];
  size_t place = std::find(factors.begin(), factors.end(), factor) - factors.begin();
  if (!canHold(rule, factors, projected[tensor], place))
    return StepObstacle::part;
  if (!unanimous && isPartOfSplit(rule, projected, wished.tensor, tensor, factor))
    return StepObstacle::behind;
  AxisRef next = afterPrefix(own, wish).front();
  if (std::any_of(sharding.dims.begin(), sharding.dims.end(),
                  [&](const DimSharding &other) { return exclude(next, other.axes); }))
    return StepObstacle::used;
  if (exclude(next, sharding.replicated) || exclude(next, sharding.unreduced))
    return StepObstacle::reserved;
  return fits(rule, factors, factor, sizeOf(own) * next.size) ? StepObstacle::none
                                                              : StepObstacle::uneven;
}

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
