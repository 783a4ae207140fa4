// The pass `spmd-remove-unused`: what nobody uses would be split, moved and reported for nothing.

#include "spmd/dialect/partitioning/Partitionable.h"
#include "spmd/dialect/stablehlo/Dialect.h"
#include "spmd/passes/Passes.h"
#include "spmd/passes/refine/Callees.h"

namespace spmd {

#define GEN_PASS_DEF_REMOVEUNUSEDPASS
#include "spmd/passes/Passes.h.inc"

using mlir::func::FuncOp;

namespace {

class Remover {
public:
  explicit Remover(mlir::ModuleOp module) : module(module) {}

  void run(mlir::Block &block) {
    for (mlir::Operation &op : llvm::make_early_inc_range(llvm::reverse(block))) {
      if (op.getNumResults() > 0 && op.use_empty() && !isPlacement(&op) && !hasEffects(&op)) {
        op.erase();
        continue;
      }
      for (mlir::Region &region : op.getRegions())
        for (mlir::Block &inner : region)
          run(inner);
    }
  }

private:
  /// What says how its operand lies is used, even if nobody reads it.
  static bool isPlacement(mlir::Operation *op) {
    auto partitionable = llvm::dyn_cast<Partitionable>(op);
    return partitionable && partitionable.isPlacement();
  }

  bool hasEffects(mlir::Operation *op) {
    auto hasOwn = [&](mlir::Operation *each) {
      if (mlir::FlatSymbolRefAttr name = calleeOf(each))
        return callHasEffects(name);
      // Nobody knows what a custom call does.
      return hasOwnEffects(each) || llvm::isa<stablehlo::CustomCallOp>(each);
    };
    return op
        ->walk([&](mlir::Operation *each) {
          return hasOwn(each) ? mlir::WalkResult::interrupt() : mlir::WalkResult::advance();
        })
        .wasInterrupted();
  }

  bool callHasEffects(mlir::FlatSymbolRefAttr name) {
    if (!callees) {
      symbols.emplace(module);
      callees.emplace(module);
    }
    FuncOp callee = symbols->lookup<FuncOp>(name.getValue());
    return !callee || callees->hasEffects(callee);
  }

  mlir::ModuleOp module;
  std::optional<mlir::SymbolTable> symbols; ///< From the first call that nobody reads.
  std::optional<Callees> callees;
};

struct RemoveUnusedPass : impl::RemoveUnusedPassBase<RemoveUnusedPass> {
  void runOnOperation() override {
    mlir::ModuleOp module = getOperation();
    Remover remover(module);
    for (auto function : module.getOps<FuncOp>())
      for (mlir::Block &block : function.getBody())
        remover.run(block);
    eraseUnreached(module);
  }
};

} // namespace
} // namespace spmd
