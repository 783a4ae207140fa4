// What loops hand on as it is, and who reads of it where other values say.
//
//     while(%w = %a, %s = %b) { .. dot %x, %w .. dynamic_slice %s, %i .. return %w, %s }
#pragma once

#include "spmd/dialect/partitioning/Partitionable.h"
#include "spmd/dialect/spmd/DataFlow.h"

namespace spmd {

/// Whether each turn of `loop` hands on what it got in `flow`, one of its own.
bool isHandedOn(DataFlow loop, const Flow &flow);

/// Whether an op with this rule reads a part of an operand, along some dim, where values say.
bool readsByIndex(const OpRule &rule, unsigned operand);

} // namespace spmd
