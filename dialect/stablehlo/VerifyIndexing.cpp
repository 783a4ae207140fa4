// Dynamic slices, gather, scatter.

#include "spmd/dialect/stablehlo/Verify.h"

using namespace mlir;
using namespace spmd::stablehlo;

//===- Dynamic slices ------------------------------------------------------===//

/// dynamic_slice_c2, c3; dynamic_update_slice_c4, c5: one index a dim, all of one type.
static LogicalResult checkStarts(Operation *op, OperandRange starts, int64_t rank) {
  if (failed(checkCount(op, "list of start indices", starts.size(), rank, "operand 0 has rank")))
    return failure();
  for (size_t i = 1; i < starts.size(); ++i)
    if (starts[i].getType() != starts[0].getType())
      return op->emitOpError() << "start index " << i << " has type " << starts[i].getType()
                               << ", start index 0 has type " << starts[0].getType();
  return success();
}

/// dynamic_slice_c2, c4; gather_c20, c21: a slice size for each dim of the operand, within its
/// bounds.
static LogicalResult checkSliceSizes(Operation *op, Dims sizes, Dims operand) {
  if (failed(checkCount(op, "slice_sizes", sizes.size(), operand.size(), "operand 0 has rank")))
    return failure();
  for (size_t dim = 0; dim < operand.size(); ++dim)
    if (sizes[dim] < 0 || (!isDynamic(operand[dim]) && sizes[dim] > operand[dim]))
      return op->emitOpError() << "slice_sizes has " << sizes[dim] << " for dim " << dim
                               << ", operand 0 has size " << operand[dim];
  return success();
}

LogicalResult DynamicSliceOp::verify() {
  Dims operand = shapeOf(getOperand()), sizes = getSliceSizes();
  // dynamic_slice_c1
  if (failed(checkElements(*this, resultSubject(*this, 0), operandSubject(*this, 0))) ||
      // dynamic_slice_c2, c3
      failed(checkStarts(*this, getStartIndices(), operand.size())) ||
      // dynamic_slice_c2, c4
      failed(checkSliceSizes(*this, sizes, operand)))
    return failure();
  // dynamic_slice_c5
  return checkSizes(*this, resultSubject(*this, 0), sizes);
}

LogicalResult DynamicUpdateSliceOp::verify() {
  Dims operand = shapeOf(getOperand()), update = shapeOf(getUpdate());
  // dynamic_update_slice_c1, c2
  if (failed(checkTensor(*this, resultSubject(*this, 0), operandSubject(*this, 0))) ||
      failed(checkElements(*this, operandSubject(*this, 1), operandSubject(*this, 0))))
    return failure();
  // dynamic_update_slice_c3
  if (update.size() != operand.size())
    return emitOpError() << "operand 1 has rank " << update.size() << ", operand 0 has rank "
                         << operand.size();
  // dynamic_update_slice_c4, c5
  if (failed(checkStarts(*this, getStartIndices(), operand.size())))
    return failure();
  // dynamic_update_slice_c6
  for (size_t dim = 0; dim < operand.size(); ++dim)
    if (!isDynamic(update[dim]) && !isDynamic(operand[dim]) && update[dim] > operand[dim])
      return emitOpError() << "operand 1 has size " << update[dim] << " in dim " << dim
                           << ", operand 0 has size " << operand[dim];
  return success();
}

//===- What gather and scatter share ---------------------------------------===//

namespace {
/// The roles of dims in a gather, and of the same dims in a scatter under other names.
struct IndexingDims {
  Dims window;          ///< of the result / updates: within the slice
  Dims collapsed;       ///< of the operand: size 1, left out of the slice
  Dims batching;        ///< of the operand: run along with those of the indices
  Dims indicesBatching; ///< of the indices
  Dims indexMap;        ///< of the operand: what each component of an index counts
  int64_t vectorDim;    ///< of the indices: holds the components; the rank if there is one only
};
struct IndexingNames {
  StringRef window, collapsed, batching, indicesBatching, indexMap, windowed;
};
} // namespace

