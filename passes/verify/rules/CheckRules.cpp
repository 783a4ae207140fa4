#include "spmd/passes/verify/rules/CheckRules.h"

#include "spmd/dialect/partitioning/CustomCallRules.h"
#include "spmd/dialect/partitioning/CustomRule.h"
#include "spmd/dialect/partitioning/Partitionable.h"
#include "spmd/dialect/sdy/Dialect.h"
#include "spmd/dialect/stablehlo/Dialect.h"
#include "spmd/ir/rules/AllSplits.h"
#include "spmd/ir/sharding/Spec.h"
#include "spmd/lowering/compile/ConvertAttributes.h"
#include "spmd/lowering/interpreter/Compare.h"
#include "spmd/lowering/interpreter/Elements.h"
#include "spmd/lowering/interpreter/StridedCopy.h"
#include "spmd/passes/verify/rules/Describe.h"
#include "spmd/passes/verify/rules/Needs.h"
#include "spmd/passes/verify/rules/OpProgram.h"
#include "spmd/passes/verify/rules/PartialPlacements.h"
#include "spmd/passes/verify/rules/ResizeCall.h"
#include "spmd/passes/verify/rules/Runner.h"
#include "spmd/passes/verify/rules/SmallTypes.h"
#include "spmd/passes/verify/rules/StandIn.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <cmath>

namespace spmd {

using Verdict = RuleFinding::Verdict;

/// Returns the tensor of a constant that defines `value`; none if something else does.
static Tensor constantOf(mlir::Value value) {
  auto constant = llvm::dyn_cast_if_present<stablehlo::ConstantOp>(value.getDefiningOp());
  std::optional<TensorType> type = convertType(value.getType());
  bool isSplat = false;
  std::optional<std::string> bytes =
      constant && type ? constantBytes(constant.getValue(), isSplat) : std::nullopt;
  if (!bytes)
    return {};
  absl::StatusOr<Tensor> tensor = Tensor::allocate(*type);
  if (!tensor.ok())
    return {};
  if (isSplat)
    fillElements(tensor->mutableData(), tensor->numElements(),
                 reinterpret_cast<const std::byte *>(bytes->data()), bytes->size());
  else
    tensor = Tensor::fromBytes(*type, bytes->data(), bytes->size());
  if (!tensor.ok())
    return {};
  normalize(*tensor);
  return *std::move(tensor);
}

/// Orders of summation may differ: the absolute tolerance is a share of the largest value.
static absl::StatusOr<Comparison> compareResult(const Tensor &actual, const Tensor &expected) {
  double largest = 0;
  for (const std::complex<double> &element : toComplexDoubles(expected))
    if (std::isfinite(std::abs(element)))
      largest = std::max(largest, std::abs(element));
  double tolerance = storedBytes(expected.type().element) >= 4 ? 1e-5 : 1e-2;
  return compare(actual, expected, tolerance, tolerance * largest);
}

namespace {

/// Checks the strategies of one op.
class Checker {
public:
  Checker(mlir::Operation *op, const Strategies &strategies, const RuleCheckSettings &settings,
          const KernelRegistry &kernels, std::vector<Tensor> inputs)
      : op(op), strategies(strategies), settings(settings), kernels(kernels),
        inputs(std::move(inputs)) {}

  RuleFinding run() {
    finding.verdict = Verdict::holds;
    for (const Strategy &strategy : strategies) {
      if (!check({op, &strategy}))
        return std::move(finding);
      for (const PartialOperands &partial : partialPlacements(op, strategy))
        if (!check({op, &strategy, nullptr, {}, partial}))
          return std::move(finding);
    }
    return std::move(finding);
  }

private:
  /// Checks all splits of `placed`, which says no more than which operands are partial; false when
  /// the check is over.
  bool check(PlacedOp placed) {
    for (const Mesh &mesh : settings.meshes) {
      bool isPartial = !placed.partial.operands.empty();
      const MeshAxis &last = mesh.axes().back();
      placed.mesh = nullptr;
      placed.numShares = isPartial ? last.size : 1;
      placed.factorAxes.clear();
      absl::StatusOr<RunOutcome> whole = runProgram(placed, kernels, inputs);
      if (!whole.ok())
        return isPartial || stop(Verdict::unchecked, std::string(whole.status().message()));
      placed.mesh = &mesh;
      for (FactorAxes &split : allSplits(*placed.strategy, mesh)) {
        placed.factorAxes = std::move(split);
        if (isPartial && !leavesOneState(placed))
          continue;
        if (!checkSplit(placed, *whole))
          return false;
      }
    }
    return true;
  }

