#include "spmd/passes/explain/Tell.h"

#include "spmd/dialect/spmd/Notation.h"
#include "spmd/passes/explain/Advice.h"
#include "spmd/passes/explain/StopTexts.h"
#include "spmd/passes/propagate/NothingPasses.h"

#include "spmd/ir/sharding/Excluding.h"
#include "spmd/ir/sharding/Spec.h"

namespace spmd {

/// How a value of `rank` dims is written back that lies whole.
static std::string openText(size_t rank) {
  ShardingSpec spec;
  spec.dims.assign(rank, {{}, /*open=*/true});
  return spec.str();
}

Explanation Teller::tell(int32_t value) {
  const ShardGraph::Value &known = graph.value(value);
  bool hasMesh = places.program.codec.mainMesh() >= 0;
  home = places.functionOf(value);
  Explanation told;
  told.name = places.nameOf(value);
  told.description = places.descriptionOf(value);
  told.location = places.locationOf(value);
  told.function = home.getSymName().str();
  told.state = known.state == ShardingState::pinned                ? "pinned"
               : knowledge[value] == Knowledge::sharded            ? "inferred"
               : knowledge[value] == Knowledge::free               ? "free"
               : knowledge[value] == Knowledge::unused             ? "unused"
               : !hasMesh || knowledge[value] == Knowledge::wanted ? "whole"
                                                                   : "missing";
  size_t rank = graph.shape(known.shape).size();
  bool isOpen = known.sharding == ShardGraph::none && told.state != "missing";
  told.sharding = isOpen ? openText(rank) : places.shardingText(known.sharding);
  int32_t annotated = past.atFirst(value);
  if (told.state == "pinned" && annotated != known.sharding)
    told.annotated = places.annotationText(value, annotated);
  told.remark = remarkOn(value);
  if (!hasMesh)
    return told;
  for (size_t d = 0; d < rank; ++d)
    told.dims.push_back(tellDim({value, static_cast<int32_t>(d)}));
  return told;
}

std::vector<ToldAxis> Teller::chainsOf(ValueDim place) {
  home = places.functionOf(place.value);
  int32_t sharding = graph.value(place.value).sharding;
  std::vector<ToldAxis> told;
  if (sharding != ShardGraph::none)
    for (const AxisRef &axis : graph.sharding(sharding).sharding.dims[place.dim].axes)
      addAxis(tellAxis(place, axis), told);
  return told;
}

std::string Teller::remarkOn(int32_t value) const {
  if (places.program.codec.mainMesh() < 0)
    return "the program has no mesh, so nothing is split";
  if (graph.shape(graph.value(value).shape).empty())
    return "a scalar: there is nothing to split";
  return "";
}

std::string Teller::dimText(ValueDim place) const {
  return fullName(place.value) + " dim " + std::to_string(place.dim);
}

std::string Teller::fullName(int32_t value) const {
  std::string name = places.nameOf(value);
  mlir::func::FuncOp func = places.functionOf(value);
  return name.front() == '%' && func != home ? "@" + func.getSymName().str() + ":" + name : name;
}

ToldDim Teller::tellDim(ValueDim place) {
  const ShardGraph::Value &value = graph.value(place.value);
  ToldDim told;
  told.size = graph.shape(value.shape)[place.dim];
  told.axes = chainsOf(place);
  if (told.axes.empty())
    tellStops(place, told);
  return told;
}

/// Axes that came together are told of together.
void Teller::addAxis(ToldAxis axis, std::vector<ToldAxis> &axes) {
  auto isSame = [](const ToldLink &a, const ToldLink &b) {
    return a.text == b.text && a.step == b.step && a.rivals.empty() && b.rivals.empty();
  };
  if (!axes.empty() && std::equal(axis.chain.begin(), axis.chain.end(), axes.back().chain.begin(),
                                  axes.back().chain.end(), isSame))
    axes.back().axis += ", " + axis.axis;
  else
    axes.push_back(std::move(axis));
}

//===- Chains ----------------------------------------------------------------===//

ToldAxis Teller::tellAxis(ValueDim place, const AxisRef &axis) {
  ToldAxis told{places.axesText(place.value, {axis}), {}};
  for (const Link &link : tracer.chainOf(place, axis))
    told.chain.push_back(tellLink(link));
  return told;
}

std::string Teller::annotationText(const Link &link) const {
  int32_t first = past.atFirst(link.to.value);
  std::string text =
      "from " + fullName(link.to.value) + " (" + places.locationOf(link.to.value) + ")";
  if (link.kind == Link::Kind::inferred)
    return text + ", which lies so already where propagation begins: " + places.shardingText(first);
  text += ", annotated " + places.annotationText(link.to.value, first);
  if (int64_t priority = graph.priorityOf(link.to.value, link.to.dim))
    text += "; priority " + std::to_string(priority) + " comes up behind those before it";
  return text;
}

std::string Teller::decisionText(const Link &link) const {
  const Change &change = past.history.changes[link.change];
  const DecisionNote &decision = past.history.decisions[change.cause];
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "decided for " << decision.numValues
     << (decision.numValues == 1 ? " value" : " values together") << ": dim " << link.to.dim
     << " of " << fullName(link.to.value) << ", saves " << timeText(decision.gain)
     << " of the cost model; was " << places.shardingText(change.before);
  return text;
}

ToldRival Teller::tellRival(const Link &link, const Rival &rival) {
  ToldRival told;
  told.value = fullName(rival.from.value);
  told.location = places.locationOf(rival.from.value);
  told.axes = places.axesText(rival.from.value, rival.axes);
  told.dim = rival.from.dim;
  std::string what = told.axes + " of " + dimText(rival.from) + " (" + told.location + ")";
  if (rival.dim != link.to.dim)
    what += " for dim " + std::to_string(rival.dim);
  if (rival.isLater) {
    told.text = "before " + what + ", which costs communication and comes up later";
    return told;
  }
  told.bytes = rival.bytes;
  told.winnerBytes = rival.winnerBytes;
  told.text = "won against " + what + ": " + bytesText(rival.winnerBytes) + " against " +
              bytesText(rival.bytes);
  return told;
}

static const char *kindName(Link::Kind kind) {
  switch (kind) {
  case Link::Kind::annotation:
    return "annotation";
  case Link::Kind::inferred:
    return "given";
  case Link::Kind::step:
    return "step";
  case Link::Kind::tie:
    return "tie";
  case Link::Kind::hint:
    return "hint";
  case Link::Kind::decision:
    return "decision";
  case Link::Kind::donation:
    return "donation";
  }
  return "";
}

ToldLink Teller::tellLink(const Link &link) {
  ToldLink told;
  told.kind = kindName(link.kind);
  told.value = fullName(link.to.value);
  told.location = places.locationOf(link.to.value);
  told.dim = link.to.dim;
  if (link.from.value != ShardGraph::none && link.kind != Link::Kind::decision) {
    told.from = fullName(link.from.value);
    told.fromDim = link.from.dim;
  }
  if (link.op != ShardGraph::none) {
    told.op = places.nameOfOp(link.op);
    told.opLocation = places.locationOfOp(link.op);
  }
  std::string way = told.from.empty() ? "" : dimText(link.from) + " -> " + dimText(link.to);
  switch (link.kind) {
  case Link::Kind::annotation:
  case Link::Kind::inferred:
    told.text = annotationText(link);
    break;
  case Link::Kind::step:
    told.step = past.history.changes[link.change].step;
    [[fallthrough]];
  case Link::Kind::tie:
    told.text = (link.kind == Link::Kind::tie ? "along " : "through ") + told.op + " (" +
                told.opLocation + "): " + way;
    if (link.factor != FactorKind::pass)
      told.text += std::string(", ") + factorText(link.factor);
    break;
  case Link::Kind::hint:
    told.text = "from what an earlier pass left at " + told.value + " (" + told.location +
                "), since nothing else decides: " +
                places.shardingText(past.history.changes[link.change].after);
    break;
  case Link::Kind::decision:
    told.text = decisionText(link);
    break;
  case Link::Kind::donation:
    told.text = "takes over the memory of its argument: " + way;
  }
  for (const Rival &rival : link.rivals)
    told.rivals.push_back(tellRival(link, rival));
  for (const auto &[dim, from] : link.others) {
    ToldRival other;
    other.value = fullName(from.value);
    other.location = places.locationOf(from.value);
    other.axes = places.axesText(link.to.value, {link.axis});
    other.dim = from.dim;
    other.text = "won against dim " + std::to_string(dim) + ", which " + dimText(from) + " (" +
                 other.location + ") wants split along " + other.axes;
    told.rivals.push_back(std::move(other));
  }
  return told;
}

//===- Stops -----------------------------------------------------------------===//

void Teller::tellStops(ValueDim place, ToldDim &told) {
  constexpr size_t mostStops = 3;
  if (told.size == 1)
    return told.stops.push_back(endOf("size", "of size 1: there is nothing to split"));
  const ShardGraph::Value &known = graph.value(place.value);
  bool isMadeFreely = isFree[place.value] && known.state != ShardingState::pinned;
  AxisList lost = isMadeFreely ? AxisList() : axesLostAtBoundary(place);
  if (!lost.empty())
    return told.stops.push_back(endOf(
        "boundary", "its shards would not be even along " + places.axesText(place.value, lost) +
                        ", which was found for it; arguments and results keep what divides them"));
  StopSearch found;
  if (!isMadeFreely || known.sharding != ShardGraph::none)
    found = findStops(past, place, mostStops);
  for (const DimStop &stop : found.stops)
    told.stops.push_back(tellStop(place, stop));
  if (isMadeFreely) {
    if (told.stops.empty())
      told.stops.push_back(endOf("free", "made of constants alone: it lies wherever it is needed"));
    return;
  }
  if (found.isClosed) {
    bool isPinned = graph.value(place.value).state == ShardingState::pinned;
    told.stops.push_back(endOf("closed", whyClosed(place.value)));
    if (!isPinned)
      return;
  } else if (found.stops.empty()) {
    tellDeadEnds(found, told);
  }
  Suggestion suggestion;
  for (int32_t value : found.reached)
    suggestion.avoid(graph, value);
  if (!found.stops.empty() && found.stops.front().obstacle != StepObstacle::none) {
    suggestion.from = found.stops.front().from.value;
    suggestion.axes = axesToSuggest(found.stops);
  }
  Advice advice = adviceToSplit(places, place, suggestion);
  told.write = advice.line;
  told.unsplit = advice.unsplit;
  for (const Follower &follower : advice.followers)
    told.alsoWrite.push_back({"'" + follower.op->getName().getStringRef().str() + "'",
                              placeText(follower.op->getLoc()), follower.line});
}

AxisList Teller::axesToSuggest(llvm::ArrayRef<DimStop> stops) {
  auto rootOf = [&](const DimStop &stop) { return tracer.rootOf(stop.from, stop.axes.front()); };
  ValueDim root = rootOf(stops.front());
  int32_t annotated = past.atFirst(root.value);
  if (annotated == ShardGraph::none)
    return stops.front().axes;
  AxisList suggested;
  for (const AxisRef &axis : graph.sharding(annotated).sharding.dims[root.dim].axes) {
    if (overlaps(axis, stops.front().axes))
      break;
    bool isStopped = llvm::any_of(llvm::drop_begin(stops), [&](const DimStop &stop) {
      return stop.obstacle != StepObstacle::none && rootOf(stop) == root &&
             overlaps(axis, stop.axes);
    });
    if (isStopped)
      suggested.push_back(axis);
  }
  llvm::append_range(suggested, stops.front().axes);
  return suggested;
}

AxisList Teller::axesLostAtBoundary(ValueDim place) const {
  absl::Span<const int32_t> changes = past.changesOf(place.value);
  if (changes.empty() || past.history.changes[changes.back()].kind != Change::Cause::evened)
    return {};
  const Change &change = past.history.changes[changes.back()];
  const AxisList &kept = graph.sharding(change.after).sharding.dims[place.dim].axes;
  AxisList lost;
  for (const AxisRef &axis : graph.sharding(change.before).sharding.dims[place.dim].axes)
    if (!llvm::is_contained(kept, axis))
      lost.push_back(axis);
  return lost;
}

int32_t Teller::pinnedAtOrigin(int32_t value) const {
  int32_t edge = graph.value(value).origin;
  if (edge == ShardGraph::none)
    return ShardGraph::none;
  for (int32_t member : graph.tensorsOf(graph.op(edge)))
    if (graph.value(member).state == ShardingState::pinned)
      return member;
  return ShardGraph::none;
}

std::string Teller::whyClosed(int32_t value) const {
  mlir::Value known = places.tensorOf(value).value;
  if (auto collective = llvm::dyn_cast_if_present<sdy::CollectiveOpInterface>(
          known ? known.getDefiningOp() : nullptr))
    return "what '" + collective->getName().getStringRef().str() + "' makes lies as it says, " +
           places.annotationText(value, past.atFirst(value)) + ", and in no other way";
  if (graph.value(value).state == ShardingState::pinned) {
    std::string text =
        "closed by its annotation " + places.annotationText(value, past.atFirst(value));
    sdy::ShardingAttr sharding =
        places.program.codec.encode(graph.sharding(graph.value(value).sharding));
    return notationFor(sharding, home) == Notation::shardy
               ? text + "; leave the dim open, {?}, to let axes come"
               : text;
  }
  absl::Span<const int32_t> changes = past.changesOf(value);
  if (!changes.empty() && past.history.changes[changes.back()].kind == Change::Cause::donation)
    return "lies as the argument whose memory it takes over, " +
           fullName(past.history.changes[changes.back()].cause);
  if (int32_t pinned = pinnedAtOrigin(value); pinned != ShardGraph::none) {
    bool isMember = llvm::is_contained(places.program.groupEdges, graph.value(value).origin);
    return (isMember ? "lies as a member of its sharding group, "
                     : "lies as the constraint on it, ") +
           fullName(pinned) + ", closed by " + places.annotationText(pinned, past.atFirst(pinned));
  }
  return "all axes are manual here: nothing is left to split it";
}

ToldStop Teller::endOf(const char *kind, const std::string &text) const {
  ToldStop stop;
  stop.kind = kind;
  stop.text = text;
  return stop;
}

ToldStop Teller::tellStop(ValueDim place, const DimStop &stop) {
  ToldStop told;
  told.kind = obstacleName(stop.obstacle);
  told.axes = places.axesText(stop.from.value, stop.axes);
  told.from = fullName(stop.from.value);
  told.fromLocation = places.locationOf(stop.from.value);
  told.to = fullName(stop.to.value);
  told.toLocation = places.locationOf(stop.to.value);
  told.op = places.nameOfOp(stop.op);
  told.opLocation = places.locationOfOp(stop.op);
  told.text = told.axes + " of " + dimText(stop.from) + " (" + told.fromLocation +
              ") does not come through " + told.op + " (" + told.opLocation +
              "): " + whyStopped(stop);
  if (!(stop.to == place))
    told.text += "; from " + dimText(stop.to) + " it would come here";
  return told;
}

/// Names what splits another dim instead: the axes themselves, or a part that they cannot be
/// beside.
std::string Teller::userText(const DimStop &stop, const std::string &axes) const {
  const MeshSharding &there = graph.sharding(graph.value(stop.to.value).sharding);
  for (const AxisRef &user : there.sharding.dims[stop.otherDim].axes)
    if (exclude(user, stop.axes.front()) && !overlaps(user, stop.axes.front()))
      return places.axesText(stop.to.value, {user}) + ", which no cut of the axis has beside it,";
  AxisList taken;
  for (const AxisRef &axis : stop.axes)
    if (llvm::any_of(there.sharding.dims[stop.otherDim].axes,
                     [&](const AxisRef &user) { return overlaps(user, axis); }))
      taken.push_back(axis);
  return taken.empty() ? axes : places.axesText(stop.from.value, taken);
}

/// Says why axes do not come from one dim of an op to another.
std::string Teller::whyStopped(const DimStop &stop) const {
  std::string to = dimText(stop.to), axis = places.axesText(stop.from.value, stop.axes);
  auto withBytes = [&](const std::string &text) {
    return text + " (" + bytesText(stop.fromBytes) + " there, " + bytesText(stop.toBytes) +
           " here)";
  };
  switch (stop.obstacle) {
  case StepObstacle::none:
    return "the values lie on different meshes";
  case StepObstacle::closed:
    return to + " is closed";
  case StepObstacle::blocked:
    return graph.rule(graph.op(stop.op).rule).custom
               ? "the rule that was written for it lets nothing pass"
               : std::string("nothing passes ") + blockedText(stop.factor);
  case StepObstacle::differs:
    return withBytes("another way to split the same dim won");
  case StepObstacle::part:
    return to + " is made of several parts, and only the first can be split before it is split "
                "completely";
  case StepObstacle::behind:
    return "there it is one of several parts, and is split behind another one, which is whole here";
  case StepObstacle::used:
    return withBytes(userText(stop, axis) + " splits dim " + std::to_string(stop.otherDim) +
                     " of " + fullName(stop.to.value) + " already");
  case StepObstacle::uneven:
    return axis + " does not divide " + std::to_string(stop.size) + ", a part of the dim";
  case StepObstacle::few:
    return "along it most of " + to + " would be padding";
  case StepObstacle::reserved:
    break;
  }
  if (stop.decision == ShardGraph::none)
    return fullName(stop.to.value) + " keeps " + axis + " replicated, or adds up over it: " +
           places.shardingText(graph.value(stop.to.value).sharding);
  const DecisionNote &decision = past.history.decisions[past.history.changes[stop.decision].cause];
  std::string text;
  llvm::raw_string_ostream(text) << "decided for " << decision.numValues
                                 << (decision.numValues == 1 ? " value" : " values together")
                                 << ": no dim of " << fullName(stop.to.value) << " along it, saves "
                                 << timeText(decision.gain) << " of the cost model";
  return text;
}

void Teller::tellDeadEnds(const StopSearch &found, ToldDim &told) {
  constexpr size_t mostNamed = 3;
  for (ValueDim closed : llvm::ArrayRef(found.closed).take_front(mostNamed)) {
    ToldStop stop = endOf("whole", dimText(closed) + " (" + places.locationOf(closed.value) +
                                       "), which lies alike, is closed: " +
                                       places.shardingText(graph.value(closed.value).sharding));
    stop.from = fullName(closed.value);
    stop.fromLocation = places.locationOf(closed.value);
    told.stops.push_back(std::move(stop));
  }
  for (int32_t op : llvm::ArrayRef(found.barriers).take_front(mostNamed)) {
    ToldStop stop = endOf("barrier", "nothing passes " + places.nameOfOp(op) + " (" +
                                         places.locationOfOp(op) + ")");
    stop.op = places.nameOfOp(op);
    stop.opLocation = places.locationOfOp(op);
    told.stops.push_back(std::move(stop));
  }
  for (mlir::Operation *op : opsWithoutRule(places, found.reached, mostNamed)) {
    ToldStop stop = endOf("no-rule", "'" + op->getName().getStringRef().str() + "' (" +
                                         placeText(op->getLoc()) + ") " + whyNothingPasses(op));
    stop.op = "'" + op->getName().getStringRef().str() + "'";
    stop.opLocation = placeText(op->getLoc());
    told.stops.push_back(std::move(stop));
  }
  if (told.stops.empty())
    told.stops.push_back(
        endOf("nothing", "no axis reaches it: of what lies alike, nothing is split"));
}

} // namespace spmd
