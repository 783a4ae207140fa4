#include "spmd/passes/propagate/Engine.h"

#include "spmd/ir/graph/KindNumbers.h"
#include "spmd/ir/rules/Propagation.h"
#include "spmd/passes/propagate/BorderDims.h"
#include "spmd/passes/propagate/SingleUses.h"

#include "absl/container/flat_hash_map.h"

#include <algorithm>
#include <deque>
#include <numeric>
#include <queue>

namespace spmd {

namespace {

constexpr int numRounds = 5;

/// A dim whose user priority is not yet up: its axes are reserved, but nobody learns from them.
struct Hidden {
  int32_t value;
  int32_t dim;
  int64_t priority;
  int32_t sharding; ///< That of the value, as it was.
};

} // namespace

class Propagator::Engine {
public:
  Engine(ShardGraph &graph, const ValueUses &uses, History *history, bool unanimous)
      : graph(graph), uses(uses), history(history), unanimous(unanimous) {
    if (history)
      history->unanimous = unanimous;
    classifyRules();
    findHandedOn();
    numberKinds();
    queued.assign(graph.numOps(), false);
    settledUntil.assign(graph.numOps(), unsettled);
    isAwake.assign(graph.numOps(), false);
  }

  void setOrder(std::vector<int32_t> ops) {
    order = std::move(ops);
    places.resize(order.size());
    for (size_t place = 0; place < order.size(); ++place)
      places[order[place]] = static_cast<int32_t>(place);
  }

  void addTight(absl::Span<const int32_t> ops) {
    if (!ops.empty())
      isTight.resize(graph.numOps(), false);
    for (int32_t op : ops)
      isTight[placeOf(op)] = true;
    borderDims.add(graph, ops);
  }

  void run() {
    if (unanimous)
      singleUses.emplace(
          graph, uses, [this](int32_t op) { return placeOf(op); },
          [&](int32_t op) { return !isTight.empty() && isTight[placeOf(op)]; });
    isAwake.assign(graph.numOps(), true);
    awake.resize(graph.numOps());
    std::iota(awake.begin(), awake.end(), 0);
    hideLowerPriorities();
    runRounds();
    for (size_t next = 0; next < hidden.size();) {
      next = reveal(next);
      runRounds();
    }
  }

  void runFrom(absl::Span<const int32_t> changed) {
    for (int32_t op : std::exchange(awake, {})) { // Through with those that came last.
      isAwake[op] = false;
      settledUntil[op] = numRounds - 1;
    }
    for (int32_t v : changed)
      wakeAround(v);
    runRounds();
  }

private:
  static constexpr int8_t unsettled = -1;

  struct RuleKind {
    bool light, broadcast;
    /// For each round the last one in which a step is the same: tensors learn in the same
    /// directions along the same factors.
    int8_t sameUntil[numRounds];
  };

  void classifyRules() {
    for (int32_t r = 0; r < graph.numRules(); ++r) {
      const OpRule &rule = graph.rule(r);
      RuleKind kind = {isLight(rule), isBroadcast(rule), {}};
      bool hasOtherFactors =
          std::any_of(rule.factors.begin(), rule.factors.end(),
                      [](const Factor &factor) { return factor.kind != FactorKind::pass; });
      kind.light &= !unanimous || !hasOtherFactors; // To Shardy, slices and the like are heavy.
      int8_t last = numRounds - 1;
      for (int8_t round = last; round >= 0; --round) {
        if ((round == 3 && kind.broadcast) || (round == 2 && hasOtherFactors))
          last = round; // The next one does more.
        kind.sameUntil[round] = last;
      }
      ruleKinds.push_back(kind);
    }
  }

