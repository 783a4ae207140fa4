// The pipeline, and the passes by name: the table of contents of the compiler.

#include "spmd/passes/Passes.h"

#include "spmd/dialect/sdy/Dialect.h"
#include "spmd/dialect/stablehlo/Dialect.h"

#include "mlir/Pass/PassRegistry.h"

namespace spmd {

#define GEN_PASS_REGISTRATION
#include "spmd/passes/Passes.h.inc"

using Stage = PipelineOptions::Stage;

void addStage(mlir::OpPassManager &manager, Stage stage, const PipelineOptions &options) {
  switch (stage) {
  case Stage::functionalize:
    // What has a rule of its own is partitioned as it is, and expanded on local shapes below.
    manager.addPass(createLegalizeChloPass({/*keepFunctions=*/true}));
    return manager.addPass(createFunctionalizePass({options.functionalize}));
  case Stage::propagate:
    manager.addPass(createPropagatePass({options.onMissing}));
    return manager.addPass(createVerifyPropagatedPass());
  case Stage::reshard:
    manager.addPass(createReshardPass({options.onMissing, options.onNoRule}));
    return manager.addPass(createVerifyReshardedPass());
  case Stage::partition:
    manager.addPass(createPartitionPass());
    manager.addPass(createLegalizeChloPass());
    return manager.addPass(createVerifyPartitionedPass());
  case Stage::optimize:
    manager.addPass(createOptimizePass({options.groups, options.bucketBytes}));
    return manager.addPass(createVerifyPartitionedPass());
  }
}

void addDevicePasses(mlir::OpPassManager &manager) { manager.addPass(createLegalizeChloPass()); }

void buildPipeline(mlir::OpPassManager &manager, const PipelineOptions &options) {
  for (Stage stage : {Stage::functionalize, Stage::propagate, Stage::reshard, Stage::partition,
                      Stage::optimize}) {
    addStage(manager, stage, options);
    if (stage == options.stopAfter)
      return;
  }
}

namespace {

/// The options of `--spmd-pipeline` on the command line.
struct PipelineFlags : mlir::PassPipelineOptions<PipelineFlags> {
  Option<bool> functionalize{*this, "functionalize", llvm::cl::desc("Make buffers values"),
                             llvm::cl::init(true)};
  Option<OnMissing> onMissing{
      *this, "on-missing", llvm::cl::desc("What to do with a value that has no sharding"),
      llvm::cl::init(OnMissing::replicate),
      llvm::cl::values(clEnumValN(OnMissing::error, "error", "report each, then fail"),
                       clEnumValN(OnMissing::replicate, "replicate",
                                  "report each, hold it whole on every device"))};
  Option<OnNoRule> onNoRule{
      *this, "on-no-rule", llvm::cl::desc("What to do with an op that has no sharding rule"),
      llvm::cl::init(OnNoRule::replicate),
      llvm::cl::values(clEnumValN(OnNoRule::error, "error", "report each, then fail"),
                       clEnumValN(OnNoRule::replicate, "replicate",
                                  "report each, run it whole on every device"))};
  Option<GroupForm> groups{
      *this, "groups", llvm::cl::desc("How collectives write their groups"),
      llvm::cl::init(GroupForm::dense),
      llvm::cl::values(clEnumValN(GroupForm::dense, "dense", "lists of device ids"),
                       clEnumValN(GroupForm::meshAxes, "mesh-axes", "mesh axes"))};
  Option<int64_t> bucketBytes{
      *this, "bucket-bytes",
      llvm::cl::desc("All-reduces are merged up to this many bytes; 0 merges none"),
      llvm::cl::init(32 << 20)};
  Option<Stage> stopAfter{
      *this, "stop-after", llvm::cl::desc("The last stage to run"), llvm::cl::init(Stage::optimize),
      llvm::cl::values(clEnumValN(Stage::functionalize, "functionalize", "buffers to values"),
                       clEnumValN(Stage::propagate, "propagate", "a sharding for every value"),
                       clEnumValN(Stage::reshard, "reshard", "moves of data made explicit"),
                       clEnumValN(Stage::partition, "partition", "local shapes and collectives"),
                       clEnumValN(Stage::optimize, "optimize", "fewer and smaller collectives"))};
};

} // namespace

void registerPasses() {
  registerSpmdPasses();
  mlir::PassPipelineRegistration<PipelineFlags>(
      "spmd-pipeline", "All stages: from a sharded program to the program of one device",
      [](mlir::OpPassManager &manager, const PipelineFlags &flags) {
        buildPipeline(manager, {flags.functionalize, flags.onMissing, flags.onNoRule, flags.groups,
                                flags.bucketBytes, flags.stopAfter});
      });
}

} // namespace spmd
