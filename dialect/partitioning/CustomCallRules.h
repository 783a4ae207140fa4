// Sharding rules of custom calls, registered by target.
#pragma once

#include "spmd/dialect/partitioning/Localizer.h"

#include "mlir/IR/MLIRContext.h"

#include <functional>

namespace spmd {

/// What a custom call's target means for sharding.
struct CustomCallRule {
  /// Returns the strategies of a call of this target; none if its attributes forbid every split.
  std::function<Strategies(mlir::Operation *)> strategies;
  /// Adapts the call, whose operands and result types are local by now, to local sizes (`head_num`,
  /// say). Null if nothing but types changes.
  std::function<mlir::LogicalResult(mlir::Operation *, Localizer &)> localize;
  /// Instead of both: what `spmd.rule` would say on each call (CustomRule.h).
  mlir::DictionaryAttr described = nullptr;
};

/// Registers `rule` for calls of `target` in `context`, before programs are loaded that use it;
/// replaces an earlier one.
void registerCustomCallRule(mlir::MLIRContext &context, llvm::StringRef target,
                            CustomCallRule rule);

/// Returns the rule of `target`, or null.
const CustomCallRule *lookupCustomCallRule(mlir::MLIRContext *context, llvm::StringRef target);

/// Returns the target of `op` if it is a custom call.
std::optional<llvm::StringRef> customCallTarget(mlir::Operation *op);

} // namespace spmd
