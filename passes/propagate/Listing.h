// Which values without a sharding get a warning of their own.
//
// A program that nobody annotated has thousands of them, nearly all small: seeds, counters, masks.
// What matters are the few that are large, and one annotation mostly reaches all values of a source
// line. So values are grouped by line, and the largest groups are listed.
#pragma once

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Value.h"

#include <vector>

namespace spmd {

/// Values that are reported together: those that ops of one line of the source make.
struct ListedValues {
  std::vector<mlir::Value> values; ///< The largest first.
  int64_t bytes = 0;               ///< Of all of them, as whole tensors.
};

struct Listing {
  std::vector<ListedValues> listed;
  size_t numOthers = 0; ///< Values that get no line.
  int64_t bytesOfOthers = 0;
};

/// Returns a listing of `values`, which are in program order, in `module`: the ten largest groups,
/// of values that each take at least 0.1 % of the bytes of the arguments and results of @main. If
/// there are more than ten, the largest come first, else they are in program order. With `all`,
/// each value is a group of its own, in program order. O(n log n).
Listing listValues(mlir::ModuleOp module, const std::vector<mlir::Value> &values, bool all);

/// Returns the bytes of the whole tensor behind `value`, 0 if its shape is not known.
int64_t wholeBytes(mlir::Value value);

} // namespace spmd
