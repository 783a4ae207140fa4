// What running the program as it lies costs without need: ops that run whole, values that are
// gathered whole, sums that are made twice.

#include "spmd/passes/doctor/Checks.h"

#include "spmd/dialect/partitioning/CustomCallRules.h"
#include "spmd/dialect/partitioning/Partitionable.h"
#include "spmd/dialect/partitioning/SuggestRule.h"
#include "spmd/dialect/spmd/DataFlow.h"
#include "spmd/dialect/spmd/WrittenNames.h"
#include "spmd/ir/rules/AllSplits.h"
#include "spmd/passes/propagate/Lines.h"
#include "spmd/passes/propose/Trial.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringSet.h"

namespace spmd {

static std::string quoted(mlir::Operation *op) {
  std::optional<llvm::StringRef> target = customCallTarget(op);
  return "'" + op->getName().getStringRef().str() + "'" +
         (target ? " @" + target->str() : std::string());
}

//===- Ops without a rule --------------------------------------------------===//

/// Whether `op` is written for one device: in a manual computation that leaves nothing to split.
static bool isForOneDevice(mlir::Operation *op) {
  auto lies = [](mlir::Value value) { return isSplit(shardingOf(value)); };
  return op->getParentOfType<sdy::ManualComputationOp>() &&
         llvm::none_of(op->getOperands(), lies) && llvm::none_of(op->getResults(), lies);
}

void findOpsWithoutRule(mlir::ModuleOp propagated, Findings &findings) {
  StrategyCache strategies;
  llvm::StringSet<> seen; // A rule is for all calls of a target.
  propagated.walk([&](mlir::Operation *op) {
    std::optional<llvm::StringRef> target = customCallTarget(op);
    auto isTensor = [](mlir::Value value) { return tensorTypeOf(value) != nullptr; };
    if (!target || strategies.lookup(op) || llvm::none_of(op->getOperands(), isTensor) ||
        isForOneDevice(op) || !seen.insert(*target).second)
      return;
    Finding finding{"custom-op-without-rule", placeText(op->getLoc()),
                    quoted(op) + " has no sharding rule: its operands are gathered, and every "
                                 "device runs it whole"};
    for (mlir::OpOperand &operand : op->getOpOperands())
      if (ValueSharding sharding = shardingOf(operand.get()))
        finding.notes.push_back({placeText(operand.get().getLoc()),
                                 "operand " + std::to_string(operand.getOperandNumber()) +
                                     " lies as " + sharding.attr.getSpec().str()});
    if (std::string rule = suggestedPlanRule(op); !rule.empty())
      finding.fix = "give it a rule, in a plan: " + rule + "; " + adviceOnSuggestedRule(op) +
                    "; --spmd-check-rules proves it";
    else
      finding.fix = "give it a rule, in a plan (docs/custom-ops.md)";
    findings.push_back(std::move(finding));
  });
}

//===- Sums ----------------------------------------------------------------===//

static bool isPartial(ValueSharding sharding) {
  return sharding && !sharding.attr.getSpec().unreduced.empty();
}

/// Returns what `result` is in `program`, from which its program was made; null if it is not there.
static mlir::Value originalOf(mlir::OpResult result, mlir::ModuleOp program) {
  mlir::Value found;
  program.walk([&](mlir::Operation *op) {
    if (op->getLoc() != result.getLoc() || op->getName() != result.getOwner()->getName() ||
        op->getNumResults() <= result.getResultNumber() ||
        op->getResult(result.getResultNumber()).getType() != result.getType())
      return mlir::WalkResult::advance();
    found = op->getResult(result.getResultNumber());
    return mlir::WalkResult::interrupt();
  });
  return found;
}

namespace {

/// Tries lines that add up a partial result once. Each partitions the program, so there are few.
class LineTrials {
public:
  LineTrials(mlir::ModuleOp program, const PipelineOptions &options)
      : program(program), options(options) {}

