// Options that several passes share: their values, and what they say of themselves.
#pragma once

#include "spmd/dialect/export/Shardings.h"

#include "llvm/Support/CommandLine.h"

namespace spmd {

#define defvar inline constexpr auto
#include "spmd/passes/OptionTexts.td"
#undef defvar

/// What to do with a value that has no sharding.
enum class OnMissing {
  error,    ///< Report each, then fail.
  warn,     ///< Report each; the value stays as it is.
  replicate ///< Report each; every device holds the value whole.
};

inline llvm::cl::ValuesClass onMissingValues() {
  return llvm::cl::values(
      clEnumValN(OnMissing::error, "error", "report each, then fail"),
      clEnumValN(OnMissing::replicate, "replicate", "report each, hold it whole on every device"));
}

/// What to do with an op that has no sharding rule.
enum class OnNoRule {
  error,         ///< Report each, then fail.
  replicate,     ///< Report each; every device runs the op whole.
  inferFromUsers ///< Report each; it runs on parts where its users want parts (AssumedRule.h).
};

inline llvm::cl::ValuesClass onNoRuleValues() {
  return llvm::cl::values(
      clEnumValN(OnNoRule::error, "error", "report each, then fail"),
      clEnumValN(OnNoRule::replicate, "replicate", "report each, run it whole on every device"),
      clEnumValN(OnNoRule::inferFromUsers, "infer-from-users",
                 "report each, run it on parts where those who use its results want parts"));
}

/// What to do with calls into the process that traced the program (ProcessCalls.h).
enum class Callbacks {
  keep,  ///< Leave them, for a runtime that has the process.
  drop,  ///< Leave out what only prints; the others are errors.
  error, ///< Each is an error.
  ignore ///< Leave them and say nothing: nobody will run the program.
};

inline llvm::cl::ValuesClass callbacksValues() {
  return llvm::cl::values(
      clEnumValN(Callbacks::keep, "keep", "leave them, for a runtime that has the process"),
      clEnumValN(Callbacks::drop, "drop", "leave out what only prints; others are errors"),
      clEnumValN(Callbacks::error, "error", "each is an error"),
      clEnumValN(Callbacks::ignore, "ignore", "leave them and say nothing, where nothing runs"));
}

/// How propagation decides which of two dims an axis splits.
enum class Conflicts {
  classes, ///< For connected tensors together, by what the whole program then costs.
  shardy   ///< Op by op, in Shardy's order.
};

inline llvm::cl::ValuesClass conflictsValues() {
  return llvm::cl::values(
      clEnumValN(Conflicts::classes, "classes", "for connected tensors together, by cost"),
      clEnumValN(Conflicts::shardy, "shardy", "op by op, in Shardy's order"));
}

/// What to do with shardings that an earlier pass or a tracer left behind.
enum class Hints {
  use, ///< They decide where nothing else does.
  drop ///< They say nothing.
};

inline llvm::cl::ValuesClass hintsValues() {
  return llvm::cl::values(clEnumValN(Hints::use, "use", "let them decide where nothing else does"),
                          clEnumValN(Hints::drop, "drop", "leave them out of account"));
}

/// How collectives write their groups.
enum class GroupForm { dense, meshAxes };

inline llvm::cl::ValuesClass groupValues() {
  return llvm::cl::values(
      clEnumValN(GroupForm::dense, "dense", "lists of device ids, which every consumer reads"),
      clEnumValN(GroupForm::meshAxes, "mesh-axes",
                 "mesh axes, which do not grow with the devices"));
}

/// What becomes of a gathered value that several ops read.
enum class Gathers {
  share,    ///< Gathered once, and held for all.
  recompute ///< Gathered again for each, so that it need not be held.
};

inline llvm::cl::ValuesClass gathersValues() {
  return llvm::cl::values(
      clEnumValN(Gathers::share, "share", "gathered once, and held for all that read it"),
      clEnumValN(Gathers::recompute, "recompute", "gathered again for each op that reads it"));
}

inline llvm::cl::ValuesClass shardingFormValues() {
  return llvm::cl::values(
      clEnumValN(ShardingForm::v1, "v1", "tiles, devices one by one"),
      clEnumValN(ShardingForm::v2, "v2", "tiles, devices as a transposed grid"),
      clEnumValN(ShardingForm::v3, "v3", "the axes of a mesh, by name"),
      clEnumValN(ShardingForm::shardy, "shardy", "Shardy's attributes, xla.sdy.*, beside v2"));
}

} // namespace spmd
