// Every way to split an op over a mesh: what a rule claims to be right, case by case.
//
//     ([i, k], [k, j]) -> ([i, j]) over <["x"=2]>      nothing; i on "x"; k on "x"; j on "x"
#pragma once

#include "spmd/ir/rules/Projection.h"
#include "spmd/ir/rules/Strategy.h"

#include <optional>

namespace spmd {

/// Returns whether there is a way to split factor `factor`, other than to move the data first. A
/// rule that a user wrote may have windows of which nobody knows how they move.
bool canSplit(const OpRule &rule, absl::Span<const WindowUse> windows, int32_t factor);

/// A dim of a result.
struct ResultDim {
  size_t result, dim;
};

/// Returns the dim of a result in which `factor` stands behind others of more than one row, so that
/// it cannot be split there alone; none if some result has it first, or no result has it.
std::optional<ResultDim> innerPlace(const OpRule &rule, int32_t factor);

/// Returns the splits of `strategy` over whole axes of `mesh`, the one without axes first: each
/// axis goes to no factor or to one, in every order where several go to the same.
///
/// Left out are splits that a tensor cannot have (a factor that shares its dim must divide), and
/// partial results of two kinds. At most (factors + axes)^axes.
std::vector<FactorAxes> allSplits(const Strategy &strategy, const Mesh &mesh);

} // namespace spmd
