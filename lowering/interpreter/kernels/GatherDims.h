// The dimension numbers that gather and scatter share.
//
//     outer tensor (gather's result, scatter's updates)
//       dims = batch dims, which run over the index tensor without its index vector dim,
//              and window dims, which run over the kept dims of a slice of the operand
//     operand dims = collapsed (or inserted) dims, batching dims, kept dims
#pragma once

#include "spmd/lowering/interpreter/Dims.h"
#include "spmd/lowering/interpreter/StridedCopy.h"
#include "spmd/lowering/interpreter/kernels/Indices.h"

namespace spmd {

/// Where each slice of an operand starts, and where it lies in the outer tensor.
struct IndexedSlices {
  /// What gather and scatter call the same attributes.
  struct Names {
    const char *windowDims;
    const char *collapsedDims;
    const char *operandBatchingDims;
    const char *indicesBatchingDims;
    const char *indexMap;
  };

  /// Checks the dimension numbers of slices of `sliceSizes`. Dims collapsed or batching have
  /// size 1.
  static absl::StatusOr<IndexedSlices> create(const TensorType &operand, const Ints &sliceSizes,
                                              const TensorType &indices,
                                              const Attributes &attributes, const Names &names,
                                              int64_t outerRank);

  /// Sets `start` to the first operand element, unclamped, of the slice for `batch`.
  void startAt(const Ints &batch, const Tensor &indices, Ints &start) const;

  /// Whether index vectors lie one after the other, and batch dims of the operand there are none:
  /// then the vector of batch element `i` starts at `i * numIndices()`.
  bool hasDenseIndices() const { return isDense; }
  int64_t numIndices() const { return indexMap.size(); }
  /// The operand dim that index `k` of a vector is for, and how to read it.
  int64_t dimOfIndex(int64_t k) const { return indexMap[k]; }
  /// Its element type, which all indices have.
  ElementType indexElement() const { return element; }

  Ints operandShape, operandStrides;
  Ints outerShape; // With the sizes that the dimension numbers ask for.
  Ints windowDims; // Of the outer tensor, ascending as the kept dims.
  Ints batchDims;  // Of the outer tensor.
  Ints batchShape; // Of the index tensor, without the index vector dim.
  Ints keptDims;   // Of the operand.

private:
  Ints indexMap;
  Ints batchIndexStrides;
  int64_t vectorStride = 1;
  std::vector<std::pair<int64_t, int64_t>> batching; // Operand dim, position in the batch.
  IndexReader reader = nullptr;
  ElementType element = ElementType::i32;
  bool isDense = false;
};

} // namespace spmd
