// reduce_window with windows as long as the dim: cumulative sums, products and so on.
#pragma once

#include "spmd/lowering/interpreter/Combiner.h"
#include "spmd/lowering/interpreter/Dims.h"

#include <optional>

namespace spmd {

/// Windows that hold everything up to an element, or from it on: each result is the one before and
/// one element more, which takes n steps and not n * n.
class CumulativeWindow {
public:
  /// Returns nothing if the windows over tensors of `shape` are others, or if results are not those
  /// of the windows bit by bit, or by an op of which any order will do.
  static std::optional<CumulativeWindow> recognise(const Attributes &attributes, const Ints &shape,
                                                   const Combiner &combiner);

  /// Whether the initial values stay what they are when combined with themselves, as the padding
  /// is: required to run.
  absl::StatusOr<bool> canRun(const KernelCall &call, const Combiner &combiner) const;
  absl::Status run(const KernelCall &call, const Combiner &combiner) const;

private:
  Ints order;   ///< Of dims, the cumulated one first.
  Ints shape;   ///< In that order.
  Ints strides; ///< Likewise, of the operands.
  bool isReversed = false;
};

} // namespace spmd
