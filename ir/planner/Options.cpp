#include "spmd/ir/planner/Options.h"

#include "spmd/ir/choose/SplitCost.h"
#include "spmd/ir/choose/Work.h"
#include "spmd/ir/rules/AllSplits.h"
#include "spmd/ir/rules/Projection.h"
#include "spmd/ir/rules/Split.h"
#include "spmd/ir/sharding/Layout.h"

#include <algorithm>
#include <set>

namespace spmd {

void OptionSet::index() {
  sides.assign(numTensors, {});
  for (int32_t t = 0; t < numTensors; ++t) {
    Side &side = sides[t];
    absl::flat_hash_map<int32_t, int32_t> known;
    for (int32_t o = 0; o < size(); ++o) {
      auto [entry, isNew] =
          known.try_emplace(layoutOf(o, t), static_cast<int32_t>(side.layouts.size()));
      if (isNew)
        side.layouts.push_back(layoutOf(o, t));
      side.indexOf.push_back(entry->second);
    }
  }
  for (int32_t o = 0; o < size(); ++o)
    numbers.try_emplace({layouts.begin() + o * numTensors, layouts.begin() + (o + 1) * numTensors},
                        o);
}

/// Dim d of all tensors is one dim.
static void tieDims(OptionSet &set, size_t rank) {
  for (size_t d = 0; d < rank; ++d) {
    std::vector<OptionSet::Place> &tie = set.ties.emplace_back();
    for (int32_t t = 0; t < set.numTensors; ++t)
      tie.push_back({t, static_cast<int32_t>(d)});
  }
}

OptionSet fixedOption(std::vector<int32_t> operands, std::vector<int32_t> results) {
  OptionSet set;
  set.numOperands = static_cast<int32_t>(operands.size());
  set.numTensors = static_cast<int32_t>(operands.size() + results.size());
  set.costs = {0};
  set.layouts = std::move(operands);
  set.layouts.insert(set.layouts.end(), results.begin(), results.end());
  set.index();
  return set;
}

namespace {

/// Enumerates the layouts that split `start` further: each of `axes` goes to a dim, behind the axes
/// that it has in `start`, to shares of a sum, or nowhere. A dim is split evenly, or as in `known`.
class Refiner {
public:
  Refiner(LayoutTable &table, int32_t kind, absl::Span<const int32_t> axes, const Sharding &start,
          const Sharding &known, bool mayShare)
      : table(table), kind(kind), axes(axes), start(start), known(known), mayShare(mayShare) {}

  std::vector<int32_t> run() {
    place(0, start);
    return std::move(found);
  }

private:
  void place(size_t a, const Sharding &sharding) {
    if (a == axes.size()) {
      for (size_t d = 0; d < sharding.dims.size(); ++d)
        if (table.shapeOf(kind)[d] % sizeOf(sharding.dims[d].axes) != 0 &&
            sharding.dims[d].axes != known.dims[d].axes)
          return;
      found.push_back(table.intern(sharding));
      return;
    }
    place(a + 1, sharding);
    AxisRef axis = wholeAxis(table.mesh(), axes[a]);
    if (axis.size == 1 || overlaps(axis, start.usedAxes()))
      return;
    for (size_t d = 0; d < sharding.dims.size(); ++d)
      for (size_t at = start.dims[d].axes.size(); at <= sharding.dims[d].axes.size(); ++at) {
        Sharding further = sharding;
        AxisList &list = further.dims[d].axes;
        list.insert(list.begin() + static_cast<ptrdiff_t>(at), axis);
        place(a + 1, further);
      }
    if (!mayShare)
      return;
    Sharding shared = sharding;
    shared.unreduced.push_back(axis);
    place(a + 1, shared);
  }

