#include "spmd/ir/rules/Strategy.h"

namespace spmd {

Fill identityOf(ReductionKind kind) {
  switch (kind) {
  case ReductionKind::sum:
  case ReductionKind::logicalOr:
  case ReductionKind::logicalXor:
    return Fill::zero;
  case ReductionKind::product:
    return Fill::one;
  case ReductionKind::max:
    return Fill::lowest;
  case ReductionKind::min:
    return Fill::highest;
  case ReductionKind::logicalAnd:
    return Fill::allOnes;
  }
  return Fill::anything;
}

Commuting &Commuting::pass(ReductionKind kind, Passing passing, std::optional<ReductionKind> becomes) {
  entries[static_cast<int>(kind)] = {passing, becomes.value_or(kind)};
  return *this;
}

Commuting Commuting::movesElements() {
  Commuting commuting;
  for (ReductionKind kind : allReductionKinds)
    commuting.pass(kind, Passing::alone);
  return commuting;
}

Commuting Commuting::linear() {
  return Commuting().pass(ReductionKind::sum, Passing::alone);
}

Commuting Commuting::monotone() {
  return Commuting().pass(ReductionKind::max, Passing::alone).pass(ReductionKind::min, Passing::alone);
}

} // namespace spmd
