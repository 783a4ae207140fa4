// Runs whose roundings are made at random, and what they allow each element.
#pragma once

#include "spmd/lowering/equality/Distance.h"
#include "spmd/lowering/interpreter/Arithmetic.h"
#include "spmd/lowering/interpreter/Tensor.h"

#include <memory>

namespace spmd {

/// One run: the elements of each result.
struct RunElements {
  std::vector<Tensor> results; ///< Empty where a result has parts alone.
  std::vector<Elements> elements;
};

/// Estimates how far each element of each result moves by rounding. Derived in docs/equality.md.
class Samples {
public:
  /// Distances are measured from `center`. `alsoRight` counts as a run, too, unless it is null.
  /// `types` are those of the results.
  Samples(Arithmetic arithmetic, std::shared_ptr<const RunElements> center,
          std::shared_ptr<const RunElements> alsoRight, std::vector<ElementType> types);

  void add(const RunElements &run);
  /// The number of runs that were added.
  size_t numRandomRuns() const { return numRuns - (alsoRight ? 1 : 0); }

  /// Returns how far each element of a result may be from the center: `factor` standard deviations,
  /// and what the last rounding makes. Requires a run.
  std::vector<double> allowances(size_t result, double factor) const;

  /// Whether any run has moved the element.
  bool moves(size_t result, size_t i) const { return distances[result].largest[i] > 0; }

  /// Returns how many standard deviations, estimated from the other runs, the furthest element of
  /// any run is from the center, its last rounding apart. Requires two runs.
  double furthest(size_t result) const;

  /// Returns the same as a number of known standard deviations that is as unlikely: estimates from
  /// few runs are often too small, so that elements are far off without being unusual.
  double furthestForCertain(size_t result) const;

  /// How runs of this kind round.
  Arithmetic arithmetic;
  const std::shared_ptr<const RunElements> center, alsoRight;
  const std::vector<ElementType> types;

private:
  struct Distances {
    std::vector<double> squares; ///< Of each element: added up over all runs.
    std::vector<double> largest; ///< Of each element.
  };
  std::vector<double> deviations(size_t result, bool withoutLargest) const;
  double lastRounding(size_t result, double size) const;
  bool areWide() const { return arithmetic.rounding == Arithmetic::Rounding::uniform; }

  size_t numRuns = 0; ///< With `alsoRight`.
  std::vector<Spacing> spacings;
  std::vector<Distances> distances; ///< By result.
};

} // namespace spmd
