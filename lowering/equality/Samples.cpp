#include "spmd/lowering/equality/Samples.h"

#include <algorithm>
#include <cmath>

namespace spmd {

/// An element that moves counts as moving by no less than this share of the median of so many
/// neighbours: what four runs give by chance is less than this for one element in five.
constexpr double shareOfMedian = 0.7;
constexpr size_t neighbours = 64;

Samples::Samples(Arithmetic arithmetic, std::shared_ptr<const RunElements> center,
                 std::shared_ptr<const RunElements> alsoRight, std::vector<ElementType> types)
    : arithmetic(arithmetic), center(std::move(center)), alsoRight(std::move(alsoRight)),
      types(std::move(types)) {
  for (const Elements &result : this->center->elements)
    squares.emplace_back(result.size());
}

void Samples::add(const RunElements &run) {
  ++numRuns_;
  for (size_t r = 0; r < squares.size(); ++r)
    for (size_t i = 0; i < squares[r].size(); ++i) {
      double apart = distance(run.elements[r][i], center->elements[r][i]);
      squares[r][i] += apart * apart;
    }
}

/// A deviation of `count` runs that is small by chance is raised to a share of the median of its
/// neighbours', as far as chance explains: fourfold for four runs, the less the more there are.
/// What does not move at all is exact, and stays so.
static void raiseToNeighbours(std::vector<double> &deviations, double count) {
  const double mostByChance = 1 + 12 / count;
  std::vector<double> moving;
  for (size_t first = 0; first < deviations.size(); first += neighbours) {
    size_t last = std::min(first + neighbours, deviations.size());
    moving.clear();
    for (size_t i = first; i < last; ++i)
      if (deviations[i] > 0 && std::isfinite(deviations[i]))
        moving.push_back(deviations[i]);
    if (moving.empty())
      continue;
    auto middle = moving.begin() + static_cast<int64_t>(moving.size() / 2);
    std::nth_element(moving.begin(), middle, moving.end());
    for (size_t i = first; i < last; ++i)
      deviations[i] =
          std::max(deviations[i], std::min(shareOfMedian * *middle, mostByChance * deviations[i]));
  }
}

std::vector<double> Samples::allowances(size_t result, double factor) const {
  const Elements &at = center->elements[result];
  std::vector<double> allowed = squares[result];
  double count = static_cast<double>(numRuns_) + (alsoRight ? 1 : 0);
  for (size_t i = 0; i < allowed.size(); ++i) {
    double apart = alsoRight ? distance(alsoRight->elements[result][i], at[i]) : 0;
    allowed[i] = std::sqrt((allowed[i] + apart * apart) / count);
  }
  raiseToNeighbours(allowed, count);
  Spacing spacing = spacingOf(types[result]);
  for (size_t i = 0; i < allowed.size(); ++i) {
    double size = std::abs(at[i]);
    double lastRounding =
        areWide() ? std::ldexp(size, -wideBits) + std::ldexp(spacing.leastNormal, -wideBits)
                  : spacing.ulpAt(size) + spacing.leastNormal;
    allowed[i] = factor * allowed[i] + lastRounding;
  }
  return allowed;
}

} // namespace spmd
