// The search: delta debugging over a numbered list of things.
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"

#include <cstddef>
#include <optional>

namespace spmd {

/// Tries to do without things [begin, end) of the list as it is now. Returns how many things there
/// are then, or nothing if that is not interesting, and the list as it was.
using TryWithout = llvm::function_ref<std::optional<size_t>(size_t begin, size_t end)>;

/// Removes what can be removed of `count` things: runs of `largestRun` at once, then of half as
/// many, down to single ones. Each size goes from the last thing to the first, since in a program
/// uses come after what they use. Returns whether anything went.
///
/// Where only few things matter, the number of tries grows with the logarithm of `count`; it is at
/// most twice `count` where all of them do. Deterministic.
bool minimize(size_t count, size_t largestRun, TryWithout tryWithout);

} // namespace spmd