  LayoutTable &table;
  int32_t kind;
  absl::Span<const int32_t> axes;
  const Sharding &start, &known;
  bool mayShare;
  std::vector<int32_t> found;
};

/// Returns the options of a node whose tensors all have the same layout: `first`, or one of
/// `others`.
OptionSet sameLayouts(int32_t first, const std::vector<int32_t> &others, int32_t numReads,
                      int32_t numMade, size_t rank) {
  OptionSet set;
  set.numOperands = numReads;
  set.numTensors = numReads + numMade;
  auto add = [&](int32_t layout) {
    set.costs.push_back(0);
    set.layouts.insert(set.layouts.end(), set.numTensors, layout);
  };
  add(first);
  for (int32_t layout : others)
    if (layout != first)
      add(layout);
  tieDims(set, rank);
  set.index();
  return set;
}

} // namespace

OptionSet anyLayout(const HandedOn &value, absl::Span<const int32_t> axes, LayoutTable &table) {
  size_t rank = table.shapeOf(value.kind).size();
  Sharding whole = Sharding::replicatedOf(static_cast<int64_t>(rank)),
           declared = table[value.declared];
  std::vector<int32_t> all =
      Refiner(table, value.kind, axes, whole, /*known=*/declared, value.mayShare).run();
  all.erase(std::remove_if(all.begin(), all.end(),
                           [&](int32_t layout) {
                             return table.bytesOf(value.kind) / table.shardsOf(layout) >
                                    value.mostBytes;
                           }),
            all.end());
  return sameLayouts(value.declared, all, value.numReads, /*numMade=*/2, rank);
}

OptionSet refinements(int32_t pinned, int32_t kind, absl::Span<const int32_t> axes,
                      LayoutTable &table) {
  Sharding start = table[pinned];
  std::vector<int32_t> others;
  if (start.unreduced.empty())
    others = Refiner(table, kind, axes, start, /*known=*/start, /*mayShare=*/false).run();
  return sameLayouts(pinned, others, 1, 1, start.dims.size());
}

namespace {

/// Between the weights of NVLink (2,200 operations and 7 bytes of memory for a byte on the wire of
/// an H100) and those of a 400 Gb/s network (20,000 and 67). 32-bit products at default precision
/// take twice as long as narrow ones, by TF32 or the passes of a TPU.
constexpr WorkWeights weights{1.0 / 4000, 1.0 / 32, 2};

/// The cost of a fused value, as a share of that of a written one. It decides between plans that
/// cost the same: the one whose values are smaller on a device is taken.
constexpr double fusedShare = 2e-4;

/// How many of the splits of an op are options.
enum class Breadth {
  all,
  meshOrder, ///< Those that give the axes of a factor in the order of the mesh.
  declared   ///< Those that give an axis to a factor to which propagation gave it.
};

/// Enumerates the options of one strategy.
class Enumerator {
public:
  Enumerator(const OptionRequest &request, const Strategy &strategy, LayoutTable &table,
             const CostModel &model, OptionSet &set)
      : request(request), strategy(strategy), rule(strategy.rule), table(table), model(model),
        set(set), split(rule.factors.size()) {
    for (const OpTensor &tensor : request.operands)
      operands.push_back(situationOf(tensor));
    for (const OpTensor &tensor : request.results)
      results.push_back(situationOf(tensor));
    flops = weightedFlops(strategy, operands, weights);
    splitCost.emplace(strategy, rule, strategy.windows, flops, operands, results, model, weights);
    for (int32_t f = 0; f < rule.numFactors(); ++f)
      if (canSplit(rule, strategy.windows, f) && rule.factors[f].size > 1)
        splittable.push_back(f);
    collectPassing();
    collectMergedDims();
    collectDeclared();
    if (strategy.multiplies)
      leastDegree = request.leastDegree;
  }

  /// Returns false if there are too many.
  bool run(Breadth breadth, absl::flat_hash_map<std::vector<int32_t>, int32_t> &known) {
    this->known = &known;
    this->breadth = breadth;
    place(0);
    for (size_t t = 0; t < request.declared.size() && !isFull; ++t)
      addDeclared(t);
    return !isFull;
  }

private:
  TensorSituation situationOf(const OpTensor &tensor) {
    return {table.shapeOf(tensor.kind), table.elementBitsOf(tensor.kind), &whole, tensor.isFree};
  }

  const OpTensor &tensor(size_t t) const {
    return t < request.operands.size() ? request.operands[t]
                                       : request.results[t - request.operands.size()];
  }

  /// Collects the sets of operands that may hold shares together.
  void collectPassing() {
    if (strategy.commuting.empty() || rule.results.size() != 1 || !request.mayShare)
      return;
    std::vector<int32_t> jointly;
    bool canJoin = true;
    for (size_t i = 0; i < request.operands.size(); ++i) {
      const Commuting::Entry &entry = strategy.commuting[i][ReductionKind::sum];
      if (entry.passing == Passing::alone && !request.operands[i].isFree &&
          entry.becomes == ReductionKind::sum)
        passing.push_back({static_cast<int32_t>(i)});
      if (entry.passing == Passing::jointly) {
        jointly.push_back(static_cast<int32_t>(i));
        canJoin &= entry.becomes == ReductionKind::sum;
      }
    }
    if (!jointly.empty() && canJoin)
      passing.push_back(std::move(jointly));
  }

