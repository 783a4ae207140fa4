// Products of small float matrices.
#pragma once

#include <cstdint>

namespace spmd {

/// Sets C[m][n] to the product of A and B[k][n]; element (i, l) of A lies at `i * rowStride +
/// l * columnStride`. Each element is summed up in order, one rounded product after the other, so
/// that the result does not depend on the machine, nor on how the loops are cut. T is float or
/// double.
template <typename T>
void smallGemm(int64_t m, int64_t n, int64_t k, const T *a, int64_t rowStride, int64_t columnStride,
               const T *b, T *c);

} // namespace spmd
