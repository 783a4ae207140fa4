// What the program says of where values lie, and does not say, or says twice.

#include "spmd/passes/doctor/Checks.h"

#include "spmd/dialect/import/Shardings.h"
#include "spmd/dialect/partitioning/Partitionable.h"
#include "spmd/dialect/spmd/WrittenNames.h"
#include "spmd/passes/propagate/Lines.h"

#include "llvm/ADT/MapVector.h"

namespace spmd {

//===- Calls of @Sharding that say nothing ---------------------------------===//

/// Returns the result or argument that was made at `place`; null if there is none.
static mlir::Value valueMadeAt(mlir::ModuleOp module, mlir::Location place) {
  mlir::Value found;
  module.walk([&](mlir::Operation *op) {
    for (mlir::Region &region : op->getRegions())
      for (mlir::BlockArgument argument : region.getArguments())
        if (!found && argument.getLoc() == place)
          found = argument;
    if (!found && op->getNumResults() > 0 && op->getLoc() == place)
      found = op->getResult(0);
    return found ? mlir::WalkResult::interrupt() : mlir::WalkResult::advance();
  });
  return found;
}

/// What the report of a call says, without what the importer made of it.
static Finding bareMarkerOf(const Report &report, mlir::ModuleOp propagated) {
  SourceNames names;
  std::string call = report.message.substr(0, report.message.find(bareMarkerText));
  while (!call.empty() && call.back() == ' ')
    call.pop_back();
  Finding finding{"bare-marker", placeText(report.place),
                  call + " calls @Sharding without a sharding: it was to pin its operand, and "
                         "pins nothing"};
  bool isInView = false;
  for (const Report::Note &note : report.notes) {
    isInView |= llvm::StringRef(note.text).starts_with(viewHasShardingText);
    finding.notes.push_back({placeText(note.place), note.text});
  }
  mlir::Value pinned = propagated && !report.notes.empty()
                           ? valueMadeAt(propagated, report.notes.front().place)
                           : mlir::Value();
  ValueSharding found = pinned ? shardingOf(pinned) : ValueSharding();
  if (isInView) {
    finding.kind = "view-lost-constraint";
    finding.message += "; a view behind it has what it was to say";
    finding.fix = "give the call what the view says, for its own shape";
    if (found)
      finding.fix += ": " + lineThatShards(pinned, closed(found.attr), names);
  } else if (found) {
    sdy::ShardingAttr meant = closed(found.attr);
    finding.message +=
        "; it was meant to carry " + meant.getSpec().str() + ", as far as what is around it tells";
    finding.fix = "propagation gives its operand that without it; to pin it, write: " +
                  lineThatShards(pinned, meant, names);
  } else {
    finding.fix = "give the call a sharding: sharding={..} in HLO, mhlo.sharding in StableHLO";
  }
  return finding;
}

void findBareMarkers(llvm::ArrayRef<Report> reports, mlir::ModuleOp propagated,
                     Findings &findings) {
  for (const Report &report : reports)
    if (llvm::StringRef(report.message).contains(bareMarkerText))
      findings.push_back(bareMarkerOf(report, propagated));
}

//===- Two pins ------------------------------------------------------------===//

/// Whether `a` and `b` split each dim alike, as far as both split it.
static bool agree(const ShardingSpec &a, const ShardingSpec &b) {
  for (const auto &[ofA, ofB] : llvm::zip(a.dims, b.dims)) {
    size_t common = std::min(ofA.axes.size(), ofB.axes.size());
    if (!std::equal(ofA.axes.begin(), ofA.axes.begin() + common, ofB.axes.begin()))
      return false;
  }
  return true;
}

/// Whether `a` splits no dim further than `b`.
static bool splitsLess(const ShardingSpec &a, const ShardingSpec &b) {
  return llvm::all_of(llvm::zip(a.dims, b.dims), [](const auto &dims) {
    return std::get<0>(dims).axes.size() <= std::get<1>(dims).axes.size();
  });
}

/// What becomes of a value between two pins that both split it, where neither only splits further
/// than the other; nothing if one does.
static std::string changeBetween(mlir::Value value, ValueSharding a, ValueSharding b) {
  if (!isSplit(a) || !isSplit(b) || a.attr.getMeshOrRef() != b.attr.getMeshOrRef())
    return "";
  const ShardingSpec &first = a.attr.getSpec(), &second = b.attr.getSpec();
  // An axis that one has, and the other elsewhere.
  auto placeOf = [](const ShardingSpec &spec, const AxisSpec &axis) {
    for (auto [d, dim] : llvm::enumerate(spec.dims))
      if (llvm::is_contained(dim.axes, axis))
        return static_cast<int64_t>(d);
    return int64_t(-1);
  };
  std::string all = "all " + sizeText(bytesOf(value)) + " change devices in between";
  for (auto [d, dim] : llvm::enumerate(first.dims))
    for (const AxisSpec &axis : dim.axes)
      if (int64_t other = placeOf(second, axis); other >= 0 && other != static_cast<int64_t>(d))
        return all;
  if (!agree(first, second))
    return all;
  if (splitsLess(first, second) || splitsLess(second, first))
    return "";
  return "a device has another part of it here than there";
}

void findTwoPins(mlir::ModuleOp program, Findings &findings) {
  struct Pin {
    mlir::Location place;
    ValueSharding sharding;
  };
  llvm::MapVector<mlir::Value, llvm::SmallVector<Pin, 2>> pins;
  program.walk([&](sdy::ShardingConstraintOp constraint) {
    mlir::Value value = constraint.getInput();
    llvm::SmallVector<Pin, 2> &ofValue = pins[value];
    if (ValueSharding own = pinOf(value); own && ofValue.empty())
      ofValue.push_back({value.getLoc(), own});
    ofValue.push_back({constraint.getLoc(), pinOf(constraint.getResult())});
  });
  for (auto &[value, ofValue] : pins)
    for (size_t i = 1; i < ofValue.size(); ++i) {
      const Pin &first = ofValue.front(), &second = ofValue[i];
      std::string change = changeBetween(value, first.sharding, second.sharding);
      if (change.empty())
        continue;
      std::string name = nameOf(value);
      findings.push_back({"two-pins",
                          placeText(second.place),
                          name + " is pinned as " + second.sharding.attr.getSpec().str() +
                              " here and as " + first.sharding.attr.getSpec().str() +
                              " in another place; both hold, and " + change,
                          {{placeText(first.place), "the other pin is here"}},
                          "if the change is not meant, leave one of them out"});
    }
}

//===- Views ---------------------------------------------------------------===//

/// Whether the program says by itself how `value` lies.
static bool isPinned(mlir::Value value) {
  return pinOf(value) || llvm::any_of(value.getUsers(), llvm::IsaPred<sdy::ShardingConstraintOp>);
}

/// Looks at one op that shows its operand in another shape. Where the program says how that lies,
/// nothing is lost unsaid.
static void lookAtView(mlir::Operation *op, StrategyCache &strategies, ShardingCodec &codec,
                       Findings &findings) {
  if (op->getNumOperands() != 1 || op->getNumResults() != 1)
    return;
  mlir::Value operand = op->getOperand(0);
  ValueSharding pin = pinOf(operand);
  mlir::RankedTensorType from = tensorTypeOf(operand), to = tensorTypeOf(op->getResult(0));
  if (!isSplit(pin) || !from || !to || !from.hasStaticShape() || !to.hasStaticShape() ||
      from.getNumElements() != to.getNumElements() || from.getShape() == to.getShape() ||
      isPinned(op->getResult(0)))
    return;
  const Strategies *known = strategies.lookup(op);
  const MeshSharding *lies = codec.decode(pin.attr);
  if (!known || !lies || known->front().rule.operands.size() != 1)
    return;
  const OpRule &rule = known->front().rule;
  bool isExact = true;
  FactorAxes axes = project(rule, rule.operands[0], lies->sharding, &isExact);
  Sharding seen = unproject(rule, rule.results[0], axes);
  bool isWhole = false;
  for (size_t d = 0; d < rule.operands[0].size(); ++d)
    for (int32_t factor : rule.operands[0][d])
      isWhole |= rule.factors[factor].kind == FactorKind::whole && !axes[factor].empty();
  Sharding back = unproject(rule, rule.operands[0], project(rule, rule.results[0], seen));
  bool isKept = true;
  for (size_t d = 0; d < back.dims.size(); ++d)
    isKept &= back.dims[d].axes == lies->sharding.dims[d].axes;
  if (isExact && !isWhole && isKept)
    return;
  SourceNames names;
  std::string name = nameOf(op->getResult(0)), kept = toSpec(codec.mesh(lies->mesh), seen).str();
  findings.push_back(
      {"view-lost-constraint",
       placeText(op->getLoc()),
       "'" + op->getName().getStringRef().str() + "' shows " + nameOf(operand) + ", pinned as " +
           pin.attr.getSpec().str() + ", in a shape that cannot be split so: of the pin " + name +
           " keeps " + kept,
       {{placeText(operand.getLoc()), "the pin is here"}},
       "pin a dim that the shapes share, or the outermost of the dims that are merged; if " + name +
           " is meant to lie as it does, write: " +
           lineThatShards(op->getResult(0), codec.encode({lies->mesh, seen}), names)});
}

void findLostConstraints(mlir::ModuleOp propagated, Findings &findings) {
  StrategyCache strategies;
  ShardingCodec codec(propagated);
  propagated.walk([&](mlir::Operation *op) { lookAtView(op, strategies, codec, findings); });
}

} // namespace spmd
