// Results compared by the tolerances of the command line.
#pragma once

#include "spmd/tools/spmd-run/Session.h"

namespace spmd {

/// Returns the relative and the absolute tolerance for result number `index` of `count`; 0 for one
/// that is not given. InvalidArgument if there is another number of tolerances than one or `count`.
absl::StatusOr<std::pair<double, double>> tolerancesOf(const RunSettings &settings, size_t index,
                                                       size_t count);

/// Compares each of `given` with the one of `wanted`: an element is right if it is within
/// atol + rtol * |wanted|. Integers must be the same. Empty tensors are left out. InvalidArgument
/// as for `tolerancesOf`, or if a type differs.
absl::StatusOr<JudgeReport> compareByTolerance(const RunSettings &settings,
                                               absl::Span<const Tensor> given,
                                               absl::Span<const Tensor> wanted);

} // namespace spmd
