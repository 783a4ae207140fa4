#include "spmd/dialect/stablehlo/Verify.h"

#include "mlir/Dialect/Quant/IR/QuantTypes.h"

using namespace mlir;

namespace spmd::stablehlo {

RankedTensorType tensorType(Value value) { return cast<RankedTensorType>(value.getType()); }
Dims shapeOf(Value value) { return tensorType(value).getShape(); }

static Type expressed(Type type) {
  auto quantized = dyn_cast<quant::QuantizedType>(type);
  return quantized ? quantized.getExpressedType() : type;
}

bool sameElements(Type a, Type b) {
  if (a == b)
    return true;
  auto left = dyn_cast<quant::QuantizedType>(a), right = dyn_cast<quant::QuantizedType>(b);
  if (left && right &&
      (left.getStorageType() != right.getStorageType() || left.isSigned() != right.isSigned()))
    return false;
  return expressed(a) == expressed(b);
}

bool isPromotable(Type from, Type to) {
  if (from == to)
    return true;
  if (isa<quant::QuantizedType>(from) && isa<quant::QuantizedType>(to))
    return expressed(from) == expressed(to) && elementBits(from) <= elementBits(to);
  unsigned kind = elementKind(from);
  return kind == elementKind(to) && kind != Quantized && elementBits(from) <= elementBits(to);
}

Subject operandSubject(Operation *op, unsigned index) {
  return {("operand " + Twine(index)).str(), op->getOperand(index).getType()};
}
Subject resultSubject(Operation *op, unsigned index) {
  return {("result " + Twine(index)).str(), op->getResult(index).getType(), index};
}

//===- Types ---------------------------------------------------------------===//

/// Checks that the static sizes of `a` are within the bounds of `b`, which has the same rank.
static LogicalResult checkBounds(Operation *op, const Subject &a, const Subject &b) {
  auto bounded = dyn_cast<RankedTensorType>(b.type);
  auto bounds = bounded ? dyn_cast_if_present<TypeExtensionsAttr>(bounded.getEncoding())
                        : TypeExtensionsAttr();
  if (!bounds)
    return success();
  Dims sizes = cast<ShapedType>(a.type).getShape();
  for (auto [dim, bound] : llvm::enumerate(bounds.getBounds()))
    if (!isDynamic(sizes[dim]) && !isDynamic(bound) && sizes[dim] > bound)
      return op->emitOpError() << a.name << " has size " << sizes[dim] << " in dim " << dim << ", "
                               << b.name << " has at most " << bound;
  return success();
}

LogicalResult checkShape(Operation *op, const Subject &a, const Subject &b) {
  Dims left = cast<ShapedType>(a.type).getShape(), right = cast<ShapedType>(b.type).getShape();
  if (left.size() != right.size())
    return op->emitOpError() << a.name << " has rank " << left.size() << ", " << b.name
                             << " has rank " << right.size();
  for (size_t dim = 0; dim < left.size(); ++dim)
    if (!agree(left[dim], right[dim]))
      return op->emitOpError() << a.name << " has size " << left[dim] << " in dim " << dim << ", "
                               << b.name << " has size " << right[dim];
  if (failed(checkBounds(op, a, b)) || failed(checkBounds(op, b, a)))
    return failure();
  expectSizes(a, right);
  expectSizes(b, left);
  return success();
}

LogicalResult checkElements(Operation *op, const Subject &a, const Subject &b) {
  Type left = cast<ShapedType>(a.type).getElementType(),
       right = cast<ShapedType>(b.type).getElementType();
  if (sameElements(left, right))
    return success();
  return op->emitOpError() << a.name << " has element type " << left << ", " << b.name << " has "
                           << right;
}

LogicalResult checkTensor(Operation *op, const Subject &a, const Subject &b) {
  if (a.type == b.type)
    return success();
  return failure(failed(checkElements(op, a, b)) || failed(checkShape(op, a, b)));
}

LogicalResult checkSizes(Operation *op, const Subject &subject, Dims expected) {
  Dims shape = cast<ShapedType>(subject.type).getShape();
  if (shape.size() != expected.size())
    return op->emitOpError() << subject.name << " has rank " << shape.size() << ", expected "
                             << expected.size();
  for (size_t dim = 0; dim < shape.size(); ++dim)
    if (!agree(shape[dim], expected[dim]))
      return op->emitOpError() << subject.name << " has size " << shape[dim] << " in dim " << dim
                               << ", expected " << expected[dim];
  expectSizes(subject, expected);
  return success();
}

bool typesAgree(Type a, Type b) {
  if (a == b)
    return true;
  auto left = dyn_cast<RankedTensorType>(a), right = dyn_cast<RankedTensorType>(b);
  return left && right && left.getRank() == right.getRank() &&
         sameElements(left.getElementType(), right.getElementType()) &&
         llvm::all_of(llvm::zip(left.getShape(), right.getShape()),
                      [](auto pair) { return agree(std::get<0>(pair), std::get<1>(pair)); });
}

LogicalResult checkType(Operation *op, const Subject &a, const Subject &b) {
  if (typesAgree(a.type, b.type)) {
    auto left = dyn_cast<RankedTensorType>(a.type), right = dyn_cast<RankedTensorType>(b.type);
    if (left && right) {
      expectSizes(a, right.getShape());
      expectSizes(b, left.getShape());
    }
    return success();
  }
  return op->emitOpError() << a.name << " has type " << a.type << ", " << b.name << " has type "
                           << b.type;
}

//===- Shapes as operands --------------------------------------------------===//

std::optional<SmallVector<int64_t>> knownInts(Value value) {
  constexpr int64_t maxEntries = 1024; // A splat may say that it has far more.
  auto constant = value.getDefiningOp<ConstantOp>();
  auto elements =
      constant ? dyn_cast<DenseIntElementsAttr>(constant.getValue()) : DenseIntElementsAttr();
  if (!elements || elements.getNumElements() > maxEntries)
    return std::nullopt;
  SmallVector<int64_t> values;
  for (const APInt &entry : elements.getValues<APInt>())
    values.push_back(entry.getSExtValue());
  return values;
}

LogicalResult checkLength(Operation *op, unsigned index, int64_t rank, StringRef of) {
  int64_t length = shapeOf(op->getOperand(index)).front();
  if (agree(length, rank))
    return success();
  return op->emitOpError() << "operand " << index << " has " << length << " entries, " << of
                           << " has rank " << rank;
}

LogicalResult checkShapeOperand(Operation *op, unsigned index) {
  Dims shape = shapeOf(op->getResult(0));
  if (failed(checkLength(op, index, shape.size(), "result 0")))
    return failure();
  std::optional<SmallVector<int64_t>> sizes = knownInts(op->getOperand(index));
  if (!sizes)
    return success();
  if (failed(checkAtLeast(op, ("operand " + Twine(index)).str(), *sizes, 0)))
    return failure();
  for (auto [dim, size] : llvm::enumerate(*sizes))
    if (!agree(size, shape[dim]))
      return op->emitOpError() << "operand " << index << " has " << size << " for dim " << dim
                               << ", result 0 has size " << shape[dim];
  expectSizes(resultSubject(op, 0), *sizes);
  return success();
}

LogicalResult checkStatic(Operation *op) {
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  auto bounds = dyn_cast_if_present<TypeExtensionsAttr>(type.getEncoding());
  unsigned numBounded = 0;
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    if (!type.isDynamicDim(dim))
      continue;
    if (!bounds || isDynamic(bounds.getBounds()[dim]))
      return op->emitOpError() << "result 0 has no static size in dim " << dim;
    if (++numBounded > 1)
      return op->emitOpError() << "result 0 has a second bounded dim, " << dim;
  }
  return success();
}

