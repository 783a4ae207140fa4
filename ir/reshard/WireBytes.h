// What a collective costs one device in bytes.
#pragma once

#include <cstdint>
#include <string_view>

namespace spmd {

/// What one device sends, by the bandwidth-optimal algorithm on a group of `groupSize`, for a
/// collective of `kind` ("all_gather"), given the bytes of its operands and results: (g-1)/g of the
/// result for an all-gather, (g-1)/g of the operand for a reduce-scatter or an all-to-all, 2(g-1)/g
/// for an all-reduce; all of it for a permute (0 if `sendsNothing`), a broadcast, a reduce to one.
inline int64_t wireBytes(std::string_view kind, int64_t operandBytes, int64_t resultBytes,
                         int64_t groupSize, bool sendsNothing = false) {
  if (kind == "collective_permute")
    return sendsNothing ? 0 : operandBytes;
  if (kind == "collective_broadcast" || kind == "collective_reduce")
    return operandBytes;
  int64_t all = kind == "all_gather"   ? resultBytes
                : kind == "all_reduce" ? 2 * operandBytes
                                       : operandBytes;
  return all - (all + groupSize - 1) / groupSize; // As all * (groupSize - 1) / groupSize is.
}

} // namespace spmd