  /// Returns the line and what it saves, behind a colon; empty if it saves nothing.
  std::string attempt(mlir::OpResult result, sdy::ShardingAttr sharding) {
    mlir::Value value = left > 0 ? originalOf(result, program) : mlir::Value();
    if (!value)
      return "";
    --left;
    if (!before)
      before = tryPlan(program, "", options);
    std::optional<TrialCosts> after = tryConstraint(program, value, sharding, options);
    if (!before || !after || !after->isLessThan(*before))
      return "";
    return ": " + lineThatShards(result, sharding, names) + "; " + describe(*before, *after);
  }

private:
  mlir::ModuleOp program;
  const PipelineOptions &options;
  SourceNames names;
  std::optional<TrialCosts> before;
  int left = 4;
};

} // namespace

void findPartialsUsedTwice(mlir::ModuleOp program, mlir::ModuleOp resharded,
                           const PipelineOptions &options, Findings &findings) {
  LineTrials trials(program, options);
  resharded.walk([&](mlir::Operation *op) {
    for (mlir::OpResult result : op->getResults()) {
      if (!isPartial(shardingOf(result)))
        continue;
      llvm::SmallVector<mlir::Operation *> users(result.user_begin(), result.user_end());
      size_t reduced =
          llvm::count_if(users, [](mlir::Operation *user) { return placesValue(user); });
      if (users.size() < 2 || reduced == 0)
        continue;
      llvm::sort(users, [](mlir::Operation *a, mlir::Operation *b) {
        return a->getBlock() == b->getBlock() && a->isBeforeInBlock(b);
      });
      const ShardingSpec &spec = shardingOf(result).attr.getSpec();
      Finding finding{"partial-used-twice", placeText(op->getLoc()),
                      nameOf(result) + " is a partial result along " + str(spec.unreduced) +
                          ", and used " + std::to_string(users.size()) + " times: " +
                          sizeText(bytesOf(result)) + " are added up for each use by itself"};
      for (mlir::Operation *user : users)
        finding.notes.push_back(
            {placeText(user->getLoc()),
             placesValue(user)
                 ? "added up here, to " + shardingOf(user->getResult(0)).attr.getSpec().str()
                 : "taken on as it is by " + quoted(user)});
      mlir::Operation *move = *llvm::find_if(llvm::reverse(users), placesValue);
      finding.fix = "add it up once, behind the op, and use that" +
                    trials.attempt(result, closed(shardingOf(move->getResult(0)).attr));
      findings.push_back(std::move(finding));
    }
  });
}

//===- Gathers -------------------------------------------------------------===//

/// Whether `value` is an argument, or an argument in another shape or type: a parameter, which FSDP
/// gathers on purpose.
static bool isParameter(mlir::Value value, StrategyCache &strategies) {
  constexpr int mostSteps = 16;
  for (int step = 0; step < mostSteps; ++step) {
    mlir::Operation *op = value.getDefiningOp();
    if (!op)
      return true;
    if (op->getNumOperands() != 1 || op->getNumRegions() > 0)
      return false;
    mlir::Value from = op->getOperand(0);
    // A value computed of it, element by element, is none.
    if (from.getType() == value.getType() && !placesValue(op) && isElementwise(op, strategies))
      return false;
    value = from;
  }
  return false;
}

/// What an op can do with parts of one operand.
struct SplitDims {
  bool isKnown = false; ///< Somebody has a rule of the op.
  bool isStuck = false; ///< The operand is split along a dim that the op needs whole,
  bool isInner = false; ///< or that is an inner part of a dim of a result.
  std::string dims;     ///< Those that it can be split along: "0, 2".
};

static SplitDims splitDims(mlir::Operation *op, unsigned index, const ShardingSpec &from,
                           StrategyCache &strategies) {
  const Strategies *known = strategies.lookup(op);
  if (!known || known->front().rule.operands.size() != op->getNumOperands())
    return {};
  SplitDims found;
  found.isKnown = true;
  const Strategy &strategy = known->front();
  for (auto [d, factors] : llvm::enumerate(strategy.rule.operands[index])) {
    bool mayBeSplit = !factors.empty() && canSplit(strategy.rule, strategy.windows, factors[0]) &&
                      strategy.rule.factors[factors[0]].size > 1;
    bool isSplit = d < from.dims.size() && !from.dims[d].axes.empty(),
         isInner = factors.size() == 1 && innerPlace(strategy.rule, factors[0]);
    found.isInner |= isSplit && isInner;
    if (mayBeSplit && !isInner)
      found.dims += (found.dims.empty() ? "" : ", ") + std::to_string(d);
    else if (isSplit && !isInner)
      found.isStuck = true;
  }
  return found;
}

namespace {

class GatherFinder {
public:
  GatherFinder(mlir::ModuleOp program, Findings &findings) : findings(findings) {
    program.walk([&](sdy::ShardingConstraintOp constraint) {
      asked.insert(constraint.getLoc()); // The user's own wish.
    });
  }

  void look(mlir::Operation *move) {
    mlir::Value value = move->getOperand(0), whole = move->getResult(0);
    ValueSharding from = shardingOf(value), to = shardingOf(whole);
    mlir::Operation *user = whole.use_empty() ? nullptr : whole.use_begin()->getOwner();
    if (!isSplit(from) || isSplit(to) || !to || asked.contains(move->getLoc()) || !user ||
        user->hasTrait<mlir::OpTrait::IsTerminator>() || isParameter(value, strategies))
      return;
    SplitDims can =
        splitDims(user, whole.use_begin()->getOperandNumber(), from.attr.getSpec(), strategies);
    // It could be done in parts: to gather is what costs less. That a pin is lost so is a finding
    // of its own.
    if (can.isKnown && !can.isStuck && (!can.isInner || pinOf(value)))
      return;
    if (!seen.insert(value).second)
      return;
    Finding finding{"full-rematerialization",
                    placeText(user->getLoc()),
                    nameOf(value) + " lies as " + from.attr.getSpec().str() +
                        ", and is gathered whole, " + sizeText(bytesOf(value)) +
                        " on every device, for " + quoted(user),
                    {{placeText(value.getLoc()), nameOf(value) + " is made here"}}};
    if (!can.isKnown && user->getNumRegions() > 0)
      finding.fix = "what reads it inside needs it whole; split it along a dim of which that takes "
                    "all at once, or gather it once, where it is small";
    else if (!can.isKnown)
      finding.fix = "give the op a rule";
    else if (!can.dims.empty())
      finding.fix = "split it along a dim that the op can do in parts: " + can.dims;
    else
      finding.fix = "the op has no form on parts of this operand; do it early, where it is small";
    findings.push_back(std::move(finding));
  }

private:
  Findings &findings;
  StrategyCache strategies;
  llvm::DenseSet<mlir::Location> asked;
  llvm::DenseSet<mlir::Value> seen;
};

} // namespace

void findRematerializations(mlir::ModuleOp program, mlir::ModuleOp resharded, Findings &findings) {
  GatherFinder gathers(program, findings);
  resharded.walk([&](mlir::Operation *op) {
    if (placesValue(op) && tensorTypeOf(op->getOperand(0)))
      gathers.look(op);
  });
}

} // namespace spmd