//===- Lists ---------------------------------------------------------------===//

LogicalResult checkDim(Operation *op, StringRef name, int64_t dim, int64_t rank, StringRef of) {
  if (dim >= 0 && dim < rank)
    return success();
  return op->emitOpError() << name << " is " << dim << ", " << of << " has rank " << rank;
}

LogicalResult checkUnique(Operation *op, StringRef name, Dims dims) {
  // Quadratic, as dims are few; a list longer than any rank is left to the checks of range and
  // count.
  for (size_t i = 1; i < std::min<size_t>(dims.size(), 1024); ++i)
    if (llvm::is_contained(dims.take_front(i), dims[i]))
      return op->emitOpError() << name << " has " << dims[i] << " twice";
  return success();
}

LogicalResult checkSorted(Operation *op, StringRef name, Dims dims) {
  for (size_t i = 1; i < dims.size(); ++i)
    if (dims[i - 1] > dims[i])
      return op->emitOpError() << name << " has " << dims[i - 1] << " before " << dims[i]
                               << "; it must be sorted";
  return success();
}

LogicalResult checkDims(Operation *op, StringRef name, Dims dims, int64_t rank, StringRef of) {
  for (int64_t dim : dims)
    if (dim < 0 || dim >= rank)
      return op->emitOpError() << name << " has " << dim << ", " << of << " has rank " << rank;
  return checkUnique(op, name, dims);
}

