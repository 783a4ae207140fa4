#include "spmd/ir/explain/Trace.h"

#include "spmd/ir/rules/Propagation.h"
#include "spmd/ir/sharding/Excluding.h"

namespace spmd {

std::vector<double> bytesOfTensors(const ShardGraph &graph, const ShardGraph::Op &op) {
  std::vector<double> bytes;
  for (int32_t v : graph.tensorsOf(op))
    bytes.push_back(graph.bytesOf(graph.value(v)));
  return bytes;
}

std::optional<std::vector<Sharding>> shardingsBefore(const Past &past, const ShardGraph::Op &op,
                                                     int32_t time) {
  const ShardGraph &graph = past.graph;
  std::vector<Sharding> shardings;
  int32_t mesh = ShardGraph::none;
  for (int32_t v : graph.tensorsOf(op)) {
    int32_t known = past.before(v, time);
    if (known == ShardGraph::none) {
      size_t rank = graph.shape(graph.value(v).shape).size();
      shardings.push_back(Sharding::replicatedOf(rank, /*open=*/true));
      continue;
    }
    shardings.push_back(graph.sharding(known).sharding);
    if (shardings.back().dims.empty()) // It may be on any mesh.
      continue;
    if (mesh != ShardGraph::none && mesh != graph.sharding(known).mesh)
      return std::nullopt;
    mesh = graph.sharding(known).mesh;
  }
  return shardings;
}

/// One walk back.
class Walk {
public:
  /// With `onlyRoot`, only where the chain begins is of interest.
  Walk(Tracer &tracer, bool onlyRoot)
      : tracer(tracer), past(tracer.past), graph(past.graph), onlyRoot(onlyRoot) {}

  std::vector<Link> run(ValueDim place, AxisRef axis) {
    follow(place, axis);
    std::reverse(chain.begin(), chain.end());
    return std::move(chain);
  }

  ValueDim root(ValueDim place, AxisRef axis) {
    follow(place, axis);
    ValueDim root = known;
    if (root.value == ShardGraph::none)
      root = chain.empty() ? place : chain.back().to;
    for (const Tracer::Step &step : steps)
      tracer.roots.try_emplace(step, root);
    return root;
  }

private:
  void follow(ValueDim place, AxisRef axis) {
    int32_t time = static_cast<int32_t>(past.history.changes.size());
    for (bool isDone = false; !isDone;) {
      int32_t bringing = changeThatBrought(place, axis, time);
      if (bringing == ShardGraph::none) {
        bool isPinned = graph.value(place.value).state == ShardingState::pinned;
        addFirst({isPinned ? Link::Kind::annotation : Link::Kind::inferred, {}, place, axis});
        break;
      }
      time = bringing;
      if (onlyRoot && isRootKnown({bringing, place.dim, axis}))
        break;
      switch (past.history.changes[bringing].kind) {
      case Change::Cause::step:
        isDone = !followStep(place, axis, time);
        break;
      case Change::Cause::donation:
        followDonation(place, axis, time);
        break;
      case Change::Cause::decision:
        followDecision(place, axis, time);
        isDone = true;
        break;
      case Change::Cause::hint:
        addFirst({Link::Kind::hint, {}, place, axis, ShardGraph::none, time});
        isDone = true;
        break;
      default: // An annotation of a lower user priority comes up, or nothing splits any more.
        addFirst({Link::Kind::annotation, {}, place, axis, ShardGraph::none, time});
        isDone = true;
      }
    }
  }

  bool isRootKnown(const Tracer::Step &step) {
    auto found = tracer.roots.find(step);
    if (found == tracer.roots.end()) {
      steps.push_back(step);
      return false;
    }
    known = found->second;
    return true;
  }

  bool has(int32_t sharding, int32_t dim, const AxisRef &axis) const {
    return sharding != ShardGraph::none &&
           overlaps(axis, graph.sharding(sharding).sharding.dims[dim].axes);
  }

