#include "spmd/dialect/chlo/RaggedDims.h"

namespace spmd::chlo {

using Dims = llvm::ArrayRef<int64_t>;

/// Returns the dims below `rank` that are in none of `lists`.
static llvm::SmallVector<int64_t, 4> otherDims(int64_t rank, llvm::ArrayRef<Dims> lists) {
  llvm::SmallVector<int64_t, 4> others;
  for (int64_t dim = 0; dim < rank; ++dim)
    if (llvm::none_of(lists, [&](Dims list) { return llvm::is_contained(list, dim); }))
      others.push_back(dim);
  return others;
}

RaggedDims::RaggedDims(RaggedDotOp op) {
  RaggedDotDimensionNumbersAttr numbers = op.getRaggedDotDimensionNumbers();
  Dims batching = numbers.getLhsBatchingDimensions(),
       contracting = numbers.getLhsContractingDimensions();
  auto rankOf = [](mlir::Value value) {
    return llvm::cast<mlir::RankedTensorType>(value.getType()).getRank();
  };
  ragged = numbers.getLhsRaggedDimensions().front();
  if (!numbers.getRhsGroupDimensions().empty())
    group = numbers.getRhsGroupDimensions().front();
  lhsFree = otherDims(rankOf(op.getLhs()), {batching, contracting});
  rhsFree = otherDims(rankOf(op.getRhs()),
                      {numbers.getRhsBatchingDimensions(), numbers.getRhsContractingDimensions(),
                       numbers.getRhsGroupDimensions()});
  mode = llvm::is_contained(batching, ragged)      ? Mode::batching
         : llvm::is_contained(contracting, ragged) ? Mode::contracting
                                                   : Mode::free;
  // Sizes vary over the batching dims, and over what stands before the ragged dim in its own list.
  Dims own = mode == Mode::batching ? batching : mode == Mode::contracting ? contracting : lhsFree;
  if (mode != Mode::batching)
    prefix.append(batching.begin(), batching.end());
  prefix.append(own.begin(), llvm::find(own, ragged));
}

llvm::StringRef RaggedDims::modeName() const {
  switch (mode) {
  case Mode::free:
    return "free";
  case Mode::contracting:
    return "contracting";
  case Mode::batching:
    return "batching";
  }
  return "";
}

} // namespace spmd::chlo