  /// Collects the dims that an axis may split as a whole though it is larger than the first factor.
  void collectMergedDims() {
    std::set<std::vector<int32_t>> known;
    for (int64_t t = 0; t < rule.numTensors(); ++t)
      for (const DimFactors &dim : rule.tensor(t))
        if (dim.size() > 1 && known.emplace(dim.begin(), dim.end()).second)
          mergedDims.push_back(&dim);
  }

  /// Collects the factors that propagation splits, each with an axis that it gave it.
  void collectDeclared() {
    for (size_t t = 0; t < request.declared.size(); ++t)
      if (request.declared[t] >= 0 && !tensor(t).isFree) {
        FactorAxes found = project(rule, rule.tensor(t), table[request.declared[t]]);
        for (int32_t f : splittable)
          for (const AxisRef &axis : found[f])
            if (isWhole(table.mesh(), axis)) {
              declared.insert({f, axis.axis});
              if (rule.factors[f].size % sizeOf(found[f]) != 0)
                uneven.insert({f, axis.axis});
            }
      }
  }

  /// Cuts an axis into parts, one for each factor of a merged dim that is not full.
  void placeAlong(const DimFactors &dim, const AxisRef &axis, size_t a) {
    AxisList axes = unprojectDim(rule, dim, split);
    axes.push_back(axis);
    FactorAxes further = split;
    for (int32_t f : dim)
      further[f].clear();
    if (!projectDim(rule, dim, axes, further) ||
        std::any_of(dim.begin(), dim.end(), [&](int32_t f) {
          return further[f] != split[f] && !canSplit(rule, strategy.windows, f);
        }))
      return;
    bool isCut = std::none_of(dim.begin(), dim.end(), [&](int32_t f) {
      return std::find(further[f].begin(), further[f].end(), axis) != further[f].end();
    });
    if (!isCut)
      return; // As a whole it is given to factors one by one.
    std::swap(split, further);
    place(a + 1);
    std::swap(split, further);
  }

  /// Gives the axes from number `a` on to factors or shares.
  void place(size_t a) {
    if (isFull)
      return;
    if (a == request.axes.size())
      return addOption();
    AxisRef axis = wholeAxis(table.mesh(), request.axes[a]);
    place(a + 1);
    if (axis.size == 1)
      return;
    for (int32_t f : splittable) {
      std::pair<int32_t, int32_t> pair{f, axis.axis};
      bool isEven = rule.factors[f].size % (sizeOf(split[f]) * axis.size) == 0;
      if ((!isEven && uneven.count(pair) == 0) ||
          (breadth == Breadth::declared && declared.count(pair) == 0))
        continue;
      for (size_t at = breadth == Breadth::all ? 0 : split[f].size(); at <= split[f].size(); ++at) {
        AxisList before = split[f];
        split[f].insert(split[f].begin() + static_cast<ptrdiff_t>(at), axis);
        place(a + 1);
        split[f] = std::move(before);
      }
    }
    for (const DimFactors *dim : mergedDims)
      placeAlong(*dim, axis, a);
    for (size_t p = 0; p < passing.size(); ++p) {
      if (!shares.empty() && sharing != p)
        continue;
      sharing = p;
      shares.push_back(axis);
      place(a + 1);
      shares.pop_back();
    }
  }

  /// Adds the split that a layout of propagation stands for, unless it is among the others.
  void addDeclared(size_t t) {
    int32_t layout = request.declared[t];
    if (layout < 0 || tensor(t).isFree)
      return;
    const Sharding &sharding = table[layout];
    bool isRegular = sharding.unreduced.empty();
    for (const DimSharding &dim : sharding.dims)
      for (const AxisRef &axis : dim.axes)
        isRegular &= isWhole(table.mesh(), axis);
    if (sharding.rank() != static_cast<int64_t>(rule.tensor(t).size()) ||
        (isRegular && dividesEvenly(sharding, table.shapeOf(tensor(t).kind))))
      return;
    shares.clear();
    split = project(rule, rule.tensor(t), sharding);
    for (int32_t f = 0; f < rule.numFactors(); ++f)
      if (!split[f].empty() && !canSplit(rule, strategy.windows, f))
        split[f].clear();
    addOption();
    split.assign(rule.factors.size(), {});
  }