  /// The last change before `time` behind which the dim is split along the axis, and was not
  /// before.
  int32_t changeThatBrought(ValueDim place, const AxisRef &axis, int32_t time) const {
    absl::Span<const int32_t> own = past.changesOf(place.value);
    for (size_t i = own.size(); i-- > 0;) {
      const Change &change = past.history.changes[own[i]];
      if (own[i] < time && has(change.after, place.dim, axis) &&
          !has(change.before, place.dim, axis))
        return own[i];
    }
    return ShardGraph::none;
  }

  void addFirst(Link link) { chain.push_back(std::move(link)); }

  //===- Steps ---------------------------------------------------------------===//

  /// Goes on at the tensor of the step that had the axis. Returns false if there is none.
  bool followStep(ValueDim &place, AxisRef &axis, int32_t &time) {
    const Change &change = past.history.changes[time];
    const ShardGraph::Op &op = graph.op(change.cause);
    const OpRule &rule = graph.rule(op.rule);
    int32_t start = past.startOfStep(time);
    std::optional<std::vector<Sharding>> before = shardingsBefore(past, op, start);
    if (!before)
      return false;
    std::vector<double> bytes = bytesOfTensors(graph, op);
    StepScope scope;
    scope.onlyPass = change.round <= 2;
    scope.unanimous = past.history.unanimous;
    std::vector<FactorAxes> projected;
    std::vector<FactorWish> wishes = wishesOf(rule, *before, bytes, scope, projected);
    std::optional<std::pair<size_t, int32_t>> learner =
        learnerOf(op, rule, change, place, axis, wishes);
    if (!learner)
      return false;
    auto [tensor, factor] = *learner;
    const FactorWish &wish = wishes[factor];
    const AxisRef *source = overlapping(wish.axes, axis);
    ValueDim from = {graph.tensorsOf(op)[wish.tensor], dimOfFactor(rule, wish.tensor, factor)};
    Link link = {Link::Kind::step,         from, place, axis, change.cause, time,
                 rule.factors[factor].kind};
    if (!onlyRoot) {
      addRivalsInFactor(link, op, rule, projected, bytes, wish, tensor, factor);
      addRivalsOfOthers(link, op, rule, *before, bytes, wishes, tensor, factor);
    }
    addFirst(std::move(link));
    place = from;
    axis = AxisRef(*source);
    time = start;
    return true;
  }

  static const AxisRef *overlapping(absl::Span<const AxisRef> list, const AxisRef &axis) {
    auto found = std::find_if(list.begin(), list.end(),
                              [&](const AxisRef &ref) { return overlaps(ref, axis); });
    return found == list.end() ? nullptr : &*found;
  }

  /// Which of the op's tensors learnt the axis, and along which factor that wished for it: a value
  /// may be several of them.
  std::optional<std::pair<size_t, int32_t>> learnerOf(const ShardGraph::Op &op, const OpRule &rule,
                                                      const Change &change, ValueDim place,
                                                      const AxisRef &axis,
                                                      absl::Span<const FactorWish> wishes) const {
    absl::Span<const int32_t> tensors = graph.tensorsOf(op);
    for (size_t t = 0; t < tensors.size(); ++t) {
      if (tensors[t] != place.value)
        continue;
      FactorAxes after = project(rule, rule.tensor(t), graph.sharding(change.after).sharding);
      for (int32_t factor : rule.tensor(t)[place.dim])
        if (overlaps(axis, after[factor]) && overlapping(wishes[factor].axes, axis))
          return std::pair(t, factor);
    }
    return std::nullopt;
  }

  /// Tensors that are split otherwise along the factor itself.
  void addRivalsInFactor(Link &link, const ShardGraph::Op &op, const OpRule &rule,
                         const std::vector<FactorAxes> &projected, absl::Span<const double> bytes,
                         const FactorWish &wish, size_t tensor, int32_t factor) const {
    for (size_t t = 0; t < projected.size(); ++t) {
      const AxisList &axes = projected[t][factor];
      if (t == tensor || axes.empty() || isPrefix(axes, wish.axes))
        continue;
      link.rivals.push_back({{graph.tensorsOf(op)[t], dimOfFactor(rule, t, factor)},
                             axes,
                             link.to.dim,
                             bytes[t],
                             wish.bytes,
                             /*isLater=*/false});
    }
  }

