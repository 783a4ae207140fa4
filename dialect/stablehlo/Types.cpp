#include "spmd/dialect/stablehlo/Types.h"

#include "spmd/dialect/stablehlo/Dialect.h"

#include "mlir/Dialect/Quant/IR/QuantTypes.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace spmd::stablehlo;

#define GET_TYPEDEF_CLASSES
#include "spmd/dialect/stablehlo/Types.cpp.inc"

LogicalResult FutureType::verify(function_ref<InFlightDiagnostic()> emitError,
                                 ArrayRef<Type> types) {
  for (Type type : types)
    if (!isa<RankedTensorType, TokenType>(type))
      return emitError() << "future of " << type << "; expected tensors";
  return success();
}

void StablehloDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "spmd/dialect/stablehlo/Types.cpp.inc"
      >();
}

namespace spmd::stablehlo {

static bool isPowerOfTwoWidth(unsigned width) {
  return width >= 2 && width <= 64 && (width & (width - 1)) == 0;
}

unsigned elementKind(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type)) {
    unsigned width = integer.getWidth();
    if (width == 1)
      return integer.isSignless() ? Pred : 0;
    if (!isPowerOfTwoWidth(width) || integer.isSigned())
      return 0;
    return integer.isUnsigned() ? Unsigned : Signed;
  }
  if (isa<FloatType>(type))
    return isa<Float80Type, Float128Type, FloatTF32Type>(type) ? 0 : Float;
  if (auto complex = dyn_cast<ComplexType>(type))
    return complex.getElementType().isF32() || complex.getElementType().isF64() ? Complex : 0;
  if (auto quantized = dyn_cast<quant::QuantizedType>(type)) {
    if (!isPowerOfTwoWidth(quantized.getStorageTypeIntegralWidth()) ||
        !quantized.getStorageType().isSignlessInteger())
      return 0;
    return isa<quant::UniformQuantizedPerAxisType>(type) ? PerAxis
           : isa<quant::UniformQuantizedType>(type)      ? Quantized
                                                         : 0;
  }
  return isa<IndexType>(type) ? Index : 0;
}

/// Returns whether zero points are within the storage, and scales are there for each place along
/// the dim they belong to.
static bool isQuantizationOf(RankedTensorType tensor) {
  auto isStored = [](quant::QuantizedType type, int64_t zeroPoint) {
    return zeroPoint >= type.getStorageTypeMin() && zeroPoint <= type.getStorageTypeMax();
  };
  Type element = tensor.getElementType();
  if (auto whole = dyn_cast<quant::UniformQuantizedType>(element))
    return isStored(whole, whole.getZeroPoint());
  auto perAxis = cast<quant::UniformQuantizedPerAxisType>(element);
  int64_t dim = perAxis.getQuantizedDimension(), count = perAxis.getScales().size();
  return dim >= 0 && dim < tensor.getRank() &&
         (tensor.isDynamicDim(dim) || tensor.getDimSize(dim) == count) &&
         llvm::all_of(
             perAxis.getZeroPoints(), [&](int64_t point) { return isStored(perAxis, point); });
}

bool isTensorOf(Type type, unsigned kinds) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return false;
  unsigned kind = elementKind(tensor.getElementType());
  return (kind & kinds) && (!(kind & (Quantized | PerAxis)) || isQuantizationOf(tensor));
}

bool isScalarOf(Type type, unsigned kinds) {
  return isTensorOf(type, kinds) && cast<RankedTensorType>(type).getRank() == 0;
}

bool isIdType(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.getRank() == 0 && tensor.getElementType().isUnsignedInteger(32);
}

bool isIndexType(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.getRank() == 0 && tensor.getElementType().isSignlessInteger(32);
}

bool isShapeVector(Type type) {
  return isTensorOf(type, Int | Index) && cast<RankedTensorType>(type).getRank() == 1;
}

bool isCarriedValue(Type type) {
  if (auto tuple = dyn_cast<TupleType>(type))
    return llvm::all_of(tuple.getTypes(), isCarriedValue);
  return isTensorOf(type, AnyOrPerAxis) || isa<TokenType, FutureType, MemRefType>(type);
}

bool isCallValue(Type type) {
  // Memory that ops write, of whichever dialect, has a shape, too.
  bool isMutable = isa<ShapedType>(type) && !isa<TensorType, VectorType, BaseMemRefType>(type);
  return isCarriedValue(type) || isMutable || isa<UnrankedTensorType>(type);
}

unsigned elementBits(Type type) {
  if (auto complex = dyn_cast<ComplexType>(type))
    return 2 * complex.getElementType().getIntOrFloatBitWidth();
  if (auto quantized = dyn_cast<quant::QuantizedType>(type))
    return quantized.getStorageTypeIntegralWidth();
  return type.isIntOrFloat() ? type.getIntOrFloatBitWidth() : 64;
}

bool isI64Table(Attribute attr) {
  auto table = dyn_cast_or_null<DenseIntElementsAttr>(attr);
  return table && table.getType().getRank() == 2 && table.getElementType().isSignlessInteger(64);
}

bool isReplicaGroups(Attribute attr) {
  return isI64Table(attr) || isa<ReplicaGroupMeshAxesAttr>(attr);
}

bool isLayout(Attribute attr) {
  auto layout = dyn_cast_or_null<DenseIntElementsAttr>(attr);
  return layout && layout.getType().getRank() == 1 && layout.getElementType().isIndex();
}

} // namespace spmd::stablehlo
