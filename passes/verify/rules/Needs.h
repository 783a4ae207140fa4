// Whether devices could know their parts of an op's results, whatever they ran.
//
// A rule says that a device makes its part of the results of what it holds. Some ops cannot be on
// shards as they are: how much a slice takes is an attribute. Of these it is asked whether the part
// stays the same when all is changed that the device does not hold. Where devices make shares of a
// sum, it is asked of what all of them hold together, and whether what each holds alone counts for
// itself: a product of what two devices hold is no sum of what they make.
#pragma once

#include "spmd/passes/verify/rules/Runner.h"

namespace spmd {

/// Returns where a device needs more than it holds when the op is so placed, in words; empty if
/// none does. `whole` is how the op ran on one device; operands in `given` always are as they were
/// there.
///
/// Unimplemented if results are shares of something else than a sum of numbers.
absl::StatusOr<std::string> whatDevicesLack(const PlacedOp &placed, const RunOutcome &whole,
                                            const KernelRegistry &kernels,
                                            absl::Span<const Tensor> given);

} // namespace spmd
