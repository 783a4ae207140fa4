// The mark of a module that is the program of one device already.
#pragma once

#include "llvm/ADT/StringRef.h"

namespace spmd {

/// On a module, a unit: it was partitioned elsewhere. Types are local; what its arguments and
/// results do not say is not known. With `sdy.sharding`, and without `spmd.global_type`, the global
/// shape is any that has such parts; without both, every device takes the whole of an argument, and
/// where its result lies in the whole is not known.
inline constexpr llvm::StringLiteral partitionedAttrName = "spmd.partitioned";

} // namespace spmd
