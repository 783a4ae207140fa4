// Dims that are products of others, part by part.
#pragma once

#include "spmd/dialect/stablehlo/Dialect.h"

#include "llvm/ADT/SmallVector.h"

namespace spmd {

using Ints = llvm::SmallVector<int64_t, 4>;

/// A dim, and the sizes of the dims that it is a product of, major first; of one that is no
/// product, its own.
struct DimParts {
  Ints sizes;
  unsigned group = 0; ///< Of products that meet, where it is one.

  bool isProduct() const { return sizes.size() > 1; }
  int64_t size() const;
};
using Dims = llvm::SmallVector<DimParts, 4>;

bool hasProduct(const Dims &dims);

/// Whether all dims have the same parts.
bool areAlike(const Dims &one, const Dims &other);

/// Returns dims that are no products.
Dims plainDims(llvm::ArrayRef<int64_t> sizes);

/// Returns the sizes of all parts.
Ints flat(const Dims &dims);

/// Returns the place of the first part of each dim, where all parts are dims.
Ints places(const Dims &dims);

/// Appends to `out` the dims that the parts of dim `d` become.
void appendPlaces(Ints &out, const Dims &dims, const Ints &first, int64_t d);

/// Returns the parts of dims of sizes `to` where the elements come from dims `from`, in the same
/// order.
Dims reshapedDims(llvm::ArrayRef<int64_t> from, llvm::ArrayRef<int64_t> to);

/// The elements that a dim steps over, in an order of all: `begin` to its next, `end` to the next
/// of the dim in front of it, counted from the last dim.
struct Range {
  int64_t begin, end;

  bool operator==(const Range &other) const { return begin == other.begin && end == other.end; }
  bool overlaps(const Range &other) const { return begin < other.end && other.begin < end; }
};

/// Returns the range of each dim.
llvm::SmallVector<Range, 4> rangesOf(const Dims &dims);

inline mlir::RankedTensorType typeOf(mlir::Value value) {
  return llvm::cast<mlir::RankedTensorType>(value.getType());
}

} // namespace spmd
