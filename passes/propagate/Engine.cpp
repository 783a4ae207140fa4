#include "spmd/passes/propagate/Engine.h"

#include "spmd/ir/rules/Propagation.h"

#include "absl/container/flat_hash_map.h"

#include <deque>
#include <set>

namespace spmd {

namespace {

constexpr int numRounds = 5;

/// Axes of dims whose user priority is not yet up: they are reserved, but nobody learns from them.
struct Hidden {
  int32_t value;
  int32_t dim;
  int64_t priority;
  AxisList axes;
};

class Engine {
public:
  explicit Engine(ShardGraph &graph) : graph(graph) {}

  void run() {
    graph.opsOfValues(useOffsets, uses);
    classifyRules();
    queued.assign(graph.numOps(), false);
    for (int64_t priority : hideLowerPriorities()) {
      reveal(priority);
      for (round = 0; round < numRounds; ++round)
        runRound();
    }
  }

private:
  struct RuleKind {
    bool light, broadcast;
  };

  void classifyRules() {
    for (int32_t r = 0; r < graph.numRules(); ++r)
      ruleKinds.push_back({isLight(graph.rule(r)), isBroadcast(graph.rule(r))});
  }

  //===- User priorities -----------------------------------------------------===//

  /// Takes the axes of dims with a priority above 0 out of the graph; returns all priorities in
  /// order.
  std::set<int64_t> hideLowerPriorities() {
    std::set<int64_t> priorities = {0};
    for (int32_t v = 0; v < graph.numValues(); ++v) {
      if (graph.value(v).sharding == ShardGraph::none)
        continue;
      MeshSharding sharding = graph.sharding(graph.value(v).sharding);
      bool hides = false;
      for (size_t d = 0; d < sharding.sharding.dims.size(); ++d) {
        DimSharding &dim = sharding.sharding.dims[d];
        if (dim.priority.value_or(0) == 0)
          continue;
        priorities.insert(*dim.priority);
        hidden.push_back({v, static_cast<int32_t>(d), *dim.priority, std::move(dim.axes)});
        AxisList &reserved = sharding.sharding.replicated;
        reserved.insert(reserved.end(), hidden.back().axes.begin(), hidden.back().axes.end());
        dim.axes.clear();
        hides = true;
      }
      if (hides)
        graph.value(v).sharding = graph.internSharding(sharding);
    }
    return priorities;
  }

  /// Puts the axes of dims of `priority` back, in front of what the dims may have learnt.
  void reveal(int64_t priority) {
    for (const Hidden &entry : hidden) {
      if (entry.priority != priority)
        continue;
      MeshSharding sharding = graph.sharding(graph.value(entry.value).sharding);
      DimSharding &dim = sharding.sharding.dims[entry.dim];
      AxisList learnt = std::move(dim.axes);
      dim.axes = entry.axes;
      for (const AxisRef &ref : learnt)
        appendMerged(dim.axes, ref);
      AxisList &reserved = sharding.sharding.replicated;
      reserved.erase(std::remove_if(reserved.begin(), reserved.end(),
                                    [&](const AxisRef &ref) { return overlaps(ref, entry.axes); }),
                     reserved.end());
      graph.value(entry.value).sharding = graph.internSharding(sharding);
    }
  }

  //===- Worklist ------------------------------------------------------------===//

  void runRound() {
    for (int32_t op = 0; op < graph.numOps(); ++op)
      if (isAdmitted(op))
        enqueue(op);
    while (!worklist.empty()) {
      int32_t op = worklist.front();
      worklist.pop_front();
      queued[op] = false;
      visit(op);
    }
  }

  void enqueue(int32_t op) {
    if (!queued[op]) {
      queued[op] = true;
      worklist.push_back(op);
    }
  }

  bool isAdmitted(int32_t index) const {
    const ShardGraph::Op &op = graph.op(index);
    if (round >= 2)
      return true;
    return ruleKinds[op.rule].light && (round == 1 || hasSingleUseOperands(op));
  }

