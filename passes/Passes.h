// The passes and pipelines of the compiler.
#pragma once

#include "spmd/dialect/chlo/Dialect.h"
#include "spmd/dialect/sdy/Dialect.h"
#include "spmd/dialect/spmd/Dialect.h"
#include "spmd/dialect/stablehlo/Dialect.h"
#include "spmd/passes/Options.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"

#include <memory>
#include <string>

namespace spmd {

#define GEN_PASS_DECL
#include "spmd/passes/Passes.h.inc"

/// Where the pipeline ends, and how its stages behave.
struct PipelineOptions {
  enum class Stage { functionalize, propagate, reshard, partition, optimize };

  std::string plan = "";     ///< A plan file, put on the program first; none if empty.
  bool functionalize = true; ///< Buffers become values; otherwise they live on.
  OnMissing onMissing = OnMissing::replicate;
  OnNoRule onNoRule = OnNoRule::replicate;
  Conflicts conflicts = Conflicts::classes;
  Hints hints = Hints::use;
  GroupForm groups = GroupForm::dense;
  uint64_t bucketBytes = defaultBucketBytes;
  Gathers gathers = Gathers::share;
  uint64_t hoistBytes = defaultBucketBytes; ///< What may leave each loop.
  bool overlap = false;                     ///< Products that wait for data are made in pieces.
  Stage stopAfter = Stage::optimize;
  uint64_t memoryLimit = 0; ///< Bytes that one device may hold at once; 0 for any number.
  /// Sizes of the dynamic dims of @main's arguments, in order; none if all are static.
  llvm::SmallVector<int64_t> sizes = {};
  bool inlineFunctions = true; ///< Short functions are written out where they are called.
  bool checkUserRules = true;  ///< Rules in the program are run on small tensors; false ones fail.
  Callbacks callbacks = Callbacks::keep; ///< What becomes of calls of Python callbacks.
  bool verbose = false;                  ///< Each value without a sharding is warned of.
};

/// Adds the passes of one stage to `manager`.
void addStage(mlir::OpPassManager &manager, PipelineOptions::Stage stage,
              const PipelineOptions &options);

/// Adds what makes a program one that the device compiler knows: plain StableHLO, with or without
/// buffers. For programs that did not come through the stages.
void addDevicePasses(mlir::OpPassManager &manager);

/// Adds all stages up to `options.stopAfter`.
void buildPipeline(mlir::OpPassManager &manager, const PipelineOptions &options);

/// Makes the passes and `--spmd-pipeline` known to the command line.
void registerPasses();

} // namespace spmd