static LogicalResult checkIndexing(Operation *op, const IndexingDims &dims,
                                   const IndexingNames &names, Dims operand, Dims indices,
                                   int64_t windowRank, StringRef indicesName) {
  int64_t rank = operand.size(), indicesRank = indices.size();
  // gather_c1, scatter_c2
  int64_t covered = dims.window.size() + dims.collapsed.size() + dims.batching.size();
  if (covered != rank)
    return op->emitOpError() << names.window << ", " << names.collapsed << " and " << names.batching
                             << " have " << covered << " entries, operand 0 has rank " << rank;
  // gather_c2, scatter_c22
  if (dims.vectorDim < 0 || dims.vectorDim > indicesRank)
    return op->emitOpError() << "index_vector_dim is " << dims.vectorDim << ", " << indicesName
                             << " has rank " << indicesRank;
  // gather_c3, scatter_c19
  int64_t components = dims.vectorDim < indicesRank ? indices[dims.vectorDim] : 1;
  if (!agree(components, dims.indexMap.size()))
    return op->emitOpError() << names.indexMap << " has " << dims.indexMap.size()
                             << " entries, an index has " << components << " components";
  SmallVector<int64_t, 6> left(dims.collapsed), mapped(dims.indexMap);
  llvm::append_range(left, dims.batching);
  llvm::append_range(mapped, dims.batching);
  std::string leftNames = (names.collapsed + " and " + names.batching).str();
  std::string mappedNames = (names.indexMap + " and " + names.batching).str();
  // gather_c4, c5; scatter_c7, c8
  if (failed(checkDims(op, names.window, dims.window, windowRank, names.windowed)) ||
      failed(checkSorted(op, names.window, dims.window)) ||
      // gather_c6 to c8, c10, c11; scatter_c9 to c13
      failed(checkDims(op, leftNames, left, rank, "operand 0")) ||
      failed(checkSorted(op, names.collapsed, dims.collapsed)) ||
      failed(checkSorted(op, names.batching, dims.batching)) ||
      // gather_c13, c14; scatter_c14, c15
      failed(
          checkDims(op, names.indicesBatching, dims.indicesBatching, indicesRank, indicesName)) ||
      // gather_c18, c19; scatter_c20, c21
      failed(checkDims(op, mappedNames, mapped, rank, "operand 0")) ||
      // gather_c16, scatter_c17
      failed(checkCount(op, names.indicesBatching, dims.indicesBatching.size(),
                        dims.batching.size(), (names.batching + " has").str())))
    return failure();
  // gather_c15, scatter_c16
  if (llvm::is_contained(dims.indicesBatching, dims.vectorDim))
    return op->emitOpError() << names.indicesBatching << " has " << dims.vectorDim
                             << ", the index_vector_dim";
  // gather_c17, scatter_c18
  for (auto [dim, indicesDim] : llvm::zip(dims.batching, dims.indicesBatching))
    if (!agree(operand[dim], indices[indicesDim]))
      return op->emitOpError() << "batching dim " << dim << " of operand 0 has size "
                               << operand[dim] << ", dim " << indicesDim << " of " << indicesName
                               << " has size " << indices[indicesDim];
  return success();
}

/// Returns the sizes that the dims of a gather's result (a scatter's updates) have: those in
/// `dims.window` take the slice's sizes, the others those of the indices, in order.
static SmallVector<int64_t> combinedShape(const IndexingDims &dims, Dims sliceSizes, Dims indices,
                                          int64_t rank) {
  SmallVector<int64_t> window, batch, shape;
  for (int64_t dim = 0; dim < static_cast<int64_t>(sliceSizes.size()); ++dim)
    if (!llvm::is_contained(dims.collapsed, dim) && !llvm::is_contained(dims.batching, dim))
      window.push_back(sliceSizes[dim]);
  for (int64_t dim = 0; dim < static_cast<int64_t>(indices.size()); ++dim)
    if (dim != dims.vectorDim)
      batch.push_back(indices[dim]);
  size_t nextWindow = 0, nextBatch = 0;
  for (int64_t dim = 0; dim < rank; ++dim) {
    bool isWindow = llvm::is_contained(dims.window, dim);
    const SmallVector<int64_t> &from = isWindow ? window : batch;
    size_t &next = isWindow ? nextWindow : nextBatch;
    shape.push_back(next < from.size() ? from[next] : ShapedType::kDynamic);
    ++next;
  }
  return shape;
}

/// Returns the number of dims of a gather's result or a scatter's updates.
static int64_t combinedRank(const IndexingDims &dims, int64_t indicesRank) {
  return dims.window.size() + indicesRank - (dims.vectorDim < indicesRank ? 1 : 0);
}

//===- gather --------------------------------------------------------------===//

/// Checks a gather whose slice sizes, one a dim of the operand, are all known or all dynamic.
/// dynamic_gather alike.
template <typename Op> static LogicalResult checkGather(Op op, Dims sizes, bool areKnown) {
  GatherDimensionNumbersAttr numbers = op.getDimensionNumbers();
  Dims operand = shapeOf(op.getOperand()), indices = shapeOf(op.getStartIndices()),
       result = shapeOf(op.getResult());
  IndexingDims dims{numbers.getOffsetDims(),          numbers.getCollapsedSliceDims(),
                    numbers.getOperandBatchingDims(), numbers.getStartIndicesBatchingDims(),
                    numbers.getStartIndexMap(),       numbers.getIndexVectorDim()};
  if (failed(checkIndexing(op, dims,
                           {"offset_dims", "collapsed_slice_dims", "operand_batching_dims",
                            "start_indices_batching_dims", "start_index_map", "result 0"},
                           operand, indices, result.size(), "operand 1")) ||
      // gather_c20, c21
      (areKnown && failed(checkSliceSizes(op, sizes, operand))))
    return failure();
  // gather_c9, c12
  for (Dims left : {dims.collapsed, dims.batching})
    for (int64_t dim : left)
      if (sizes[dim] > 1)
        return op.emitOpError() << "slice_sizes has " << sizes[dim] << " for dim " << dim
                                << ", a collapsed or batching dim; expected 0 or 1";
  // gather_c22
  int64_t rank = combinedRank(dims, indices.size());
  if (static_cast<int64_t>(result.size()) != rank)
    return op.emitOpError() << "result 0 has rank " << result.size() << ", expected " << rank;
  return failure(
      failed(checkSizes(op, resultSubject(op, 0), combinedShape(dims, sizes, indices, rank))) ||
      // gather_c23
      failed(checkElements(op, resultSubject(op, 0), operandSubject(op, 0))));
}

