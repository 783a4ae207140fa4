// What a value is cut into, or joined of, that lies otherwise than pieces of its shards.
#pragma once

#include "spmd/passes/weights/Bytes.h"
#include "spmd/passes/weights/DimChange.h"

namespace spmd {

/// Changes of dim `dim` that make all parts of a value: one for each slice or piece, or one that
/// writes it as several dims.
struct Parts {
  int64_t dim;
  llvm::SmallVector<DimChange, 3> changes;
  llvm::SmallVector<mlir::Value, 3> pieces = {}; ///< Of what is joined, in their order.
};

/// Returns the parts of a value that is read by slices alone, which cut it along one dim, none
/// twice, and are split along it, as the value is. They are in the order of its users.
std::optional<Parts> partsOfSlices(mlir::Value value, const Bytes &bytes);

/// Returns the parts of what is joined of values that are split along the same dim as it is.
std::optional<Parts> partsOfJoined(stablehlo::ConcatenateOp concatenate, const Bytes &bytes);

/// Likewise of a sum of pieces padded with zeros, of which each element is in one.
std::optional<Parts> partsOfPadded(stablehlo::AddOp sum, const Bytes &bytes);

/// Returns how a split dim of `joined` is written as dims of `split`, of which one is in shards
/// while one in front of it is whole: shards of the joined dim are others.
std::optional<Parts> partsOfReshape(mlir::Value joined, mlir::Value split, const Bytes &bytes);

} // namespace spmd
