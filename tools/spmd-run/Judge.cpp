#include "spmd/tools/spmd-run/Judge.h"

#include "spmd/lowering/interpreter/Locate.h"
#include "spmd/lowering/program/Exactness.h"
#include "spmd/tools/spmd-run/Rounding.h"

#include "absl/strings/str_cat.h"

namespace spmd {

namespace {

absl::StatusOr<double> tolerance(const std::vector<double> &given, size_t index, size_t count,
                                 const char *name, double otherwise) {
  if (given.empty())
    return otherwise;
  if (given.size() == 1)
    return given[0];
  if (given.size() != count)
    return absl::InvalidArgumentError(
        absl::StrCat("--", name, " has ", given.size(), " values for ", count, " results"));
  return given[index];
}

} // namespace

Judge::Judge(const RunSettings &settings, absl::Span<const Boundary> boundaries,
             Reference reference, RunReport &report)
    : settings(settings), boundaries(boundaries), reference(std::move(reference)), report(report) {}

absl::Status Judge::compareAll(const RunResults &actual, const std::vector<Tensor> &wanted,
                               const char *with) {
  size_t count = actual.joined.size();
  for (size_t i = 0; i < count; ++i) {
    DefaultTolerance byType = defaultTolerance(wanted[i].type().element);
    absl::StatusOr<double> rtol = tolerance(settings.rtol, i, count, "rtol", byType.relative);
    if (!rtol.ok())
      return rtol.status();
    absl::StatusOr<double> atol =
        tolerance(settings.atol, i, count, "atol",
                  settings.rtol.empty() ? byType.ofLargest * largestOf(wanted[i]) : 0);
    if (!atol.ok())
      return atol.status();
    absl::StatusOr<Comparison> comparison = compareResult(i, actual, wanted[i], *rtol, *atol);
    if (comparison.ok() && !comparison->equal && settings.rtol.empty() && settings.atol.empty())
      comparison = compareRounded(i, actual, wanted[i], *comparison, *rtol);
    if (!comparison.ok())
      return absl::Status(comparison.status().code(),
                          absl::StrCat("result ", i, ": ", comparison.status().message()));
    report.maxAbsError = std::max(report.maxAbsError, comparison->maxAbsError);
    report.maxRelError = std::max(report.maxRelError, comparison->maxRelError);
    if (comparison->equal)
      continue;
    report.equal = false;
    report.differences.push_back(absl::StrCat("result ", i, " from ", with, ": ",
                                              comparison->message, " (", comparison->numDifferent,
                                              " elements)"));
  }
  return absl::OkStatus();
}

absl::StatusOr<Comparison> Judge::compareResult(size_t i, const RunResults &actual,
                                                const Tensor &wanted, double rtol,
                                                double atol) const {
  const Tensor &joined = actual.joined[i];
  bool isWhole = joined && joined.type() == wanted.type();
  if (isWhole || boundaries[i].known != Known::part)
    return compare(joined, wanted, rtol, atol);
  std::vector<Tensor> parts;
  for (const std::vector<Tensor> &device : actual.local)
    parts.push_back(device[i]);
  return compareParts(parts, wanted, rtol, atol);
}

/// A result may be of a type that is less exact than its own on its way, or gradients cancel in it,
/// so that its largest value says nothing of how exact it is. Compares it within what rounding
/// makes of it, which may take another run.
absl::StatusOr<Comparison> Judge::compareRounded(size_t i, const RunResults &actual,
                                                 const Tensor &wanted, const Comparison &strict,
                                                 double rtol) {
  if (leastExact.empty())
    leastExact = leastExactTypes(reference.program);
  absl::StatusOr<Comparison> comparison = strict;
  if (i < leastExact.size() && leastExact[i] != wanted.type().element) {
    DefaultTolerance coarse = defaultTolerance(leastExact[i]);
    comparison =
        compareResult(i, actual, wanted, coarse.relative, coarse.ofLargest * largestOf(wanted));
  }
  if (comparison.ok() && !comparison->equal) {
    if (!noise)
      noise = measureNoise();
    if (i < noise->size() && (*noise)[i] > 0)
      comparison = compareResult(i, actual, wanted, rtol, (*noise)[i]);
  }
  if (!comparison.ok() || !comparison->equal)
    return strict;
  report.ofNoise.insert(i);
  return comparison;
}

/// Returns what rounding makes of each result; nothing if that cannot be found out.
std::vector<double> Judge::measureNoise() const {
  absl::StatusOr<std::vector<Tensor>> arguments = nudged(reference.arguments);
  if (!arguments.ok())
    return {};
  std::vector<Tensor> results = reference.rerun(*arguments);
  if (results.empty())
    return {};
  return roundingErrors(reference.arguments, reference.results, results);
}

} // namespace spmd
