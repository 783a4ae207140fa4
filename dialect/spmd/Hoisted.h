// What has left a loop already, handed from the reshard stage to the optimizer, which goes on.
#pragma once

#include "llvm/ADT/StringRef.h"

namespace spmd {

/// On a loop in which moves stayed that exceeded `hoist`: the bytes of a device by which those that
/// stand before it, and before the loops around it, make values larger.
inline constexpr llvm::StringLiteral hoistedName = "spmd.hoisted";

} // namespace spmd