LogicalResult GatherOp::verify() { return checkGather(*this, getSliceSizes(), true); }

LogicalResult DynamicGatherOp::verify() {
  // dynamic_gather_c1
  if (failed(checkLength(*this, 2, tensorType(getOperand()).getRank(), "operand 0")))
    return failure();
  SmallVector<int64_t> dynamic(tensorType(getOperand()).getRank(), ShapedType::kDynamic);
  auto sizes = knownInts(getSliceSizes());
  return checkGather(*this, sizes.value_or(dynamic), sizes.has_value());
}

LogicalResult TorchIndexSelectOp::verify() {
  Dims operand = shapeOf(getOperand()), index = shapeOf(getIndex());
  int64_t dim = getDim(), batch = getBatchDims();
  if (failed(checkDim(*this, "dim", dim, operand.size(), "operand 0")))
    return failure();
  if (batch < 0 || batch > dim || batch > static_cast<int64_t>(index.size()))
    return emitOpError() << "batch_dims is " << batch << ", expected at most dim, " << dim
                         << ", and the rank of operand 1, " << index.size();
  for (int64_t i = 0; i < batch; ++i)
    if (!agree(operand[i], index[i]))
      return emitOpError() << "operand 1 has size " << index[i] << " in dim " << i
                           << ", operand 0 has size " << operand[i];
  // The dim selected from gives way to those of the index.
  SmallVector<int64_t> expected(operand.take_front(dim));
  llvm::append_range(expected, index.drop_front(batch));
  llvm::append_range(expected, operand.drop_front(dim + 1));
  return failure(failed(checkElements(*this, resultSubject(*this, 0), operandSubject(*this, 0))) ||
                 failed(checkSizes(*this, resultSubject(*this, 0), expected)));
}

//===- scatter -------------------------------------------------------------===//

LogicalResult ScatterOp::verify() {
  unsigned count = getInputs().size();
  // scatter_c5
  if (count == 0)
    return emitOpError() << "has no inputs";
  if (getNumResults() != count)
    return emitOpError() << "has " << count << " inputs and " << getNumResults() << " results";
  for (unsigned i = 0; i < count; ++i) {
    Subject input = operandSubject(*this, i), update = operandSubject(*this, count + 1 + i);
    // scatter_c1, c3, c6, c24
    if (failed(checkShape(*this, input, operandSubject(*this, 0))) ||
        failed(checkShape(*this, update, operandSubject(*this, count + 1))) ||
        failed(checkElements(*this, update, input)) ||
        failed(checkShape(*this, resultSubject(*this, i), input)))
      return failure();
  }
  ScatterDimensionNumbersAttr numbers = getScatterDimensionNumbers();
  Dims operand = shapeOf(getInputs()[0]), indices = shapeOf(getScatterIndices()),
       updates = shapeOf(getUpdates()[0]);
  IndexingDims dims{numbers.getUpdateWindowDims(),         numbers.getInsertedWindowDims(),
                    numbers.getInputBatchingDims(),        numbers.getScatterIndicesBatchingDims(),
                    numbers.getScatterDimsToOperandDims(), numbers.getIndexVectorDim()};
  Subject first = operandSubject(*this, count + 1);
  if (failed(checkIndexing(*this, dims,
                           {"update_window_dims", "inserted_window_dims", "input_batching_dims",
                            "scatter_indices_batching_dims", "scatter_dims_to_operand_dims",
                            first.name},
                           operand, indices, updates.size(), operandSubject(*this, count).name)))
    return failure();
  // scatter_c4
  int64_t rank = combinedRank(dims, indices.size());
  if (static_cast<int64_t>(updates.size()) != rank)
    return emitOpError() << first.name << " has rank " << updates.size() << ", expected " << rank;
  SmallVector<int64_t> limits = combinedShape(dims, operand, indices, rank);
  for (int64_t dim = 0; dim < rank; ++dim) {
    if (isDynamic(updates[dim]) || isDynamic(limits[dim]))
      continue;
    bool isWindow = llvm::is_contained(dims.window, dim);
    if (isWindow ? updates[dim] > limits[dim] : updates[dim] != limits[dim])
      return emitOpError() << first.name << " has size " << updates[dim] << " in dim " << dim
                           << ", expected " << (isWindow ? "at most " : "") << limits[dim];
  }
  return success();
}

LogicalResult ScatterOp::verifyRegions() {
  // scatter_c23, c25
  return checkReducer(*this, getUpdateComputation(), "update_computation", getInputs().getTypes(),
                      getResultTypes());
}
