#include "spmd/ir/classes/PlanCost.h"

#include "spmd/ir/choose/Work.h"
#include <algorithm>
#include <cmath>

namespace spmd {

namespace {

constexpr int32_t none = ShardGraph::none;

/// What has no way at all costs this many seconds: more than all the rest, and still a number.
constexpr double impossible = 1e15;

/// What this share of a light op's work takes: those in a row run as one, and most values between
/// them never see the memory.
constexpr double fusedWork = 1.0 / 16;

double finite(double cost) { return std::isfinite(cost) ? cost : impossible; }

double flopsOf(const OpRule &rule) {
  double points = 1;
  for (const Factor &factor : rule.factors)
    points *= static_cast<double>(factor.size);
  return isProduct(rule) ? 2 * points : points;
}

/// Whether splitting a factor takes rows of neighbours. Of what a user wrote nothing is known.
bool isRead(const Factor &factor) {
  bool moves = factor.kind == FactorKind::window || factor.kind == FactorKind::scan ||
               (factor.kind == FactorKind::reduce && !(factor.window == Window()));
  return moves && !factor.custom;
}

bool hasWindows(const OpRule &rule) {
  return std::any_of(rule.factors.begin(), rule.factors.end(), isRead);
}

/// Returns how an op reads rows of neighbours, whose tensors have the shapes of `situations`. A
/// rule says that of the first operand: others are taken to be read alike, but for what moves along
/// with a factor that is summed over.
std::vector<WindowUse> windowsOf(const OpRule &rule, absl::Span<const TensorSituation> situations) {
  std::vector<int64_t> rows;
  for (const Factor &factor : rule.factors)
    rows.push_back(factor.kind == FactorKind::reduce && isRead(factor) ? factor.size : 0);
  for (size_t r = 0; r < rule.results.size(); ++r)
    for (size_t d = 0; d < rule.results[r].size(); ++d)
      for (int32_t f : rule.results[r][d])
        if (isRead(rule.factors[f]))
          rows[f] = situations[rule.operands.size() + r].shape[d];
  std::vector<WindowUse> windows;
  for (size_t i = 0; i < rule.operands.size(); ++i)
    for (const DimFactors &dim : rule.operands[i])
      for (int32_t f : dim)
        if (rows[f] > 0) {
          windows.push_back({static_cast<int32_t>(i), f, rule.factors[f].window, rows[f]});
          rows[f] = rule.factors[f].kind == FactorKind::reduce ? 0 : rows[f];
        }
  return windows;
}

/// Whether a rule is that of an edge from one tensor to several: what it ties comes together there.
bool isJoinRule(const OpRule &rule) {
  return rule.operands.size() == 1 && rule.results.size() > 1 &&
         std::all_of(rule.results.begin(), rule.results.end(),
                     [&](const auto &result) { return result == rule.operands.front(); });
}

/// The mesh that values without a sharding lie on: the first that can split anything.
int32_t mainMesh(const ShardGraph &graph) {
  for (int32_t mesh = 0; mesh < graph.numMeshes(); ++mesh)
    if (!graph.mesh(mesh).axes().empty())
      return mesh;
  return 0;
}

/// Returns the op that uses a value of two uses besides `op`.
int32_t otherUse(const ValueUses &uses, int32_t value, int32_t op) {
  return uses.of(value)[uses.of(value)[0] == op ? 1 : 0];
}

} // namespace

PlanCost::PlanCost(const ShardGraph &graph, const std::vector<bool> &isFree, const ValueUses &uses)
    : graph(graph), isFree(isFree), uses(uses),
      costs([&graph](int32_t mesh) -> const Mesh & { return graph.mesh(mesh); }, CostModel{}) {
  KindNumbers kindNumbers;
  findPassedOn();
  layouts.reserve(graph.numValues());
  kinds.reserve(graph.numValues());
  runs.reserve(graph.numOps());
  for (int32_t v = 0; v < graph.numValues(); ++v) {
    const ShardGraph::Value &value = graph.value(v);
    layouts.push_back(layoutIn(value));
    kinds.push_back(kindNumbers.number(value, isFree[v] | isPassedOn(v) << 1U));
  }
  strategies.resize(graph.numRules());
  for (int32_t rule = 0; rule < graph.numRules(); ++rule)
    isJoin.push_back(isJoinRule(graph.rule(rule)));
  wishes.assign(graph.numValues(), none);
  isTouched.assign(graph.numValues(), false);
  isChanged.assign(graph.numOps(), false);
  for (int32_t op = 0; op < graph.numOps(); ++op) {
    runs.push_back(runOf(op));
    addWishes(op, 1);
  }
  for (int32_t v = 0; v < graph.numValues(); ++v)
    if (wishes[v] != none)
      pool[wishes[v]].moves = movesOf(v);
}

/// Finds what constraints pin for one reader: the reshard stage makes one move of both.
void PlanCost::findPassedOn() {
  for (int32_t index : graph.placements()) {
    const ShardGraph::Op &op = graph.op(index);
    absl::Span<const int32_t> tensors = graph.tensorsOf(op);
    if (tensors.size() != 2 || uses.of(tensors[1]).size() != 2)
      continue; // A scalar's has a part for each tensor.
    int32_t reader = otherUse(uses, tensors[1], index);
    if (reader == index || graph.op(reader).turns != op.turns)
      continue; // A loop would go the longer way in each turn.
    placedFrom.resize(graph.numValues(), none);
    placedFrom[tensors[1]] = movedFor(tensors[0]);
  }
}

/// Returns the one op that reads what the constraint `op` makes; none if `op` is no constraint, or
/// several ops do.
int32_t PlanCost::readerBehind(int32_t op) const {
  absl::Span<const int32_t> tensors = graph.tensorsOf(graph.op(op));
  if (tensors.size() != 2 || !isPassedOn(tensors[1]) ||
      movedFor(tensors[1]) != movedFor(tensors[0]))
    return none;
  // What ties a loop's value to what the loop hands on reads it, too.
  absl::Span<const int32_t> all = graph.placements();
  return std::binary_search(all.begin(), all.end(), op) ? otherUse(uses, tensors[1], op) : none;
}

/// Returns the layout that the graph gives a value.
int32_t PlanCost::layoutIn(const ShardGraph::Value &value) {
  if (value.sharding == none)
    return wholeLayout(graph.shape(value.shape).size());
  if (value.sharding >= static_cast<int32_t>(layoutOfSharding.size()))
    layoutOfSharding.resize(graph.numShardings(), none);
  int32_t &layout = layoutOfSharding[value.sharding];
  if (layout == none) {
    const MeshSharding &sharding = graph.sharding(value.sharding);
    layout = known.intern({sharding.mesh, sharding.sharding.layout()});
  }
  return layout;
}

int32_t PlanCost::wholeLayout(size_t rank) {
  while (wholeLayouts.size() <= rank)
    wholeLayouts.push_back(
        known.intern({mainMesh(graph), Sharding::replicatedOf(wholeLayouts.size())}));
  return wholeLayouts[rank];
}

double PlanCost::update() {
  std::vector<LayoutChange> changes;
  for (int32_t v = 0; v < graph.numValues(); ++v)
    if (int32_t layout = layoutIn(graph.value(v)); layout != layouts[v])
      changes.push_back({v, layout});
  return change(changes);
}

double PlanCost::total() const {
  double sum = 0;
  for (int32_t op = 0; op < graph.numOps(); ++op)
    sum += costOf(op);
  for (int32_t v = 0; v < graph.numValues(); ++v)
    sum += movesNow(v);
  return sum;
}

double PlanCost::change(absl::Span<const LayoutChange> changes) {
  double before = 0, after = 0;
  for (const LayoutChange &each : changes) {
    if (layouts[each.value] == each.layout)
      continue;
    layouts[each.value] = each.layout;
    touch(each.value, before);
    for (int32_t op : uses.of(each.value))
      if (!isChanged[op]) {
        isChanged[op] = true;
        changedOps.push_back(op);
      }
  }
  for (int32_t op : changedOps) {
    isChanged[op] = false;
    int32_t run = runOf(op);
    if (run == runs[op])
      continue;
    before += costOf(op);
    if (allRuns[run].wanted == allRuns[runs[op]].wanted) {
      runs[op] = run;
    } else {
      for (int32_t v : sourcesOf(graph.op(op)))
        touch(movedFor(v), before);
      addWishes(op, -1);
      runs[op] = run;
      addWishes(op, 1);
    }
    after += costOf(op);
  }
  for (int32_t v : touched) {
    isTouched[v] = false;
    if (wishes[v] != none)
      after += pool[wishes[v]].moves = movesOf(v);
  }
  touched.clear();
  changedOps.clear();
  return after - before;
}

/// Notes that the moves of a value may change, and adds what they cost till now to `before`.
void PlanCost::touch(int32_t value, double &before) {
  if (isTouched[value])
    return;
  isTouched[value] = true;
  touched.push_back(value);
  before += movesNow(value);
}

//===- Moves of values -----------------------------------------------------===//

void PlanCost::addWishes(int32_t op, int32_t count) {
  const Run &run = allRuns[runs[op]];
  if (!run.movesSome)
    return;
  absl::Span<const int32_t> tensors = sourcesOf(graph.op(op));
  for (size_t i = 0; i < run.wanted.size(); ++i) {
    int32_t moved = movedFor(tensors[i]);
    if (run.wanted[i] == none || isFree[moved])
      continue;
    float turns = std::min(graph.op(op).turns, graph.value(moved).turns);
    auto isIt = [&](const Wanted &wanted) {
      return wanted.layout == run.wanted[i] && wanted.turns == turns;
    };
    int32_t *at = &wishes[moved];
    while (*at != none && !isIt(pool[*at].wanted))
      at = &pool[*at].next;
    int32_t wish = *at;
    if (wish == none) {
      wish = *at = static_cast<int32_t>(pool.size()); // Before `pool`, where `at` may be, moves.
      pool.push_back({{run.wanted[i], 0, turns}, none, 0});
    }
    pool[wish].wanted.count += count;
  }
}

void PlanCost::listWanted(int32_t value, std::vector<Wanted> &list) const {
  for (int32_t wish = wishes[value]; wish != none; wish = pool[wish].next)
    if (pool[wish].wanted.count > 0)
      list.push_back(pool[wish].wanted);
}

/// A value is moved to a layout as often as the one asks that asks most often.
double PlanCost::movesOf(int32_t value) {
  auto isLess = [&](const Wanted &wanted) {
    for (int32_t other = wishes[value]; other != none; other = pool[other].next)
      if (const Wanted &more = pool[other].wanted;
          more.count > 0 && more.layout == wanted.layout && more.turns > wanted.turns)
        return true;
    return false;
  };
  double sum = 0;
  for (int32_t wish = wishes[value]; wish != none; wish = pool[wish].next)
    if (const Wanted &wanted = pool[wish].wanted; wanted.count > 0 && !isLess(wanted))
      sum += moveCost(value, layouts[value], wanted.layout) * wanted.turns;
  return sum;
}

double PlanCost::moveCost(int32_t value, int32_t from, int32_t to) {
  if (from == to)
    return 0;
  auto [entry, isNew] = moveCosts.try_emplace({kinds[value], from, to}, 0);
  if (isNew) {
    entry->second = finite(costs.cost(known[from], known[to], graph.shape(graph.value(value).shape),
                                      graph.value(value).elementBits));
  }
  return entry->second;
}

//===- Runs of ops ---------------------------------------------------------===//

int32_t PlanCost::runOf(int32_t op) {
  layoutsOfOp.clear();
  for (int32_t v : graph.tensorsOf(graph.op(op)))
    layoutsOfOp.push_back(layouts[v]);
  return runOf(op, layoutsOfOp);
}

int32_t PlanCost::runOf(int32_t index, absl::Span<const int32_t> tensorLayouts) {
  const ShardGraph::Op &op = graph.op(index);
  absl::Span<const int32_t> tensors = graph.tensorsOf(op);
  size_t length = 2 * tensors.size() + 1;
  if (key.size() < length)
    key.resize(length);
  int32_t *next = key.data();
  *next++ = op.rule;
  const int32_t *layout = tensorLayouts.data();
  for (int32_t value : tensors) {
    *next++ = kinds[value];
    *next++ = *layout++;
  }
  auto [run, isNew] = runIndex.number(absl::MakeConstSpan(key).first(length));
  if (isNew)
    allRuns.push_back(compute(op, tensorLayouts));
  return run;
}

/// An op all of whose results are free costs nothing: it is made anew where it is needed. Nor does
/// a constraint for one reader. A join is no more than a copy where its tensor lies, once its
/// sources are there.
PlanCost::Run PlanCost::compute(const ShardGraph::Op &op, absl::Span<const int32_t> tensorLayouts) {
  absl::Span<const int32_t> tensors = graph.tensorsOf(op);
  auto operandsOf = tensors.first(op.numOperands), resultsOf = tensors.subspan(op.numOperands);
  Run run;
  bool joins = isJoin[op.rule];
  run.wanted.assign(sourcesOf(op).size(), none);
  if (std::all_of(resultsOf.begin(), resultsOf.end(), [&](int32_t v) { return isFree[v]; }) ||
      (resultsOf.size() == 1 && isPassedOn(resultsOf[0])))
    return run;
  std::vector<TensorSituation> situations;
  for (size_t t = 0; t < tensors.size(); ++t) {
    const ShardGraph::Value &value = graph.value(tensors[t]);
    situations.push_back({graph.shape(value.shape), value.elementBits,
                          &known[tensorLayouts[joins ? 0 : t]], isFree[tensors[t]]});
  }
  Strategies &ways = strategies[op.rule];
  if (ways.empty()) {
    ways.emplace_back().rule = graph.rule(op.rule);
    ways.back().flops = flopsOf(graph.rule(op.rule));
    ways.back().multiplies = isProduct(graph.rule(op.rule));
  }
  if (hasWindows(graph.rule(op.rule))) // Ops of one rule may make more or fewer rows.
    ways.back().windows = windowsOf(graph.rule(op.rule), situations);
  auto all = absl::MakeConstSpan(situations);
  Choice choice = choose(ways, all.first(op.numOperands), all.subspan(op.numOperands), costs);
  run.cost = finite(choice.cost);
  if (!isProduct(graph.rule(op.rule)))
    run.cost -= choice.work * (1 - fusedWork);
  if (joins) {
    for (size_t i = 0; i < resultsOf.size(); ++i)
      if (!isFree[resultsOf[i]] &&
          (tensorLayouts[i + 1] != tensorLayouts[0] || isPassedOn(resultsOf[i]))) {
        run.wanted[i] = tensorLayouts[0];
        run.movesSome = true;
      }
    return run;
  }
  if (choice.operands.size() != operandsOf.size())
    return run;
  for (size_t i = 0; i < operandsOf.size(); ++i) {
    int32_t wanted = known.intern(choice.operands[i]);
    if (isFree[operandsOf[i]] || (wanted == tensorLayouts[i] && !isPassedOn(operandsOf[i])))
      continue;
    run.wanted[i] = wanted;
    run.movesSome = true;
    run.cost -= moveCost(operandsOf[i], tensorLayouts[i], wanted); // Paid once by the value.
  }
  return run;
}

} // namespace spmd
