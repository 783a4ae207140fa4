#include "spmd/ir/choose/Choose.h"

#include "spmd/ir/choose/BetweenSplits.h"
#include "spmd/ir/choose/PartsChoice.h"
#include "spmd/ir/choose/SplitCost.h"
#include "spmd/ir/choose/Work.h"
#include "spmd/ir/rules/AllSplits.h"
#include "spmd/ir/rules/Parts.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace spmd {

namespace {

/// More combinations than this are not looked at; the first ones come from the operands themselves.
constexpr int maxSplits = 2048;

/// So many axes of dims that do not split are tried elsewhere.
constexpr size_t maxHomeless = 3;

class Chooser {
public:
  /// Of `strategy` or a part of it, by `rule`. `mesh` is the one that it runs on, `flops` its work.
  Chooser(const Strategy &strategy, const OpRule &rule, absl::Span<const WindowUse> windows,
          double flops, int32_t mesh, absl::Span<const TensorSituation> operands,
          absl::Span<const TensorSituation> results, ReshardCosts &costs)
      : rule(rule), windows(windows), operands(operands), results(results), costs(costs),
        mesh(mesh), splitCost(strategy, rule, windows, flops, operands, results, costs.costModel(),
                              WorkWeights()) {}

  /// Leaves the cheapest split in `best` if it beats what is there. Axes are tried along other dims
  /// than their own if `offersElsewhere`. Whole everywhere is always possible, and mostly takes the
  /// longest to find out; it comes last, and stays where a split costs the same.
  void run(Choice &best, bool offersElsewhere) {
    double before = best.cost;
    collectCandidates(offersElsewhere);
    current.assign(rule.numFactors(), {});
    enumerate(0, best);
    constexpr double more = std::numeric_limits<double>::infinity();
    evaluate(best, std::min(before, std::nextafter(best.cost, more)));
  }

private:
  /// Along each factor: what each tensor has there, but for those made anew anyhow, then nothing.
  void collectCandidates(bool offersElsewhere) {
    candidates.assign(rule.numFactors(), {});
    auto look = [&](const TensorFactors &factors, const TensorSituation &tensor) {
      if (tensor.isFree || tensor.sharding->mesh != mesh || factors.size() != tensor.shape.size())
        return;
      FactorAxes own = project(rule, factors, tensor.sharding->sharding);
      for (int32_t f = 0; f < rule.numFactors(); ++f)
        if (!own[f].empty() && canSplit(rule, windows, f) &&
            std::find(candidates[f].begin(), candidates[f].end(), own[f]) == candidates[f].end())
          candidates[f].push_back(std::move(own[f]));
    };
    for (size_t i = 0; i < operands.size(); ++i)
      look(rule.operands[i], operands[i]);
    for (size_t i = 0; i < results.size(); ++i)
      look(rule.results[i], results[i]);
    offerRests();
    if (offersElsewhere)
      offerElsewhere();
    for (std::vector<AxisList> &list : candidates)
      list.push_back({});
  }

  /// Along each factor: also what is left of several axes if others have some of them. Tokens along
  /// "x" look words up in rows along "x" and "y": these are gathered along "x" alone.
  void offerRests() {
    std::vector<std::pair<int32_t, AxisList>> rests;
    for (int32_t f = 0; f < rule.numFactors(); ++f)
      for (const AxisList &axes : candidates[f])
        for (int32_t g = 0; g < rule.numFactors() && axes.size() > 1; ++g)
          for (const AxisList &others : candidates[g]) {
            AxisList rest;
            std::copy_if(axes.begin(), axes.end(), std::back_inserter(rest),
                         [&](const AxisRef &ref) { return !overlaps(ref, others); });
            if (!rest.empty() && rest.size() < axes.size())
              rests.emplace_back(f, std::move(rest));
          }
    for (auto &[f, rest] : rests)
      if (std::find(candidates[f].begin(), candidates[f].end(), rest) == candidates[f].end())
        candidates[f].push_back(std::move(rest));
  }

