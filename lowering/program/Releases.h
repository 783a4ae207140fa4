// When values die.
#pragma once

#include "spmd/lowering/program/DeviceProgram.h"

#include "absl/types/span.h"

namespace spmd {

/// Fills `releases` of every instruction of `function` by last use.
///
/// A value is released by the instruction that reads it last, or, never read, by the one that
/// defines it. Results of the function are not released, nor are arguments but those in `released`.
/// Requires ids in range. Linear.
void planReleases(Function &function, absl::Span<const ValueId> released = {});

/// Fills `releases` of every function. Arguments of the entry are released if they are donated;
/// those of other functions always are: the caller shares them, and keeps its own hold on what it
/// still needs.
void planReleases(DeviceProgram &program);

} // namespace spmd
