// Words for what keeps axes from going on.
#pragma once

#include "spmd/dialect/spmd/WrittenNames.h"
#include "spmd/ir/explain/Stops.h"
#include "spmd/passes/explain/Places.h"

namespace spmd {

/// Returns "closed", "used" and so on.
const char *obstacleName(StepObstacle obstacle);

/// Returns what a factor of a kind other than pass is to both dims: "summed over".
const char *factorText(FactorKind kind);

/// Returns what lets nothing through where a factor of `kind` is blocked.
const char *blockedText(FactorKind kind);

/// Returns ops without a sharding rule that make or use one of `values`, the nearest first, at most
/// `most`.
std::vector<mlir::Operation *> opsWithoutRule(Places &places, llvm::ArrayRef<int32_t> values,
                                              size_t most);

} // namespace spmd
