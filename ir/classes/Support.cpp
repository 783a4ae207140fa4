#include "spmd/ir/classes/Support.h"

#include <algorithm>
#include <limits>

namespace spmd {

namespace {

constexpr int32_t none = ShardGraph::none;

/// Axes of a mesh by number, one bit each; those past 63 share the bits from the start, so that one
/// may seem supported that is not.
using Axes = uint64_t;

Axes bitOf(const AxisRef &ref) { return Axes(1) << (ref.axis % 64); }

class Search {
public:
  Search(ShardGraph &graph, const ValueUses &uses, const std::vector<bool> &isFree)
      : graph(graph), uses(uses), isFree(isFree) {}

  std::vector<int32_t> run(const std::vector<bool> &isDecided, History *history) {
    findLacking(isDecided);
    if (lacking.empty())
      return {};
    notePlaces();
    isQueued.assign(graph.numOps(), false);
    if (16 * lacking.size() < static_cast<size_t>(graph.numOps()))
      for (int32_t v : lacking)
        enqueueAround(v);
    else
      for (sweepingAt = 0; sweepingAt < graph.numOps(); ++sweepingAt)
        visit(sweepingAt);
    for (size_t next = 0; next < queue.size(); ++next) { // It grows.
      isQueued[queue[next]] = false;
      visit(queue[next]);
    }
    std::vector<int32_t> changed;
    for (int32_t v : lacking)
      if (lacksSome[v]) {
        drop(v, history);
        changed.push_back(v);
      }
    return changed;
  }

private:
  /// A dim of an op's tensor, and a factor that it has.
  struct Place {
    int32_t tensor, dim, factor;
  };

  /// Finds the values whose axes somebody has to support. What other values have supports others.
  void findLacking(const std::vector<bool> &isDecided) {
    noteHeld();
    lacksSome.assign(graph.numValues(), false);
    int32_t numDims = 0;
    for (int32_t v = 0; v < graph.numValues(); ++v) {
      const ShardGraph::Value &value = graph.value(v);
      if (value.sharding == none || value.state == ShardingState::pinned || isFree[v] ||
          isDecided[v])
        continue;
      absl::Span<const Axes> axes = heldBy(value.sharding);
      if (std::all_of(axes.begin(), axes.end(), [](Axes ofDim) { return ofDim == 0; }))
        continue;
      if (lacking.empty())
        firstDim.assign(graph.numValues(), none);
      lacksSome[v] = true;
      lacking.push_back(v);
      firstDim[v] = numDims;
      numDims += axes.size();
    }
    supported.assign(numDims, 0);
  }

  void notePlaces() {
    places.resize(graph.numRules());
    isElementwise.reserve(graph.numRules());
    for (int32_t r = 0; r < graph.numRules(); ++r) {
      const OpRule &rule = graph.rule(r);
      bool areAlike = true;
      for (int64_t t = 1; t < rule.numTensors(); ++t)
        areAlike &= rule.tensor(t) == rule.tensor(0);
      isElementwise.push_back(areAlike);
      for (int64_t t = 0; t < rule.numTensors(); ++t)
        for (size_t d = 0; d < rule.tensor(t).size(); ++d)
          for (int32_t factor : rule.tensor(t)[d])
            places[r].push_back({static_cast<int32_t>(t), static_cast<int32_t>(d), factor});
    }
  }

  /// Notes the axes of the dims of all shardings.
  void noteHeld() {
    heldAt.reserve(graph.numShardings() + 1);
    for (int32_t s = 0; s < graph.numShardings(); ++s) {
      heldAt.push_back(static_cast<int32_t>(held.size()));
      for (const DimSharding &dim : graph.sharding(s).sharding.dims) {
        held.push_back(0);
        for (const AxisRef &ref : dim.axes)
          held.back() |= bitOf(ref);
      }
    }
    heldAt.push_back(static_cast<int32_t>(held.size()));
  }

  /// The axes of the dims of a sharding.
  absl::Span<const Axes> heldBy(int32_t sharding) const {
    return {held.data() + heldAt[sharding],
            static_cast<size_t>(heldAt[sharding + 1] - heldAt[sharding])};
  }

  /// The axes along which a dim is supported, and so supports others.
  Axes supportOf(int32_t v, int32_t d) {
    if (firstDim[v] != none)
      return supported[firstDim[v] + d];
    int32_t sharding = graph.value(v).sharding;
    if (sharding == none || isFree[v])
      return 0;
    absl::Span<const Axes> axes = heldBy(sharding);
    return static_cast<size_t>(d) < axes.size() ? axes[d] : 0;
  }