  /// What comes in backward through edges of loops is seen as if nobody computed with it.
  void findHandedOn() {
    isHandedOn.assign(graph.numValues(), true);
    for (int32_t index = graph.numOps(); index-- > 0;) {
      const ShardGraph::Op &op = graph.op(index);
      absl::Span<const int32_t> tensors = graph.tensorsOf(op);
      auto results = tensors.subspan(op.numOperands);
      bool isEnd =
          ruleKinds[op.rule].light &&
          std::all_of(results.begin(), results.end(), [&](int32_t v) { return isHandedOn[v]; });
      if (!isEnd)
        for (int32_t v : tensors.first(op.numOperands))
          isHandedOn[v] = false;
    }
  }

  void numberKinds() {
    KindNumbers numbers;
    kinds.reserve(graph.numValues());
    for (int32_t v = 0; v < graph.numValues(); ++v)
      kinds.push_back(numbers.number(graph.value(v), isHandedOn[v]));
  }

  //===- User priorities -----------------------------------------------------===//

  /// Takes the axes of dims with a priority above 0 out of the graph, by priority.
  void hideLowerPriorities() {
    if (graph.admitsAllPriorities())
      return;
    for (int32_t v = 0; v < graph.numValues(); ++v) {
      const ShardGraph::Value &value = graph.value(v);
      if (value.sharding == ShardGraph::none || !graph.hasPriorities(v))
        continue;
      int32_t before = value.sharding;
      int32_t rank = graph.sharding(before).sharding.dims.size();
      for (int32_t d = 0; d < rank; ++d)
        if (int64_t priority = graph.priorityOf(v, d)) {
          hidden.push_back({v, d, priority, before});
          change(v, withoutAxesOf(graph.value(v).sharding, d), Change::Cause::hidden);
        }
    }
    std::sort(hidden.begin(), hidden.end(), [](const Hidden &a, const Hidden &b) {
      return std::tie(a.priority, a.value, a.dim) < std::tie(b.priority, b.value, b.dim);
    });
  }

  /// Puts the axes of the dims of the priority of entry `first` back. Returns where the next
  /// priority begins.
  size_t reveal(size_t first) {
    size_t next = first;
    for (; next < hidden.size() && hidden[next].priority == hidden[first].priority; ++next) {
      const Hidden &entry = hidden[next];
      int32_t sharding = withAxesOf(graph.value(entry.value).sharding, entry);
      change(entry.value, sharding, Change::Cause::revealed);
      wakeAround(entry.value);
    }
    return next;
  }

  /// Returns a sharding with the axes of a dim reserved. Looked up for those alike.
  int32_t withoutAxesOf(int32_t index, int32_t d) {
    auto [known, isNew] = withoutAxes.try_emplace({index, d}, index);
    if (!isNew)
      return known->second;
    MeshSharding sharding = graph.sharding(index);
    AxisList axes = std::move(sharding.sharding.dims[d].axes);
    sharding.sharding.dims[d].axes.clear();
    AxisList &reserved = sharding.sharding.replicated;
    reserved.insert(reserved.end(), axes.begin(), axes.end());
    return known->second = graph.internSharding(sharding);
  }

  /// Returns a sharding with the axes of a hidden dim in front of what the dim has learnt, no
  /// longer reserved. Looked up for those alike.
  int32_t withAxesOf(int32_t index, const Hidden &entry) {
    auto [known, isNew] = withAxes.try_emplace({index, entry.dim, entry.sharding}, index);
    if (!isNew)
      return known->second;
    MeshSharding sharding = graph.sharding(index);
    const AxisList &axes = graph.sharding(entry.sharding).sharding.dims[entry.dim].axes;
    DimSharding &dim = sharding.sharding.dims[entry.dim];
    AxisList learnt = std::exchange(dim.axes, axes);
    for (const AxisRef &ref : learnt)
      appendMerged(dim.axes, ref);
    AxisList &reserved = sharding.sharding.replicated;
    reserved.erase(std::remove_if(reserved.begin(), reserved.end(),
                                  [&](const AxisRef &ref) { return overlaps(ref, axes); }),
                   reserved.end());
    return known->second = graph.internSharding(sharding);
  }

