// Plans for programs whose devices hold, or do, the same: made, tried, and offered if they help.
#pragma once

#include "spmd/passes/propose/Trial.h"

namespace llvm::json {
class OStream;
}

namespace spmd {

/// A plan that was tried, and under which a device moves less or holds less.
struct Proposal {
  std::string plan; ///< One line of text. The program keeps its mesh.
  TrialCosts before, after;

  /// The plan, and what it does.
  std::string text() const;
};

/// Returns the best of a few plans for `module`, a program as the stage functionalize leaves it,
/// that split what it pins whole:
///
/// - what propagation makes of the arguments and results that are pinned whole if they are not, as
///   the state of an optimizer follows its parameters;
/// - the largest dim of each argument (`fsdp`), over one or all axes of the mesh;
/// - that, and dim 0 of what the program does not update, the inputs.
///
/// A plan that leaves no work repeated comes before others, then one that moves no more than the
/// program as it is, then the one that holds least. Returns nothing if none helps. Partitions the
/// program a few times, less often if it is large.
std::optional<Proposal> proposePlan(mlir::ModuleOp module, const PipelineOptions &options);

/// What is said of a program whose devices do the same, in the same words everywhere.
struct RepeatedWorkReport {
  RepeatedWork work;
  std::optional<Proposal> proposal;

  std::string message() const; ///< What is wrong.
  std::string fix() const;     ///< What to do.
};

/// Returns the report of `module`, a program as the stage functionalize leaves it, if its devices
/// do most of the work alike. `work` is what was found in it.
RepeatedWorkReport reportRepeatedWork(mlir::ModuleOp module, const RepeatedWork &work,
                                      const PipelineOptions &options);

/// Runs the stages that are needed to find out whether most of the work of `module`, a program as
/// the stage functionalize leaves it, is repeated. The module stays as it is; nothing is reported.
std::optional<RepeatedWorkReport> findRepeatedWork(mlir::ModuleOp module,
                                                   const PipelineOptions &options);

/// Writes the report as an object.
void writeJson(const RepeatedWorkReport &report, llvm::json::OStream &json);

} // namespace spmd
