#include "spmd/passes/plan/ApplyPlan.h"

#include "spmd/dialect/sdy/Dialect.h"
#include "spmd/dialect/spmd/DataFlow.h"
#include "spmd/dialect/spmd/ValueSharding.h"
#include "spmd/dialect/stablehlo/Dialect.h"
#include "spmd/passes/functionalize/Functionalize.h"
#include "spmd/passes/plan/Claims.h"
#include "spmd/passes/plan/CustomRules.h"
#include "spmd/passes/plan/Parameters.h"
#include "spmd/passes/plan/PlanMesh.h"
#include "spmd/passes/plan/Updates.h"

namespace spmd {

namespace {

using Kind = PlanTarget::Kind;

class PlanApplier {
public:
  PlanApplier(mlir::ModuleOp module, const ProgramPlan &plan, bool notesPlaces)
      : module(module), plan(plan), notesPlaces(notesPlaces),
        reporter(*module.getContext(), plan.file) {}

  mlir::LogicalResult run() {
    attachRules(module, plan, reporter);
    if (plan.entries.empty() && !plan.mesh)
      return reporter.report();
    std::optional<NamedMesh> found = meshOfPlan(module, plan, reporter);
    if (!found)
      return reporter.report();
    mesh = *found;
    context.mesh = mesh.mesh;
    context.uses = [this]() -> const std::vector<ParameterUse> & { return parameterUsesOnce(); };
    checkAxes();
    PlanTargets targets = matchTargets(module, plan, reporter);
    for (auto &[key, claimed] : targets)
      decide(claimed.first, claimed.second);
    if (mlir::failed(reporter.report()))
      return mlir::failure();
    remarkOverridden();
    remarkLeftOut();
    warnOfScalars();
    write();
    return mlir::success();
  }

private:
  /// A target, its sharding, the entry that comes first there, and the axes over which the target
  /// is to be gathered at one place for all uses.
  struct Decision {
    PlanTarget target;
    sdy::ShardingAttr sharding;
    const PlanEntry *entry;
    std::vector<AxisSpec> gathered;
  };

  /// Buffers and their views are followed as the values that they become, in a copy.
  const std::vector<ParameterUse> &parameterUsesOnce() {
    if (!uses.empty())
      return uses;
    if (!hasBuffers(module))
      return uses = usesIn(module);
    mlir::OwningOpRef<mlir::ModuleOp> copy = module.clone();
    // What is wrong with the buffers is reported where they are functionalized.
    mlir::ScopedDiagnosticHandler silence(module.getContext(),
                                          [](mlir::Diagnostic &) { return mlir::success(); });
    bool isFunctional = mlir::succeeded(functionalize(*copy, /*toValues=*/true));
    mlir::ModuleOp followed = isFunctional ? *copy : module;
    return uses = usesIn(followed);
  }

  static std::vector<ParameterUse> usesIn(mlir::ModuleOp module) {
    std::vector<ParameterUse> uses = parameterUses(module, entryFunction(module));
    for (auto [use, isUpdated] : llvm::zip(uses, updatedArguments(module, entryFunction(module))))
      use.isUpdated = isUpdated;
    return uses;
  }

  //===- Deciding ------------------------------------------------------------===//

  /// Reports the entries that name axes which the mesh has not, and leaves them out of what
  /// follows.
  void checkAxes() {
    for (const PlanEntry &entry : plan.entries)
      for (const AxisSpec &axis : axesOf(entry))
        if (absl::StatusOr<AxisRef> ref = resolve(*mesh.mesh, axis); !ref.ok()) {
          reporter.error(entry.statementPlace) << std::string(ref.status().message());
          wrong.insert(&entry);
          break;
        }
  }