LogicalResult checkCount(Operation *op, StringRef name, int64_t count, int64_t expected,
                         StringRef why) {
  if (count == expected)
    return success();
  return op->emitOpError() << name << " has " << count << " entries, " << why << " " << expected;
}

LogicalResult checkAtLeast(Operation *op, StringRef name, Dims values, int64_t least) {
  for (auto [i, value] : llvm::enumerate(values))
    if (value < least)
      return op->emitOpError() << name << " has " << value << " at " << i << "; it is at least "
                               << least;
  return success();
}

//===- Regions -------------------------------------------------------------===//

LogicalResult checkBlock(Operation *op, Region &region, StringRef name) {
  if (!llvm::hasSingleElement(region))
    return op->emitOpError() << "region '" << name << "' has " << region.getBlocks().size()
                             << " blocks, expected 1";
  Block &block = region.front();
  if (block.empty() || !isa<ReturnOp>(block.back()))
    return op->emitOpError() << "region '" << name << "' does not end in 'stablehlo.return'";
  return success();
}

LogicalResult checkBody(Operation *op, Region &region, StringRef name, TypeRange arguments,
                        TypeRange results) {
  if (failed(checkBlock(op, region, name)))
    return failure();
  auto check = [&](StringRef what, TypeRange actual, TypeRange expected) -> LogicalResult {
    if (actual.size() != expected.size())
      return op->emitOpError() << "region '" << name << "' has " << actual.size() << " " << what
                               << "s, expected " << expected.size();
    for (size_t i = 0; i < actual.size(); ++i)
      if (!typesAgree(actual[i], expected[i]))
        return op->emitOpError() << what << " " << i << " of region '" << name << "' has type "
                                 << actual[i] << ", expected " << expected[i];
    return success();
  };
  Block &block = region.front();
  return failure(failed(check("argument", block.getArgumentTypes(), arguments)) ||
                 failed(check("returned value", block.back().getOperandTypes(), results)));
}

LogicalResult checkReducer(Operation *op, Region &region, StringRef name, TypeRange inputs,
                           TypeRange results, TypeRange inits) {
  if (failed(checkBlock(op, region, name)))
    return failure();
  Block &block = region.front();
  SmallVector<Type> scalars(block.back().getOperandTypes());
  if (scalars.size() != inputs.size())
    return op->emitOpError() << "region '" << name << "' returns " << scalars.size()
                             << " values, expected " << inputs.size();
  for (auto [i, scalar] : llvm::enumerate(scalars)) {
    Dims shape = i < inits.size() ? cast<ShapedType>(inits[i]).getShape() : Dims();
    if (!isTensorOf(scalar, AnyElement) ||
        cast<ShapedType>(scalar).getRank() != static_cast<int64_t>(shape.size()))
      return op->emitOpError() << "returned value " << i << " of region '" << name << "' has type "
                               << scalar << ", expected a tensor of rank " << shape.size();
    if (failed(checkSizes(
            op, {("returned value " + Twine(i) + " of region '" + name + "'").str(), scalar},
            shape)))
      return failure();
    Type element = cast<ShapedType>(scalar).getElementType();
    Type input = cast<ShapedType>(inputs[i]).getElementType();
    if (!isPromotable(input, element))
      return op->emitOpError() << "region '" << name << "' computes " << element << " from input "
                               << i << " of element type " << input
                               << ", which cannot be promoted to it";
    if (i < results.size() && !sameElements(cast<ShapedType>(results[i]).getElementType(), element))
      return op->emitOpError() << "result " << i << " has element type "
                               << cast<ShapedType>(results[i]).getElementType() << ", region '"
                               << name << "' computes " << element;
  }
  SmallVector<Type> arguments(scalars);
  llvm::append_range(arguments, scalars);
  return checkBody(op, region, name, arguments, scalars);
}

