#include "spmd/lowering/equality/Samples.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace spmd {

/// How many elements of like size are neighbours of each other.
constexpr size_t numNeighbours = 64;

Samples::Samples(Arithmetic arithmetic, std::shared_ptr<const RunElements> center,
                 std::shared_ptr<const RunElements> alsoRight, std::vector<ElementType> types)
    : arithmetic(arithmetic), center(std::move(center)), alsoRight(std::move(alsoRight)),
      types(std::move(types)) {
  for (const Elements &result : this->center->elements)
    distances.push_back({std::vector<double>(result.size()), std::vector<double>(result.size())});
  for (ElementType type : this->types)
    spacings.push_back(isInteger(type) ? Spacing() : spacingOf(type));
  if (this->alsoRight)
    add(*this->alsoRight);
}

void Samples::add(const RunElements &run) {
  ++numRuns;
  for (size_t r = 0; r < distances.size(); ++r) {
    const Elements &made = run.elements[r], &at = center->elements[r];
    auto &[squares, largest] = distances[r];
    for (size_t i = 0; i < squares.size(); ++i) {
      double apart = distance(made, at, i);
      squares[i] += apart * apart;
      largest[i] = std::max(largest[i], apart);
    }
  }
}

/// Raises each deviation of `members` that is not 0 to the median of those.
static void raiseToMedian(const std::vector<size_t> &members, std::vector<double> &moving,
                          std::vector<double> &deviations) {
  moving.clear();
  for (size_t i : members)
    moving.push_back(deviations[i]);
  auto middle = moving.begin() + static_cast<int64_t>(moving.size() / 2);
  std::nth_element(moving.begin(), middle, moving.end());
  for (size_t i : members)
    deviations[i] = std::max(deviations[i], *middle);
}

/// A deviation that is small by chance is raised to the median of its neighbours': the nearest
/// elements whose size is within a factor of four. What does not move at all is exact, and stays
/// so.
static void raiseToNeighbours(const Elements &at, std::vector<double> &deviations) {
  std::map<int, std::vector<size_t>> bySize;
  std::vector<double> moving;
  int lastExponent = 0;
  std::vector<size_t> *members = nullptr;
  for (size_t i = 0; i < deviations.size(); ++i) {
    if (!(deviations[i] > 0) || !std::isfinite(deviations[i]))
      continue;
    int exponent = exponentOf(magnitude(at[i])) >> 1;
    if (!members || exponent != lastExponent) {
      members = &bySize[exponent]; // Stays where it is.
      lastExponent = exponent;
    }
    members->push_back(i);
    if (members->size() < numNeighbours)
      continue;
    raiseToMedian(*members, moving, deviations);
    members->clear();
  }
  for (const auto &entry : bySize)
    if (!entry.second.empty())
      raiseToMedian(entry.second, moving, deviations);
}

std::vector<double> Samples::deviations(size_t result, bool withoutLargest) const {
  const auto &[squares, largest] = distances[result];
  std::vector<double> deviations = squares;
  double count = static_cast<double>(numRuns) - (withoutLargest ? 1 : 0);
  for (size_t i = 0; i < deviations.size(); ++i) {
    double without = withoutLargest ? largest[i] * largest[i] : 0;
    deviations[i] = std::sqrt(std::max(0.0, deviations[i] - without) / count);
  }
  raiseToNeighbours(center->elements[result], deviations);
  return deviations;
}

/// What elements near zero lose where they are taken out of a run.
constexpr double leastRounding = 2 * std::numeric_limits<double>::denorm_min();

double Samples::lastRounding(size_t result, double size) const {
  const Spacing &spacing = spacings[result];
  if (!std::isfinite(size))
    return spacing.leastNormal;
  if (areWide())
    return std::max((size + spacing.leastNormal) * powerOfTwo(-arithmetic.uniformBits),
                    leastRounding);
  return spacing.ulpAt(size) + spacing.leastNormal;
}

std::vector<double> Samples::allowances(size_t result, double factor) const {
  const Elements &at = center->elements[result];
  std::vector<double> allowed = deviations(result, /*withoutLargest=*/false);
  for (size_t i = 0; i < allowed.size(); ++i)
    allowed[i] = factor * allowed[i] + lastRounding(result, magnitude(at[i]));
  return allowed;
}

double Samples::furthest(size_t result) const {
  const Elements &at = center->elements[result];
  const std::vector<double> &largest = distances[result].largest;
  std::vector<double> others = deviations(result, /*withoutLargest=*/true);
  double furthest = 0;
  for (size_t i = 0; i < others.size(); ++i)
    if (double beyond = largest[i] - lastRounding(result, magnitude(at[i]));
        beyond > 0 && std::isfinite(beyond))
      furthest = std::max(furthest, beyond / others[i]);
  return furthest;
}

double Samples::furthestForCertain(size_t result) const {
  // Wallace (1959), from Student's distribution to the normal one.
  double degrees = static_cast<double>(numRuns) - 1, t = furthest(result);
  return (8 * degrees + 1) / (8 * degrees + 3) * std::sqrt(degrees * std::log1p(t * t / degrees));
}

} // namespace spmd
