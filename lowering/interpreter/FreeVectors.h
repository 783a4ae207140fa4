// Vectors that are right with any factor of size 1, such as eigenvectors: which one a routine
// returns is a choice (Arithmetic.h).
#pragma once

#include "spmd/lowering/interpreter/Tensor.h"

#include "absl/types/span.h"

#include <vector>

namespace spmd {

/// Results of an instruction that are matrices of such vectors. Vector k of each takes the same
/// factor.
struct FreeVectors {
  struct Matrices {
    size_t result;
    /// The vectors are the rows, conjugated; else they are the columns.
    bool isAdjoint = false;
  };
  std::vector<Matrices> matrices;
};

/// Gives each vector of `made` the factor that brings it as near to that of `chosen` as one can.
/// The first of the matrices say which. A vector that is another all the same stays as it is:
/// eigenvalues that are equal share a space of eigenvectors.
void alignVectors(const FreeVectors &vectors, const std::vector<Tensor> &chosen,
                  absl::Span<Tensor> made);

/// Whether these factors are all near 1, so that rounding alone tells both apart.
bool areAligned(const FreeVectors &vectors, const std::vector<Tensor> &chosen,
                absl::Span<const Tensor> made);

} // namespace spmd
