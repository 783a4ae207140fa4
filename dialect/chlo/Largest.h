// The largest elements of rows, by a sort.
#pragma once

#include "spmd/dialect/chlo/Dialect.h"

namespace spmd::chlo {

/// Values, and where they stand: two tensors of one shape.
struct Ranked {
  mlir::Value values, places;
};

/// Returns the `k` largest of `rows` along the last dim, the largest first, and their places.
/// Floats have a total order, so that NaN has a place. Elements must have an order; complex ones
/// have none.
Ranked largestOf(mlir::OpBuilder &builder, mlir::Location loc, const Ranked &rows, int64_t k,
                 bool isStable);

} // namespace spmd::chlo
