#include "spmd/passes/verify/rules/PartialPlacements.h"

#include "spmd/dialect/partitioning/Partitionable.h"

namespace spmd {

/// Whether elements of `type` are reduced by `kind`. A type without a zero has no sum of nothing.
static bool hasReduction(mlir::Type type, ReductionKind kind) {
  if (llvm::isa<mlir::Float8E8M0FNUType>(type))
    return false;
  switch (kind) {
  case ReductionKind::sum:
  case ReductionKind::product:
    return !type.isInteger(1) && (llvm::isa<mlir::FloatType, mlir::ComplexType>(type) ||
                                  llvm::isa<mlir::IntegerType>(type));
  case ReductionKind::max:
  case ReductionKind::min:
    return !type.isInteger(1) && llvm::isa<mlir::FloatType, mlir::IntegerType>(type);
  case ReductionKind::logicalAnd:
  case ReductionKind::logicalOr:
  case ReductionKind::logicalXor:
    return llvm::isa<mlir::IntegerType>(type);
  }
  return false;
}

std::vector<PartialOperands> partialPlacements(mlir::Operation *op, const Strategy &strategy) {
  std::vector<PartialOperands> placements;
  if (op->getNumResults() != 1)
    return placements; // Nothing passes such an op.
  for (ReductionKind kind : allReductionKinds) {
    PartialOperands jointly{{}, kind};
    for (size_t i = 0; i < strategy.commuting.size(); ++i) {
      Passing passing = strategy.commuting[i][kind].passing;
      mlir::RankedTensorType type = tensorTypeOf(op->getOperand(i));
      if (passing == Passing::no || !type || !hasReduction(type.getElementType(), kind))
        continue;
      if (passing == Passing::jointly)
        jointly.operands.push_back(i);
      else
        placements.push_back({{static_cast<unsigned>(i)}, kind});
    }
    if (!jointly.operands.empty())
      placements.push_back(std::move(jointly));
  }
  return placements;
}

} // namespace spmd
