// Bodies that combine two values into one: those of reductions, scatters and collectives.
#pragma once

#include "spmd/lowering/interpreter/Body.h"

namespace spmd {

/// A body over N accumulators and N values, applied to runs of elements.
class Combiner {
public:
  /// Prepares function number `body`, whose arguments and results are scalars of types `elements`:
  /// first all accumulators, then all values. InvalidArgument otherwise.
  static absl::StatusOr<Combiner> create(const DeviceProgram &program, int32_t body,
                                         absl::Span<const ElementType> elements,
                                         const KernelRegistry &registry);

  /// Sets accumulators[i][k] to the body's result i of all accumulators and values at k, for k < n.
  absl::Status combine(int64_t n, absl::Span<void *const> accumulators,
                       absl::Span<const void *const> values) const;

  /// If the body is one associative and commutative op on one element type: the loop of that op, in
  /// native types. Else null.
  StepFunction single() const { return singleStep; }

private:
  Body body;
  std::vector<ElementType> elements;
  std::vector<bool> noneIsScalar;
  bool inPlace = false;
  StepFunction singleStep = nullptr;
};

} // namespace spmd
