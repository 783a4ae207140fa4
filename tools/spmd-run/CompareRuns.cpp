#include "spmd/tools/spmd-run/CompareRuns.h"

#include "spmd/lowering/interpreter/Locate.h"
#include "spmd/tools/spmd-run/HostMemory.h"
#include "spmd/tools/spmd-run/Tolerances.h"

#include "absl/strings/str_cat.h"

#include <algorithm>
#include <optional>
#include <thread>

namespace spmd {

static std::string countsOf(const ResultVerdict &result) {
  if (result.numUndecided == 0)
    return absl::StrCat(result.numDifferent, " elements");
  return absl::StrCat(result.numDifferent, " elements; ", result.numUndecided, " undecided");
}

static JudgeOptions optionsOf(const RunSettings &settings, bool willBeGiven) {
  JudgeOptions options;
  options.denormals = settings.denormals;
  options.threads =
      std::max(settings.threads, static_cast<int>(std::thread::hardware_concurrency()));
  options.memory = hostMemory() / 4;
  options.willBeGiven = willBeGiven;
  return options;
}

/// Adds one answer to the report, and says what differs.
static void addComparison(const char *subject, JudgeReport compared, RunReport &report) {
  report.verdict = std::max(report.verdict, compared.verdict());
  if (!compared.undecidedBecause.empty())
    report.differences.push_back(absl::StrCat(subject, ": ", compared.undecidedBecause));
  for (size_t i = 0; i < compared.results.size(); ++i)
    if (const ResultVerdict &result = compared.results[i]; result.verdict != Verdict::yes)
      report.differences.push_back(absl::StrCat("result ", i, " from ", subject, ": ",
                                                result.message, " (", countsOf(result), ")"));
  for (const std::string &each : compared.decidedBy)
    report.differences.push_back(absl::StrCat("undecided elements hang on ", each));
  report.comparisons.push_back({subject, std::move(compared)});
}

/// Compares the parts of results with what is expected, where the program does not say which part
/// each device holds. `judge` may be null where there are tolerances.
static absl::Status compareResultsInParts(const RunSettings &settings, const ComparedRuns &runs,
                                          const std::vector<Tensor> &expected, Judge *judge,
                                          RunReport &report) {
  for (size_t i = 0; i < expected.size(); ++i) {
    if (runs.main.results[i].known != Known::part)
      continue;
    absl::StatusOr<std::pair<double, double>> allowed = tolerancesOf(settings, i, expected.size());
    if (settings.rtol.empty() && settings.atol.empty()) {
      absl::StatusOr<double> ofRounding = judge->allowedForParts(i);
      if (!ofRounding.ok())
        return ofRounding.status();
      allowed = std::make_pair(0.0, *ofRounding);
    }
    if (!allowed.ok())
      return allowed.status();
    std::vector<Tensor> parts;
    for (const std::vector<Tensor> &device : runs.results->local)
      parts.push_back(device[i]);
    absl::StatusOr<Comparison> comparison =
        compareParts(parts, expected[i], allowed->first, allowed->second);
    if (!comparison.ok())
      return comparison.status();
    if (comparison->equal)
      continue;
    report.verdict = Verdict::no;
    report.differences.push_back(absl::StrCat("result ", i,
                                              " from the expected result: ", comparison->message,
                                              " (", comparison->numDifferent, " elements)"));
  }
  return absl::OkStatus();
}

absl::Status compareRuns(const RunSettings &settings, const ComparedRuns &runs,
                         const std::vector<Tensor> &arguments, const std::vector<Tensor> &expected,
                         const KernelRegistry &kernels, RunReport &report) {
  bool hasTolerances = !settings.rtol.empty() || !settings.atol.empty();
  std::vector<Tensor> actual = runs.results->joined;
  for (size_t i = 0; i < actual.size(); ++i)
    if (runs.main.results[i].known == Known::part)
      actual[i] = Tensor(); // See compareResultsInParts.
  std::optional<Judge> judge;
  if (runs.comparesPrograms || !hasTolerances) {
    absl::StatusOr<Judge> made =
        Judge::create(runs.reference, runs.comparesPrograms ? &runs.main : nullptr, kernels,
                      arguments, optionsOf(settings, !hasTolerances), runs.recorded);
    if (!made.ok())
      return made.status();
    judge.emplace(*std::move(made));
  }
  auto add = [&](const char *subject, absl::StatusOr<JudgeReport> compared) {
    if (compared.ok())
      addComparison(subject, *std::move(compared), report);
    return compared.status();
  };
  absl::Status status;
  if (runs.comparesPrograms) {
    status = add("the unpartitioned program", judge->samePartitioned());
    if (status.ok())
      status = add("the unpartitioned run",
                   hasTolerances ? compareByTolerance(settings, actual, runs.wholeResults->joined)
                                 : judge->given(actual, Judge::Given::isResult));
  }
  if (expected.empty() || !status.ok())
    return status;
  status = compareResultsInParts(settings, runs, expected, judge ? &*judge : nullptr, report);
  if (!status.ok())
    return status;
  status = add("the expected result",
               hasTolerances ? compareByTolerance(settings, actual, expected)
                             : judge->given(expected, Judge::Given::isExpected, actual));
  if (status.ok() && report.comparisons.back().report.isAllCoarse()) {
    report.verdict = std::max(report.verdict, Verdict::undecided);
    report.differences.push_back("the expected result: rounding may change any element by more "
                                 "than an eighth; no error would show");
  }
  return status;
}

static absl::Status expectSame(const char *what, const std::vector<Boundary> &partitioned,
                               const std::vector<Boundary> &whole) {
  if (partitioned.size() != whole.size())
    return absl::InvalidArgumentError(absl::StrCat("program has ", whole.size(), " ", what,
                                                   "s, the partitioned one has ",
                                                   partitioned.size()));
  for (size_t i = 0; i < whole.size(); ++i)
    if (partitioned[i].global != whole[i].global)
      return absl::InvalidArgumentError(
          absl::StrCat(what, " ", i, " has type ", whole[i].global.str(),
                       ", that of the partitioned program is ", partitioned[i].global.str()));
  return absl::OkStatus();
}

absl::Status expectSameBoundaries(const DeviceProgram &partitioned, const DeviceProgram &whole) {
  absl::Status status = expectSame("argument", partitioned.arguments, whole.arguments);
  return status.ok() ? expectSame("result", partitioned.results, whole.results) : status;
}

} // namespace spmd