  /// Along factors that split freely: also the axes of dims that do not, or at a price, behind what
  /// is there. Data then goes from one dim to another and back (an FFT, a sort).
  void offerElsewhere() {
    std::vector<AxisList> homeless = homelessAxes();
    for (int32_t f = 0; f < rule.numFactors(); ++f) {
      if (rule.factors[f].kind != FactorKind::pass)
        continue;
      std::vector<AxisList> bases = candidates[f];
      bases.push_back({});
      for (const AxisList &axes : homeless)
        for (AxisList longer : bases) {
          if (overlaps(longer, axes) || sizeOf(longer) * sizeOf(axes) > rule.factors[f].size)
            continue;
          for (const AxisRef &ref : axes)
            appendMerged(longer, ref);
          candidates[f].push_back(std::move(longer));
        }
    }
  }

  /// Returns the axes along dims of which no factor can be split, or only by sending most of it.
  std::vector<AxisList> homelessAxes() const {
    std::vector<AxisList> homeless;
    // Once for each factor: what joins many tensors has it in all of them.
    absl::InlinedVector<std::optional<bool>, 8> known(rule.numFactors());
    auto splits = [&](int32_t f) {
      if (!known[f])
        known[f] = splitsCheaply(rule, windows, f);
      return *known[f];
    };
    auto isStuck = [&](const DimFactors &dim) {
      return std::none_of(dim.begin(), dim.end(), splits);
    };
    auto look = [&](const TensorFactors &factors, const TensorSituation &tensor) {
      if (tensor.sharding->mesh != mesh || factors.size() != tensor.shape.size())
        return;
      for (size_t d = 0; d < factors.size(); ++d) {
        const AxisList &axes = tensor.sharding->sharding.dims[d].axes;
        if (!axes.empty() && isStuck(factors[d]) && homeless.size() < maxHomeless &&
            std::find(homeless.begin(), homeless.end(), axes) == homeless.end())
          homeless.push_back(axes);
      }
    };
    for (size_t i = 0; i < operands.size(); ++i)
      look(rule.operands[i], operands[i]);
    for (size_t i = 0; i < results.size(); ++i)
      look(rule.results[i], results[i]);
    return homeless;
  }

  void enumerate(size_t f, Choice &best) {
    if (numSplits >= maxSplits)
      return;
    if (f == candidates.size()) {
      ++numSplits;
      if (!isWhole())
        evaluate(best, best.cost);
      return;
    }
    for (const AxisList &axes : candidates[f]) {
      if (!axes.empty() && isInUse(axes, f))
        continue;
      current[f] = axes;
      enumerate(f + 1, best);
    }
    current[f].clear();
  }

  /// Whether nothing is split, which is looked at last.
  bool isWhole() const {
    return std::all_of(current.begin(), current.end(),
                       [](const AxisList &axes) { return axes.empty(); });
  }

  bool isInUse(const AxisList &axes, size_t before) const {
    for (size_t f = 0; f < before; ++f)
      if (overlaps(current[f], axes))
        return true;
    return false;
  }

  /// Leaves the current split in `best` if it costs less than `most`.
  void evaluate(Choice &best, double most) {
    Choice choice;
    choice.cost = choice.work = addsUpNothing(rule, current) ? 0 : splitCost.work(current);
    if (!(choice.cost < most)) // Before what takes longer to find out.
      return;
    choice.cost += splitCost.exchanges(current);
    if (!(choice.cost < most) || !placeTensors(choice, most))
      return;
    for (size_t i = 0; i < results.size() && choice.cost < most; ++i)
      choice.cost += costs.cost(choice.results[i], *results[i].sharding, results[i].shape,
                                results[i].elementBits);
    if (choice.cost < most) {
      choice.factorAxes = current;
      best = std::move(choice);
    }
  }

