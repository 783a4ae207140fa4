// Counter-based random bits: a key and a counter give a block of bits, and nothing else counts.
#pragma once

#include <array>
#include <cstdint>

namespace spmd {

using Block2 = std::array<uint32_t, 2>;
using Block4 = std::array<uint32_t, 4>;

/// Threefry-2x32 with 20 rounds. Follows Salmon et al., Parallel random numbers: as easy as 1, 2, 3
/// (SC 2011).
Block2 threefry(Block2 counter, Block2 key);

/// Philox-4x32 with 10 rounds, from the same paper.
Block4 philox(Block4 counter, Block2 key);

/// Splits into the lower and the upper half, and back.
inline Block2 halvesOf(uint64_t value) {
  return {static_cast<uint32_t>(value), static_cast<uint32_t>(value >> 32)};
}
inline uint64_t joined(uint32_t low, uint32_t high) {
  return low | static_cast<uint64_t>(high) << 32;
}

} // namespace spmd
