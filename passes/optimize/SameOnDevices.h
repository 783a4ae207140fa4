// Values that all devices have alike, as can be told from what they are made of.
#pragma once

#include "mlir/IR/Value.h"

namespace spmd {

/// Whether `value` is made of nothing but constants and what loops count from them: so it is the
/// same on all devices. False if that takes more than so many values; a counter takes few.
bool isSameOnDevices(mlir::Value value, size_t mostValues = 32);

} // namespace spmd
