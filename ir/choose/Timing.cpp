#include "spmd/ir/choose/Timing.h"

#include "spmd/ir/choose/Sequences.h"
#include "spmd/ir/rules/Parts.h"

#include <algorithm>

namespace spmd {

namespace {

/// Flows of loops lead back; what is not known after so many looks is taken as it stands.
constexpr int maxLooks = 4;

/// Follows values through the ops that are light, forwards and backwards.
class Follower {
public:
  Follower(const ShardGraph &graph, const std::vector<bool> &isFree)
      : graph(graph), isFree(isFree.begin(), isFree.end()), rules(graph.numRules()),
        kinds(graph.numRules(), RuleKind::unknown) {}

  Timing run() {
    Timing timing{Marks(graph.numValues(), 1), Marks(graph.numValues(), 1)};
    auto look = [&](Marks &marks, bool forwards) {
      for (int n = 0; n < maxLooks; ++n) {
        bool changed = false;
        for (int32_t i = 0; i < graph.numOps(); ++i)
          changed |= visit(graph.op(forwards ? i : graph.numOps() - 1 - i), marks, forwards);
        if (!changed)
          return;
      }
    };
    look(timing.isAhead, true);
    look(timing.isLate, false);
    return timing;
  }

private:
  using Marks = std::vector<uint8_t>;

  /// Some tensors of an op, by position, that have to do with each other.
  struct Part {
    std::vector<int32_t> operands, results;
  };

  /// Most rules are `whole`: there is one part, of all tensors, and no edge.
  enum class RuleKind : uint8_t { unknown, whole, wholeProduct, inParts };

  struct KnownRule {
    std::vector<Part> parts;
    bool isProduct = false;
  };

  RuleKind know(int32_t index) {
    KnownRule &rule = rules[index];
    const OpRule &known = graph.rule(index);
    rule.isProduct = isProduct(known);
    forEachPart(known, [&](RulePart part) {
      rule.parts.push_back({std::move(part.operands), std::move(part.results)});
    });
    bool isWhole = rule.parts.size() == 1 && !known.operands.empty() &&
                   (known.operands.size() > 1 || known.results.size() <= 1) &&
                   rule.parts[0].operands.size() == known.operands.size() &&
                   rule.parts[0].results.size() == known.results.size();
    return !isWhole ? RuleKind::inParts : rule.isProduct ? RuleKind::wholeProduct : RuleKind::whole;
  }

  /// Takes the mark off a value, unless it is free.
  void unmark(int32_t value, Marks &marks) const { marks[value] &= isFree[value]; }

  /// Takes the mark off what the op makes of values without one (or, backwards, off what it makes
  /// into such). Returns whether that changes what was looked at before: ops stand in order, but
  /// for edges, which join what stands anywhere.
  bool visit(const ShardGraph::Op &op, Marks &marks, bool forwards) {
    RuleKind &kind = kinds[op.rule];
    if (kind == RuleKind::unknown)
      kind = know(op.rule);
    if (kind == RuleKind::inParts)
      return visitParts(op, marks, forwards);
    // No more than two short loops.
    const int32_t *tensors = graph.tensorsOf(op).data(), *results = tensors + op.numOperands,
                  *end = results + op.numResults;
    const int32_t *from = forwards ? tensors : results, *fromEnd = forwards ? results : end,
                  *to = forwards ? results : tensors, *toEnd = forwards ? end : results;
    uint8_t *mark = marks.data(), isMarked = kind == RuleKind::whole;
    const uint8_t *free = isFree.data();
    for (; from != fromEnd; ++from)
      isMarked &= mark[*from];
    for (; to != toEnd; ++to)
      mark[*to] &= isMarked | free[*to];
    return false;
  }

