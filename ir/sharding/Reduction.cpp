#include "spmd/ir/sharding/Reduction.h"

namespace spmd {

const char *nameOf(ReductionKind kind) {
  constexpr const char *names[] = {"sum", "max", "min", "product", "and", "or", "xor"};
  return names[static_cast<int>(kind)];
}

std::optional<ReductionKind> reductionNamed(std::string_view name) {
  for (ReductionKind kind : allReductionKinds)
    if (nameOf(kind) == name)
      return kind;
  return std::nullopt;
}

} // namespace spmd
