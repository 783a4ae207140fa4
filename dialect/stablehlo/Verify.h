// What the verifiers of all families share. Constraints carry the specification's labels as
// comments,
// `// slice_c3`; tests have the same labels.
//
// Only static dims are compared: a dynamic dim is compatible with any size. Sizes that attributes
// lead to are computed in `Wide`, which no sum or product of two int64 leaves.
#pragma once

#include "spmd/dialect/stablehlo/Dialect.h"

namespace spmd::stablehlo {

using Wide = __int128;
using Dims = llvm::ArrayRef<int64_t>;

mlir::RankedTensorType tensorType(mlir::Value value);
/// Returns the sizes of `value`, a ranked tensor.
Dims shapeOf(mlir::Value value);

inline bool isDynamic(int64_t size) { return mlir::ShapedType::isDynamic(size); }
/// Returns whether two sizes can be equal.
inline bool agree(int64_t a, int64_t b) { return a == b || isDynamic(a) || isDynamic(b); }
/// Returns whether two element types are the same, quantization parameters aside.
bool sameElements(mlir::Type a, mlir::Type b);
/// Returns whether values of element type `from` fit into `to`: same kind, at least as many bits.
bool isPromotable(mlir::Type from, mlir::Type to);

/// A value in messages: `operand 1`, `result 0`, `argument 2 of region 'body'`.
struct Subject {
  std::string name;
  mlir::Type type;
  std::optional<unsigned> result = std::nullopt; ///< Its number, if it is a result.
};
Subject operandSubject(mlir::Operation *op, unsigned index);
Subject resultSubject(mlir::Operation *op, unsigned index);

/// Says that `subject` has `sizes`, kDynamic where that is not known. Whoever checks sizes of a
/// result says so (InferSizes.h); the checks below do.
void expectSizes(const Subject &subject, Dims sizes);

/// Checks that `a` has the shape (or the element type, or both) of `b`. Both are ranked tensors.
mlir::LogicalResult checkShape(mlir::Operation *op, const Subject &a, const Subject &b);
mlir::LogicalResult checkElements(mlir::Operation *op, const Subject &a, const Subject &b);
mlir::LogicalResult checkTensor(mlir::Operation *op, const Subject &a, const Subject &b);
/// Checks a result against sizes that follow from operands and attributes.
mlir::LogicalResult checkSizes(mlir::Operation *op, const Subject &subject, Dims expected);
/// Checks that two values have compatible types of any kind.
mlir::LogicalResult checkType(mlir::Operation *op, const Subject &a, const Subject &b);
bool typesAgree(mlir::Type a, mlir::Type b);

/// Returns the entries of `value`, a tensor of integers, if it is a constant of at most 1024.
std::optional<llvm::SmallVector<int64_t>> knownInts(mlir::Value value);
/// Checks that operand `index`, a list with one entry a dim, has `rank` entries, the rank of `of`.
mlir::LogicalResult checkLength(mlir::Operation *op, unsigned index, int64_t rank,
                                llvm::StringRef of);
/// c1 to c6 of broadcast_in_dim and of its dynamic form: the sizes, types and dims of a broadcast.
mlir::LogicalResult checkBroadcast(mlir::Operation *op, Dims dims);

/// Checks that operand `index` has one entry for each dim of result 0, its size where known.
mlir::LogicalResult checkShapeOperand(mlir::Operation *op, unsigned index);
/// Checks that a result whose sizes nothing else says is static, but for one dim with a bound.
mlir::LogicalResult checkStatic(mlir::Operation *op);

/// Returns the number of elements, kDynamic if unknown; failure, with a message, if it is over
/// 2^63.
mlir::FailureOr<int64_t> numElements(mlir::Operation *op, const Subject &subject);

/// Checks the entries of a list of dims called `name`: below `rank`, the rank of `of`, none twice.
mlir::LogicalResult checkDims(mlir::Operation *op, llvm::StringRef name, Dims dims, int64_t rank,
                              llvm::StringRef of);
mlir::LogicalResult checkUnique(mlir::Operation *op, llvm::StringRef name, Dims dims);
mlir::LogicalResult checkSorted(mlir::Operation *op, llvm::StringRef name, Dims dims);
/// Checks one dim called `name`.
mlir::LogicalResult checkDim(mlir::Operation *op, llvm::StringRef name, int64_t dim, int64_t rank,
                             llvm::StringRef of);
/// Checks that the list `name` has `expected` entries, as many as `why` says.
mlir::LogicalResult checkCount(mlir::Operation *op, llvm::StringRef name, int64_t count,
                               int64_t expected, llvm::StringRef why);
/// Checks that all entries of `name` are at least `least`.
mlir::LogicalResult checkAtLeast(mlir::Operation *op, llvm::StringRef name, Dims values,
                                 int64_t least);

/// Checks that `region` has one block with `arguments` and ends in a return of `results`.
mlir::LogicalResult checkBody(mlir::Operation *op, mlir::Region &region, llvm::StringRef name,
                              mlir::TypeRange arguments, mlir::TypeRange results);
/// Checks a region that has one block and ends in a return; its types are the caller's business.
mlir::LogicalResult checkBlock(mlir::Operation *op, mlir::Region &region, llvm::StringRef name);
/// Checks a region that combines two sets of scalars into one, of element types to which the ones
/// of `inputs` can be promoted. `results` have those element types. Where
/// `inits` are given, tensors of their shapes take the place of scalars.
mlir::LogicalResult checkReducer(mlir::Operation *op, mlir::Region &region, llvm::StringRef name,
                                 mlir::TypeRange inputs, mlir::TypeRange results,
                                 mlir::TypeRange inits = {});

/// Checks pairs of devices that send and receive: two columns, no device twice in one.
/// collective_permute_c1 to c4.
mlir::LogicalResult checkSourceTargetPairs(mlir::Operation *op, mlir::DenseIntElementsAttr pairs);

/// Checks that result 0 has the scales and zero points of operand 0. What is quantized along dim d
/// of the operand is quantized along dim `resultDim(d)` of the result.
mlir::LogicalResult checkKeptQuantization(mlir::Operation *op,
                                          llvm::function_ref<int64_t(int64_t)> resultDim);
/// The same of a reshape: as many elements lie before the quantized dim.
mlir::LogicalResult checkReshapedQuantization(mlir::Operation *op);
/// Checks the length of a list of precisions: none, or one an operand. dot_general_c11,
/// convolution_c24.
mlir::LogicalResult checkPrecision(mlir::Operation *op, std::optional<mlir::ArrayAttr> precision);
/// Checks the element types of a contraction: equal or, in a dot product, any; or quantized in one
/// of the ways it can compute.
mlir::LogicalResult checkContractionElements(mlir::Operation *op);
/// Returns the dim that a tensor is quantized along; nothing if it is quantized as a whole, or not.
std::optional<int64_t> quantizedDimOf(mlir::Type type);
/// Checks that `subject`, if it is quantized along a dim, is so along `expected`, whose role the
/// message tells.
mlir::LogicalResult checkQuantizedDim(mlir::Operation *op, const Subject &subject, int64_t expected,
                                      mlir::StringRef role);
/// Checks that all operands and results of an elementwise op are quantized or none is, along one
/// dim.
mlir::LogicalResult checkElementwiseQuantization(mlir::Operation *op);

/// A window that slides over dims; lists have one entry a dim.
struct Window {
  llvm::SmallVector<int64_t, 4> sizes, strides, low, high, baseDilations, windowDilations;
};
/// Reads a window from attributes, absent ones being 1 or 0, and checks counts and signs against
/// `rank`. `names` are those of sizes, strides, padding, base dilations, window dilations.
mlir::FailureOr<Window> readWindow(mlir::Operation *op, int64_t rank, Dims sizes,
                                   std::optional<Dims> strides, mlir::DenseIntElementsAttr padding,
                                   std::optional<Dims> baseDilations,
                                   std::optional<Dims> windowDilations,
                                   llvm::ArrayRef<llvm::StringRef> names);
/// Returns the number of places of the window in dim `dim` of size `size`; failure, with a message,
/// if the size is out of range.
mlir::FailureOr<int64_t> numWindows(mlir::Operation *op, const Window &window, unsigned dim,
                                    int64_t size);

/// Returns `value` if it is a size: not negative, below 2^63. Otherwise says so of `what`.
mlir::FailureOr<int64_t> narrow(mlir::Operation *op, const llvm::Twine &what, Wide value);

} // namespace spmd::stablehlo