  bool layOut(std::vector<int32_t> &layouts) {
    PartialState passed{shares, ReductionKind::sum};
    std::optional<PartialState> left = partialResult(rule, split, passed);
    if (!left)
      return false;
    for (int64_t t = 0; t < rule.numTensors(); ++t) {
      bool isExact = true, isResult = t >= static_cast<int64_t>(rule.operands.size());
      Sharding sharding = unproject(rule, rule.tensor(t), split, &isExact);
      if (!isExact)
        return false;
      if (isResult) {
        sharding.unreduced = left->axes;
        sharding.kind = left->axes.empty() ? ReductionKind::sum : left->kind;
      } else if (!shares.empty() && std::find(passing[sharing].begin(), passing[sharing].end(),
                                              t) != passing[sharing].end()) {
        sharding.unreduced = shares;
      }
      layouts.push_back(table.intern(sharding));
    }
    return true;
  }

  void addOption() {
    if (degree() < leastDegree)
      return;
    std::vector<int32_t> layouts;
    if (!layOut(layouts))
      return;
    double cost = costOfSplit();
    auto [entry, isNew] = known->try_emplace(layouts, set.size());
    if (!isNew) {
      set.costs[entry->second] = std::min(set.costs[entry->second], cost);
      return;
    }
    set.costs.push_back(cost);
    set.layouts.insert(set.layouts.end(), layouts.begin(), layouts.end());
    isFull = set.size() > mostOptions;
  }

  /// Returns among how many devices the current split divides the op.
  double degree() const {
    double degree = static_cast<double>(sizeOf(shares));
    for (const AxisList &axes : split)
      degree *= static_cast<double>(sizeOf(axes));
    return degree;
  }

  /// Arithmetic, what is written to memory, and exchanges.
  double costOfSplit() {
    if (addsUpNothing(rule, split))
      return 0;
    double seconds = splitCost->arithmetic(split) + splitCost->exchanges(split), written = 0;
    for (int32_t i : strategy.written)
      written += splitCost->localBytes(split, rule.operands[i], operands[i]);
    for (size_t r = 0; r < results.size() && strategy.written.empty(); ++r)
      written += splitCost->localBytes(split, rule.results[r], results[r]) *
                 (request.results[r].isFused ? fusedShare : 1);
    return seconds * model.bandwidth + written * weights.memoryByte;
  }

  const OptionRequest &request;
  const Strategy &strategy;
  const OpRule &rule;
  LayoutTable &table;
  const CostModel &model;
  OptionSet &set;
  MeshSharding whole; ///< Stands for layouts that the cost does not depend on.
  std::vector<TensorSituation> operands, results;
  double flops = 0;
  std::optional<SplitCost> splitCost;
  std::vector<int32_t> splittable;           ///< Factors.
  std::vector<std::vector<int32_t>> passing; ///< Sets of operands.
  std::vector<const DimFactors *> mergedDims;
  /// Factors with axes: those of propagation, and those of them that are no even splits.
  std::set<std::pair<int32_t, int32_t>> declared, uneven;
  Breadth breadth = Breadth::all;
  FactorAxes split;
  AxisList shares;    ///< The axes along which operands hold shares.
  size_t sharing = 0; ///< The set of operands that does.
  bool isFull = false;
  double leastDegree = 1;
  absl::flat_hash_map<std::vector<int32_t>, int32_t> *known = nullptr;
};

} // namespace

/// Ties the dims that have a factor as their major one.
static void tieFactors(const Strategy &strategy, OptionSet &set) {
  const OpRule &rule = strategy.rule;
  set.isHeavy = strategy.multiplies;
  set.ties.resize(rule.factors.size());
  for (int32_t t = 0; t < set.numTensors; ++t)
    for (size_t d = 0; d < rule.tensor(t).size(); ++d)
      for (int32_t f : rule.tensor(t)[d])
        if (rule.factors[f].size > 1) {
          set.ties[f].push_back({t, static_cast<int32_t>(d)});
          break;
        }
}

std::optional<OptionSet> makeOptions(const OptionRequest &request, LayoutTable &table,
                                     const CostModel &model) {
  for (Breadth breadth : {Breadth::all, Breadth::meshOrder, Breadth::declared}) {
    OptionSet set;
    set.numOperands = static_cast<int32_t>(request.operands.size());
    set.numTensors = static_cast<int32_t>(request.operands.size() + request.results.size());
    absl::flat_hash_map<std::vector<int32_t>, int32_t> known;
    bool isComplete = std::all_of(
        request.strategies.begin(), request.strategies.end(), [&](const Strategy &each) {
          return Enumerator(request, each, table, model, set).run(breadth, known);
        });
    if (!isComplete)
      continue;
    if (set.size() == 0)
      return std::nullopt;
    tieFactors(request.strategies.front(), set);
    set.index();
    return set;
  }
  return std::nullopt;
}

} // namespace spmd
