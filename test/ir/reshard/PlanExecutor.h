// Runs a plan on as many blocks of integers as there are devices, and says what should come out.
//
// Element e of a tensor has a value, or where it is partial, a share per device of a group; the
// value is what the shares combine into. Everything that no one may look at is poison, and poison
// spreads.
#pragma once

#include "spmd/ir/reshard/Reshard.h"

namespace spmd::test {

inline constexpr int64_t poison = INT64_MIN + 12345;

using Block = std::vector<int64_t>;

/// Returns what each device, by id, holds of the tensor in layout `layout`.
std::vector<Block> blocksOf(const Layout &layout, absl::Span<const int64_t> globalShape);

/// Returns what each device holds after `plan`. Adds to `elementsSent` what all devices sent
/// in all; a device that keeps its own block in a permute sends nothing.
std::vector<Block> execute(const Plan &plan, std::vector<Block> blocks, int64_t &elementsSent);

/// Returns what is wrong with `blocks` as the tensor in layout `to`, if its values are those it has
/// in layout `from`; empty if nothing is.
std::string compare(const Layout &from, const Layout &to, absl::Span<const int64_t> globalShape,
                    const std::vector<Block> &blocks);

} // namespace spmd::test
