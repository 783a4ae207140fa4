#include "spmd/passes/propagate/Engine.h"

#include "spmd/ir/graph/Agenda.h"
#include "spmd/passes/propagate/BorderDims.h"
#include "spmd/passes/propagate/SingleUses.h"
#include "spmd/passes/propagate/Steps.h"

#include "absl/container/flat_hash_map.h"

#include <algorithm>
#include <deque>

namespace spmd {

namespace {

constexpr int numRounds = Steps::numRounds;

/// A dim whose user priority is not yet up: its axes are reserved, nobody learns from them, and it
/// learns from nobody.
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
      : graph(graph), uses(uses), history(history), unanimous(unanimous), steps(graph, unanimous) {
    if (history)
      history->unanimous = unanimous;
    queued.assign(graph.numOps(), false);
    settledUntil.assign(graph.numOps(), numRounds - 1);
    isAwake.assign(graph.numOps(), false);
    sweep = Agenda(graph.numOps());
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
    hideLowerPriorities();
    for (int32_t v = 0; v < graph.numValues(); ++v)
      if (graph.value(v).sharding != ShardGraph::none)
        wakeAround(v);
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

  //===- User priorities -----------------------------------------------------===//

  /// Takes the axes of dims with a priority above 0 out of the graph, by priority, and closes these
  /// dims.
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

  /// Returns a sharding with the axes of a dim reserved, and the dim closed. Looked up for those
  /// alike.
  int32_t withoutAxesOf(int32_t index, int32_t d) {
    auto [known, isNew] = withoutAxes.try_emplace({index, d}, index);
    if (!isNew)
      return known->second;
    MeshSharding sharding = graph.sharding(index);
    DimSharding &dim = sharding.sharding.dims[d];
    AxisList axes = std::exchange(dim.axes, {});
    dim.open = false;
    AxisList &reserved = sharding.sharding.replicated;
    reserved.insert(reserved.end(), axes.begin(), axes.end());
    return known->second = graph.internSharding(sharding);
  }

  /// Returns a sharding with a hidden dim as it was, its axes no longer reserved. Looked up for
  /// those alike.
  int32_t withAxesOf(int32_t index, const Hidden &entry) {
    auto [known, isNew] = withAxes.try_emplace({index, entry.dim, entry.sharding}, index);
    if (!isNew)
      return known->second;
    MeshSharding sharding = graph.sharding(index);
    const DimSharding &dim = graph.sharding(entry.sharding).sharding.dims[entry.dim];
    sharding.sharding.dims[entry.dim] = dim;
    AxisList &reserved = sharding.sharding.replicated;
    reserved.erase(std::remove_if(reserved.begin(), reserved.end(),
                                  [&](const AxisRef &ref) { return overlaps(ref, dim.axes); }),
                   reserved.end());
    return known->second = graph.internSharding(sharding);
  }

  //===- Worklist ------------------------------------------------------------===//

  // Ops go by their *places* in the order of visits here, which is that of the graph unless it was
  // set. A round visits all ops that it admits in program order, then those with news in the order
  // of these. Only ops that are *awake* are looked at: there is nothing to learn from tensors of
  // which nothing is known; a step that changed nothing is settled, and would change nothing in any
  // round up to the last in which it is the same, until one of its tensors learns something. Later
  // rounds let in more, so what is settled in the last one would do nothing in the first round of
  // the next priority either.

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
    if (awake.empty())
      awake = {}; // Others need the room till something wakes the next.
  }

  void runRound() {
    for (int32_t op : awake)
      if (settledUntil[op] < round && isAdmitted(op)) {
        queued[op] = true;
        sweep.insert(op);
      }
    while ((sweepingAt = sweep.takeFirst()) != Agenda::none)
      visitQueued(sweepingAt);
    sweepingAt = graph.numOps();
    for (; !worklist.empty(); worklist.pop_front())
      visitQueued(worklist.front());
  }

  /// Adds an op to the sweep if that has yet to come to its place, else after it.
  void enqueue(int32_t op) {
    if (queued[op])
      return;
    queued[op] = true;
    if (op > sweepingAt)
      sweep.insert(op);
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
      if (!steps.isLight(op.rule))
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

  /// Takes the op's step. Returns until which round it is settled then.
  int8_t visit(int32_t place) {
    int32_t index = opAt(place);
    const ShardGraph::Op &op = graph.op(index);
    absl::Span<const int32_t> tensors = graph.tensorsOf(op);
    int8_t sameUntil = steps.sameUntil(op.rule, round);
    int32_t step = steps.numberOf(op, round);
    if (step == ShardGraph::none)
      return numRounds - 1;
    absl::Span<const int32_t> after = steps.after(step);
    if (after.empty())
      return sameUntil;
    if (history)
      ++history->numSteps;
    bool isAnother = false;
    for (size_t t = 0; t < tensors.size(); ++t) {
      int32_t now = graph.value(tensors[t]).sharding, before = steps.before(t);
      if (after[t] == before || after[t] == now)
        continue;
      // A value that is several tensors of the op learns as one of them, then as the next. To
      // Shardy, the last one decides.
      if (now != before && !unanimous)
        isAnother = true;
      else
        learn(tensors[t], after[t], index);
    }
    if (isAnother)
      return visit(place);
    return steps.isLast(step, op, round) ? sameUntil : unsettled;
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

  ShardGraph &graph;
  const ValueUses &uses;
  History *history; ///< May be null.
  bool unanimous;
  Steps steps;
  std::vector<int32_t> order, places; ///< Ops by place, and places by op; empty if the same.
  std::vector<Hidden> hidden;
  absl::flat_hash_map<std::pair<int32_t, int32_t>, int32_t> withoutAxes; ///< By sharding and dim.
  absl::flat_hash_map<std::tuple<int32_t, int32_t, int32_t>, int32_t> withAxes;
  std::optional<SingleUses> singleUses; ///< As Shardy counts them.
  std::vector<bool> isTight; ///< By op, whether its tensors lie alike; empty if those of none do.
  std::vector<int32_t> tightWithNews;
  BorderDims borderDims;
  std::vector<int32_t> awake;
  Agenda sweep; ///< Of this round, what it has yet to come to.
  std::deque<int32_t> worklist;
  int32_t sweepingAt = 0;               ///< The op that the sweep is at.
  std::vector<uint8_t> queued, isAwake; ///< By op; `isAwake` if it is in `awake`. Bytes are quick.
  std::vector<int8_t> admittedFrom;     ///< By op, the first round that visits it.
  std::vector<int8_t> settledUntil;     ///< By op, the last round in which it would do nothing.
  int round = 0;
};

Propagator::Propagator(ShardGraph &graph, const ValueUses &uses, History *history, bool unanimous)
    : engine(std::make_unique<Engine>(graph, uses, history, unanimous)) {}

Propagator::~Propagator() = default;

void Propagator::setOrder(std::vector<int32_t> order) { engine->setOrder(std::move(order)); }
void Propagator::addTight(absl::Span<const int32_t> ops) { engine->addTight(ops); }

void Propagator::run() { engine->run(); }

void Propagator::runFrom(absl::Span<const int32_t> changed) { engine->runFrom(changed); }

} // namespace spmd
