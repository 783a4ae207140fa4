#include "spmd/passes/propagate/Flags.h"

#include "spmd/dialect/spmd/DataFlow.h"
#include "spmd/dialect/spmd/ModulePlace.h"

#include "llvm/ADT/StringExtras.h"

namespace spmd {

namespace {

/// What to do about it; the same words everywhere.
std::string adviceFor(OnMissing onMissing) {
  return onMissing == OnMissing::replicate
             ? "has no sharding; every device holds it whole; annotate it to split it"
             : "has no sharding; annotate it or set on-missing=replicate";
}

/// Tells of a flagged value where it comes from and where it goes, remembering what it told of ops.
class Notes {
public:
  void add(mlir::InFlightDiagnostic &diagnostic, mlir::Value value) {
    mlir::Operation *definition = value.getDefiningOp();
    if (definition && !llvm::isa<mlir::CallOpInterface, DataFlow>(definition) &&
        !strategies.lookup(definition))
      diagnostic.attachNote(definition->getLoc())
          << "'" << definition->getName() << "' has no sharding rule, so nothing passes through it";
    // The first use in program order; use lists run backward.
    mlir::OpOperand *first = nullptr;
    for (mlir::OpOperand &use : value.getUses())
      if (!first || (use.getOwner()->getBlock() == first->getOwner()->getBlock() &&
                     use.getOwner()->isBeforeInBlock(first->getOwner())))
        first = &use;
    if (first)
      diagnostic.attachNote(first->getOwner()->getLoc())
          << "used by '" << first->getOwner()->getName() << "' as operand "
          << first->getOperandNumber() << " here" << shardedOperand(first->getOwner());
  }

private:
  /// Returns `; operand 0 dim 1 is sharded on "x"` for the first operand of `user` that is, or
  /// nothing. That is no flagged value: nobody wrote a sharding for those.
  const std::string &shardedOperand(mlir::Operation *user) {
    auto [known, isNew] = shardedOperands.try_emplace(user);
    if (isNew)
      known->second = findShardedOperand(user);
    return known->second;
  }

  static std::string findShardedOperand(mlir::Operation *user) {
    for (mlir::OpOperand &operand : user->getOpOperands()) {
      ValueSharding sharding = shardingOf(operand.get());
      if (!sharding)
        continue;
      for (auto [d, dim] : llvm::enumerate(sharding.attr.getSpec().dims))
        if (!dim.axes.empty())
          return ("; operand " + llvm::Twine(operand.getOperandNumber()) + " dim " +
                  llvm::Twine(d) + " is sharded on " + str(dim.axes))
              .str();
    }
    return "";
  }

  StrategyCache strategies;
  llvm::DenseMap<mlir::Operation *, std::string> shardedOperands;
};

/// Marks the values of an op or function when all are known.
class Marker {
public:
  explicit Marker(mlir::MLIRContext *context) : unit(mlir::UnitAttr::get(context)) {}

  void mark(mlir::Value value) {
    if (auto argument = llvm::dyn_cast<mlir::BlockArgument>(value))
      arguments[argument.getOwner()->getParentOp()].push_back(argument.getArgNumber());
    else
      results[value.getDefiningOp()].push_back(llvm::cast<mlir::OpResult>(value).getResultNumber());
  }

  void finish() {
    for (auto &[func, indices] : arguments) {
      BoundaryAttributes boundary(llvm::cast<mlir::func::FuncOp>(func));
      for (unsigned index : indices)
        boundary.ofArgument(index).set(missingAttrName, unit);
      boundary.write();
    }
    for (auto &[op, indices] : results)
      op->setDiscardableAttr(missingAttrName,
                             indices.size() == op->getNumResults()
                                 ? unit
                                 : mlir::DenseI64ArrayAttr::get(op->getContext(), indices));
  }

private:
  mlir::Attribute unit;
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<unsigned>> arguments;
  /// Unit for all results of the op, else a list of those without a sharding.
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<int64_t, 1>> results;
};

/// Arguments of regions lie as what comes in through them, which is reported where it comes from.
bool isRegionArgument(mlir::Value value) {
  auto argument = llvm::dyn_cast<mlir::BlockArgument>(value);
  return argument && !llvm::isa<mlir::func::FuncOp>(argument.getOwner()->getParentOp());
}

} // namespace

mlir::LogicalResult reportMissing(ProgramGraph &program, llvm::ArrayRef<Knowledge> knowledge,
                                  OnMissing onMissing) {
  llvm::DenseSet<mlir::Value> seen; // A function has one instance for each call.
  if (program.bodies.empty() || program.codec.mainMesh() < 0)
    return mlir::success(); // One device holds everything.
  Marker marker(program.bodies.front().func.getContext());
  Notes notes;
  for (const ProgramGraph::Instance &instance : program.instances) {
    const ProgramGraph::Body &body = program.bodies[instance.body];
    for (size_t t = 0; t < body.tensors.size(); ++t) {
      mlir::Value value = body.tensors[t].value;
      if (!value || isRegionArgument(value) ||
          knowledge[instance.firstValue + t] != Knowledge::nothing || !seen.insert(value).second)
        continue;
      marker.mark(value);
      std::string text = describeValue(value) + " " + adviceFor(onMissing);
      mlir::InFlightDiagnostic diagnostic = onMissing == OnMissing::error
                                                ? mlir::emitError(value.getLoc(), text)
                                                : mlir::emitWarning(value.getLoc(), text);
      notes.add(diagnostic, value);
    }
  }
  marker.finish();
  if (onMissing == OnMissing::replicate && !seen.empty())
    mlir::emitRemark(placeOf(program.bodies.front().func->getParentOfType<mlir::ModuleOp>()))
        << seen.size() << (seen.size() == 1 ? " value has" : " values have")
        << " no sharding; held whole on every device";
  return mlir::failure(onMissing == OnMissing::error && !seen.empty());
}

static std::string textOf(mlir::Location location) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (auto place = location->findInstanceOf<mlir::FileLineColLoc>())
    os << place.getFilename().getValue() << ":" << place.getLine() << ":" << place.getColumn();
  else
    os << location;
  return text;
}

std::vector<Flag> collectFlags(mlir::ModuleOp module) {
  std::vector<Flag> flags;
  auto add = [&](mlir::Value value) {
    flags.push_back(
        {textOf(value.getLoc()), describeValue(value), adviceFor(OnMissing::replicate)});
  };
  for (auto func : module.getOps<mlir::func::FuncOp>()) {
    for (mlir::BlockArgument argument : func.getArguments())
      if (func.getArgAttr(argument.getArgNumber(), missingAttrName))
        add(argument);
    func.walk([&](mlir::Operation *op) {
      mlir::Attribute mark = op->getAttr(missingAttrName);
      auto some = llvm::dyn_cast_if_present<mlir::DenseI64ArrayAttr>(mark);
      for (mlir::OpResult result : op->getResults())
        if (mark && (!some || llvm::is_contained(some.asArrayRef(), result.getResultNumber())))
          add(result);
    });
  }
  return flags;
}

} // namespace spmd
