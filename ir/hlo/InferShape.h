// The shapes that instructions have without saying so.
#pragma once

#include "spmd/ir/hlo/Hlo.h"

#include "absl/status/statusor.h"
#include "absl/types/span.h"

namespace spmd::hlo {

/// Returns the shape of the result of `instruction`, without a layout, from the shapes of its
/// `operands` and of the results of the computations that it `calls`. Follows XLA's shape
/// inference.
///
/// InvalidArgument if the opcode does not imply a shape (`reshape`, `broadcast`, `convert` ..), or
/// if operands and attributes do not fit together.
absl::StatusOr<ShapeProto> inferShape(const HloInstructionProto &instruction,
                                      absl::Span<const ShapeProto *const> operands,
                                      absl::Span<const ShapeProto *const> called);

} // namespace spmd::hlo
