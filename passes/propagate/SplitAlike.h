// Along which dim and axes to split a value that has no sharding: as what stands around it is.
//
//     %0 = stablehlo.add %a, %b      %a is split [{}, {"y"}], and nothing passes to %b
//
//     %b is split [{?}, {"y"}]: its rows are those of %a, so nothing moves
#pragma once

#include "spmd/dialect/partitioning/Partitionable.h"
#include "spmd/dialect/spmd/ValueSharding.h"

#include <functional>

namespace spmd {

/// One dim of a value, and the axes of a mesh that are to split it.
struct DimSplit {
  int32_t mesh;
  int64_t dim;
  AxisList axes;

  friend bool operator==(const DimSplit &a, const DimSplit &b) {
    return a.mesh == b.mesh && a.dim == b.dim && a.axes == b.axes;
  }
};

/// Returns the first axis, whole, that may split a dim of `size` and is not in `used`: one that
/// divides it comes before others, one with more positions than the dim has rows never. Empty if
/// there is none.
AxisList axisToSplit(const Mesh &mesh, absl::Span<const AxisRef> used, int64_t size);

/// The axes of `mesh` that are manual where `value` is: it is a part along them already.
AxisList manualAxesAt(const Mesh &mesh, mlir::Value value);

class SplitAlike {
public:
  /// Returns how a value lies; null if nothing is known.
  using Lookup = std::function<const MeshSharding *(mlir::Value)>;

  SplitAlike(const ShardingCodec &codec, Lookup lookup) : codec(codec), lookup(std::move(lookup)) {}

  /// Returns how to split `value`: as the nearest sharded value that shares a factor with it, over
  /// ops and flows, and of those equally near what it is made of before what is made of it. If
  /// there is none, along its first dim that an axis of the main mesh divides, or else fits, if
  /// possible one that nothing beside it is split along. Nothing if no axis fits.
  ///
  /// Looks at a bounded number of values.
  std::optional<DimSplit> of(mlir::Value value);

private:
  /// A value, and for each of its dims the dim of the value asked for whose rows are along it, -1
  /// if none.
  struct Tied {
    mlir::Value value;
    llvm::SmallVector<int64_t, 4> dims;
  };
  class Search;
  std::optional<DimSplit> freely(mlir::Value value, const AxisList &avoided);

  const ShardingCodec &codec;
  Lookup lookup;
  StrategyCache strategies;
};

} // namespace spmd
