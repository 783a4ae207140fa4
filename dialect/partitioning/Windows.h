// Dims that ops read through windows: their factors, and what devices read of each other.
#pragma once

#include "spmd/dialect/partitioning/algorithms/Halo.h"

namespace spmd {

/// A dim of an operand that is read through a window.
struct WindowedOperand {
  unsigned operand;
  int64_t dim;
  Window window;
};

/// Adds the factor of dim `resultDim` of all results of `op` that have dims, which is read from
/// `operands`: of kind pass where the dims are the result's as they are, else of kind window. A dim
/// of no rows, or that reads none, has no factor. Where devices would have little of what they
/// read, propagation does not carry axes along it.
void addWindowed(RuleBuilder &builder, Strategy &strategy, mlir::Operation *op,
                 llvm::ArrayRef<WindowedOperand> operands, int64_t resultDim);

/// A dim of an operand that is read through a window along a factor that is split.
struct SplitWindow {
  unsigned operand;
  int64_t dim;
  absl::Span<const AxisRef> axes;
  WindowedDim windowed;
};

/// Returns the windows of the op's strategy whose factors are split, in order.
llvm::SmallVector<SplitWindow> splitWindows(const Localizer &localizer);

/// Makes the operands of the op that are read through windows along split factors what the windows
/// read, and calls `adapt` for the dim of each operand with how the window moves over it.
///
/// `fillOf` gives for an operand the scalar that stands where it has no rows; without it these
/// places may hold anything. Dims in `except` are left alone.
void readSplitWindows(Localizer &localizer, llvm::function_ref<mlir::Value(unsigned)> fillOf,
                      llvm::function_ref<void(int64_t, const WindowRead &)> adapt,
                      llvm::ArrayRef<int64_t> except = {});

} // namespace spmd
