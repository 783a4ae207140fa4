#include "spmd/tools/spmd-run/Tolerances.h"

#include "spmd/lowering/interpreter/Compare.h"

#include "absl/strings/str_cat.h"

namespace spmd {

static absl::StatusOr<double> toleranceOf(const std::vector<double> &given, size_t index,
                                          size_t count, const char *name) {
  if (given.size() > 1 && given.size() != count)
    return absl::InvalidArgumentError(
        absl::StrCat("--", name, " has ", given.size(), " values for ", count, " results"));
  return given.empty() ? 0 : given.size() == 1 ? given[0] : given[index];
}

absl::StatusOr<std::pair<double, double>> tolerancesOf(const RunSettings &settings, size_t index,
                                                       size_t count) {
  absl::StatusOr<double> rtol = toleranceOf(settings.rtol, index, count, "rtol");
  absl::StatusOr<double> atol = toleranceOf(settings.atol, index, count, "atol");
  if (!rtol.ok() || !atol.ok())
    return rtol.ok() ? atol.status() : rtol.status();
  return std::make_pair(*rtol, *atol);
}

absl::StatusOr<JudgeReport> compareByTolerance(const RunSettings &settings,
                                               absl::Span<const Tensor> given,
                                               absl::Span<const Tensor> wanted) {
  JudgeReport report;
  for (size_t i = 0; i < given.size(); ++i) {
    absl::StatusOr<std::pair<double, double>> allowed = tolerancesOf(settings, i, given.size());
    if (!allowed.ok())
      return allowed.status();
    ResultVerdict &verdict = report.results.emplace_back();
    if (!given[i] || !wanted[i])
      continue;
    absl::StatusOr<Comparison> comparison =
        compare(given[i], wanted[i], allowed->first, allowed->second);
    if (!comparison.ok())
      return absl::Status(comparison.status().code(),
                          absl::StrCat("result ", i, ": ", comparison.status().message()));
    verdict.verdict = comparison->equal ? Verdict::yes : Verdict::no;
    verdict.numElements = wanted[i].numElements();
    verdict.numDifferent = comparison->numDifferent;
    verdict.maxAbsError = comparison->maxAbsError;
    verdict.maxRelError = comparison->maxRelError;
    verdict.resolution = allowed->first;
    verdict.message = comparison->message;
  }
  return report;
}

} // namespace spmd
