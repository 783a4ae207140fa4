// Splits that ops have already, remembered.
#pragma once

#include "spmd/ir/rules/Split.h"

#include "absl/container/flat_hash_map.h"

#include <memory>

namespace spmd {

/// Finds the split of an op whose tensors lie as one has them (see splitOf), for all ops alike
/// once. Strategies and shardings are told apart by where they lie, so they must outlive the cache.
class SplitCache {
public:
  /// Returns the first of `strategies` that the shardings around the op fit, with its split; null
  /// if there is none. One that has a way to split all that is split comes before others, above all
  /// if no device then reads rows of another. Operands come first; a null sharding stands for what
  /// is no tensor.
  const Split *lookup(const Strategies &strategies, absl::Span<const Sharding *const> around);

private:
  std::vector<const void *> key;
  absl::flat_hash_map<std::vector<const void *>, std::unique_ptr<const Split>> splits;
};

} // namespace spmd
