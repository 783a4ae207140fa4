#include "spmd/ir/rules/Strategy.h"

namespace spmd {

FillValue identityOf(ReductionKind kind) {
  switch (kind) {
  case ReductionKind::sum:
  case ReductionKind::logicalOr:
  case ReductionKind::logicalXor:
    return FillValue::zero;
  case ReductionKind::product:
    return FillValue::one;
  case ReductionKind::max:
    return FillValue::lowest;
  case ReductionKind::min:
    return FillValue::highest;
  case ReductionKind::logicalAnd:
    return FillValue::allOnes;
  }
  return FillValue::anything;
}

Commuting &Commuting::pass(ReductionKind kind, Passing passing,
                           std::optional<ReductionKind> becomes) {
  entries[static_cast<int>(kind)] = {passing, becomes.value_or(kind)};
  return *this;
}

Commuting Commuting::movesElements() {
  Commuting commuting;
  for (ReductionKind kind : allReductionKinds)
    commuting.pass(kind, Passing::alone);
  return commuting;
}

Commuting Commuting::linear() { return Commuting().pass(ReductionKind::sum, Passing::alone); }

Commuting Commuting::monotone() {
  return Commuting()
      .pass(ReductionKind::max, Passing::alone)
      .pass(ReductionKind::min, Passing::alone);
}

} // namespace spmd