  /// Returns what `claim` wants of `target`; nothing if its entry is wrong, which is reported then.
  std::optional<Wish> wishFor(const PlanClaim &claim, const PlanTarget &target) {
    if (wrong.contains(claim.entry))
      return std::nullopt;
    absl::StatusOr<Wish> wish = wishOf(claim, target, context);
    if (wish.ok())
      return *std::move(wish);
    reject(*claim.entry, target, wish.status());
    return std::nullopt;
  }

  void decide(const PlanTarget &target, llvm::ArrayRef<PlanClaim> claims) {
    std::vector<Wish> wishes;
    std::vector<AxisSpec> gathered;
    bool isWrong = false;
    for (const PlanClaim &claim : claims) {
      hasDims[claim.entry] |= target.type().getRank() > 0;
      if (isCutAlready(claim, target) || isNoParameter(claim, target, claims))
        continue;
      if (std::optional<Wish> wish = wishFor(claim, target))
        wishes.push_back(*std::move(wish));
      else
        isWrong = true;
      const auto *style = std::get_if<FullyShardedStatement>(&claim.entry->statement);
      if (style && !style->reshardAfterForward)
        gathered = mesh.translate(style->axes);
    }
    if (isWrong || wishes.empty())
      return;
    const PlanEntry *first = wishes.front().entry;
    WishJoiner joiner(*mesh.mesh, target.type().getShape());
    if (std::optional<Contradiction> found = joiner.join(std::move(wishes)))
      return reportContradiction(*found, target);
    absl::StatusOr<Sharding> sharding = resolve(*mesh.mesh, joiner.sharding());
    llvm::ArrayRef<int64_t> shape = target.type().getShape();
    absl::Status status = sharding.ok() ? verify(*mesh.mesh, *sharding,
                                                 absl::MakeConstSpan(shape.data(), shape.size()))
                                        : sharding.status();
    ShardingSpec spec = mesh.translate(joiner.sharding());
    if (status.ok())
      status = checkNotManual(target, spec);
    if (!status.ok())
      return reject(
          *first, target,
          absl::InvalidArgumentError(target.describe() + ": " + std::string(status.message())));
    decisions.push_back({target,
                         sdy::ShardingAttr::get(module.getContext(), mesh.name, std::move(spec)),
                         first, std::move(gathered)});
  }

  /// Fails if `spec`, in the module's names, has an axis that a manual computation around the
  /// target has taken.
  static absl::Status checkNotManual(const PlanTarget &target, const ShardingSpec &spec) {
    if (llvm::isa<mlir::func::FuncOp>(target.op))
      return absl::OkStatus();
    llvm::SmallVector<llvm::StringRef> manual = manualAxesInside(target.op->getParentOp());
    auto check = [&](llvm::ArrayRef<AxisSpec> axes) {
      for (const AxisSpec &axis : axes)
        if (llvm::is_contained(manual, axis.name))
          return absl::InvalidArgumentError("axis \"" + axis.name + "\" is manual there");
      return absl::OkStatus();
    };
    absl::Status status = check(spec.replicated);
    status.Update(check(spec.unreduced));
    for (const DimSpec &dim : spec.dims)
      status.Update(check(dim.axes));
    return status;
  }

  /// Whether a style that cuts what is whole meets an argument that the program cuts itself: its
  /// inputs, say, which are no parameters.
  static bool isCutAlready(const PlanClaim &claim, const PlanTarget &target) {
    return std::holds_alternative<FullyShardedStatement>(claim.entry->statement) &&
           isCut(ownSharding(target));
  }

  /// Whether a style for parameters meets, by a pattern, what is none.
  bool isNoParameter(const PlanClaim &claim, const PlanTarget &target,
                     llvm::ArrayRef<PlanClaim> all) {
    auto isFsdp = [](const PlanClaim &each) {
      return std::holds_alternative<FullyShardedStatement>(each.entry->statement);
    };
    if (!isFsdp(claim) || target.kind != Kind::argument || target.type().getRank() == 0 ||
        llvm::any_of(all, [&](auto &each) { return isFsdp(each) && each.isByName; }))
      return false;
    if (!parameters)
      parameters.emplace(entryFunction(module), parameterUsesOnce());
    const char *why = parameters->whyNone(target.index);
    if (why)
      leftOut[{claim.entry, why}].push_back(target);
    return why != nullptr;
  }

