// Tells values that nothing reached from those that lie whole because the program wants it so.

#include "spmd/passes/propagate/Engine.h"

#include "spmd/ir/rules/Propagation.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"

#include <algorithm>
#include <utility>

namespace spmd {

namespace {

/// Finds out whether a dim is as it should be: it is tied by factors, over any number of ops, to
/// one of which a sharding says so. Looks only at what is tied to the values that are asked for,
/// each factor of an op once in all.
class Wants {
public:
  Wants(const ShardGraph &graph, const ValueUses &uses) : graph(graph), uses(uses) {
    int32_t numDims = 0, numFactors = 0;
    firstDim.reserve(graph.numValues());
    for (int32_t v = 0; v < graph.numValues(); ++v) {
      firstDim.push_back(numDims);
      numDims += shapeOf(v).size();
    }
    firstFactor.reserve(graph.numOps());
    for (int32_t op = 0; op < graph.numOps(); ++op) {
      firstFactor.push_back(numFactors);
      numFactors += graph.rule(graph.op(op).rule).numFactors();
    }
    isSeen.assign(numDims, false);
    isWanted.assign(numDims, false);
    isFactorSeen.assign(numFactors, false);
    dimsOfRules.resize(graph.numRules());
    for (int32_t rule = 0; rule < graph.numRules(); ++rule)
      if (graph.rule(rule).oneWay != OneWay::none)
        groupOf.assign(numDims, ShardGraph::none);
  }

  /// Asks for a value. All that is asked for comes before `tellOneWay`.
  void ask(int32_t v) {
    for (size_t d = 0; d < shapeOf(v).size(); ++d)
      lookAt({v, static_cast<int32_t>(d)});
    while (!told.empty()) {
      Dim dim = told.back();
      told.pop_back();
      lookAt(dim);
    }
  }

  /// Tells those that learn one way alone.
  void tellOneWay() {
    std::vector<std::vector<int32_t>> learnersOf(numGroups);
    std::vector<int32_t> wanted;
    for (auto [dim, group] : tells)
      if (isWanted[numberOf(dim)])
        wanted.push_back(group);
      else
        learnersOf[groupOf[numberOf(dim)]].push_back(group);
    isGroupWanted.assign(numGroups, false);
    while (!wanted.empty()) {
      int32_t group = wanted.back();
      wanted.pop_back();
      if (isGroupWanted[group])
        continue;
      isGroupWanted[group] = true;
      wanted.insert(wanted.end(), learnersOf[group].begin(), learnersOf[group].end());
    }
  }

  /// Whether some dim of a value that was asked for is as it should be.
  bool wants(int32_t v) const {
    for (size_t d = 0; d < shapeOf(v).size(); ++d)
      if (int32_t dim = firstDim[v] + d;
          isWanted[dim] ||
          (!groupOf.empty() && groupOf[dim] != ShardGraph::none && isGroupWanted[groupOf[dim]]))
        return true;
    return false;
  }

private:
  /// The tensors of an op with more are not all looked at for each value.
  static constexpr size_t manyTensors = 16;

  struct Dim {
    int32_t value, dim;
  };

  const ShardGraph::Shape &shapeOf(int32_t v) const { return graph.shape(graph.value(v).shape); }

  bool saysSo(Dim dim) const {
    int32_t index = graph.value(dim.value).sharding;
    if (index == ShardGraph::none)
      return false;
    const DimSharding &sharding = graph.sharding(index).sharding.dims[dim.dim];
    return !sharding.axes.empty() || !sharding.open;
  }

  /// Dims that are tied to each other are all wanted, or none is; so what is found holds for all
  /// that were looked at.
  void lookAt(Dim start) {
    if (isSeen[numberOf(start)])
      return;
    tied.clear();
    found = false;
    size_t numTells = tells.size();
    add(start);
    for (size_t next = 0; next < tied.size() && !found; ++next)
      addAllTiedTo(tied[next]);
    if (found) {
      tells.erase(tells.begin() + numTells, tells.end());
      for (Dim dim : tied)
        isWanted[numberOf(dim)] = true;
    } else if (!groupOf.empty()) {
      for (Dim dim : tied)
        groupOf[numberOf(dim)] = numGroups;
      for (; numTells < tells.size(); ++numTells)
        told.push_back(tells[numTells].first);
      ++numGroups;
    }
  }

