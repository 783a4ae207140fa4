// What values weigh on a device, to tell what is cheaper to move.
#pragma once

#include "spmd/dialect/spmd/ValueSharding.h"

namespace spmd {

/// Weighs values of static shapes, in bytes.
class Bytes {
public:
  explicit Bytes(ShardingCodec &codec) : codec(codec) {}

  /// Returns how `value` lies, or null if it has no sharding.
  const MeshSharding *layoutOf(mlir::Value value) const {
    ValueSharding sharding = shardingOf(value);
    return sharding ? codec.decode(sharding.attr) : nullptr;
  }
  /// Of what a device has of `value`, which has a sharding.
  double onDevice(mlir::Value value) const {
    return inShards(value, layoutOf(value)->sharding.dims);
  }
  /// Of what it has with no dim but `dim` split: what splits others may be gathered before.
  double alongDim(mlir::Value value, int64_t dim) const {
    return inShards(value, llvm::ArrayRef(layoutOf(value)->sharding.dims).slice(dim, 1));
  }

private:
  static double inShards(mlir::Value value, llvm::ArrayRef<DimSharding> dims) {
    auto type = llvm::cast<mlir::RankedTensorType>(value.getType());
    double bytes =
        static_cast<double>(type.getNumElements()) * elementBits(type.getElementType()) / 8;
    for (const DimSharding &dim : dims)
      bytes /= static_cast<double>(numShards(dim));
    return bytes;
  }

  ShardingCodec &codec;
};

} // namespace spmd
