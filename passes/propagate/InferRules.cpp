#include "spmd/passes/propagate/InferRules.h"

#include "spmd/dialect/partitioning/AssumedRule.h"
#include "spmd/passes/propagate/Spread.h"
#include "spmd/passes/propagate/WriteBack.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OwningOpRef.h"

namespace spmd {

constexpr int mostRounds = 16;

/// Returns which dims of the results of each of `calls` propagation splits, in a copy; nothing if
/// it fails, which is reported where it is done in earnest.
static std::vector<WantedDims> wantedByUsers(mlir::ModuleOp module,
                                             llvm::ArrayRef<mlir::Operation *> calls,
                                             Conflicts conflicts, Hints hints) {
  std::vector<WantedDims> wanted(calls.size());
  mlir::Builder builder(module.getContext());
  for (auto [i, call] : llvm::enumerate(calls))
    call->setDiscardableAttr(assumedRuleAttrName, builder.getI64IntegerAttr(i));
  mlir::OwningOpRef<mlir::ModuleOp> copy = module.clone();
  for (mlir::Operation *call : calls)
    call->removeDiscardableAttr(assumedRuleAttrName);

  mlir::ScopedDiagnosticHandler silence(module.getContext(),
                                        [](mlir::Diagnostic &) { return mlir::success(); });
  mlir::FailureOr<std::unique_ptr<ProgramGraph>> program = propagateModule(*copy, conflicts, hints);
  if (mlir::failed(program))
    return wanted;
  WriteBackOptions options;
  options.replicateMissing = true; // Some results of an op may have a sharding, and others none.
  writeBack(**program, classify((*program)->graph, (*program)->freeValues(), *(*program)->uses),
            options);
  copy->walk([&](mlir::Operation *op) { // Functions may be there several times.
    auto number = op->getDiscardableAttr(assumedRuleAttrName);
    if (auto index = llvm::dyn_cast_if_present<mlir::IntegerAttr>(number))
      llvm::append_range(wanted[index.getInt()], dimsSplit(op));
  });
  return wanted;
}

void inferRulesFromUsers(mlir::ModuleOp module, Conflicts conflicts, Hints hints) {
  for (int round = 0; round < mostRounds; ++round) {
    std::vector<mlir::Operation *> calls = callsWithoutRule(module);
    if (calls.empty() || assumeRules(calls, wantedByUsers(module, calls, conflicts, hints)) == 0)
      return;
  }
}

} // namespace spmd
