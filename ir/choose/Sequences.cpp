#include "spmd/ir/choose/Sequences.h"

#include "absl/container/flat_hash_set.h"

#include <algorithm>

namespace spmd {

namespace {

/// Rows may come by way of what stands behind; what is not known after so many looks is let be.
constexpr int maxLooks = 4;

/// One bit for each axis that is asked about.
using AxisBits = uint64_t;
constexpr size_t maxAxes = 64;

using AlongOneDim = std::pair<std::pair<int32_t, int32_t>, int32_t>;

/// Where a factor leads the dims of an op's tensors.
struct Place {
  int32_t factor, tensor, dim;
};

/// A dim that a pin lays along an axis.
struct Seed {
  int32_t value, dim;
  AxisBits axis;
};

/// What rules say, each asked once.
struct KnownRule {
  std::vector<Place> places;                           ///< By factor.
  std::vector<std::pair<int32_t, int32_t>> rowFactors; ///< Of equal size, of both operands.
};

bool has(const TensorFactors &tensor, int32_t factor) {
  return std::any_of(tensor.begin(), tensor.end(), [&](const DimFactors &dim) {
    return std::find(dim.begin(), dim.end(), factor) != dim.end();
  });
}

/// Returns the pairs of factors of one size, one of each operand alone, of a product that has
/// batch dims.
std::vector<std::pair<int32_t, int32_t>> rowFactorsOf(const OpRule &rule) {
  std::vector<std::pair<int32_t, int32_t>> pairs;
  if (rule.operands.size() != 2 || rule.results.size() != 1 || !isProduct(rule))
    return pairs;
  std::vector<int32_t> left, right;
  bool hasBatch = false;
  for (int32_t f = 0; f < rule.numFactors(); ++f) {
    if (!has(rule.results[0], f))
      continue;
    bool isLeft = has(rule.operands[0], f), isRight = has(rule.operands[1], f);
    hasBatch |= isLeft && isRight;
    if (isLeft != isRight)
      (isLeft ? left : right).push_back(f);
  }
  for (int32_t l : left)
    for (int32_t r : right)
      if (hasBatch && rule.factors[l].size == rule.factors[r].size && rule.factors[l].size > 1)
        pairs.push_back({l, r});
  return pairs;
}

/// Returns the factor that a dim is split along first, or -1.
int32_t leading(const DimFactors &dim, const OpRule &rule) {
  for (int32_t factor : dim)
    if (rule.factors[factor].size > 1)
      return factor;
  return -1;
}

/// Follows the rows that pins lay along axes through a graph, both ways.
class RowFollower {
public:
  RowFollower(const ShardGraph &graph, const Timing &timing, std::vector<AlongOneDim> axes)
      : graph(graph), timing(timing), axes(std::move(axes)), rules(graph.numRules()) {}

  /// Returns the axes, by number, whose rows meet.
  AxisBits run() {
    if (!findProducts())
      return 0;
    std::vector<Seed> seeds = findSeeds();
    if (seeds.empty())
      return 0;
    firstDims.reserve(graph.numValues());
    size_t numDims = 0;
    for (int32_t v = 0; v < graph.numValues(); ++v) {
      firstDims.push_back(numDims);
      numDims += graph.shape(graph.value(v).shape).size();
    }
    bits.assign(numDims, 0);
    for (const Seed &seed : seeds)
      bits[firstDims[seed.value] + seed.dim] |= seed.axis;
    for (int32_t r = 0; r < graph.numRules(); ++r)
      rules[r].places = placesOf(graph.rule(r));
    for (int n = 0; n < maxLooks && look(n % 2 == 1); ++n)
      ;
    AxisBits met = 0;
    for (int32_t i = 0; i < graph.numOps(); ++i)
      met |= meetingAt(graph.op(i));
    return met;
  }

private:
  /// Notes the rows that products pair, and their sizes. Returns whether there are any.
  bool findProducts() {
    for (int32_t r = 0; r < graph.numRules(); ++r) {
      rules[r].rowFactors = rowFactorsOf(graph.rule(r));
      for (auto [left, right] : rules[r].rowFactors)
        sizes.insert(graph.rule(r).factors[left].size);
    }
    return !sizes.empty();
  }