  bool checkSplit(const PlacedOp &placed, const RunOutcome &whole) {
    if (finding.numPlacements * numElements(op) > settings.mostWork)
      return false;
    ++finding.numPlacements;
    absl::StatusOr<RunOutcome> split = runProgram(placed, kernels, whole.inputs);
    if (absl::IsUnimplemented(split.status()))
      return checkNeeds(placed, whole, std::string(split.status().message()));
    if (absl::IsResourceExhausted(split.status()))
      return stop(Verdict::unchecked, std::string(split.status().message()));
    if (!split.ok())
      return reportFalse(placed, std::string(split.status().message()));
    for (size_t i = 0; i < whole.results.size(); ++i) {
      absl::StatusOr<Comparison> compared = compareResult(split->results[i], whole.results[i]);
      if (!compared.ok())
        return reportFalse(placed, std::string(compared.status().message()));
      if (!compared->equal)
        return reportFalse(placed, describeDifference(placed, i, compared->firstDifferent,
                                                      split->results[i], whole.results[i]));
    }
    return true;
  }

  /// Checks a split of which nobody can tell what a device runs, because of `why`.
  bool checkNeeds(const PlacedOp &placed, const RunOutcome &whole, std::string why) {
    if (!standsForKnownOp(placed.op) || !placed.partial.operands.empty())
      return stop(Verdict::unchecked, std::move(why));
    absl::StatusOr<std::string> lack = whatDevicesLack(placed, whole, kernels, inputs);
    if (!lack.ok())
      return stop(Verdict::unchecked, std::move(why));
    return lack->empty() || reportFalse(placed, *lack);
  }

  bool reportFalse(const PlacedOp &placed, const std::string &what) {
    finding.notes = describeTensors(placed);
    return stop(Verdict::isFalse, describeSplit(placed) + ", " + what);
  }

  bool stop(Verdict verdict, std::string message) {
    finding.verdict = verdict;
    finding.message = std::move(message);
    return false;
  }

