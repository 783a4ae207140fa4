// Ops that are said in terms of others: the deprecated ones, batch normalization and rotations.
#pragma once

#include "spmd/lowering/compile/Emitter.h"

#include "absl/status/statusor.h"

namespace spmd {

/// Returns whether `op` has no kernel, but an expansion.
bool isExpanded(const std::string &op);

/// Appends the instructions that compute what `instruction` says, with results of types `results`,
/// and returns those. InvalidArgument if its attributes do not fit. Requires isExpanded.
absl::StatusOr<std::vector<ValueId>> expand(Emitter &emit, const Instruction &instruction,
                                            const std::vector<TensorType> &results);

} // namespace spmd