  /// Returns the dims, of the size of rows that meet, that pins in between lay along the axes.
  std::vector<Seed> findSeeds() const {
    std::vector<Seed> seeds;
    for (int32_t v = 0; v < graph.numValues(); ++v) {
      const ShardGraph::Value &value = graph.value(v);
      if (value.state != ShardingState::pinned || value.sharding == ShardGraph::none ||
          timing.isAhead[v] || timing.isLate[v])
        continue;
      const MeshSharding &pin = graph.sharding(value.sharding);
      for (size_t n = 0; n < axes.size(); ++n) {
        auto [axis, dim] = axes[n];
        if (pin.mesh != axis.first || dim >= static_cast<int32_t>(pin.sharding.dims.size()) ||
            !sizes.contains(graph.shape(value.shape)[dim]))
          continue;
        for (const AxisRef &split : pin.sharding.dims[dim].axes)
          if (split.axis == axis.second)
            seeds.push_back({v, dim, AxisBits{1} << n});
      }
    }
    return seeds;
  }

  /// Returns where each factor that can be split without a word leads a dim.
  static std::vector<Place> placesOf(const OpRule &rule) {
    std::vector<Place> places;
    for (int32_t t = 0; t < rule.numTensors(); ++t)
      for (size_t d = 0; d < rule.tensor(t).size(); ++d) {
        int32_t factor = leading(rule.tensor(t)[d], rule);
        if (factor < 0)
          continue;
        FactorKind kind = rule.factors[factor].kind;
        if (kind == FactorKind::pass || kind == FactorKind::reduce)
          places.push_back({factor, t, static_cast<int32_t>(d)});
      }
    std::stable_sort(places.begin(), places.end(),
                     [](const Place &a, const Place &b) { return a.factor < b.factor; });
    return places;
  }

  /// Carries marks along the factors of all ops, in order or backwards. Returns whether some went
  /// further.
  bool look(bool forwards) {
    bool changed = false;
    for (int32_t i = 0; i < graph.numOps(); ++i) {
      const ShardGraph::Op &op = graph.op(forwards ? i : graph.numOps() - 1 - i);
      absl::Span<const int32_t> tensors = graph.tensorsOf(op);
      absl::Span<const Place> places = rules[op.rule].places;
      while (!places.empty()) {
        size_t count = 1;
        while (count < places.size() && places[count].factor == places[0].factor)
          ++count;
        AxisBits all = 0;
        for (const Place &place : places.first(count))
          all |= bits[firstDims[tensors[place.tensor]] + place.dim];
        if (all)
          for (const Place &place : places.first(count)) {
            AxisBits &mark = bits[firstDims[tensors[place.tensor]] + place.dim];
            changed |= mark != all;
            mark = all;
          }
        places.remove_prefix(count);
      }
    }
    return changed;
  }

  /// Returns the axes whose rows meet in an op.
  AxisBits meetingAt(const ShardGraph::Op &op) const {
    AxisBits met = 0;
    absl::Span<const int32_t> tensors = graph.tensorsOf(op);
    for (auto [left, right] : rules[op.rule].rowFactors)
      met |= marksOf(op, tensors[0], 0, left) & marksOf(op, tensors[1], 1, right);
    return met;
  }

  AxisBits marksOf(const ShardGraph::Op &op, int32_t value, int32_t tensor, int32_t factor) const {
    const OpRule &rule = graph.rule(op.rule);
    for (size_t d = 0; d < rule.operands[tensor].size(); ++d)
      if (leading(rule.operands[tensor][d], rule) == factor)
        return bits[firstDims[value] + d];
    return 0;
  }

  const ShardGraph &graph;
  const Timing &timing;
  const std::vector<AlongOneDim> axes;
  std::vector<KnownRule> rules;
  absl::flat_hash_set<int64_t> sizes;
  std::vector<size_t> firstDims; ///< By value, that of its dim 0 in `bits`.
  std::vector<AxisBits> bits;    ///< By dim of each value.
};

} // namespace

void dropSequences(SteadyAxes &axes, const ShardGraph &graph, const Timing &timing) {
  std::vector<AlongOneDim> known = axes.alongOneDim();
  if (known.size() > maxAxes)
    known.resize(maxAxes);
  if (known.empty())
    return;
  AxisBits met = RowFollower(graph, timing, known).run();
  for (size_t n = 0; n < known.size(); ++n)
    if (met >> n & 1)
      axes.drop(known[n].first);
}

} // namespace spmd
