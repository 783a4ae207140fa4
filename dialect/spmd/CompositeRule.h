// What is left of a composite that became a call.
#pragma once

#include "llvm/ADT/StringRef.h"

namespace spmd {

/// On the call of a function that a composite was made of: its sharding rule, by which axes pass
/// it when propagation runs again, and not by the function, which is propagated by itself.
inline constexpr llvm::StringLiteral compositeRuleAttrName = "spmd.composite_rule";

} // namespace spmd