//===- Windows -------------------------------------------------------------===//

FailureOr<int64_t> narrow(Operation *op, const Twine &what, Wide value) {
  if (value < 0)
    return op->emitOpError() << what << " is negative", failure();
  if (value > std::numeric_limits<int64_t>::max())
    return op->emitOpError() << what << " is over 2^63", failure();
  return static_cast<int64_t>(value);
}

FailureOr<Window> readWindow(Operation *op, int64_t rank, Dims sizes, std::optional<Dims> strides,
                             DenseIntElementsAttr padding, std::optional<Dims> baseDilations,
                             std::optional<Dims> windowDilations, ArrayRef<StringRef> names) {
  Window window;
  window.sizes.assign(sizes.begin(), sizes.end());
  auto take = [&](std::optional<Dims> given, SmallVector<int64_t, 4> &list) {
    given ? list.assign(given->begin(), given->end()) : list.assign(rank, 1);
  };
  take(strides, window.strides);
  take(baseDilations, window.baseDilations);
  take(windowDilations, window.windowDilations);
  std::pair<StringRef, Dims> lists[] = {{names[0], window.sizes},
                                        {names[1], window.strides},
                                        {names[3], window.baseDilations},
                                        {names[4], window.windowDilations}};
  for (auto [name, list] : lists)
    // Sizes of a convolution's window are those of its kernel and may be 0 or unknown.
    if (failed(checkCount(op, name, list.size(), rank, "the number of windowed dims is")) ||
        (name != "" && failed(checkAtLeast(op, name, list, 1))))
      return failure();
  window.low.assign(rank, 0);
  window.high.assign(rank, 0);
  if (!padding)
    return window;
  Dims shape = padding.getType().getShape();
  if (shape[0] != rank || shape[1] != 2)
    return op->emitOpError() << names[2] << " is " << shape[0] << "x" << shape[1] << ", expected "
                             << rank << "x2",
           failure();
  auto values = padding.getValues<int64_t>();
  for (int64_t dim = 0; dim < rank; ++dim) {
    window.low[dim] = values[2 * dim];
    window.high[dim] = values[2 * dim + 1];
  }
  return window;
}

/// Returns the extent of `size` places with `dilation` - 1 holes between them.
static Wide dilated(int64_t size, int64_t dilation) {
  return size == 0 ? 0 : static_cast<Wide>(size - 1) * dilation + 1;
}

FailureOr<int64_t> numWindows(Operation *op, const Window &window, unsigned dim, int64_t size) {
  if (isDynamic(size) || isDynamic(window.sizes[dim]))
    return ShapedType::kDynamic;
  Wide extent = dilated(size, window.baseDilations[dim]) + window.low[dim] + window.high[dim];
  Wide windowExtent = dilated(window.sizes[dim], window.windowDilations[dim]);
  if (failed(narrow(op, "padded size of dim " + Twine(dim), std::max<Wide>(extent, 0))))
    return failure();
  if (extent <= 0 || windowExtent > extent)
    return 0;
  return narrow(op, "number of windows in dim " + Twine(dim),
                (extent - windowExtent) / window.strides[dim] + 1);
}

FailureOr<int64_t> numElements(Operation *op, const Subject &subject) {
  Dims shape = cast<ShapedType>(subject.type).getShape();
  if (llvm::is_contained(shape, 0))
    return 0;
  Wide product = 1;
  for (int64_t size : shape) {
    if (isDynamic(size))
      return ShapedType::kDynamic;
    product *= size;
    if (product > std::numeric_limits<int64_t>::max())
      break;
  }
  return narrow(op, "number of elements of " + subject.name, product);
}

} // namespace spmd::stablehlo
