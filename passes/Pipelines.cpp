// The pipeline, and the passes by name: the table of contents of the compiler.

#include "spmd/passes/Passes.h"

#include "spmd/passes/UnlessPartitioned.h"
#include "spmd/passes/plan/ApplyPlan.h"

#include "mlir/Pass/PassRegistry.h"

namespace spmd {

#define GEN_PASS_REGISTRATION
#include "spmd/passes/Passes.h.inc"

using Stage = PipelineOptions::Stage;

void addStage(mlir::OpPassManager &manager, Stage stage, const PipelineOptions &options) {
  switch (stage) {
  case Stage::functionalize:
    manager.addPass(createRefineShapesPass({options.sizes}));
    manager.addPass(createFlattenTuplesPass());
    manager.addPass(createImportShardingsPass());
    if (!options.plan.empty())
      manager.addPass(createApplyPlanPass({options.plan}));
    manager.addPass(createResolveCallbacksPass({options.callbacks}));
    if (options.checkUserRules)
      manager.addPass(createCheckRulesPass({/*all=*/false, /*used=*/true}));
    // What has a rule of its own is partitioned as it is, and expanded on local shapes below.
    manager.addPass(createLegalizeChloPass({/*keepFunctions=*/true}));
    // Both before functionalize, so that programs are the same with buffers and without.
    if (options.inlineFunctions)
      manager.addPass(createInlineFunctionsPass());
    manager.addPass(createComposeSlicesPass());
    return manager.addPass(createFunctionalizePass({options.functionalize}));
  case Stage::propagate:
    manager.addPass(createPropagatePass(
        {options.onMissing, options.onNoRule, options.conflicts, options.hints, options.verbose}));
    manager.addPass(createExpandCompositesPass(
        {options.onMissing, options.onNoRule, options.conflicts, options.hints, options.verbose}));
    return manager.addPass(createVerifyPropagatedPass());
  case Stage::reshard:
    manager.addPass(createForwardContentsPass());
    manager.addPass(createPrunePass());
    manager.addPass(createUpdateInPlacePass());
    manager.addPass(createMoveWeightsPass());
    manager.addPass(createReshardPass({options.onMissing, options.onNoRule, options.hoistBytes}));
    return manager.addPass(createVerifyReshardedPass());
  case Stage::partition:
    manager.addPass(createPartitionPass({options.onMissing}));
    manager.addPass(createLegalizeChloPass());
    return manager.addPass(createVerifyPartitionedPass());
  case Stage::optimize:
    manager.addPass(createOptimizePass({options.groups, options.bucketBytes, options.gathers,
                                        options.hoistBytes, options.overlap}));
    manager.addPass(createVerifyPartitionedPass());
    if (options.memoryLimit > 0)
      manager.addPass(createVerifyMemoryPass({options.memoryLimit}));
  }
}

void addDevicePasses(mlir::OpPassManager &manager) { manager.addPass(createLegalizeChloPass()); }

void buildPipeline(mlir::OpPassManager &manager, const PipelineOptions &options) {
  mlir::OpPassManager whole(mlir::ModuleOp::getOperationName());
  for (Stage stage : {Stage::functionalize, Stage::propagate, Stage::reshard, Stage::partition})
    if (stage <= options.stopAfter)
      addStage(whole, stage, options);
  manager.addPass(createUnlessPartitionedPass(std::move(whole)));
  if (options.stopAfter == Stage::optimize)
    addStage(manager, Stage::optimize, options);
}

namespace {

const PipelineOptions defaults;

/// The options of `--spmd-pipeline` on the command line.
struct PipelineFlags : mlir::PassPipelineOptions<PipelineFlags> {
  Option<std::string> plan{*this, "plan", llvm::cl::desc(planText), llvm::cl::init(defaults.plan)};
  Option<bool> functionalize{*this, "functionalize", llvm::cl::desc(functionalizeText),
                             llvm::cl::init(defaults.functionalize)};
  ListOption<int64_t> sizes{*this, "sizes", llvm::cl::desc(sizesText)};
  Option<OnMissing> onMissing{*this, "on-missing", llvm::cl::desc(onMissingText),
                              llvm::cl::init(defaults.onMissing), onMissingValues()};
  Option<OnNoRule> onNoRule{*this, "on-no-rule", llvm::cl::desc(onNoRuleText),
                            llvm::cl::init(defaults.onNoRule), onNoRuleValues()};
  Option<Callbacks> callbacks{*this, "callbacks", llvm::cl::desc(callbacksText),
                              llvm::cl::init(defaults.callbacks), callbacksValues()};
  Option<Conflicts> conflicts{*this, "conflicts", llvm::cl::desc(conflictsText),
                              llvm::cl::init(defaults.conflicts), conflictsValues()};
  Option<Hints> hints{*this, "hints", llvm::cl::desc(hintsText), llvm::cl::init(defaults.hints),
                      hintsValues()};
  Option<GroupForm> groups{*this, "groups", llvm::cl::desc(groupsText),
                           llvm::cl::init(defaults.groups), groupValues()};
  Option<uint64_t> bucketBytes{*this, "bucket-bytes", llvm::cl::desc(bucketBytesText),
                               llvm::cl::init(defaults.bucketBytes)};
  Option<Gathers> gathers{*this, "gathers", llvm::cl::desc(gathersText),
                          llvm::cl::init(defaults.gathers), gathersValues()};
  Option<uint64_t> hoist{*this, "hoist", llvm::cl::desc(hoistText),
                         llvm::cl::init(defaults.hoistBytes)};
  Option<uint64_t> memoryLimit{*this, "memory-limit", llvm::cl::desc(memoryLimitText),
                               llvm::cl::init(defaults.memoryLimit)};
  Option<bool> overlap{*this, "overlap", llvm::cl::desc(overlapText),
                       llvm::cl::init(defaults.overlap)};
  Option<bool> inlineFunctions{
      *this, "inline-functions",
      llvm::cl::desc("Write short private functions out where they are called"),
      llvm::cl::init(defaults.inlineFunctions)};
  Option<bool> checkUserRules{*this, "check-user-rules", llvm::cl::desc(checkUserRulesText),
                              llvm::cl::init(defaults.checkUserRules)};
  Option<bool> verbose{*this, "verbose", llvm::cl::desc(verboseText),
                       llvm::cl::init(defaults.verbose)};
  Option<Stage> stopAfter{
      *this, "stop-after", llvm::cl::desc("The last stage to run"),
      llvm::cl::init(defaults.stopAfter),
      llvm::cl::values(clEnumValN(Stage::functionalize, "functionalize", "buffers to values"),
                       clEnumValN(Stage::propagate, "propagate", "a sharding for every value"),
                       clEnumValN(Stage::reshard, "reshard", "moves of data made explicit"),
                       clEnumValN(Stage::partition, "partition", "local shapes and collectives"),
                       clEnumValN(Stage::optimize, "optimize", "fewer and smaller collectives"))};
};

/// What the command line says comes before the policies of a plan.
PipelineOptions optionsOf(const PipelineFlags &flags) {
  PipelineOptions options{flags.plan,
                          flags.functionalize,
                          flags.onMissing,
                          flags.onNoRule,
                          flags.conflicts,
                          flags.hints,
                          flags.groups,
                          flags.bucketBytes,
                          flags.gathers,
                          flags.hoist,
                          flags.overlap,
                          flags.stopAfter,
                          flags.memoryLimit,
                          llvm::to_vector(flags.sizes),
                          flags.inlineFunctions,
                          flags.checkUserRules,
                          flags.callbacks,
                          flags.verbose};
  PipelineOptions followed = options;
  if (!options.plan.empty())
    followPolicies(followed);
  if (!flags.onMissing.hasValue())
    options.onMissing = followed.onMissing;
  if (!flags.onNoRule.hasValue())
    options.onNoRule = followed.onNoRule;
  return options;
}

} // namespace

/// Adds the pipeline for the options that `text` writes. A pipeline of modules inside a pipeline of
/// functions is an error of the command line; MLIR would end the process.
static mlir::LogicalResult
addPipeline(mlir::OpPassManager &manager, llvm::StringRef text,
            llvm::function_ref<mlir::LogicalResult(const llvm::Twine &)> report) {
  std::optional<llvm::StringRef> anchor = manager.getOpName();
  if (anchor && *anchor != mlir::ModuleOp::getOperationName())
    return report("spmd-pipeline runs on 'builtin.module', not on '" + *anchor + "'");
  PipelineFlags flags;
  std::string errors;
  llvm::raw_string_ostream os(errors);
  if (mlir::failed(flags.parseFromString(text, os)))
    return report(llvm::StringRef(errors).trim());
  buildPipeline(manager, optionsOf(flags));
  return mlir::success();
}

void registerPasses() {
  registerSpmdPasses();
  mlir::registerPassPipeline(
      "spmd-pipeline", "All stages: from a sharded program to the program of one device",
      addPipeline, [](llvm::function_ref<void(const mlir::detail::PassOptions &)> visit) {
        visit(PipelineFlags());
      });
}

} // namespace spmd
