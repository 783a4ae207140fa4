// Whether results are what they should be, as closely as rounding lets them be compared.
#pragma once

#include "spmd/lowering/interpreter/Compare.h"
#include "spmd/lowering/program/Exactness.h"
#include "spmd/tools/spmd-run/Rounding.h"
#include "spmd/tools/spmd-run/Session.h"

#include <functional>
#include <map>
#include <optional>

namespace spmd {

/// What a run gave: whole results, and where some cannot be joined, what each device holds of all.
struct RunResults {
  std::vector<Tensor> joined;
  std::vector<std::vector<Tensor>> local; ///< By device; empty if all are joined.
};

/// Compares by the tolerances of the command line. Without any, a result that differs by more than
/// its type allows may be nothing but rounding errors, of which another run tells.
class Judge {
public:
  /// The program that tells how exact results can be, and a run of it.
  struct Reference {
    const DeviceProgram &program;
    const std::vector<Tensor> &arguments, &results;
    /// Returns the results on other arguments; nothing if these cannot be had.
    std::function<std::vector<Tensor>(const std::vector<Tensor> &)> rerun;
  };

  /// Judges results of a program with such boundaries. All that is given must outlive the judge.
  Judge(const RunSettings &settings, absl::Span<const Boundary> boundaries, Reference reference,
        RunReport &report);

  /// Compares all results and writes into the report what differs from `with`. Errors: tolerances
  /// of another count, results whose types are not those of `wanted`.
  absl::Status compareAll(const RunResults &actual, const std::vector<Tensor> &wanted,
                          const char *with);

private:
  absl::StatusOr<Comparison> compareResult(size_t i, const RunResults &actual, const Tensor &wanted,
                                           double rtol, double atol) const;
  absl::StatusOr<Comparison> compareRounded(size_t i, const RunResults &actual,
                                            const Tensor &wanted, const Comparison &strict,
                                            double rtol);
  absl::StatusOr<Comparison> compareElements(size_t i, const Tensor &joined, const Tensor &wanted,
                                             const Comparison &strict, double rtol, double atol);

  /// What runs on arguments that are rounded otherwise gave.
  struct Nudges {
    explicit Nudges(const std::vector<Tensor> &results) : spread(results) {}

    RoundingSpread spread;
    unsigned numRuns = 0;
  };

  bool nudgeAgain(Nudges &nudged, ElementType coarsest);
  std::vector<double> measureNoise() const;

  const RunSettings &settings;
  absl::Span<const Boundary> boundaries;
  Reference reference;
  RunReport &report;
  std::vector<Exactness> exactness;         ///< Of each result.
  std::optional<std::vector<double>> noise; ///< What rounding makes of each result.
  std::map<ElementType, Nudges> nudges;     ///< By the type that they are as exact as.
};

} // namespace spmd
