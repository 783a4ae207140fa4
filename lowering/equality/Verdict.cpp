#include "spmd/lowering/equality/Verdict.h"

#include "spmd/lowering/interpreter/Elements.h"

#include "absl/strings/str_cat.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace spmd {

/// The share of an element, and of what elements usually are, that a coarse one may be off.
constexpr double coarseShare = 0.125;
/// If this share of the elements that differ hangs on choices, all of them are undecided: no number
/// of runs shows every effect of a choice.
constexpr double mostHang = 0.9;
/// An element may be this many times further off than choices moved any element in the free runs.
constexpr double beyondChoices = 4;
constexpr double infinity = std::numeric_limits<double>::infinity();

const char *nameOf(Verdict verdict) {
  return verdict == Verdict::yes ? "yes" : verdict == Verdict::no ? "no" : "undecided";
}

Verdict JudgeReport::verdict() const {
  Verdict worst = undecidedBecause.empty() ? Verdict::yes : Verdict::undecided;
  for (const ResultVerdict &result : results)
    worst = std::max(worst, result.verdict);
  return worst;
}

bool JudgeReport::hasUndecided() const {
  return std::any_of(results.begin(), results.end(),
                     [](const ResultVerdict &result) { return result.numUndecided > 0; });
}

bool JudgeReport::isAllCoarse() const {
  int64_t numElements = 0, numCoarse = 0;
  for (const ResultVerdict &result : results) {
    numElements += result.numElements;
    numCoarse += result.numCoarse;
  }
  return numElements > 0 && numCoarse == numElements;
}

/// Sets the largest errors.
static void measureErrors(const ComparedResult &compared, ResultVerdict &verdict) {
  double largest = 0;
  for (size_t i = 0; i < compared.center.size(); ++i) {
    verdict.maxAbsError =
        std::max(verdict.maxAbsError, distance(compared.given, compared.center, i));
    if (double size = magnitude(compared.center[i]); std::isfinite(size))
      largest = std::max(largest, size);
  }
  if (verdict.maxAbsError > 0)
    verdict.maxRelError = largest > 0 ? verdict.maxAbsError / largest : infinity;
}

/// Tells undecided elements from those that differ. Returns the one to name, or -1.
static int64_t countDiffering(const ComparedResult &compared, ResultVerdict &verdict) {
  bool isExact = isInteger(compared.type.element);
  auto allowedOf = [&](size_t i) { return isExact ? 0 : compared.allowed[i]; };
  auto hangsOnChoices = [&](size_t i) {
    return !compared.movedByChoices.empty() && compared.movedByChoices[i] > allowedOf(i);
  };
  auto numHanging =
      std::count_if(compared.differing.begin(), compared.differing.end(), hangsOnChoices);
  bool allHang =
      static_cast<double>(numHanging) >= mostHang * static_cast<double>(compared.differing.size());
  int64_t worst = -1;
  double worstRatio = -1;
  for (size_t i : compared.differing) {
    double allowed = allowedOf(i), error = distance(compared.given, compared.center, i);
    bool isExplained =
        (allHang || hangsOnChoices(i)) && error <= beyondChoices * compared.furthestMoved;
    if (std::isinf(allowed) || isExplained) {
      ++verdict.numUndecided;
      continue;
    }
    ++verdict.numDifferent;
    double ratio = isExact ? error : error / allowed;
    if (ratio > worstRatio) {
      worst = static_cast<int64_t>(i);
      worstRatio = ratio;
    }
  }
  verdict.verdict = verdict.numDifferent > 0   ? Verdict::no
                    : verdict.numUndecided > 0 ? Verdict::undecided
                                               : Verdict::yes;
  return worst < 0 && !compared.differing.empty() ? static_cast<int64_t>(compared.differing[0])
                                                  : worst;
}

static std::string numberText(std::complex<double> value, ElementType type) {
  if (isComplex(type))
    return absl::StrCat("(", value.real(), ", ", value.imag(), ")");
  return absl::StrCat(value.real());
}

static std::string messageFor(const ComparedResult &compared, int64_t i) {
  auto [is, expected] = compared.texts(i);
  std::string message =
      absl::StrCat(indexText(compared.type.shape, i), " is ", is, ", expected ", expected);
  if (!isInteger(compared.type.element))
    absl::StrAppend(&message, compared.center.isOfF128() ? "; in f128" : "; in f64",
                    " the program gives ", numberText(compared.center[i], compared.type.element),
                    " and allows ", compared.allowed[i], ", it is off by ",
                    distance(compared.given, compared.center, i));
  return message;
}

/// Returns the root mean square of the finite elements.
static double usualSize(const Elements &elements) {
  double squares = 0, count = 0;
  for (const std::complex<double> &each : elements)
    if (double norm = std::norm(each); std::isfinite(norm)) {
      squares += norm;
      ++count;
    }
  return count > 0 ? std::sqrt(squares / count) : 0;
}

/// Sets how small an error would have shown, and how large the largest is beside that.
static void measureResolution(const ComparedResult &compared, ResultVerdict &verdict) {
  verdict.resolution = infinity;
  double usual = usualSize(compared.center);
  Spacing spacing = spacingOf(compared.type.element);
  auto differing = compared.differing.begin();
  for (size_t i = 0; i < compared.center.size(); ++i) {
    bool differs = differing != compared.differing.end() && *differing == i;
    if (differs)
      ++differing;
    double allowed = compared.allowed[i], error = distance(compared.given, compared.center, i);
    double ratio = error == 0 ? 0 : error / allowed;
    // An element may be right though it is further off: a neighbour of what the program gives.
    verdict.worstRatio = std::max(verdict.worstRatio, differs ? ratio : std::min(ratio, 1.0));
    double size = magnitude(compared.center[i]);
    if (size > 0 && std::isfinite(size))
      verdict.resolution = std::min(verdict.resolution, allowed / size);
    // The last rounding, to a type of few bits, makes no element coarse.
    double beforeLast = allowed - spacing.ulpAt(size) - spacing.leastNormal;
    verdict.numCoarse += beforeLast > coarseShare * std::max(size, usual);
  }
}

ResultVerdict judge(const ComparedResult &compared) {
  ResultVerdict verdict;
  verdict.numElements = static_cast<int64_t>(compared.center.size());
  measureErrors(compared, verdict);
  if (int64_t named = countDiffering(compared, verdict); named >= 0)
    verdict.message = messageFor(compared, named);
  if (!isInteger(compared.type.element))
    measureResolution(compared, verdict);
  return verdict;
}

} // namespace spmd
