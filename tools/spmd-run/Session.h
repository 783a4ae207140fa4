// One run of `spmd-run`: from files to a verdict.
#pragma once

#include "spmd/lowering/equality/Judge.h"
#include "spmd/lowering/interpreter/Denormals.h"
#include "spmd/lowering/interpreter/Tensor.h"
#include "spmd/lowering/program/DeviceProgram.h"
#include "spmd/lowering/program/Traffic.h"
#include "spmd/passes/Passes.h"
#include "spmd/passes/estimate/Estimate.h"
#include "spmd/passes/propagate/Flags.h"
#include "spmd/passes/propose/Proposal.h"
#include "spmd/passes/why/Why.h"

#include <optional>
#include <set>

namespace spmd {

/// What the command line says.
struct RunSettings {
  std::string file;
  std::string unpartitionedFile; ///< What `file`, which is partitioned, was made of; or empty.
  std::string deviceProfile;     ///< A name or a file; nothing is estimated if empty.
  std::string inputDir, expectDir, outputDir, jsonFile;
  /// Of the dynamic dims of the arguments, where there are no input files.
  std::vector<int64_t> sizes;
  std::vector<double> rtol, atol; ///< One for all results, or one for each; empty for the defaults.
  uint64_t seed = 0;
  int threads = 1;
  Denormals denormals = Denormals::zeroInComparisons;
  int64_t workLimit = 0; ///< Operations on elements that a run may take; 0 for any number.
  int repeats = 1;       ///< How often what was compiled is run, to be timed.
  /// 0 for as many as the program says, one where it says nothing.
  int64_t numDevices = 0;
  bool runPartitioned = true, runWhole = true;
  bool runNothing = false; ///< Compile the device programs, and say what they would move.
  bool why = false;        ///< Nothing is run; the collectives are explained.
  PipelineOptions pipeline;
};

/// One question that was asked about results, and the answer.
struct RunComparison {
  /// What was compared: "the partitioned program", "the partitioned run", "the expected results".
  std::string subject;
  JudgeReport report;
};

/// What a run found out.
struct RunReport {
  std::string program, mesh;
  int64_t numDevices = 1;
  Verdict verdict = Verdict::yes;
  /// Something was compared; otherwise `verdict` says only that replicas agree.
  bool isCompared = true;
  bool isRun = true;
  std::vector<RunComparison> comparisons;
  /// Milliseconds by stage, in order.
  std::vector<std::pair<std::string, double>> times;
  std::map<std::string, Traffic> traffic;
  int64_t peakBytes = 0;
  /// Bytes of arguments and results, of the whole tensors and of one device's parts.
  int64_t globalBytes = 0, localBytes = 0;
  std::vector<Flag> missing;
  /// If the devices do most of the work alike.
  std::optional<RepeatedWorkReport> repeatedWork;
  /// What differs or cannot be told, a line each.
  std::vector<std::string> differences;

  std::optional<EstimateReport> estimate; ///< If a device is described.

  std::optional<WhyReport> why; ///< In the place of all that, where it was asked for.

  int64_t wireBytes() const;
};

/// Runs `settings.file` and fills `report`. Returns false after messages on `errors` if the input
/// is wrong; a result that differs is no error, but in the report.
bool runSession(const RunSettings &settings, RunReport &report, llvm::raw_ostream &errors);

/// Prints the report for people, and as JSON.
void printTable(const RunReport &report, llvm::raw_ostream &os);
void printJson(const RunReport &report, llvm::raw_ostream &os);

} // namespace spmd
