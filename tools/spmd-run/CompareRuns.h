// What a session has run, compared: which questions are asked, and how the answers are told.
#pragma once

#include "spmd/tools/spmd-run/Session.h"

namespace spmd {

/// What a run gave: whole results, and where some cannot be joined, what each device holds of all.
struct RunResults {
  std::vector<Tensor> joined;
  std::vector<std::vector<Tensor>> local; ///< By device; empty if all are joined.
};

/// The programs of a session, and what they gave.
struct ComparedRuns {
  const DeviceProgram &main;      ///< The partitioned program; the whole one where it is alone.
  const DeviceProgram &reference; ///< The whole program, or the partitioned one alone.
  bool comparesPrograms = false;  ///< Both have run.
  const RunResults *results = nullptr, *wholeResults = nullptr;
  std::shared_ptr<RecordedRun> recorded =
      nullptr; ///< What gave `wholeResults`, if it recorded its choices.
};

/// Compares programs, results and `expected`, which is empty if nothing is, and adds the answers to
/// the report. Tolerances of the settings take the place of what the program's rounding allows.
/// Errors: tolerances of another count, results whose types are not those of `expected`, what the
/// judge cannot run.
absl::Status compareRuns(const RunSettings &settings, const ComparedRuns &runs,
                         const std::vector<Tensor> &arguments, const std::vector<Tensor> &expected,
                         const KernelRegistry &kernels, RunReport &report);

/// InvalidArgument unless both programs have the same arguments and results.
absl::Status expectSameBoundaries(const DeviceProgram &partitioned, const DeviceProgram &whole);

} // namespace spmd
