// Elements that are all the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace spmd {

/// Fills `n` elements of 1, 2, 4, 8 or 16 bytes with the first.
void splat(std::byte *data, int64_t n, int64_t bytes);

/// Returns `n` elements of the bytes `element`, kept for as long as the process lives; null where
/// too many are kept already. Programs have few constants, and many read the same.
const std::byte *keptSplat(const std::string &element, int64_t n);

} // namespace spmd