  //===- Worklist ------------------------------------------------------------===//

  // Ops go by their *places* in the order of visits here, which is that of the graph unless it was
  // set. A round visits all ops that it admits in program order, then those with news in the order
  // of these. Only ops that are *awake* are looked at: a step that changed nothing is settled, and
  // would change nothing in any round up to the last in which it is the same, until one of its
  // tensors learns something. Later rounds let in more, so what is settled in the last one would do
  // nothing in the first round of the next priority either.

  void runRounds() {
    if (admittedFrom.empty())
      admitOps();
    for (round = 0; round < numRounds; ++round) {
      runRound();
      awake.erase(std::remove_if(awake.begin(), awake.end(),
                                 [&](int32_t op) {
                                   isAwake[op] = settledUntil[op] < numRounds - 1;
                                   return !isAwake[op];
                                 }),
                  awake.end());
    }
    sweep = {}; // Others need the room till something wakes the next.
    if (awake.empty())
      awake = {};
  }

  void runRound() {
    sortAwake();
    sweep.clear();
    sweep.reserve(awake.size());
    for (int32_t op : awake)
      if (settledUntil[op] < round && isAdmitted(op)) {
        queued[op] = true;
        sweep.push_back(op);
      }
    for (size_t next = 0; next < sweep.size() || !joining.empty();) {
      bool joins = !joining.empty() && (next == sweep.size() || joining.top() < sweep[next]);
      sweepingAt = joins ? joining.top() : sweep[next++];
      if (joins)
        joining.pop();
      visitQueued(sweepingAt);
    }
    sweepingAt = graph.numOps();
    for (; !worklist.empty(); worklist.pop_front())
      visitQueued(worklist.front());
  }

  void sortAwake() {
    if (std::is_sorted(awake.begin(), awake.end()))
      return;
    if (awake.size() < isAwake.size() / 16)
      return std::sort(awake.begin(), awake.end());
    awake.clear();
    for (int32_t op = 0; op < graph.numOps(); ++op)
      if (isAwake[op])
        awake.push_back(op);
  }

  /// Adds an op to the sweep if that has yet to come to its place, else after it.
  void enqueue(int32_t op) {
    if (queued[op])
      return;
    queued[op] = true;
    if (op > sweepingAt)
      joining.push(op);
    else
      worklist.push_back(op);
  }

  void visitQueued(int32_t op) {
    queued[op] = false;
    settledUntil[op] = visit(op);
    while (!tightWithNews.empty()) {
      int32_t tight = tightWithNews.back();
      tightWithNews.pop_back();
      settledUntil[tight] = visit(tight);
    }
  }

  int32_t placeOf(int32_t op) const { return places.empty() ? op : places[op]; }
  int32_t opAt(int32_t place) const { return order.empty() ? place : order[place]; }

  void wakeAround(int32_t v) {
    for (int32_t op : uses.of(v))
      wake(placeOf(op));
  }

  void wake(int32_t op) {
    if (!isAwake[op])
      awake.push_back(op);
    isAwake[op] = true;
    settledUntil[op] = unsettled;
  }

  bool isAdmitted(int32_t place) const { return round >= admittedFrom[place]; }

  void admitOps() {
    admittedFrom.reserve(graph.numOps());
    for (int32_t place = 0; place < graph.numOps(); ++place) {
      int32_t index = opAt(place);
      const ShardGraph::Op &op = graph.op(index);
      if (!ruleKinds[op.rule].light)
        admittedFrom.push_back(2);
      else if (singleUses ? singleUses->areOperandsSingle(index) : hasSingleUseOperands(op))
        admittedFrom.push_back(0);
      else
        admittedFrom.push_back(1);
    }
  }

