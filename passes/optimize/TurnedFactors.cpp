#include "spmd/passes/optimize/TurnedFactors.h"

#include "llvm/ADT/STLExtras.h"

namespace spmd {

using namespace stablehlo;

using Dims = llvm::SmallVector<int64_t, 4>;

static Dims before(llvm::ArrayRef<int64_t> dims, llvm::ArrayRef<int64_t> permutation) {
  return llvm::map_to_vector<4>(dims, [&](int64_t dim) { return permutation[dim]; });
}

/// Whether the dims that the result keeps of an operand stand in one order in it and in what it is
/// the transpose of.
static bool keepsOrder(llvm::ArrayRef<int64_t> batching, llvm::ArrayRef<int64_t> contracting,
                       llvm::ArrayRef<int64_t> permutation) {
  int64_t last = -1;
  for (auto [dim, place] : llvm::enumerate(permutation)) {
    if (llvm::is_contained(batching, dim) || llvm::is_contained(contracting, dim))
      continue;
    if (place < last)
      return false;
    last = place;
  }
  return true;
}

static bool canReadUnturned(mlir::OpOperand &use, llvm::ArrayRef<int64_t> permutation) {
  auto dot = llvm::dyn_cast<DotGeneralOp>(use.getOwner());
  if (!dot)
    return false;
  DotDimensionNumbersAttr dims = dot.getDotDimensionNumbers();
  return use.getOperandNumber() == 0 ? keepsOrder(dims.getLhsBatchingDimensions(),
                                                  dims.getLhsContractingDimensions(), permutation)
                                     : keepsOrder(dims.getRhsBatchingDimensions(),
                                                  dims.getRhsContractingDimensions(), permutation);
}

bool canReadUnturned(mlir::Value value, llvm::ArrayRef<int64_t> permutation) {
  return llvm::all_of(value.getUses(),
                      [&](mlir::OpOperand &use) { return canReadUnturned(use, permutation); });
}

void readUnturned(TransposeOp transpose) {
  llvm::ArrayRef<int64_t> permutation = transpose.getPermutation();
  if (!canReadUnturned(transpose.getResult(), permutation))
    return;
  for (mlir::OpOperand &use : llvm::make_early_inc_range(transpose->getUses())) {
    auto dot = llvm::cast<DotGeneralOp>(use.getOwner());
    DotDimensionNumbersAttr dims = dot.getDotDimensionNumbers();
    auto placed = [&](llvm::ArrayRef<int64_t> ofOperand, unsigned operand) {
      return operand == use.getOperandNumber() ? before(ofOperand, permutation) : Dims(ofOperand);
    };
    dot.setDotDimensionNumbersAttr(DotDimensionNumbersAttr::get(
        dot.getContext(), placed(dims.getLhsBatchingDimensions(), 0),
        placed(dims.getRhsBatchingDimensions(), 1), placed(dims.getLhsContractingDimensions(), 0),
        placed(dims.getRhsContractingDimensions(), 1)));
    use.set(transpose.getOperand());
  }
  transpose->erase();
}

} // namespace spmd
