//===- VerifyParts.h - checks of the parts of an instruction ----*- C++ -*-===//
//
// Each returns the first finding, in words that continue the name of an instruction, or nothing.
//
//===----------------------------------------------------------------------===//

#ifndef SPMD_IR_HLO_VERIFYPARTS_H
#define SPMD_IR_HLO_VERIFYPARTS_H

#include "spmd/ir/hlo/hlo.pb.h"

#include <optional>
#include <string>
#include <vector>

namespace spmd::hlo {

using Finding = std::optional<std::string>;

/// No mesh has more devices; what says so would only exhaust the memory.
constexpr int64_t mostDevices = int64_t(1) << 24;

/// Types are known, sizes fit 64 bits when multiplied, layouts permute the dims.
Finding checkShape(const ShapeProto &shape);

/// The literal is of `shape`, and holds as many elements or none.
Finding checkLiteral(const LiteralProto &literal, const ShapeProto &shape);

/// Tiles and devices are as many, dims are as many as the shape has, leaves as many as a tuple has.
Finding checkSharding(const OpSharding &sharding, const ShapeProto &shape);

/// No group names a device twice or one below 0.
Finding checkGroups(const HloInstructionProto &instruction);

/// The dims that the attributes name exist. `operands` are the shapes of the operands.
Finding checkAttributes(const HloInstructionProto &instruction,
                        const std::vector<const ShapeProto *> &operands);

/// Returns the part of a shape at an index into its tuples, or null.
template <typename Index> const ShapeProto *findPart(const ShapeProto &shape, const Index &index) {
  const ShapeProto *part = &shape;
  for (int64_t i : index) {
    if (i < 0 || i >= part->tuple_shapes_size())
      return nullptr;
    part = &part->tuple_shapes(static_cast<int>(i));
  }
  return part;
}

} // namespace spmd::hlo

#endif