  /// Reports what is wrong with an entry, once: at the first value that shows it.
  void reject(const PlanEntry &entry, const PlanTarget &target, const absl::Status &status) {
    if (!wrong.insert(&entry).second)
      return;
    mlir::InFlightDiagnostic &error = reporter.error(entry.statementPlace)
                                      << std::string(status.message());
    error.attachNote(target.location()) << target.describe() << " is here";
  }

  void reportContradiction(const Contradiction &found, const PlanTarget &target) {
    if (!contradicting.insert({found.first, found.second}).second)
      return;
    mlir::InFlightDiagnostic &error = reporter.error(found.second->statementPlace)
                                      << target.describe() << " is " << found.secondText
                                      << " here and " << found.firstText << " in line "
                                      << found.first->statementPlace.line
                                      << "; give the one that counts the lower priority";
    error.attachNote(reporter.locationOf(found.first->statementPlace)) << "the other entry is here";
    error.attachNote(target.location()) << target.describe() << " is here";
  }

  //===- Writing -------------------------------------------------------------===//

  /// Returns what the program itself says of an argument or result, its own or an op's.
  static ValueSharding ownSharding(const PlanTarget &target) {
    auto func = llvm::dyn_cast<mlir::func::FuncOp>(target.op);
    if (func && target.kind == Kind::argument)
      return shardingOf(func.getArgument(target.index));
    if (func && target.kind == Kind::result)
      return shardingOfResult(func, target.index);
    if (target.kind != Kind::opResult)
      return {};
    mlir::Value value = target.op->getResult(target.index);
    sdy::ShardingConstraintOp constraint = constraintOf(value);
    return pinOf(constraint ? constraint.getResult() : value);
  }

  /// Where the constraint stands that says how an op's result lies, if one does.
  static std::optional<mlir::Location> placeOfConstraint(const PlanTarget &target) {
    if (target.kind != Kind::opResult)
      return std::nullopt;
    sdy::ShardingConstraintOp constraint = constraintOf(target.op->getResult(target.index));
    return constraint ? constraint.getLoc() : target.op->getLoc();
  }

  /// One remark for each entry that differs from the program.
  void remarkOverridden() {
    llvm::MapVector<const PlanEntry *, std::pair<const Decision *, size_t>> overriding;
    for (const Decision &each : decisions)
      if (ValueSharding own = ownSharding(each.target);
          own && own.state == ShardingState::pinned &&
          !(own.attr.getSpec() == each.sharding.getSpec())) {
        auto &[first, count] = overriding[each.entry];
        first = count++ == 0 ? &each : first;
      }
    for (const auto &[entry, found] : overriding) {
      const auto &[first, count] = found;
      mlir::InFlightDiagnostic remark =
          mlir::emitRemark(reporter.locationOf(entry->statementPlace))
          << first->target.describe() << " is " << first->sharding.getSpec().str() << ", not "
          << ownSharding(first->target).attr.getSpec().str() << " as the program says";
      if (count > 1)
        remark << "; so with " << count - 1 << " more";
      if (std::optional<mlir::Location> place = placeOfConstraint(first->target))
        remark.attachNote(*place) << "it says so here";
    }
  }

  /// One remark for each entry whose patterns match what is no parameter, and each reason.
  void remarkLeftOut() {
    constexpr size_t mostNames = 16;
    for (const auto &[found, targets] : leftOut) {
      const auto &[entry, why] = found;
      mlir::InFlightDiagnostic remark = mlir::emitRemark(reporter.locationOf(entry->statementPlace))
                                        << targets.front().describe() << " is left as it is";
      if (targets.size() > 1)
        remark << ", and " << targets.size() - 1 << " more";
      remark << ": the program updates others but not this, and " << why << "; to cut it, name it";
      for (const PlanTarget &target : llvm::ArrayRef(targets).drop_front().take_front(mostNames))
        remark.attachNote(target.location()) << "so is " << target.describe();
    }
  }

