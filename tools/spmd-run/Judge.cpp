#include "spmd/tools/spmd-run/Judge.h"

#include "spmd/lowering/interpreter/Locate.h"
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

/// Runs that may tell how far rounding moves an element; and how many in a row may explain no more.
constexpr unsigned mostRuns = 16, mostInVain = 10;

/// How far they nudge, by turns: what is a matter of chance moves as far by one step as by more,
/// what turns over may need several.
constexpr double stepsByTurns[] = {1, 1, 2, 1, 4, 1, 8, 1};

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
  if (exactness.empty())
    exactness = exactnessOf(reference.program);
  absl::StatusOr<Comparison> comparison = strict;
  DefaultTolerance coarse = defaultTolerance(exactness[i].leastExact);
  double coarseAtol = coarse.ofLargest * largestOf(wanted);
  if (exactness[i].leastExact != wanted.type().element)
    comparison = compareResult(i, actual, wanted, coarse.relative, coarseAtol);
  if (comparison.ok() && !comparison->equal) {
    if (!noise)
      noise = measureNoise();
    if (i < noise->size() && (*noise)[i] > 0)
      comparison = compareResult(i, actual, wanted, rtol, (*noise)[i]);
  }
  const Tensor &joined = actual.joined[i];
  if (comparison.ok() && !comparison->equal && joined && joined.type() == wanted.type())
    comparison = compareElements(i, joined, wanted, strict, coarse.relative, coarseAtol);
  if (!comparison.ok() || !comparison->equal)
    return strict;
  report.ofNoise.insert(i);
  return comparison;
}

/// Elements may be but rounding errors that something made large: Adam's first step divides each
/// gradient by its size. What these are is a matter of chance, so each element is compared within
/// what rounding makes of it, as far as some runs can tell. Where nothing was summed up, no order
/// of sums is to blame, though nudged arguments may well be sorted otherwise.
absl::StatusOr<Comparison> Judge::compareElements(size_t i, const Tensor &joined,
                                                  const Tensor &wanted, const Comparison &strict,
                                                  double rtol, double atol) {
  ElementType coarsest = exactness[i].leastExact;
  if (!exactness[i].isOfSums || isInteger(wanted.type().element) || bitWidth(coarsest) < 16)
    return strict;
  Nudges &nudged = nudges.try_emplace(coarsest, reference.results).first->second;
  int64_t numLeft = strict.numDifferent;
  for (unsigned inVain = 0;;) {
    absl::StatusOr<Comparison> comparison =
        compare(joined, wanted, rtol, atol, nudged.spread.furthest(i, nudgeOf(coarsest).slack));
    if (!comparison.ok() || comparison->equal)
      return comparison;
    inVain = comparison->numDifferent < numLeft ? 0 : inVain + 1;
    numLeft = comparison->numDifferent;
    if (inVain == mostInVain || nudged.numRuns == mostRuns || !nudgeAgain(nudged, coarsest))
      return strict;
  }
}

/// Returns whether there was another run.
bool Judge::nudgeAgain(Nudges &nudged, ElementType coarsest) {
  double numSteps = stepsByTurns[nudged.numRuns++ % std::size(stepsByTurns)];
  absl::StatusOr<std::vector<Tensor>> arguments =
      nudgedArguments(reference.arguments, numSteps * nudgeOf(coarsest).step, nudged.numRuns);
  if (!arguments.ok())
    return false;
  std::vector<Tensor> results = reference.rerun(*arguments);
  if (!results.empty())
    nudged.spread.add(results, numSteps);
  return !results.empty();
}

/// Returns what rounding makes of each result; nothing if that cannot be found out.
std::vector<double> Judge::measureNoise() const {
  absl::StatusOr<std::vector<Tensor>> arguments = nudgedArguments(reference.arguments, 0, 0);
  if (!arguments.ok())
    return {};
  std::vector<Tensor> results = reference.rerun(*arguments);
  if (results.empty())
    return {};
  return roundingErrors(reference.arguments, reference.results, results);
}

} // namespace spmd