  /// Says how operands and results lie under the split. Returns whether the op can run so, for less
  /// than `most` as far as operands tell.
  bool placeTensors(Choice &choice, double most) {
    AxisList partial;
    ReductionKind kind;
    if (!place(rule.operands, choice.operands) || !(addMoves(choice) < most) ||
        !partialAxes(partial, kind) || !place(rule.results, choice.results))
      return false;
    for (MeshSharding &produced : choice.results) {
      produced.sharding.unreduced = partial;
      produced.sharding.kind = partial.empty() ? ReductionKind::sum : kind;
    }
    return true;
  }

  /// Adds the moves of operands to the cost of a choice, and returns it.
  double addMoves(Choice &choice) {
    for (size_t i = 0; i < operands.size(); ++i)
      if (!operands[i].isFree)
        choice.cost += costs.cost(*operands[i].sharding, choice.operands[i], operands[i].shape,
                                  operands[i].elementBits);
    return choice.cost;
  }

  bool place(const std::vector<TensorFactors> &tensors, std::vector<MeshSharding> &places) const {
    bool isExact = true;
    for (size_t i = 0; i < tensors.size() && isExact; ++i)
      places.push_back({mesh, unproject(rule, tensors[i], current, &isExact)});
    return isExact;
  }

  /// Collects the axes of reduce factors; false if they are of several kinds.
  bool partialAxes(AxisList &axes, ReductionKind &kind) const {
    kind = ReductionKind::sum;
    for (int64_t f = 0; f < rule.numFactors(); ++f) {
      if (!leavesPartial(rule.factors[f].kind) || current[f].empty())
        continue;
      if (!axes.empty() && kind != rule.factors[f].reduction)
        return false;
      kind = rule.factors[f].reduction;
      axes.insert(axes.end(), current[f].begin(), current[f].end());
    }
    std::sort(axes.begin(), axes.end());
    AxisList merged;
    for (const AxisRef &ref : axes)
      appendMerged(merged, ref);
    axes = std::move(merged);
    return true;
  }

  const OpRule &rule;
  absl::Span<const WindowUse> windows;
  absl::Span<const TensorSituation> operands, results;
  ReshardCosts &costs;
  int32_t mesh;
  SplitCost splitCost;
  std::vector<std::vector<AxisList>> candidates;
  FactorAxes current;
  int numSplits = 0;
};

} // namespace

Choice choose(const Strategies &strategies, absl::Span<const TensorSituation> operands,
              absl::Span<const TensorSituation> results, ReshardCosts &costs) {
  Choice best;
  best.cost = std::numeric_limits<double>::infinity();
  int32_t mesh = meshOfOp(operands, results);
  for (size_t i = 0; i < strategies.size(); ++i) {
    double before = best.cost;
    const Strategy &strategy = strategies[i];
    bool isBetween = i > 0 && isOnlyBetween(strategy);
    if (isBetween && (!(best.work < best.cost) || !isBetweenSplits(strategy, operands, results)))
      continue; // Nothing is moved as it is, or not between neighbours.
    double flops = weightedFlops(strategy, operands, WorkWeights());
    if (isOnePart(strategy.rule)) {
      Chooser(strategy, strategy.rule, strategy.windows, flops, mesh, operands, results, costs)
          .run(best, !isBetween);
    } else {
      PartsChoice byParts(strategy, operands, results);
      forEachPart(strategy.rule, [&](RulePart part) {
        byParts.add(std::move(part), [&](const PartsChoice::Own &own, Choice &choice) {
          double each = flops / static_cast<double>(own.part.numParts);
          Chooser(strategy, own.part.rule, own.windows, each, mesh, own.operands, own.results,
                  costs)
              .run(choice, !isBetween);
        });
      });
      byParts.finish(best);
    }
    if (best.cost < before)
      best.strategy = static_cast<int32_t>(i);
  }
  return best;
}

} // namespace spmd