  /// Styles leave scalars whole: an entry that matches nothing else does nothing.
  void warnOfScalars() {
    for (const auto &[entry, any] : hasDims)
      if (!any && (std::holds_alternative<FullyShardedStatement>(entry->statement) ||
                   std::holds_alternative<DimStatement>(entry->statement)))
        mlir::emitWarning(reporter.locationOf(entry->statementPlace))
            << "entry splits nothing: all that it matches are scalars, which every device holds "
               "whole";
  }

  void write() {
    // Constraints on what a value is used as stand behind those on the value itself.
    for (Kind kind : {Kind::opResult, Kind::opResultUses, Kind::operand, Kind::operandUse,
                      Kind::returned, Kind::argumentUses})
      for (const Decision &each : decisions)
        if (each.target.kind == kind)
          writeConstraint(each);
    writeBoundary();
    gatherOnce();
  }

  void writeBoundary() {
    auto isBoundary = [](const Decision &each) {
      return each.target.kind == Kind::argument || each.target.kind == Kind::result;
    };
    if (llvm::none_of(decisions, isBoundary))
      return;
    mlir::func::FuncOp entry = entryFunction(module);
    BoundaryAttributes boundary(entry);
    for (const Decision &each : decisions) {
      if (!isBoundary(each))
        continue;
      mlir::NamedAttrList &attributes = each.target.kind == Kind::argument
                                            ? boundary.ofArgument(each.target.index)
                                            : boundary.ofResult(each.target.index);
      setSharding(attributes, {each.sharding, ShardingState::pinned});
      if (notesPlaces)
        attributes.set(planPlaceAttrName, placeOf(each));
      for (llvm::StringRef note : {unevenAttrName, grownFromAttrName})
        attributes.erase(note); // It was found for another one.
    }
    boundary.write();
  }

  mlir::Location placeOf(const Decision &each) const {
    return reporter.locationOf(each.entry->statementPlace);
  }

  /// Marks an op that says, or whose results lie, as the plan has it.
  void note(mlir::Operation *op) const {
    if (notesPlaces && place)
      op->setAttr(planPlaceAttrName, *place);
  }

  void writeConstraint(const Decision &each) {
    place = placeOf(each);
    const auto &[kind, op, index] = each.target;
    switch (kind) {
    case Kind::opResult:
      return pinResult(op->getResult(index), each.sharding);
    case Kind::opResultUses:
      if (mlir::Value value = op->getResult(index); !lastOf.count(value))
        if (sdy::ShardingConstraintOp constraint = constraintOf(value))
          lastOf[value] = constraint.getResult();
      return constrain(op->getResult(index), each.sharding);
    case Kind::operand:
    case Kind::operandUse:
      return constrainUse(op->getOpOperand(index), each.sharding);
    case Kind::argumentUses:
      return constrain(llvm::cast<mlir::func::FuncOp>(op).getArgument(index), each.sharding);
    case Kind::returned:
      for (mlir::Block &block : llvm::cast<mlir::func::FuncOp>(op).getBody())
        if (!block.empty() && block.back().getNumOperands() > index)
          constrainUse(block.back().getOpOperand(index), each.sharding);
      return;
    case Kind::argument:
    case Kind::result:
      return;
    }
  }

