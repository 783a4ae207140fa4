// Matrix products, and the element types they are computed in.
#pragma once

#include "spmd/lowering/interpreter/TileProgram.h"

namespace spmd {

/// Sets C[m][n] to the product of A[m][k], or A[k][m] if `transposeA`, and B[k][n], or B[n][k] if
/// `transposeB`. All dense; C is overwritten. Unavailable if that takes a library that is not
/// there.
using GemmFunction = absl::Status (*)(bool transposeA, bool transposeB, int64_t m, int64_t n,
                                      int64_t k, const void *a, const void *b, void *c);

/// A product of elements of two types, summed up in a third.
struct ProductTypes {
  /// The type in which products are computed: float for all floats up to 32 bits, and for integers
  /// that it sums up exactly, as a wider float may; else the result's.
  ElementType compute;
  GemmFunction gemm;
  /// Elementwise, from the operands to `compute` and from there to the result; absent where equal.
  std::shared_ptr<const TileProgram> fromLhs, fromRhs, toResult;

  /// For sums of at most `numProducts` products.
  static absl::StatusOr<ProductTypes> create(const KernelRequest &request, int64_t numProducts);
};

/// Applies a conversion to `n` elements.
void convertElements(const TileProgram &conversion, int64_t n, const void *in, void *out);

} // namespace spmd
