#include "spmd/ir/choose/PartsChoice.h"

#include <algorithm>
#include <limits>

namespace spmd {

static std::vector<TensorSituation> pick(absl::Span<const TensorSituation> all,
                                         absl::Span<const int32_t> indices) {
  std::vector<TensorSituation> picked;
  picked.reserve(indices.size());
  for (int32_t index : indices)
    picked.push_back(all[index]);
  return picked;
}

std::vector<WindowUse> windowsOf(const Strategy &strategy, const RulePart &part) {
  auto placeIn = [](const std::vector<int32_t> &all, int32_t number) {
    return static_cast<int32_t>(std::find(all.begin(), all.end(), number) - all.begin());
  };
  std::vector<WindowUse> windows;
  for (WindowUse use : strategy.windows)
    if (std::find(part.factors.begin(), part.factors.end(), use.factor) != part.factors.end()) {
      use.operand = placeIn(part.operands, use.operand);
      use.factor = placeIn(part.factors, use.factor);
      windows.push_back(use);
    }
  return windows;
}

template <typename T>
static void place(const std::vector<T> &from, absl::Span<const int32_t> indices,
                  std::vector<T> &to) {
  for (size_t i = 0; i < indices.size(); ++i)
    to[indices[i]] = from[i];
}

static bool areAlike(absl::Span<const TensorSituation> a, absl::Span<const TensorSituation> b) {
  auto areAlikeOne = [](const TensorSituation &one, const TensorSituation &other) {
    return one.shape == other.shape && one.elementBits == other.elementBits &&
           one.isFree == other.isFree &&
           (one.sharding == other.sharding ||
            (one.sharding && other.sharding && *one.sharding == *other.sharding));
  };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), areAlikeOne);
}

PartsChoice::PartsChoice(const Strategy &strategy, absl::Span<const TensorSituation> operands,
                         absl::Span<const TensorSituation> results)
    : strategy(strategy), operands(operands), results(results) {
  whole.factorAxes.resize(strategy.rule.numFactors());
  whole.operands.resize(operands.size());
  whole.results.resize(results.size());
}

const Choice *PartsChoice::find(const Own &own) const {
  for (const Known &each : known)
    if (each.own.part.rule == own.part.rule && areAlike(each.own.operands, own.operands) &&
        areAlike(each.own.results, own.results))
      return &each.choice;
  return nullptr;
}

void PartsChoice::add(RulePart part, absl::FunctionRef<void(const Own &, Choice &)> chooseOwn) {
  if (failed)
    return;
  Own own{std::move(part), {}, {}, {}};
  own.windows = windowsOf(strategy, own.part);
  own.operands = pick(operands, own.part.operands);
  own.results = pick(results, own.part.results);
  const Choice *choice = strategy.windows.empty() ? find(own) : nullptr;
  if (!choice) {
    if (known.size() < maxKnown)
      known.emplace_back();
    Known &made = known[oldest++ % maxKnown];
    made = {own, {}};
    made.choice.cost = std::numeric_limits<double>::infinity();
    chooseOwn(made.own, made.choice);
    choice = &made.choice;
  }
  if (choice->factorAxes.size() != own.part.factors.size()) {
    failed = true;
    return;
  }
  whole.cost += choice->cost;
  whole.work += choice->work;
  place(choice->factorAxes, own.part.factors, whole.factorAxes);
  place(choice->operands, own.part.operands, whole.operands);
  place(choice->results, own.part.results, whole.results);
}

void PartsChoice::finish(Choice &best) {
  if (!failed && whole.cost < best.cost)
    best = std::move(whole);
}

} // namespace spmd