  mlir::Operation *op;
  const Strategies &strategies;
  const RuleCheckSettings &settings;
  const KernelRegistry &kernels;
  std::vector<Tensor> inputs;
  RuleFinding finding;
};

const KernelRegistry &builtinKernels() {
  static const KernelRegistry kernels = [] {
    KernelRegistry registry;
    addBuiltinKernels(registry);
    return registry;
  }();
  return kernels;
}

constexpr char readsOutsideText[] = "its regions read values from outside";
constexpr char tooLargeText[] = "it has more than a hundred thousand elements; check it on fewer";

RuleFinding checkStrategies(mlir::Operation *op, const RuleCheckSettings &settings,
                            std::vector<Tensor> inputs) {
  StrategyCache cache;
  const Strategies *strategies = cache.lookup(op);
  auto isTensor = [](mlir::Type type) { return llvm::isa<mlir::RankedTensorType>(type); };
  auto partitionable = llvm::dyn_cast<Partitionable>(op);
  if (!strategies || op->getNumResults() == 0 || (partitionable && partitionable.isPlacement()) ||
      llvm::isa<stablehlo::PartitionIdOp, stablehlo::ReplicaIdOp>(op) || // Devices differ by them.
      !llvm::all_of(op->getOperandTypes(), isTensor) ||
      !llvm::all_of(op->getResultTypes(), isTensor))
    return {};
  if (readsOutside(op, /*butConstants=*/true))
    return {Verdict::unchecked, 0, readsOutsideText};
  if (numElements(op) > settings.mostElements)
    return {Verdict::unchecked, 0, tooLargeText};
  const KernelRegistry &kernels = settings.kernels ? *settings.kernels : builtinKernels();
  return Checker(op, *strategies, settings, kernels, std::move(inputs)).run();
}

/// Tries the sizes of the op and, before them, few rows for each large factor.
RuleFinding checkUserRule(mlir::Operation *op, const OpRule &rule,
                          const RuleCheckSettings &settings, const std::vector<Tensor> &inputs) {
  if (readsOutside(op, /*butConstants=*/false))
    return {Verdict::unchecked, 0, readsOutsideText};
  RuleFinding finding{Verdict::unchecked, 0, tooLargeText};
  std::vector<SizedOp> forms;
  if (std::optional<SizedOp> small = smallForm(op, rule, evenFactors(rule), settings.meshes))
    forms.push_back(*std::move(small));
  if (numElements(op) <= settings.mostElements)
    forms.push_back(ownForm(op, rule));
  for (const SizedOp &sized : forms) {
    auto attr = sdy::OpShardingRuleAttr::get(op->getContext(), sized.rule);
    mlir::OwningOpRef<mlir::ModuleOp> module = makeStandIn(op, attr, sized.types);
    finding = checkStrategies(standInOf(*module), settings, inputs);
    if (finding.verdict == Verdict::hasNone)
      return {Verdict::unchecked, 0, "it has values that are no tensors of static shape"};
    if (finding.verdict != Verdict::unchecked)
      return finding;
  }
  return finding;
}

/// Tries the call as it is and, where it is large or a factor is never split as it is, another one
/// on fewer rows. A ring, say, takes only rows that the devices divide.
RuleFinding checkDescribedRule(mlir::Operation *op, const RuleCheckSettings &settings,
                               const std::vector<Tensor> &inputs) {
  RuleFinding finding = checkStrategies(op, settings, inputs);
  absl::StatusOr<CustomRule> rule = customRuleOf(op);
  if (!rule.ok() || finding.verdict == Verdict::isFalse || finding.verdict == Verdict::hasNone)
    return finding;
  std::vector<bool> isEven = evenFactors(*rule);
  std::optional<SizedOp> sized;
  if (numElements(op) > settings.mostElements ||
      isAnyNeverSplit(rule->dims, isEven, settings.meshes))
    sized = smallForm(op, rule->dims, isEven, settings.meshes);
  mlir::OwningOpRef<mlir::ModuleOp> module = sized ? resizeCall(op, *rule, *sized) : nullptr;
  if (!module)
    return finding;
  RuleFinding resized = checkStrategies(standInOf(*module), settings, inputs);
  if (resized.verdict != Verdict::isFalse && resized.verdict != Verdict::holds)
    return finding;
  resized.numPlacements += finding.numPlacements;
  return resized;
}

} // namespace

RuleCheckSettings RuleCheckSettings::standard() {
  RuleCheckSettings settings;
  for (const char *text : {R"(<["x"=2]>)", R"(<["x"=3]>)", R"(<["x"=2, "y"=2]>)"})
    settings.meshes.push_back(*meshFromText(text));
  return settings;
}

RuleCheckSettings RuleCheckSettings::brief() {
  RuleCheckSettings settings = standard();
  settings.mostElements = 1 << 14;
  settings.mostWork = 1 << 22;
  return settings;
}

/// Returns the operands that are constants; others are drawn.
static std::vector<Tensor> constantOperands(mlir::Operation *op) {
  std::vector<Tensor> inputs;
  for (mlir::Value operand : op->getOperands())
    inputs.push_back(constantOf(operand));
  return inputs;
}

/// Whether `op` is a call that neither a reference nor a kernel computes.
static bool isComputedByNothing(mlir::Operation *op, const RuleCheckSettings &settings) {
  std::optional<llvm::StringRef> target = customCallTarget(op);
  const KernelRegistry &kernels = settings.kernels ? *settings.kernels : builtinKernels();
  return target && !op->hasAttr(referenceAttrName) && !kernels.findCustomCall(target->str());
}

/// Calls that stand for functions we know are run without a kernel of theirs, so that it counts
/// only where the check came to nothing.
static RuleFinding withReason(RuleFinding finding, mlir::Operation *op,
                              const RuleCheckSettings &settings) {
  if (finding.verdict == Verdict::unchecked && isComputedByNothing(op, settings)) {
    finding.message = "nothing says what it computes";
    finding.lacksReference = true;
  }
  return finding;
}

RuleFinding checkRule(mlir::Operation *op, const OpRule &rule, const RuleCheckSettings &settings) {
  return withReason(checkUserRule(op, rule, settings, constantOperands(op)), op, settings);
}

RuleFinding checkRule(mlir::Operation *op, const RuleCheckSettings &settings) {
  sdy::OpShardingRuleAttr rule = sdy::getShardingRule(op);
  if (rule && !op->hasAttr(customRuleAttrName)) // Which says more.
    return checkRule(op, rule.getRule(), settings);
  RuleFinding finding = customRuleAttrOf(op)
                            ? checkDescribedRule(op, settings, constantOperands(op))
                            : checkStrategies(op, settings, constantOperands(op));
  return withReason(std::move(finding), op, settings);
}

} // namespace spmd
