// What the user should know of ops that run whole, or by a rule that nobody gave.
#pragma once

#include "spmd/passes/Options.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringMap.h"

#include <optional>

namespace spmd {

class Reports {
public:
  Reports(mlir::ModuleOp module, OnNoRule onNoRule) : module(module), onNoRule(onNoRule) {}

  /// Warns if an attribute of `op`, or the lack of one, keeps it whole though something around it
  /// is split.
  void keptWhole(mlir::Operation *op);
  /// Warns that a part of `op` stays whole because it lacks an attribute that its rule asks for.
  void lacksAttribute(mlir::Operation *op);
  /// Warns that `op` runs on parts by a rule that nobody gave.
  void assumed(mlir::Operation *op);
  /// Reports that `op` has no rule. Returns false if that is an error.
  bool withoutRule(mlir::Operation *op);

private:
  mlir::Operation *forwardOf(mlir::Operation *op);

  mlir::ModuleOp module;
  OnNoRule onNoRule;
  /// By the target of their backward op; made when the first op without a rule is reported.
  std::optional<llvm::StringMap<mlir::Operation *>> forwards;
};

} // namespace spmd
