#include "spmd/passes/explain/Tell.h"

#include "spmd/passes/explain/StopTexts.h"

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
  told.plan = told.state == "pinned" ? places.planPlaceOf(value) : "";
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
  else if (!isFree[place.value])
    tellKeptOut(place, told);
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
  text += ", annotated " + places.originText(link.to.value, first);
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
  told.plan = link.kind == Link::Kind::annotation ? places.planPlaceOf(link.to.value) : "";
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
    told.text = (places.isDonated(link.to.value) ? "gives its memory to its result: "
                                                 : "takes over the memory of its argument: ") +
                way;
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

} // namespace spmd
