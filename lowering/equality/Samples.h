// Runs whose roundings are made at random, and what they allow each element.
#pragma once

#include "spmd/lowering/equality/Distance.h"
#include "spmd/lowering/interpreter/Arithmetic.h"

#include <memory>

namespace spmd {

/// How many bits of mantissa wide runs are rounded to at random, to see how they move.
inline constexpr int wideBits = 44;

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
  size_t numRuns() const { return numRuns_; }

  /// Returns how far each element of a result may be from the center: `factor` standard deviations,
  /// and what the last rounding makes. Requires a run.
  std::vector<double> allowances(size_t result, double factor) const;

  /// How runs of this kind round.
  Arithmetic arithmetic;
  const std::shared_ptr<const RunElements> center, alsoRight;
  const std::vector<ElementType> types;

private:
  bool areWide() const { return arithmetic.rounding == Arithmetic::Rounding::uniform; }

  size_t numRuns_ = 0;
  std::vector<std::vector<double>> squares; ///< By result and element: of distances, added up.
};

} // namespace spmd