  bool visitParts(const ShardGraph::Op &op, Marks &marks, bool forwards) {
    absl::Span<const int32_t> tensors = graph.tensorsOf(op);
    auto operands = tensors.first(op.numOperands), results = tensors.subspan(op.numOperands);
    const KnownRule &rule = rules[op.rule];
    bool changed = false, isEdge = op.numOperands == 1 && op.numResults > 1;
    auto note = [&](int32_t value) {
      changed |= marks[value] > isFree[value];
      unmark(value, marks);
    };
    for (const Part &part : rule.parts) {
      auto areMarked = [&](absl::Span<const int32_t> all, const std::vector<int32_t> &some) {
        return std::all_of(some.begin(), some.end(), [&](int32_t i) { return marks[all[i]]; });
      };
      bool ok = !rule.isProduct &&
                areMarked(forwards ? operands : results, forwards ? part.operands : part.results);
      if (isEdge) // One tensor at several places.
        ok = ok && areMarked(operands, part.operands) && areMarked(results, part.results);
      if (ok)
        continue;
      if (forwards || isEdge)
        for (int32_t i : part.results)
          note(results[i]);
      if (!forwards || isEdge)
        for (int32_t i : part.operands)
          note(operands[i]);
    }
    return isEdge && changed;
  }

  const ShardGraph &graph;
  const Marks isFree;
  std::vector<KnownRule> rules;
  std::vector<RuleKind> kinds; ///< By rule.
};

} // namespace

bool isProduct(const OpRule &rule) {
  return rule.operands.size() > 1 &&
         std::any_of(rule.factors.begin(), rule.factors.end(),
                     [](const Factor &factor) { return factor.kind == FactorKind::reduce; });
}

void SteadyAxes::add(const MeshSharding &pin) {
  size_t rank = pin.sharding.dims.size();
  for (size_t d = 0; d < rank; ++d) {
    bool isSequence = d > 0 && d + 2 == rank; // Of [batch, sequence, features].
    int32_t dim = isSequence ? -1 : static_cast<int32_t>(d);
    for (const AxisRef &axis : pin.sharding.dims[d].axes) {
      auto [entry, isNew] = dims.try_emplace({pin.mesh, axis.axis}, dim);
      if (!isNew && entry->second != dim)
        entry->second = -1;
    }
  }
}

void SteadyAxes::addKept(const MeshSharding &pin) {
  for (size_t d = 0; d < pin.sharding.dims.size(); ++d) {
    int32_t number = static_cast<int32_t>(d);
    int64_t priority = pin.sharding.dims[d].priority.value_or(0);
    for (const AxisRef &axis : pin.sharding.dims[d].axes) {
      auto [entry, isNew] = kept.try_emplace({pin.mesh, axis.axis}, Kept{priority, number});
      Kept &first = entry->second;
      if (priority < first.priority)
        first = {priority, number, true};
      else if (priority > first.priority)
        first.isBeforeOthers = true;
      else if (number != first.dim)
        first.dim = -1;
    }
  }
}

std::vector<std::pair<std::pair<int32_t, int32_t>, int32_t>> SteadyAxes::alongOneDim() const {
  std::vector<std::pair<std::pair<int32_t, int32_t>, int32_t>> all;
  for (auto [axis, dim] : dims)
    if (dim >= 0)
      all.push_back({axis, dim});
  std::sort(all.begin(), all.end());
  return all;
}

SteadyAxes steadyAxesOf(const ShardGraph &graph, const Timing &timing) {
  SteadyAxes axes;
  for (int32_t v = 0; v < graph.numValues(); ++v) {
    const ShardGraph::Value &value = graph.value(v);
    if (value.state != ShardingState::pinned || value.sharding == ShardGraph::none)
      continue;
    if (timing.isAhead[v] || timing.isLate[v])
      axes.addKept(graph.shardingOf(v));
    else
      axes.add(graph.sharding(value.sharding));
  }
  dropSequences(axes, graph, timing);
  return axes;
}

Timing timingOf(const ShardGraph &graph, const std::vector<bool> &isFree) {
  return Follower(graph, isFree).run();
}

} // namespace spmd
