// What any way to make a move must send.
#pragma once

#include "spmd/dialect/spmd/Causes.h"
#include "spmd/dialect/spmd/ValueSharding.h"

#include <map>
#include <optional>

namespace spmd {

class LeastBytes {
public:
  explicit LeastBytes(ShardingCodec &codec) : codec(codec) {}

  /// Returns the bytes that a device must send, on average, for one such move, however it is made
  /// (ir/reshard/Reshard.h). Nothing where the op moves data by itself, or where there are too many
  /// devices and blocks to look at all.
  std::optional<int64_t> of(const Cause &cause);

private:
  std::optional<int64_t> compute(const Cause &cause);

  ShardingCodec &codec;
  std::map<std::tuple<const void *, const void *, const void *>, std::optional<int64_t>> known;
};

} // namespace spmd
