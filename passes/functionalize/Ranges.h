// Parts of tensors as ranges with strides.
#pragma once

#include "spmd/dialect/spmd/ValueSharding.h"

namespace spmd {

/// The elements `start`, `start` + `stride`, .. below `limit` of each dim.
struct Ranges {
  llvm::ArrayRef<int64_t> starts, limits, strides;
};

/// Returns whether two parts of one tensor have an element in common. Requires starts from 0 on and
/// strides above 0.
bool haveCommonElement(const Ranges &a, const Ranges &b);

/// Returns whether static slices tell that two views of one buffer have no element in common:
/// where the ways to them part, both take a slice, of other elements, and no view before shows an
/// element twice.
bool areApart(mlir::Value a, mlir::Value b);

} // namespace spmd