  int32_t numberOf(Dim dim) const { return firstDim[dim.value] + dim.dim; }

  void add(Dim dim) {
    found |= isWanted[numberOf(dim)] || saysSo(dim);
    if (auto seen = isSeen[numberOf(dim)]; !seen) {
      seen = true;
      tied.push_back(dim);
    }
  }

  void addAllTiedTo(Dim dim) {
    int32_t last = ShardGraph::none;
    for (int32_t index : uses.of(dim.value)) {
      if (std::exchange(last, index) == index)
        continue; // All of its tensors were looked at.
      const ShardGraph::Op &op = graph.op(index);
      absl::Span<const int32_t> tensors = graph.tensorsOf(op);
      if (tensors.size() > manyTensors) {
        for (auto [value, t] : placesIn(index, dim.value))
          addAllAlong(index, t, graph.rule(op.rule).tensor(t)[dim.dim]);
        continue;
      }
      for (size_t t = 0; t < tensors.size(); ++t)
        if (tensors[t] == dim.value)
          addAllAlong(index, t, graph.rule(op.rule).tensor(t)[dim.dim]);
    }
  }

  /// A value, and which tensor of an op it is.
  using Place = std::pair<int32_t, int32_t>;

  /// Returns where `value` is among the tensors of an op, which are sorted the first time.
  llvm::ArrayRef<Place> placesIn(int32_t op, int32_t value) {
    std::vector<Place> &places = placesOf[op];
    if (places.empty()) {
      for (int32_t tensor : graph.tensorsOf(graph.op(op)))
        places.emplace_back(tensor, static_cast<int32_t>(places.size()));
      std::sort(places.begin(), places.end());
    }
    auto first = std::lower_bound(places.begin(), places.end(), Place(value, 0)), last = first;
    while (last != places.end() && last->first == value)
      ++last;
    return llvm::ArrayRef(places).slice(first - places.begin(), last - first);
  }

  void addAllAlong(int32_t op, size_t tensor, const DimFactors &factors) {
    const OpRule &rule = graph.rule(graph.op(op).rule);
    for (int32_t factor : factors)
      if (isBarrier(rule.factors[factor]))
        addTellers(graph.op(op), tensor, factor);
      else if (auto seen = isFactorSeen[firstFactor[op] + factor]; !seen) {
        seen = true;
        forDimsOf(graph.op(op), factor, [&](int32_t, Dim dim) { add(dim); });
      }
  }

  /// Whether nothing comes along a factor though it could be split freely: the user says so.
  static bool isBarrier(const Factor &factor) {
    return factor.blocked && factor.kind == FactorKind::pass;
  }

  /// What a tensor learns along a factor that is a barrier comes from the other side.
  void addTellers(const ShardGraph::Op &op, size_t tensor, int32_t factor) {
    const OpRule &rule = graph.rule(op.rule);
    if (rule.oneWay == OneWay::none || !mayLearn(rule, tensor))
      return;
    forDimsOf(op, factor, [&](int32_t t, Dim dim) {
      if (!mayLearn(rule, t))
        tells.push_back({dim, numGroups});
    });
  }

  template <typename Function>
  void forDimsOf(const ShardGraph::Op &op, int32_t factor, Function function) {
    absl::Span<const int32_t> tensors = graph.tensorsOf(op);
    for (auto [t, d] : dimsOf(op.rule)[factor])
      function(t, {tensors[t], d});
  }

  /// A dim of one of the tensors of a rule.
  struct RuleDim {
    int32_t tensor, dim;
  };

