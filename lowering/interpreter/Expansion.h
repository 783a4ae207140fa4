// Tensors that are broadcast along dims of a larger one, piece by piece and never as a whole.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace spmd {

/// What element of a small tensor stands at each place of a large one.
class Expansion {
public:
  Expansion() = default;
  /// Element (i, j, ..) of a tensor of `shape` is element `i * strides[0] + j * strides[1] + ..` of
  /// the small one.
  Expansion(const std::vector<int64_t> &shape, const std::vector<int64_t> &strides);

  /// Returns elements `begin` .. `begin + count` of the large tensor, of `bytes` each: in `into`,
  /// or where they lie in `small`.
  const std::byte *elements(int64_t begin, int64_t count, int64_t bytes, const std::byte *small,
                            std::byte *into) const;

private:
  struct Dim {
    int64_t size, stride;
  };
  std::vector<Dim> outer; ///< The innermost first.
  Dim inner = {1, 0};
};

} // namespace spmd
