// Custom calls, which split as their registered rule says, and barriers, which split as they are.

#include "spmd/dialect/partitioning/CustomCallRules.h"
#include "spmd/dialect/partitioning/CustomRule.h"
#include "spmd/dialect/partitioning/Families.h"
#include "spmd/dialect/partitioning/KnownCalls.h"
#include "spmd/dialect/stablehlo/Dialect.h"

#include "mlir/IR/DialectInterface.h"

namespace spmd {

using namespace stablehlo;

namespace {

/// Holds the rules of a context, on the dialect that owns custom calls.
struct CustomCallRules : mlir::DialectInterface::Base<CustomCallRules> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(CustomCallRules)
  explicit CustomCallRules(mlir::Dialect *dialect) : Base(dialect) {}
  llvm::StringMap<CustomCallRule> byTarget;
};

struct CustomCallModel : Partitionable::ExternalModel<CustomCallModel, CustomCallOp> {
  Strategies getStrategies(mlir::Operation *op) const {
    if (customRuleAttrOf(op))
      return userStrategies(op);
    const CustomCallRule *rule = ruleOf(op);
    return rule ? rule->strategies(op) : strategiesOfKnownCall(op);
  }
  mlir::LogicalResult localize(mlir::Operation *op, Localizer &localizer) const {
    if (customRuleAttrOf(op))
      return localizeCustomRule(op, localizer);
    localizer.setResultTypes();
    const CustomCallRule *rule = ruleOf(op);
    return rule && rule->localize ? rule->localize(op, localizer) : mlir::success();
  }

private:
  /// What the user wrote comes before what anybody registered. A rule that does not fit is none:
  /// the verifier has said so.
  static Strategies userStrategies(mlir::Operation *op) {
    absl::StatusOr<CustomRule> rule = customRuleOf(op);
    Strategies strategies;
    if (rule.ok())
      for (CustomStrategy &each : customStrategies(*rule, op))
        strategies.push_back(std::move(each.strategy));
    return strategies;
  }

  static const CustomCallRule *ruleOf(mlir::Operation *op) {
    return lookupCustomCallRule(op->getContext(), llvm::cast<CustomCallOp>(op).getCallTargetName());
  }
};

/// Each operand passes to its result; they have nothing else to do with each other.
struct OptimizationBarrierModel
    : Partitionable::ExternalModel<OptimizationBarrierModel, OptimizationBarrierOp> {
  Strategies getStrategies(mlir::Operation *op) const {
    RuleBuilder builder = ruleFor(op);
    for (mlir::OpResult result : op->getResults())
      for (auto [d, size] : llvm::enumerate(shapeOf(result))) {
        int32_t factor = builder.factor(size);
        builder.operand(result.getResultNumber(), d, {factor})
            .result(result.getResultNumber(), d, {factor});
      }
    Strategies strategies(1);
    strategies.front().rule = builder.take(); // An initializer list would copy it.
    return strategies;
  }
};

/// Nothing to split: tokens have no dims.
template <typename Op> struct TokenModel : Partitionable::ExternalModel<TokenModel<Op>, Op> {
  Strategies getStrategies(mlir::Operation *op) const {
    return {Strategy{ruleFor(op).take(), {}, {}, 0}};
  }
};

} // namespace

void registerCustomCallRule(mlir::MLIRContext &context, llvm::StringRef target,
                            CustomCallRule rule) {
  auto *dialect = context.getOrLoadDialect<StablehloDialect>();
  dialect->getRegisteredInterface<CustomCallRules>()->byTarget[target] = std::move(rule);
}

const CustomCallRule *lookupCustomCallRule(mlir::MLIRContext *context, llvm::StringRef target) {
  auto *dialect = context->getLoadedDialect<StablehloDialect>();
  auto *rules = dialect ? dialect->getRegisteredInterface<CustomCallRules>() : nullptr;
  if (!rules)
    return nullptr;
  auto found = rules->byTarget.find(target);
  return found == rules->byTarget.end() ? nullptr : &found->second;
}

std::optional<llvm::StringRef> customCallTarget(mlir::Operation *op) {
  auto call = llvm::dyn_cast<CustomCallOp>(op);
  return call ? std::optional<llvm::StringRef>(call.getCallTargetName()) : std::nullopt;
}

void attachCalls(mlir::MLIRContext *context) {
  CustomCallOp::attachInterface<CustomCallModel>(*context);
  OptimizationBarrierOp::attachInterface<OptimizationBarrierModel>(*context);
  AfterAllOp::attachInterface<TokenModel<AfterAllOp>>(*context);
  CreateTokenOp::attachInterface<TokenModel<CreateTokenOp>>(*context);
  context->getLoadedDialect<StablehloDialect>()->addInterfaces<CustomCallRules>();
}

} // namespace spmd
