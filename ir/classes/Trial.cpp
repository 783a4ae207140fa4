#include "spmd/ir/classes/Trial.h"

#include "absl/base/casts.h"

#include <algorithm>
#include <numeric>

namespace spmd {

constexpr int32_t none = ShardGraph::none;

static int32_t bitsOf(float value) { return absl::bit_cast<int32_t>(value); }

Trial::Trial(const ShardGraph &graph, const std::vector<bool> &isFree, const ValueUses &uses,
             PlanCost &cost)
    : graph(graph), isFree(isFree), cost(cost), numberOf(graph.numValues(), none),
      isSeen(graph.numOps(), false) {
  // Room for the largest group. What is not used takes no memory; growing would.
  values.reserve(graph.numValues());
  profiles.reserve(graph.numValues());
  classesOfOps.reserve(graph.numOps());
  operandNumbers.reserve(uses.ops.size());
}

void Trial::start(const ConflictGroups &groups, const ConflictGroup &group,
                  const Targets &targets) {
  clear();
  for (int32_t m = 0; m < group.numMembers; ++m) {
    enlist(groups.valueOf(group, m));
    profiles.push_back(targets.profile(m));
  }
  for (int32_t m = 0; m < group.numMembers; ++m)
    cost.forEachOpAround(values[m], [this](int32_t op) { visit(op); });
  sortSources();
  for (size_t number = 0; number < values.size(); ++number)
    classify(static_cast<int32_t>(number));
}

void Trial::clear() {
  for (int32_t value : values)
    numberOf[value] = none;
  if (values.size() > isSeen.size() / 64)
    isSeen.assign(isSeen.size(), false);
  else
    for (size_t m = 0; m < profiles.size(); ++m)
      cost.forEachOpAround(values[m], [this](int32_t op) { isSeen[op] = false; });
  values.clear();
  profiles.clear();
  classesOfOps.clear();
  operandNumbers.clear();
  opClasses.clear();
  valueClasses.clear();
  places.clear();
  wantedNow.clear();
  turnsOfWish.clear();
  wishes.clear();
  others.clear();
  opNumbers.clear();
  valueNumbers.clear();
}

int32_t Trial::placeOf(int32_t value) const {
  int32_t number = numberOf[value];
  return number != none && number < static_cast<int32_t>(profiles.size()) ? -1 - profiles[number]
                                                                          : cost.layoutOf(value);
}

//===- Ops -----------------------------------------------------------------===//

void Trial::visit(int32_t index) {
  if (isSeen[index])
    return;
  isSeen[index] = true;
  const ShardGraph::Op &op = graph.op(index);
  absl::Span<const int32_t> tensors = graph.tensorsOf(op);
  key.resize(2 + tensors.size());
  int32_t *next = key.data();
  *next++ = cost.runNumber(index);
  *next++ = bitsOf(op.turns);
  for (int32_t v : tensors)
    *next++ = placeOf(v);
  auto [number, isNew] = opNumbers.number(key);
  if (isNew)
    addOpClass(index);
  opClasses[number].weight += op.turns;
  classesOfOps.push_back(number);
  for (int32_t v : cost.sourcesOf(op)) {
    int32_t moved = cost.movedFor(v);
    bool isMoved = !isFree[v] && (moved == v || !isFree[moved]);
    operandNumbers.push_back(isMoved ? enlist(moved) : none);
  }
}

/// Requires that `key` is that of `op`.
void Trial::addOpClass(int32_t op) {
  const PlanCost::Run &now = cost.runNow(op);
  opClasses.push_back({op, static_cast<int32_t>(places.size()),
                       static_cast<int32_t>(wantedNow.size()),
                       static_cast<int32_t>(now.wanted.size()), 0, now.cost});
  places.insert(places.end(), key.begin() + 2, key.end());
  wantedNow.insert(wantedNow.end(), now.wanted.begin(), now.wanted.end());
  turnsOfWish.resize(wantedNow.size(), graph.op(op).turns);
}

//===- Values --------------------------------------------------------------===//

/// Calls `visit` for each operand that may have to be moved for an op around the group, with the
/// number of its value and its own among the operands of op classes. In order of the ops.
template <typename Visit> void Trial::forEachSource(Visit visit) const {
  const int32_t *number = operandNumbers.data();
  for (int32_t opClass : classesOfOps) {
    const OpClass &alike = opClasses[opClass];
    for (int32_t wish = alike.firstWish; wish < alike.firstWish + alike.numSources; ++wish)
      if (int32_t operand = *number++; operand != none)
        visit(operand, wish);
  }
}

void Trial::sortSources() {
  sourceOffsets.assign(values.size() + 1, 0);
  forEachSource([this](int32_t number, int32_t) { ++sourceOffsets[number]; });
  std::partial_sum(sourceOffsets.begin(), sourceOffsets.end(), sourceOffsets.begin());
  sources.resize(sourceOffsets.back());
  forEachSource([this](int32_t number, int32_t wish) { sources[--sourceOffsets[number]] = wish; });
  lastSeenBy.assign(wantedNow.size(), none);
}

/// Adds a value to the class of those alike.
void Trial::classify(int32_t number) {
  int32_t value = values[number], place = placeOf(value);
  bool isMember = number < static_cast<int32_t>(profiles.size());
  auto sourcesOfValue = absl::MakeConstSpan(sources).subspan(
      sourceOffsets[number], sourceOffsets[number + 1] - sourceOffsets[number]);
  size_t firstOther = others.size(), firstWish = wishes.size();
  if (!isMember) // All uses of a member are ops around it.
    listOthers(value, sourcesOfValue);
  for (int32_t wish : sourcesOfValue)
    if (std::exchange(lastSeenBy[wish], number) != number)
      wishes.push_back(wish);
  if (wishes.size() - firstWish > 1)
    std::sort(wishes.begin() + firstWish, wishes.end());
  key.resize(4 + 2 * (others.size() - firstOther) + (wishes.size() - firstWish));
  int32_t *next = key.data();
  *next++ = cost.kindOf(value);
  *next++ = bitsOf(graph.value(value).turns);
  *next++ = place;
  *next++ = static_cast<int32_t>(others.size() - firstOther);
  for (size_t i = firstOther; i < others.size(); ++i) {
    *next++ = others[i].layout;
    *next++ = bitsOf(others[i].turns);
  }
  for (size_t i = firstWish; i < wishes.size(); ++i)
    *next++ = wishes[i];
  auto [alike, isNew] = valueNumbers.number(key);
  if (isNew) {
    valueClasses.push_back({value, place, static_cast<int32_t>(firstWish),
                            static_cast<int32_t>(wishes.size() - firstWish),
                            static_cast<int32_t>(firstOther),
                            static_cast<int32_t>(others.size() - firstOther), 0, 0});
    valueClasses.back().costNow = movesOf(valueClasses.back(), cost.layoutOf(value), wantedNow);
  } else {
    others.resize(firstOther);
    wishes.resize(firstWish);
  }
  ++valueClasses[alike].count;
}

/// Lists how a value is wanted by ops that are not around the group: by all, but for `sources`.
void Trial::listOthers(int32_t value, absl::Span<const int32_t> sourcesOfValue) {
  size_t first = others.size();
  cost.listWanted(value, others);
  for (int32_t wish : sourcesOfValue)
    for (size_t i = first; i < others.size(); ++i)
      if (others[i].layout == wantedNow[wish] &&
          others[i].turns == std::min(turnsOfWish[wish], graph.value(value).turns))
        --others[i].count;
  others.erase(std::remove_if(others.begin() + first, others.end(),
                              [](const PlanCost::Wanted &other) { return other.count == 0; }),
               others.end());
}

//===- Judging -------------------------------------------------------------===//

double Trial::change(const Targets &targets) {
  auto layoutAt = [&](int32_t place) {
    return place < 0 ? targets.ofProfile(-1 - place).layout : place;
  };
  double change = 0;
  wanted.resize(wantedNow.size());
  for (const OpClass &alike : opClasses) {
    const ShardGraph::Op &op = graph.op(alike.example);
    layouts.clear();
    for (int32_t t = 0; t < op.numOperands + op.numResults; ++t)
      layouts.push_back(layoutAt(places[alike.firstPlace + t]));
    const PlanCost::Run &run = cost.runIn(alike.example, layouts);
    std::copy(run.wanted.begin(), run.wanted.end(), wanted.begin() + alike.firstWish);
    change += (run.cost - alike.costNow) * alike.weight;
  }
  for (const ValueClass &alike : valueClasses)
    change += (movesOf(alike, layoutAt(alike.place), wanted) - alike.costNow) * alike.count;
  return change;
}

/// Returns what it takes to bring a value that lies as `layout` to where it is wanted.
double Trial::movesOf(const ValueClass &alike, int32_t layout,
                      absl::Span<const int32_t> wantedThen) {
  moves.clear();
  auto add = [&](int32_t to, float turns) {
    auto known = std::find_if(moves.begin(), moves.end(),
                              [&](const PlanCost::Wanted &move) { return move.layout == to; });
    if (known == moves.end())
      moves.push_back({to, 1, turns});
    else
      known->turns = std::max(known->turns, turns);
  };
  for (int32_t i = 0; i < alike.numOthers; ++i)
    add(others[alike.firstOther + i].layout, others[alike.firstOther + i].turns);
  float turns = graph.value(alike.example).turns;
  for (int32_t i = 0; i < alike.numWishes; ++i)
    if (int32_t wish = wishes[alike.firstWish + i]; wantedThen[wish] != none)
      add(wantedThen[wish], std::min(turnsOfWish[wish], turns));
  double sum = 0;
  for (const PlanCost::Wanted &move : moves)
    sum += cost.moveCost(alike.example, layout, move.layout) * move.turns;
  return sum;
}

} // namespace spmd