  /// Factors of other dims of the tensor that want the axis there.
  void addRivalsOfOthers(Link &link, const ShardGraph::Op &op, const OpRule &rule,
                         absl::Span<const Sharding> before, absl::Span<const double> bytes,
                         const std::vector<FactorWish> &inScope, size_t tensor,
                         int32_t factor) const {
    std::vector<FactorAxes> projected;
    std::vector<FactorWish> wishes = wishesOf(rule, before, bytes, {}, projected);
    for (int32_t other = 0; other < rule.numFactors(); ++other) {
      int32_t dim = dimOfFactor(rule, tensor, other);
      const FactorWish &wish = wishes[other];
      if (other == factor || dim < 0 || wish.tensor == tensor || !exclude(link.axis, wish.axes))
        continue;
      link.rivals.push_back(
          {{graph.tensorsOf(op)[wish.tensor], dimOfFactor(rule, wish.tensor, other)},
           wish.axes,
           dim,
           wish.bytes,
           inScope[factor].bytes,
           inScope[other].axes.empty()});
    }
  }

  //===- Other changes -------------------------------------------------------===//

  void followDonation(ValueDim &place, const AxisRef &axis, int32_t time) {
    ValueDim from = {past.history.changes[time].cause, place.dim};
    addFirst({Link::Kind::donation, from, place, axis, ShardGraph::none, time});
    place = from;
  }

  void followDecision(ValueDim place, const AxisRef &axis, int32_t time) {
    const Change &change = past.history.changes[time];
    int32_t mesh = graph.sharding(change.after).mesh;
    Link link = {Link::Kind::decision, place, place, axis, ShardGraph::none, time};
    const AnnotationWays &ways = tracer.waysOf(mesh, axis.axis);
    size_t rank = graph.shape(graph.value(place.value).shape).size();
    for (size_t d = 0; d < rank && !onlyRoot; ++d) {
      ValueDim other = {place.value, static_cast<int32_t>(d)};
      if (other == place)
        continue;
      std::vector<Tie> way = ways.wayTo(other);
      if (!way.empty())
        link.others.emplace_back(other.dim, way.front().from);
    }
    addFirst(std::move(link));
    std::vector<Tie> way = ways.wayTo(place);
    for (size_t i = way.size(); i-- > 0;)
      addFirst({Link::Kind::tie, way[i].from, way[i].to, axis, way[i].op});
    if (!way.empty())
      addFirst({Link::Kind::annotation, {}, way.front().from, axis});
  }

  Tracer &tracer;
  const Past &past;
  const ShardGraph &graph;
  bool onlyRoot;
  std::vector<Link> chain;         ///< Backward.
  std::vector<Tracer::Step> steps; ///< That were taken, for `onlyRoot`.
  ValueDim known;                  ///< Where the chain begins, if an earlier walk found that.
};

std::vector<Link> Tracer::chainOf(ValueDim place, const AxisRef &axis) {
  return Walk(*this, /*onlyRoot=*/false).run(place, axis);
}

ValueDim Tracer::rootOf(ValueDim place, const AxisRef &axis) {
  return Walk(*this, /*onlyRoot=*/true).root(place, axis);
}

const AnnotationWays &Tracer::waysOf(int32_t mesh, int32_t axis) {
  std::unique_ptr<AnnotationWays> &known = ways[{mesh, axis}];
  if (!known)
    known = std::make_unique<AnnotationWays>(past, isFree, mesh, axis);
  return *known;
}

int32_t decisionAgainst(const Past &past, int32_t value, const AxisRef &axis) {
  absl::Span<const int32_t> own = past.changesOf(value);
  for (size_t i = own.size(); i-- > 0;) {
    const Change &change = past.history.changes[own[i]];
    if (change.kind == Change::Cause::decision &&
        overlaps(axis, past.graph.sharding(change.after).sharding.replicated))
      return own[i];
  }
  return ShardGraph::none;
}

} // namespace spmd