  /// Returns the dims that each factor of a rule is in, which are listed the first time.
  const std::vector<std::vector<RuleDim>> &dimsOf(int32_t index) {
    std::vector<std::vector<RuleDim>> &dims = dimsOfRules[index];
    const OpRule &rule = graph.rule(index);
    if (!dims.empty() || rule.numFactors() == 0)
      return dims;
    dims.resize(rule.numFactors());
    for (int32_t t = 0; t < rule.numTensors(); ++t)
      for (int32_t d = 0, rank = rule.tensor(t).size(); d < rank; ++d)
        for (int32_t factor : rule.tensor(t)[d])
          if (dims[factor].empty() || dims[factor].back().tensor != t ||
              dims[factor].back().dim != d)
            dims[factor].push_back({t, d});
    return dims;
  }

  const ShardGraph &graph;
  const ValueUses &uses;
  std::vector<int32_t> firstDim, firstFactor;
  llvm::DenseMap<int32_t, std::vector<Place>> placesOf;       ///< By op, if it has many tensors.
  std::vector<std::vector<std::vector<RuleDim>>> dimsOfRules; ///< By rule, by factor.
  std::vector<Dim> tied;
  bool found = false; ///< Some dim that was looked at is wanted.
  std::vector<bool> isSeen, isWanted, isFactorSeen;

  // Only if something is learnt one way alone:
  int32_t numGroups = 0;        ///< Of dims that are tied, of which none is known to be wanted.
  std::vector<int32_t> groupOf; ///< By dim.
  std::vector<std::pair<Dim, int32_t>> tells; ///< What a group learns from.
  std::vector<Dim> told;                      ///< Such dims, to be looked at.
  std::vector<bool> isGroupWanted;
};

} // namespace

/// Whether there is anything to split.
static bool hasDims(const ShardGraph::Shape &shape) {
  return std::any_of(shape.begin(), shape.end(), [](int64_t size) { return size != 1; }) &&
         std::find(shape.begin(), shape.end(), 0) == shape.end();
}

/// What a sharding says of its values.
enum class Says : uint8_t {
  split,  ///< Some axis splits them or reduces into them.
  whole,  ///< None does, in some dim on purpose.
  nothing ///< All dims are open.
};

/// By sharding.
static std::vector<Says> sayings(const ShardGraph &graph) {
  std::vector<Says> all;
  for (int32_t s = 0; s < graph.numShardings(); ++s) {
    const Sharding &sharding = graph.sharding(s).sharding;
    all.push_back(!sharding.isFullyReplicated() ? Says::split
                  : sharding == Sharding::replicatedOf(sharding.rank(), /*open=*/true)
                      ? Says::nothing
                      : Says::whole);
  }
  return all;
}

std::vector<Knowledge> classify(const ShardGraph &graph, const std::vector<bool> &isFree,
                                const ValueUses &uses) {
  std::vector<Knowledge> knowledge;
  knowledge.reserve(graph.numValues());
  std::vector<Says> says = sayings(graph);
  std::vector<int32_t> undecided; ///< What the value itself does not tell.
  for (int32_t v = 0; v < graph.numValues(); ++v) {
    const ShardGraph::Value &value = graph.value(v);
    Says said = value.sharding == ShardGraph::none ? Says::nothing : says[value.sharding];
    bool isPinned = value.state == ShardingState::pinned;
    knowledge.push_back(said == Says::split               ? Knowledge::sharded
                        : isPinned && said == Says::whole ? Knowledge::wanted
                        : isFree[v]                       ? Knowledge::free
                                                          : Knowledge::nothing);
    if (knowledge.back() != Knowledge::nothing)
      continue;
    if (hasDims(graph.shape(value.shape)))
      undecided.push_back(v);
    else
      knowledge.back() = Knowledge::wanted;
  }
  if (undecided.empty())
    return knowledge;
  Wants wants(graph, uses);
  for (int32_t v : undecided)
    wants.ask(v);
  wants.tellOneWay();
  for (int32_t v : undecided)
    if (wants.wants(v))
      knowledge[v] = Knowledge::wanted;
  return knowledge;
}

} // namespace spmd
