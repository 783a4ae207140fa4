#include "spmd/lowering/interpreter/kernels/GatherDims.h"

namespace spmd {

absl::StatusOr<IndexedSlices>
IndexedSlices::create(const TensorType &operand, const Ints &sliceSizes, const TensorType &indices,
                      const Attributes &attributes, const Names &names, int64_t outerRank) {
  IndexedSlices out;
  int64_t rank = operand.rank(), indexRank = indices.rank();
  out.operandShape = operand.shape;
  out.operandStrides = rowMajorStrides(operand.shape);
  SPMD_ASSIGN_OR_RETURN(out.windowDims, dimsOf(attributes, names.windowDims, outerRank));
  SPMD_ASSIGN_OR_RETURN(Ints dropped, dimsOf(attributes, names.collapsedDims, rank));
  SPMD_ASSIGN_OR_RETURN(Ints operandBatching, dimsOf(attributes, names.operandBatchingDims, rank));
  SPMD_ASSIGN_OR_RETURN(Ints indicesBatching,
                        dimsOf(attributes, names.indicesBatchingDims, indexRank));
  SPMD_ASSIGN_OR_RETURN(out.indexMap, dimsOf(attributes, names.indexMap, rank));
  SPMD_ASSIGN_OR_RETURN(int64_t vectorDim, attributes.get<int64_t>("index_vector_dim"));
  if (vectorDim < 0 || vectorDim > indexRank)
    return invalid("attribute 'index_vector_dim' is ", vectorDim, "; the indices have rank ",
                   indexRank);
  SPMD_RETURN_IF_ERROR(
      expectSize(names.indicesBatchingDims, indicesBatching, operandBatching.size()));
  int64_t vectorSize = vectorDim < indexRank ? indices.shape[vectorDim] : 1;
  SPMD_RETURN_IF_ERROR(expectSize(names.indexMap, out.indexMap, vectorSize));
  out.reader = indexReaderOf(indices.element);
  out.element = indices.element;
  if (!out.reader)
    return invalid("has indices of type ", indices.str());

  dropped.insert(dropped.end(), operandBatching.begin(), operandBatching.end());
  for (int64_t d : dropped) {
    if (std::count(dropped.begin(), dropped.end(), d) != 1)
      return invalid("operand dim ", d, " is both collapsed and batching");
    if (sliceSizes[d] > 1)
      return invalid("slice has size ", sliceSizes[d], " in collapsed dim ", d);
  }
  for (int64_t d : operandBatching)
    if (contains(out.indexMap, d))
      return invalid("operand dim ", d, " is both batching and indexed");
  out.keptDims = otherDims(rank, dropped);
  SPMD_RETURN_IF_ERROR(expectSize(names.windowDims, out.windowDims, out.keptDims.size()));

  Ints indexStrides = rowMajorStrides(indices.shape);
  Ints indexDims = otherDims(indexRank, {vectorDim});
  if (vectorDim < indexRank)
    out.vectorStride = indexStrides[vectorDim];
  out.batchShape = select(indices.shape, indexDims);
  out.batchIndexStrides = select(indexStrides, indexDims);
  for (size_t i = 0; i < operandBatching.size(); ++i) {
    auto position = std::find(indexDims.begin(), indexDims.end(), indicesBatching[i]);
    if (position == indexDims.end())
      return invalid("index dim ", indicesBatching[i], " is both batching and the index vector");
    if (indices.shape[indicesBatching[i]] != operand.shape[operandBatching[i]])
      return invalid("batching dims ", operandBatching[i], " of the operand and ",
                     indicesBatching[i], " of the indices differ in size");
    out.batching.emplace_back(operandBatching[i], position - indexDims.begin());
  }

  out.isDense = operandBatching.empty() && vectorDim >= indexRank - 1;
  out.batchDims = otherDims(outerRank, out.windowDims);
  if (out.batchDims.size() != out.batchShape.size())
    return invalid("the outer tensor has ", out.batchDims.size(), " batch dims, the indices ",
                   out.batchShape.size());
  out.outerShape.resize(outerRank);
  for (size_t i = 0; i < out.windowDims.size(); ++i)
    out.outerShape[out.windowDims[i]] = sliceSizes[out.keptDims[i]];
  for (size_t i = 0; i < out.batchDims.size(); ++i)
    out.outerShape[out.batchDims[i]] = out.batchShape[i];
  return out;
}

void IndexedSlices::startAt(const Ints &batch, const Tensor &indices, Ints &start) const {
  std::fill(start.begin(), start.end(), 0);
  int64_t first = offsetOf(batch, batchIndexStrides);
  for (size_t k = 0; k < indexMap.size(); ++k)
    start[indexMap[k]] = reader(indices.data(), first + static_cast<int64_t>(k) * vectorStride);
  for (const auto &[dim, position] : batching)
    start[dim] = batch[position];
}

} // namespace spmd