  bool hasSingleUseOperands(const ShardGraph::Op &op) const {
    absl::Span<const int32_t> tensors = graph.tensorsOf(op);
    for (int32_t v : tensors.first(op.numOperands))
      if (uses.of(v).size() > 2) // Its maker and this op.
        return false;
    return true;
  }

  StepScope scopeOf(const ShardGraph::Op &op) const {
    StepScope scope;
    scope.onlyPass = round <= 2;
    scope.unanimous = unanimous;
    OneWay oneWay = graph.rule(op.rule).oneWay;
    scope.forward = oneWay != OneWay::backward && (round == 4 || !ruleKinds[op.rule].broadcast);
    scope.backward = oneWay != OneWay::forward;
    return scope;
  }

  /// Takes the op's step. Returns until which round it is settled then.
  int8_t visit(int32_t place) {
    int32_t index = opAt(place);
    const ShardGraph::Op &op = graph.op(index);
    absl::Span<const int32_t> tensors = graph.tensorsOf(op);
    const RuleKind &kind = ruleKinds[op.rule];
    size_t length = 2 * tensors.size() + 1;
    if (key.size() < length)
      key.resize(length);
    int32_t *next = key.data();
    *next++ = op.rule * numRounds + kind.sameUntil[round];
    bool hasSource = false;
    for (int32_t v : tensors) {
      int32_t sharding = graph.value(v).sharding;
      hasSource |= sharding != ShardGraph::none;
      *next++ = sharding;
      *next++ = kinds[v];
    }
    if (!hasSource)
      return numRounds - 1;
    auto [step, isNew] = stepNumbers.number(absl::MakeConstSpan(key).first(length));
    if (isNew)
      steps.push_back(computeStep(op, tensors));
    const absl::InlinedVector<int32_t, 4> &after = steps[step];
    if (after.empty())
      return kind.sameUntil[round];
    if (history)
      ++history->numSteps;
    bool isAnother = false;
    for (size_t t = 0; t < tensors.size(); ++t) {
      int32_t now = graph.value(tensors[t]).sharding, before = key[2 * t + 1];
      if (after[t] == before || after[t] == now)
        continue;
      // A value that is several tensors of the op learns as one of them, then as the next. To
      // Shardy, the last one decides.
      if (now != before && !unanimous)
        isAnother = true;
      else
        learn(tensors[t], after[t], index);
    }
    return isAnother ? visit(place) : unsettled;
  }

  void learn(int32_t v, int32_t sharding, int32_t from) {
    if (!isTight.empty())
      sharding = borderDims.withoutUneven(graph, v, sharding);
    if (sharding == graph.value(v).sharding)
      return;
    change(v, sharding, Change::Cause::step, from);
    ShardGraph::Value &value = graph.value(v);
    value.origin = from;
    if (value.state == ShardingState::unspecified)
      value.state = ShardingState::inferred;
    for (int32_t op : uses.of(v)) {
      if (op == from)
        continue; // Not settled, as it just changed something.
      int32_t place = placeOf(op);
      wake(place);
      if (!isTight.empty() && isTight[place])
        tightWithNews.push_back(place);
      else if (isAdmitted(place))
        enqueue(place);
    }
  }

  void change(int32_t v, int32_t sharding, Change::Cause kind, int32_t cause = ShardGraph::none) {
    int32_t &own = graph.value(v).sharding;
    if (history)
      history->changes.push_back(
          {v, own, sharding, cause, history->numSteps, kind, static_cast<int8_t>(round)});
    own = sharding;
  }