  bool hasSingleUseOperands(const ShardGraph::Op &op) const {
    absl::Span<const int32_t> tensors = graph.tensorsOf(op);
    for (int32_t v : tensors.first(op.numOperands))
      if (useOffsets[v + 1] - useOffsets[v] > 2) // Its maker and this op.
        return false;
    return true;
  }

  StepScope scopeOf(const ShardGraph::Op &op) const {
    StepScope scope;
    scope.onlyPass = round <= 2;
    scope.forward = round == 4 || !ruleKinds[op.rule].broadcast;
    return scope;
  }

  void visit(int32_t index) {
    const ShardGraph::Op &op = graph.op(index);
    absl::Span<const int32_t> tensors = graph.tensorsOf(op);
    key.clear();
    key.push_back(op.rule);
    key.push_back(round);
    bool hasSource = false;
    for (int32_t v : tensors) {
      const ShardGraph::Value &value = graph.value(v);
      hasSource |= value.sharding != ShardGraph::none;
      key.push_back(value.sharding);
      key.push_back(value.shape);
      key.push_back(value.elementBits);
    }
    if (!hasSource)
      return;
    auto [entry, isNew] = steps.try_emplace(key);
    if (isNew)
      entry->second = computeStep(op, tensors);
    if (entry->second.empty())
      return;
    const absl::InlinedVector<int32_t, 4> after = entry->second;
    for (size_t t = 0; t < tensors.size(); ++t)
      if (graph.value(tensors[t]).sharding != after[t])
        learn(tensors[t], after[t], index);
  }

  void learn(int32_t v, int32_t sharding, int32_t from) {
    ShardGraph::Value &value = graph.value(v);
    value.sharding = sharding;
    value.origin = from;
    if (value.state == ShardingState::unspecified)
      value.state = ShardingState::inferred;
    for (int32_t i = useOffsets[v]; i < useOffsets[v + 1]; ++i)
      if (uses[i] != from && isAdmitted(uses[i]))
        enqueue(uses[i]);
  }

  /// Returns the shardings of the op's tensors after its step; nothing if no one learns.
  absl::InlinedVector<int32_t, 4> computeStep(const ShardGraph::Op &op,
                                              absl::Span<const int32_t> tensors) {
    std::vector<Sharding> shardings;
    std::vector<double> bytes;
    int32_t mesh = ShardGraph::none;
    for (int32_t v : tensors) {
      const ShardGraph::Value &value = graph.value(v);
      bytes.push_back(graph.bytesOf(value));
      if (value.sharding == ShardGraph::none) {
        shardings.push_back(Sharding::replicatedOf(graph.shape(value.shape).size(), /*open=*/true));
        continue;
      }
      const MeshSharding &known = graph.sharding(value.sharding);
      if (graph.mesh(known.mesh).axes().empty())
        return {}; // A maximal mesh splits nothing.
      if (mesh != ShardGraph::none && mesh != known.mesh)
        return {}; // Axes of two meshes cannot be compared.
      mesh = known.mesh;
      shardings.push_back(known.sharding);
    }
    if (!propagateStep(graph.rule(op.rule), absl::MakeSpan(shardings), bytes, scopeOf(op)))
      return {};
    absl::InlinedVector<int32_t, 4> after;
    for (size_t t = 0; t < tensors.size(); ++t) {
      int32_t before = graph.value(tensors[t]).sharding;
      bool isUnchanged = before == ShardGraph::none
                             ? shardings[t].isFullyReplicated()
                             : graph.sharding(before).sharding == shardings[t];
      after.push_back(isUnchanged ? before : graph.internSharding({mesh, std::move(shardings[t])}));
    }
    return after;
  }

  ShardGraph &graph;
  std::vector<int32_t> useOffsets, uses;
  std::vector<RuleKind> ruleKinds;
  std::vector<Hidden> hidden;
  std::deque<int32_t> worklist;
  std::vector<bool> queued;
  int round = 0;
  absl::InlinedVector<int32_t, 16> key;
  absl::flat_hash_map<absl::InlinedVector<int32_t, 16>, absl::InlinedVector<int32_t, 4>> steps;
};

} // namespace

void propagate(ShardGraph &graph) { Engine(graph).run(); }

} // namespace spmd
