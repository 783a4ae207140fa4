// A function of scalars that an instruction applies to elements: a reducer, a comparator, a map.
#pragma once

#include "spmd/lowering/interpreter/TileProgram.h"

namespace spmd {

struct PreparedProgram;

/// Runs tile by tile where all of the function is elementwise; else as a program of its own,
/// element by element, which any function can.
class Body {
public:
  /// Prepares function number `function` of `program`; its arguments and results are scalars.
  /// InvalidArgument, naming the op, if it cannot be run.
  static absl::StatusOr<Body> create(const DeviceProgram &program, int32_t function,
                                     const KernelRegistry &registry);

  /// Computes `n` results from `n` elements of each argument, or one where `isScalar`. An output
  /// may be an input where `reuse` says so.
  absl::Status run(int64_t n, absl::Span<const void *const> inputs,
                   const std::vector<bool> &isScalar, absl::Span<void *const> outputs) const;

  /// Returns per result the arguments it may overwrite, see TileProgram.
  std::vector<std::vector<int>> reuse(const std::vector<bool> &isScalar) const;

private:
  absl::Status runAlone(int64_t n, absl::Span<const void *const> inputs,
                        const std::vector<bool> &isScalar, absl::Span<void *const> outputs) const;

  TileProgram tiles;
  std::shared_ptr<const PreparedProgram> alone; ///< Where it is not elementwise.
  std::vector<TensorType> arguments, results;
};

} // namespace spmd