  /// Carries support along the factors of an op to those of its tensors that lack some.
  void visit(int32_t index) {
    const ShardGraph::Op &op = graph.op(index);
    absl::Span<const int32_t> tensors = graph.tensorsOf(op);
    bool lacks = false;
    for (int32_t v : tensors) // Short: a loop takes less than a call.
      lacks |= lacksSome[v] != 0;
    if (!lacks || (isElementwise[op.rule] && supportAlike(tensors)))
      return;
    along.assign(graph.rule(op.rule).numFactors(), 0);
    for (const Place &place : places[op.rule])
      along[place.factor] |= supportOf(tensors[place.tensor], place.dim);
    for (const Place &place : places[op.rule])
      if (int32_t v = tensors[place.tensor]; lacksSome[v])
        receive(v, place.dim, along[place.factor]);
  }

  /// Supports the tensors that lie as one that lacks nothing. Returns whether none lacks any then.
  bool supportAlike(absl::Span<const int32_t> tensors) {
    int32_t sharding = none;
    for (int32_t v : tensors)
      if (!lacksSome[v] && !isFree[v] && graph.value(v).sharding != none)
        sharding = graph.value(v).sharding;
    if (sharding == none)
      return false;
    bool isDone = true;
    for (int32_t v : tensors)
      if (lacksSome[v] && graph.value(v).sharding == sharding) {
        absl::Span<const Axes> axes = heldBy(sharding);
        std::copy(axes.begin(), axes.end(), supported.begin() + firstDim[v]);
        lacksSome[v] = false;
        enqueueAround(v);
      } else {
        isDone &= !lacksSome[v];
      }
    return isDone;
  }

  void receive(int32_t v, int32_t d, Axes axes) {
    absl::Span<const Axes> ofDims = heldBy(graph.value(v).sharding);
    Axes &own = supported[firstDim[v] + d];
    Axes more = axes & ofDims[d] & ~own;
    if (more == 0)
      return;
    own |= more;
    lacksSome[v] = !std::equal(ofDims.begin(), ofDims.end(), supported.begin() + firstDim[v]);
    enqueueAround(v);
  }

  void enqueueAround(int32_t v) {
    for (int32_t op : uses.of(v))
      if (op < sweepingAt && !isQueued[op]) { // The sweep comes to the others yet.
        isQueued[op] = true;
        queue.push_back(op);
      }
  }

  /// Where nothing is left, nothing is known, not the mesh either.
  void drop(int32_t v, History *history) {
    int32_t before = graph.value(v).sharding;
    MeshSharding rest = graph.sharding(before);
    for (int32_t d = 0; d < rest.sharding.rank(); ++d) {
      Axes kept = supported[firstDim[v] + d];
      for (const AxisRef &ref : std::exchange(rest.sharding.dims[d].axes, {}))
        if (bitOf(ref) & kept)
          appendMerged(rest.sharding.dims[d].axes, ref); // What stood between parts may be gone.
    }
    if (rest.sharding == Sharding::replicatedOf(rest.sharding.rank(), /*open=*/true))
      graph.forget(v);
    else
      graph.value(v).sharding = graph.internSharding(rest);
    if (history)
      history->changes.push_back(
          {v, before, graph.value(v).sharding, none, history->numSteps, Change::Cause::forgot});
  }

  ShardGraph &graph;
  const ValueUses &uses;
  const std::vector<bool> &isFree;
  std::vector<Axes> held;                 ///< By dim, of all shardings.
  std::vector<int32_t> heldAt;            ///< By sharding, and one more: where in `held`.
  std::vector<std::vector<Place>> places; ///< By rule.
  std::vector<uint8_t> isElementwise;     ///< By rule, whether all tensors have the same factors.
  std::vector<int32_t> lacking;           ///< All values that lacked some in the beginning.
  std::vector<uint8_t> lacksSome;         ///< By value. Bytes are quick.
  std::vector<Axes> supported;            ///< By dim of these.
  std::vector<int32_t> firstDim;          ///< By value, where in `supported`.
  int32_t sweepingAt = std::numeric_limits<int32_t>::max(); ///< The op that the sweep is at.
  std::vector<int32_t> queue;                               ///< Ops with news.
  std::vector<uint8_t> isQueued;
  std::vector<Axes> along; ///< By factor of the op at hand.
};

} // namespace

std::vector<int32_t> dropUnsupported(ShardGraph &graph, const ValueUses &uses,
                                     const std::vector<bool> &isFree,
                                     const std::vector<bool> &isDecided, History *history) {
  return Search(graph, uses, isFree).run(isDecided, history);
}

} // namespace spmd