  /// Returns the shardings of the op's tensors after its step; nothing if no one learns.
  absl::InlinedVector<int32_t, 4> computeStep(const ShardGraph::Op &op,
                                              absl::Span<const int32_t> tensors) {
    std::vector<Sharding> shardings;
    std::vector<double> bytes;
    absl::InlinedVector<absl::Span<const int64_t>, 4> sizes;
    absl::InlinedVector<bool, 4> handedOn;
    int32_t mesh = ShardGraph::none;
    for (int32_t v : tensors) {
      const ShardGraph::Value &value = graph.value(v);
      double bytesOf = graph.bytesOf(value);
      sizes.push_back(graph.shape(value.shape));
      handedOn.push_back(isHandedOn[v]);
      bytes.push_back(unanimous && bytesOf > 0 ? bytesOf * 8 / value.elementBits : bytesOf);
      if (value.sharding == ShardGraph::none) {
        shardings.push_back(Sharding::replicatedOf(graph.shape(value.shape).size(), /*open=*/true));
        continue;
      }
      const MeshSharding &known = graph.sharding(value.sharding);
      if (known.sharding.dims.empty()) { // Nobody learns from it, so it may be on any mesh.
        shardings.push_back(known.sharding);
        continue;
      }
      if (graph.mesh(known.mesh).axes().empty())
        return {}; // A maximal mesh splits nothing.
      if (mesh != ShardGraph::none && mesh != known.mesh)
        return {}; // Axes of two meshes cannot be compared.
      mesh = known.mesh;
      shardings.push_back(known.sharding);
    }
    StepScope scope = scopeOf(op);
    if (!unanimous) { // Shardy takes padding as it comes.
      scope.sizes = sizes;
      scope.handedOn = handedOn;
    }
    if (!propagateStep(graph.rule(op.rule), absl::MakeSpan(shardings), bytes, scope))
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
  const ValueUses &uses;
  History *history; ///< May be null.
  bool unanimous;
  std::vector<int32_t> order, places; ///< Ops by place, and places by op; empty if the same.
  std::vector<RuleKind> ruleKinds;
  /// By value, whether only light ops are on the way from it to results of functions.
  std::vector<bool> isHandedOn;
  std::vector<int32_t> kinds; ///< By value: equal for equal shape, element size and `isHandedOn`.
  std::vector<Hidden> hidden;
  absl::flat_hash_map<std::pair<int32_t, int32_t>, int32_t> withoutAxes; ///< By sharding and dim.
  absl::flat_hash_map<std::tuple<int32_t, int32_t, int32_t>, int32_t> withAxes;
  std::optional<SingleUses> singleUses; ///< As Shardy counts them.
  std::vector<bool> isTight; ///< By op, whether its tensors lie alike; empty if those of none do.
  std::vector<int32_t> tightWithNews;
  BorderDims borderDims;
  std::vector<int32_t> awake, sweep; ///< Ops; `sweep` of this round.
  std::priority_queue<int32_t, std::vector<int32_t>, std::greater<>> joining; ///< The sweep, late.
  std::deque<int32_t> worklist;
  int32_t sweepingAt = 0;               ///< The op that the sweep is at.
  std::vector<uint8_t> queued, isAwake; ///< By op; `isAwake` if it is in `awake`. Bytes are quick.
  std::vector<int8_t> admittedFrom;     ///< By op, the first round that visits it.
  std::vector<int8_t> settledUntil;     ///< By op, the last round in which it would do nothing.
  int round = 0;
  std::vector<int32_t> key; ///< Room for those of steps.
  KeyNumbers stepNumbers;
  std::vector<absl::InlinedVector<int32_t, 4>>
      steps; ///< Shardings after it; none if no one learns.
};

Propagator::Propagator(ShardGraph &graph, const ValueUses &uses, History *history, bool unanimous)
    : engine(std::make_unique<Engine>(graph, uses, history, unanimous)) {}

Propagator::~Propagator() = default;

void Propagator::setOrder(std::vector<int32_t> order) { engine->setOrder(std::move(order)); }
void Propagator::addTight(absl::Span<const int32_t> ops) { engine->addTight(ops); }

void Propagator::run() { engine->run(); }

void Propagator::runFrom(absl::Span<const int32_t> changed) { engine->runFrom(changed); }

} // namespace spmd