  /// Puts `sharding` in the place of what the program itself says of an op's result; where it says
  /// nothing, behind the op.
  void pinResult(mlir::Value value, sdy::ShardingAttr sharding) {
    bool isOwn = static_cast<bool>(pinOf(value));
    if (isOwn) {
      sdy::setSharding(value, sharding);
      note(value.getDefiningOp());
    }
    if (sdy::ShardingConstraintOp constraint = constraintOf(value)) {
      constraint.setShardingAttr(sharding);
      note(constraint);
      lastOf[value] = constraint.getResult();
    } else if (!isOwn) {
      constrain(value, sharding);
    }
  }

  /// Puts a constraint between `value`, or the last constraint put behind it, and all its uses.
  /// Buffers carry their sharding themselves.
  void constrain(mlir::Value value, sdy::ShardingAttr sharding) {
    if (!llvm::isa<mlir::RankedTensorType>(value.getType())) {
      sdy::setSharding(value, sharding);
      return;
    }
    mlir::Value &last = lastOf[value];
    mlir::Value from = last ? last : value;
    mlir::OpBuilder builder(module.getContext());
    builder.setInsertionPointAfterValue(from);
    auto made =
        sdy::ShardingConstraintOp::create(builder, value.getLoc(), from.getType(), from, sharding);
    note(made);
    from.replaceAllUsesExcept(made.getResult(), made);
    last = made.getResult();
  }

  void constrainUse(mlir::OpOperand &use, sdy::ShardingAttr sharding) {
    if (!llvm::isa<mlir::RankedTensorType>(use.get().getType()))
      return;
    mlir::OpBuilder builder(use.getOwner());
    auto made = sdy::ShardingConstraintOp::create(builder, use.getOwner()->getLoc(),
                                                  use.get().getType(), use.get(), sharding);
    note(made);
    use.set(made);
  }

  /// Parameters that stay gathered after the forward pass are gathered at one place, for all uses.
  /// Buffers are gathered where they are loaded.
  void gatherOnce() {
    for (const Decision &each : decisions) {
      if (each.gathered.empty())
        continue;
      mlir::Value argument =
          llvm::cast<mlir::func::FuncOp>(each.target.op).getArgument(each.target.index);
      place = placeOf(each);
      if (!llvm::isa<mlir::RankedTensorType>(argument.getType()))
        continue;
      ShardingSpec gathered = each.sharding.getSpec();
      for (DimSpec &dim : gathered.dims) {
        llvm::erase_if(dim.axes, [&](const AxisSpec &axis) {
          return llvm::is_contained(each.gathered, axis);
        });
        if (dim.axes.empty() && !dim.open)
          dim.priority = std::nullopt;
      }
      constrain(argument, sdy::ShardingAttr::get(module.getContext(), mesh.name, gathered));
    }
  }

  mlir::ModuleOp module;
  const ProgramPlan &plan;
  bool notesPlaces;
  std::optional<mlir::Location> place; ///< Of the entry that is written.
  FileReporter reporter;
  NamedMesh mesh;
  PlanContext context;
  std::vector<ParameterUse> uses;
  std::optional<Parameters> parameters;
  std::vector<Decision> decisions;
  /// By entry and reason, what its patterns match and its style is not for.
  llvm::MapVector<std::pair<const PlanEntry *, const char *>, llvm::SmallVector<PlanTarget, 0>>
      leftOut;
  /// By entry, whether anything that it speaks of has dims.
  llvm::MapVector<const PlanEntry *, bool> hasDims;
  llvm::DenseSet<const PlanEntry *> wrong;
  llvm::DenseSet<std::pair<const PlanEntry *, const PlanEntry *>> contradicting;
  llvm::DenseMap<mlir::Value, mlir::Value> lastOf; ///< The last constraint behind a value.
};

} // namespace

mlir::LogicalResult applyPlan(mlir::ModuleOp module, const ProgramPlan &plan, bool notesPlaces) {
  module.getContext()->loadDialect<sdy::SdyDialect, stablehlo::StablehloDialect>();
  return PlanApplier(module, plan, notesPlaces).run();
}

} // namespace spmd
