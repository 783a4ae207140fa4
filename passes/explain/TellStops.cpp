// Why no axis splits a dim, or not the ones that its neighbours are split along.

#include "spmd/passes/explain/StopTexts.h"
#include "spmd/passes/explain/Tell.h"
#include "spmd/passes/propagate/NothingPasses.h"

#include "spmd/dialect/spmd/Notation.h"
#include "spmd/ir/sharding/Excluding.h"

namespace spmd {

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
  if (!reported.empty() && reported[place.value])
    suggestion.chosen = alike.of(places.tensorOf(place.value).value);
  tellAdvice(adviceToSplit(places, place, suggestion), told);
}

void Teller::tellKeptOut(ValueDim place, ToldDim &told) {
  constexpr size_t mostFound = 16, mostStops = 3;
  std::vector<DimStop> stops = findStopsBeside(past, place, mostFound);
  // What lost in the step that brought the axes is told with that.
  auto isRival = [&](const DimStop &stop) {
    return llvm::any_of(told.axes, [&](const ToldAxis &axis) {
      return llvm::any_of(axis.chain.back().rivals, [&](const ToldRival &rival) {
        return rival.dim == stop.from.dim && rival.value == fullName(stop.from.value);
      });
    });
  };
  llvm::erase_if(stops, [&](const DimStop &stop) {
    return stop.obstacle == StepObstacle::none || isRival(stop);
  });
  for (const DimStop &stop : llvm::ArrayRef(stops).take_front(mostStops))
    told.stops.push_back(tellStop(place, stop));
  // Parts of a dim that cannot be split are no reason to split it otherwise.
  auto lost = llvm::find_if(stops, [](const DimStop &stop) {
    return stop.obstacle == StepObstacle::differs || stop.obstacle == StepObstacle::used ||
           stop.obstacle == StepObstacle::reserved;
  });
  if (lost == stops.end())
    return;
  auto axesOf = [&](ValueDim of) -> const AxisList & {
    return graph.sharding(graph.value(of.value).sharding).sharding.dims[of.dim].axes;
  };
  const AxisList &own = axesOf(place), &there = axesOf(lost->from);
  AxisList axes = isPrefix(own, there) && !overlaps(own, lost->axes) ? own : AxisList();
  llvm::append_range(axes, lost->axes);
  tellAdvice(adviceToSplitAlong(places, place, lost->from.value, axes), told);
  told.unsplit.clear(); // It is split.
}

void Teller::tellAdvice(const Advice &advice, ToldDim &told) {
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
    std::string text = "closed by its annotation " + places.originText(value, past.atFirst(value));
    sdy::ShardingAttr sharding =
        places.program.codec.encode(graph.sharding(graph.value(value).sharding));
    return notationFor(sharding, home) == Notation::shardy
               ? text + "; leave the dim open, {?}, to let axes come"
               : text;
  }
  absl::Span<const int32_t> changes = past.changesOf(value);
  if (!changes.empty() && past.history.changes[changes.back()].kind == Change::Cause::donation)
    return (places.isDonated(value) ? "lies as the result that takes over its memory, "
                                    : "lies as the argument whose memory it takes over, ") +
           fullName(past.history.changes[changes.back()].cause);
  if (int32_t pinned = pinnedAtOrigin(value); pinned != ShardGraph::none) {
    bool isMember = llvm::is_contained(places.program.groupEdges, graph.value(value).origin);
    return (isMember ? "lies as a member of its sharding group, "
                     : "lies as the constraint on it, ") +
           fullName(pinned) + ", closed by " + places.originText(pinned, past.atFirst(pinned));
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
    return stop.custom ? "the rule that was written for it lets nothing pass"
                       : std::string("nothing passes ") + blockedText(stop.factor);
  case StepObstacle::differs:
    return withBytes("another way to split the same dim won");
  case StepObstacle::part:
    return to + " is made of several parts, and only the first can be split before it is split "
                "completely";
  case StepObstacle::behind:
    return "there it is one of several parts, and is split behind another one, which is whole here";
  case StepObstacle::used:
    if (stop.otherDim < 0)
      return "not all of it is free there";
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
