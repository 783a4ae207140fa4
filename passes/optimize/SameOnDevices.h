// Values that all devices have alike, as can be told from what they are made of.
#pragma once

#include "mlir/IR/Value.h"

namespace spmd {

/// Whether `value` is made of nothing but constants and what loops count from them: so it is the
/// same on all devices. Looks at a few ops behind it.
bool isSameOnDevices(mlir::Value value);

} // namespace spmd
