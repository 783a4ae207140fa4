// From a user's rule to the strategies that the compiler chooses from.
//
// Attention with queries along k and keys along m, ([i, j, k, l], [i, j, m, l])->([i, j, k, l]):
//
//     gather       m is whole, k is split          the keys are brought to each device
//     ring         the keys' dim is split as k     blocks of keys go round
//     all_to_all   k and m are whole               j is split instead, as long as the op runs
//
// In the backward op, whose results include those along m, each device that has a part of k has a
// share of these. They come out of the op whole, and are added up onto parts.

#include "spmd/dialect/partitioning/CustomRule.h"

#include "spmd/dialect/partitioning/CallAttributes.h"
#include "spmd/dialect/partitioning/CustomCallRules.h"

#include "llvm/Support/Format.h"

namespace spmd {

using Way = CustomRule::Way;

static OpRule withUnknownFactorsWhole(OpRule rule) {
  std::vector<bool> isTaken(rule.numFactors()), isGiven(rule.numFactors());
  auto mark = [](const std::vector<TensorFactors> &tensors, std::vector<bool> &seen) {
    for (const TensorFactors &tensor : tensors)
      for (const DimFactors &dim : tensor)
        for (int32_t factor : dim)
          seen[factor] = true;
  };
  mark(rule.operands, isTaken);
  mark(rule.results, isGiven);
  for (int64_t i = 0; i < rule.numFactors(); ++i)
    if (rule.factors[i].kind == FactorKind::window ||
        (rule.factors[i].kind == FactorKind::pass && isTaken[i] != isGiven[i]))
      rule.factors[i].kind = FactorKind::whole;
  return rule;
}

Strategy strategyOfRule(OpRule rule) {
  Strategy strategy{withUnknownFactorsWhole(std::move(rule)), {}, {}, 0};
  for (auto [i, operand] : llvm::enumerate(strategy.rule.operands))
    for (const DimFactors &dim : operand)
      if (dim.size() == 1 && strategy.rule.factors[dim.front()].kind == FactorKind::reduce)
        strategy.padding.push_back({static_cast<int32_t>(i), dim.front(), FillValue::zero});
  return strategy;
}

//===- Conditions ----------------------------------------------------------===//

/// Returns an attribute as rules write it: `BNSD`, `0.9`, `true`, `8`.
static std::string textOf(mlir::Attribute attribute) {
  if (auto text = llvm::dyn_cast<mlir::StringAttr>(attribute))
    return text.str();
  std::string text;
  llvm::raw_string_ostream os(text);
  if (auto number = llvm::dyn_cast<mlir::FloatAttr>(attribute)) {
    os << llvm::format("%g", number.getValueAsDouble());
    return text;
  }
  attribute.print(os, /*elideType=*/true);
  return text;
}

/// Whether two texts are alike, or the same number.
static bool isSame(llvm::StringRef text, llvm::StringRef wanted) {
  double a, b;
  return text == wanted || (!text.getAsDouble(a) && !wanted.getAsDouble(b) &&
                            static_cast<float>(a) == static_cast<float>(b));
}

/// Returns whether `op` meets the condition. Nobody knows what an op does without an attribute that
/// the rule asks for, unless the rule says what the op takes then.
static std::optional<bool> meets(mlir::Operation *op, const CustomRule::Condition &condition) {
  mlir::Attribute attribute = attributeOf(op, condition.attribute);
  if (!attribute)
    attribute = condition.fallback;
  if (!attribute)
    return std::nullopt;
  std::string text = textOf(attribute);
  bool isSo = condition.values.empty()
                  ? text != "false" && text != "null"
                  : llvm::any_of(condition.values,
                                 [&](const std::string &value) { return isSame(text, value); });
  return isSo != condition.isForbidden;
}

/// An unknown condition forbids, which is always safe.
static bool holds(const CustomRule::Condition &condition, mlir::Operation *op) {
  return meets(op, condition).value_or(false);
}

static void forbid(OpRule &rule, const CustomRule::Condition &condition) {
  for (int64_t i = 0; i < rule.numFactors(); ++i)
    if (condition.factors.empty() || llvm::is_contained(condition.factors, i))
      rule.factors[i].kind = FactorKind::whole;
}

/// Returns a condition that `op` does not meet, in words.
static UnmetCondition describe(mlir::Operation *op, const CustomRule::Condition &condition) {
  std::string name = "'" + condition.attribute.str() + "'";
  mlir::Attribute attribute = attributeOf(op, condition.attribute);
  if (attribute)
    return {"where " + name + " is " + textOf(attribute)};
  if (condition.fallback)
    return {"where " + name + " is " + condition.fallback.str() +
            ", which the rule takes for a call without it"};
  std::string value = !condition.values.empty() ? condition.values.front()
                      : condition.isForbidden   ? "false"
                                                : "true";
  bool isAsked = condition.isForbidden && !condition.values.empty();
  return {
      "where " + name + " is unknown",
      /*isUnknown=*/true,
      "the call has no attribute " + name +
          (hasUnreadableConfig(op)
               ? ", and its backend_config is neither JSON nor a dictionary of MLIR"
               : "") +
          "; give it one, or write into the condition what the op takes without it: default: \"" +
          (isAsked ? ".." : value) + "\""};
}

/// Returns the conditions of the user's rule of `op`; none if it has no such rule.
static std::vector<CustomRule::Condition> conditionsOf(mlir::Operation *op) {
  if (!customRuleAttrOf(op))
    return {};
  absl::StatusOr<CustomRule> rule = customRuleOf(op);
  return rule.ok() ? std::move(rule->conditions) : std::vector<CustomRule::Condition>();
}

std::optional<UnmetCondition> unknownCondition(mlir::Operation *op) {
  for (const CustomRule::Condition &condition : conditionsOf(op))
    if (!meets(op, condition))
      return describe(op, condition);
  return std::nullopt;
}

std::optional<UnmetCondition> unmetCondition(mlir::Operation *op) {
  for (const CustomRule::Condition &condition : conditionsOf(op))
    if (std::optional<bool> isMet = meets(op, condition); isMet && !*isMet)
      return describe(op, condition);
  return unknownCondition(op);
}

//===- Strategies ----------------------------------------------------------===//

static bool hasFactor(const TensorFactors &tensor, int32_t factor) {
  return llvm::any_of(tensor,
                      [&](const DimFactors &dim) { return llvm::is_contained(dim, factor); });
}

/// Makes `factor` divide, wherever it is: a dim of several factors must, so it gets a second one,
/// of size 1.
static void makeEven(OpRule &rule, int32_t factor) {
  auto unit = static_cast<int32_t>(rule.numFactors());
  bool isAdded = false;
  for (std::vector<TensorFactors> *tensors : {&rule.operands, &rule.results})
    for (TensorFactors &tensor : *tensors)
      for (DimFactors &dim : tensor)
        if (dim.size() == 1 && dim[0] == factor) {
          dim.push_back(unit);
          isAdded = true;
        }
  if (isAdded)
    rule.factors.push_back({1, FactorKind::whole});
}

/// Writes `to` for the dims of `tensor` that are `from`; an empty `to` is no factor.
static void rename(TensorFactors &tensor, int32_t from, const DimFactors &to) {
  for (DimFactors &dim : tensor)
    if (dim.size() == 1 && dim[0] == from)
      dim = to;
}

/// What it takes to meet all rows of an operand: a window as long as the dim that does not move.
static void addExchange(Strategy &strategy, size_t operand, int32_t factor, int64_t size) {
  Window window;
  window.size = size;
  window.stride = 0;
  strategy.windows.push_back(
      {static_cast<int32_t>(operand), factor, window, strategy.rule.factors[factor].size});
}

/// The op runs on all rows; results that have them are shares where `with` is split.
static void gatherRows(const CustomRule::Along &along, Strategy &strategy) {
  OpRule &rule = strategy.rule;
  int64_t size = rule.factors[along.factor].size;
  rule.factors[along.factor].kind = FactorKind::whole;
  bool isShared = false;
  for (TensorFactors &result : rule.results)
    if (hasFactor(result, along.factor) && !hasFactor(result, along.with)) {
      rename(result, along.factor, {along.with});
      isShared = true;
    }
  for (size_t i = 0; i < rule.operands.size(); ++i) {
    if (isShared && hasFactor(rule.operands[i], along.with))
      strategy.padding.push_back({static_cast<int32_t>(i), along.with, FillValue::zero});
    if (isShared && hasFactor(rule.operands[i], along.factor) &&
        !hasFactor(rule.operands[i], along.with))
      addExchange(strategy, i, along.with, size);
  }
}

/// Blocks of rows go round, along the axes of `with`. Both must have as many rows, and divide.
static bool rotateRows(const CustomRule::Along &along, Strategy &strategy) {
  OpRule &rule = strategy.rule;
  int64_t size = rule.factors[along.factor].size;
  if (size != rule.factors[along.with].size)
    return false;
  for (size_t i = 0; i < rule.operands.size(); ++i)
    if (hasFactor(rule.operands[i], along.factor) && !hasFactor(rule.operands[i], along.with))
      addExchange(strategy, i, along.with, size);
  for (std::vector<TensorFactors> *tensors : {&rule.operands, &rule.results})
    for (TensorFactors &tensor : *tensors)
      rename(tensor, along.factor,
             hasFactor(tensor, along.with) ? DimFactors{} : DimFactors{along.with});
  makeEven(rule, along.with);
  return true;
}

static void readNeighbours(const CustomRule::Along &along, Strategy &strategy) {
  OpRule &rule = strategy.rule;
  Factor &factor = rule.factors[along.factor];
  factor.kind = FactorKind::window;
  factor.window.size = along.low + along.high + 1;
  factor.window.padLow = along.low;
  factor.window.padHigh = along.high;
  for (size_t i = 0; i < rule.operands.size(); ++i)
    if (hasFactor(rule.operands[i], along.factor))
      strategy.windows.push_back(
          {static_cast<int32_t>(i), along.factor, factor.window, factor.size});
}

/// Makes `strategy` one that goes `way`; false if it cannot.
static bool apply(Way way, const CustomRule::Along &along, Strategy &strategy) {
  switch (way) {
  case Way::gather:
    gatherRows(along, strategy);
    return true;
  case Way::ring:
    return rotateRows(along, strategy);
  case Way::allToAll: // Their axes go to factors that pass, and come back.
    strategy.rule.factors[along.factor].kind = FactorKind::whole;
    strategy.rule.factors[along.with].kind = FactorKind::whole;
    return true;
  case Way::halo:
    readNeighbours(along, strategy);
    return true;
  }
  return false;
}

/// An estimate of the arithmetic of an op that nobody knows: what it reads along different factors
/// meets once, as in a product.
static double flopsOf(const OpRule &rule) {
  std::vector<bool> isRead(rule.numFactors());
  for (const TensorFactors &tensor : rule.operands)
    for (const DimFactors &dim : tensor)
      for (int32_t factor : dim)
        isRead[factor] = true;
  double flops = 2;
  for (int64_t i = 0; i < rule.numFactors(); ++i)
    flops *= isRead[i] ? static_cast<double>(rule.factors[i].size) : 1;
  return flops;
}

/// Whether results are sums over what only operands have.
static bool sums(const OpRule &rule) {
  return llvm::any_of(rule.factors,
                      [](const Factor &factor) { return factor.kind == FactorKind::reduce; });
}

/// The rule as it holds for this call, before any way is gone.
static Strategy baseOf(const CustomRule &rule, mlir::Operation *op) {
  Strategy base = strategyOfRule(rule.dims);
  base.flops = flopsOf(base.rule);
  base.multiplies = rule.dims.operands.size() > 1 && sums(rule.dims);
  // What is met along another factor is split only in one of the ways.
  for (const CustomRule::Along &along : rule.along)
    base.rule.factors[along.factor].kind = FactorKind::whole;
  for (const CustomRule::Condition &condition : rule.conditions)
    if (!holds(condition, op))
      forbid(base.rule, condition);
  for (int32_t factor : rule.even)
    makeEven(base.rule, factor);
  for (const CustomRule::LocalAttribute &local : rule.locals) // Shards of one count.
    makeEven(base.rule, local.factor);
  return base;
}

/// Whether a condition that does not hold concerns `factor`.
static bool isForbidden(const CustomRule &rule, int32_t factor, mlir::Operation *op) {
  return llvm::any_of(rule.conditions, [&](const CustomRule::Condition &condition) {
    return !holds(condition, op) &&
           (condition.factors.empty() || llvm::is_contained(condition.factors, factor));
  });
}

/// Whether an op cannot go `way` along `along` and `other` along `before`: blocks go round along
/// one factor, and a halo is of rows that nothing else moves.
static bool excludes(Way way, const CustomRule::Along &along, Way other,
                     const CustomRule::Along &before) {
  if (way == Way::ring && other == Way::ring)
    return true;
  auto moves = [](Way way, const CustomRule::Along &along, const CustomRule::Along &halo) {
    return way != Way::halo &&
           (along.factor == halo.factor || (way != Way::gather && along.with == halo.factor));
  };
  return (way == Way::halo && moves(other, before, along)) ||
         (other == Way::halo && moves(way, along, before));
}

/// Returns `found` in each way that can go along entry number `next` of the rule.
static std::vector<CustomStrategy> withWays(const std::vector<CustomStrategy> &found,
                                            const CustomRule &rule, size_t next) {
  const CustomRule::Along &along = rule.along[next];
  std::vector<CustomStrategy> longer;
  for (Way way : along.ways)
    for (CustomStrategy each : found) {
      bool isExcluded = false;
      for (size_t i = 0; i < next; ++i)
        isExcluded |= each.ways[i] && excludes(way, along, *each.ways[i], rule.along[i]);
      each.ways.push_back(way);
      if (!isExcluded && apply(way, along, each.strategy))
        longer.push_back(std::move(each));
    }
  return longer;
}

std::vector<CustomStrategy> customStrategies(const CustomRule &rule, mlir::Operation *op) {
  std::vector<CustomStrategy> found = {{baseOf(rule, op), {}}};
  for (auto [next, along] : llvm::enumerate(rule.along)) {
    std::vector<CustomStrategy> longer;
    if (!isForbidden(rule, along.factor, op) && !isForbidden(rule, along.with, op))
      longer = withWays(found, rule, next);
    if (longer.empty())
      for (CustomStrategy &each : found) {
        each.strategy.rule.factors[along.with].kind = FactorKind::whole;
        each.ways.push_back(std::nullopt);
        longer.push_back(std::move(each));
      }
    found = std::move(longer);
  }
  return found;
}

} // namespace spmd
