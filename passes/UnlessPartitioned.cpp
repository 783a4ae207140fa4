// The pass `spmd-unless-partitioned`: a pipeline for programs of whole tensors.

#include "spmd/passes/UnlessPartitioned.h"

#include "spmd/dialect/spmd/PartitionedModule.h"
#include "spmd/passes/Passes.h"

#include "mlir/Pass/PassRegistry.h"

namespace spmd {

#define GEN_PASS_DEF_UNLESSPARTITIONEDPASS
#include "spmd/passes/Passes.h.inc"

/// Returns the passes as text that parses back.
static std::string textOf(mlir::OpPassManager &passes) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleave(
      passes, [&](mlir::Pass &pass) { pass.printAsTextualPipeline(os); }, [&] { os << ","; });
  return text;
}

namespace {

struct UnlessPartitionedPass : impl::UnlessPartitionedPassBase<UnlessPartitionedPass> {
  explicit UnlessPartitionedPass(mlir::OpPassManager given) : passes(std::move(given)) {
    pipeline = textOf(passes);
  }

  mlir::LogicalResult
  initializeOptions(llvm::StringRef options,
                    llvm::function_ref<mlir::LogicalResult(const llvm::Twine &)> report) override {
    if (mlir::failed(Pass::initializeOptions(options, report)))
      return mlir::failure();
    std::string errors;
    llvm::raw_string_ostream os(errors);
    passes.clear();
    if (mlir::succeeded(mlir::parsePassPipeline(pipeline, passes, os)))
      return mlir::success();
    return report("option 'pipeline' does not parse: " + llvm::StringRef(errors).trim());
  }

  void getDependentDialects(mlir::DialectRegistry &registry) const override {
    UnlessPartitionedPassBase::getDependentDialects(registry);
    passes.getDependentDialects(registry);
  }

  void runOnOperation() override {
    mlir::ModuleOp module = getOperation();
    bool hasPlan = llvm::any_of(
        passes, [](mlir::Pass &pass) { return pass.getArgument() == "spmd-apply-plan"; });
    if (hasPlan && mlir::failed(verifyIsWhole(module, "a plan")))
      return signalPassFailure();
    if (isPartitioned(module))
      return markAllAnalysesPreserved();
    if (mlir::failed(runPipeline(passes, module)))
      signalPassFailure();
  }

private:
  mlir::OpPassManager passes;
};

} // namespace

std::unique_ptr<mlir::Pass> createUnlessPartitionedPass(mlir::OpPassManager passes) {
  return std::make_unique<UnlessPartitionedPass>(std::move(passes));
}

} // namespace spmd
