// Verification of the attributes. Attributes.cpp has their text.

#include "spmd/dialect/stablehlo/Dialect.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace spmd::stablehlo;

LogicalResult
TypeExtensionsAttr::verifyEncoding(ArrayRef<int64_t> shape, Type,
                                   function_ref<InFlightDiagnostic()> emitError) const {
  if (getBounds().size() != shape.size())
    return emitError() << "type has rank " << shape.size() << " and " << getBounds().size()
                       << " bounds";
  for (auto [dim, bound] : llvm::enumerate(getBounds()))
    if (!ShapedType::isDynamic(bound) && !ShapedType::isDynamic(shape[dim]))
      return emitError() << "dim " << dim << " has size " << shape[dim] << " and bound " << bound
                         << "; only dynamic dims are bounded";
  return success();
}

LogicalResult ResultAccuracyAttr::verify(function_ref<InFlightDiagnostic()> emitError, APFloat atol,
                                         APFloat rtol, int64_t ulps, ResultAccuracyModeAttr mode) {
  bool isBounded = !atol.isZero() || !rtol.isZero() || ulps != 0;
  if (isBounded && mode.getValue() != ResultAccuracyMode::TOLERANCE)
    return emitError() << "mode is " << stringifyResultAccuracyMode(mode.getValue())
                       << " and a tolerance is given; tolerances need mode TOLERANCE";
  if (atol.isNegative() || rtol.isNegative() || atol.isNaN() || rtol.isNaN() || ulps < 0)
    return emitError() << "a tolerance is negative or not a number";
  return success();
}

//===- Dot algorithms ------------------------------------------------------===//

LogicalResult DotAlgorithmAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                       Type lhsPrecisionType, Type rhsPrecisionType,
                                       Type accumulationType, int64_t lhsComponentCount,
                                       int64_t rhsComponentCount, int64_t numPrimitiveOperations,
                                       bool) {
  // dot_general_c22, c23, c24, and the types of i8 to i14
  for (Type type : {lhsPrecisionType, rhsPrecisionType, accumulationType})
    if (!isa<FloatType, IntegerType>(type))
      return emitError() << "dot algorithm names type " << type << "; it has floats or integers";
  std::pair<StringRef, int64_t> counts[] = {{"lhs_component_count", lhsComponentCount},
                                            {"rhs_component_count", rhsComponentCount},
                                            {"num_primitive_operations", numPrimitiveOperations}};
  for (auto [name, count] : counts)
    if (count <= 0)
      return emitError() << name << " is " << count << "; it is at least 1";
  return success();
}

bool spmd::stablehlo::isKnownAlgorithm(DotAlgorithmAttr algorithm) {
  Type lhs = algorithm.getLhsPrecisionType(), rhs = algorithm.getRhsPrecisionType(),
       sum = algorithm.getAccumulationType();
  if (algorithm.getLhsComponentCount() != 1 || algorithm.getRhsComponentCount() != 1)
    return false;
  int64_t steps = algorithm.getNumPrimitiveOperations();
  auto isF8 = [](Type type) { return isa<FloatType>(type) && type.getIntOrFloatBitWidth() == 8; };
  if (isF8(lhs) && isF8(rhs))
    return sum.isF32() && steps == 1;
  if (lhs != rhs || algorithm.getAllowImpreciseAccumulation())
    return false;
  if (lhs.isBF16())
    return sum.isBF16() ? steps == 1 : sum.isF32() && llvm::is_contained({1, 3, 6, 9}, steps);
  if (lhs.isTF32())
    return sum.isF32() && (steps == 1 || steps == 3);
  if (lhs.isF16())
    return (sum.isF16() || sum.isF32()) && steps == 1;
  return (lhs.isF32() || lhs.isF64()) && sum == lhs && steps == 1;
}

//===- Device groups -------------------------------------------------------===//

LogicalResult MeshAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                               ArrayRef<MeshAxisAttr> axes, DenseIntElementsAttr deviceIds) {
  llvm::StringSet<> names;
  int64_t numDevices = 1;
  for (MeshAxisAttr axis : axes) {
    if (axis.getSize() <= 0)
      return emitError() << "mesh axis " << axis.getName() << " has size " << axis.getSize()
                         << "; sizes are at least 1";
    if (!names.insert(axis.getName().getValue()).second)
      return emitError() << "mesh axis " << axis.getName() << " occurs twice";
    if (llvm::MulOverflow(numDevices, axis.getSize(), numDevices) || numDevices > INT32_MAX)
      return emitError() << "mesh has more than 2147483647 devices";
  }
  if (!deviceIds)
    return success();
  if (deviceIds.getType().getRank() != 1 || deviceIds.getNumElements() != numDevices)
    return emitError() << "mesh has " << deviceIds.getNumElements() << " device ids for "
                       << numDevices << " devices";
  if (deviceIds.isSplat() && numDevices > 1) // not as large as it says: do not allocate for it
    return emitError() << "mesh device id " << deviceIds.getSplatValue<APInt>().getSExtValue()
                       << " occurs " << numDevices << " times; the ids are a permutation of 0 to "
                       << numDevices - 1;
  SmallVector<bool> seen(numDevices, false);
  for (const APInt &value : deviceIds.getValues<APInt>()) {
    int64_t id = value.getSExtValue();
    if (id < 0 || id >= numDevices || std::exchange(seen[id], true))
      return emitError() << "mesh device id " << id
                         << (id < 0 || id >= numDevices ? " is out of range" : " occurs twice")
                         << "; the ids are a permutation of 0 to " << numDevices - 1;
  }
  return success();
}

LogicalResult AxisRefAttr::verify(function_ref<InFlightDiagnostic()> emitError, StringAttr name,
                                  SubAxisInfoAttr part) {
  if (part && (part.getPreSize() < 1 || part.getSize() < 2))
    return emitError() << "part (" << part.getPreSize() << ")" << part.getSize() << " of axis "
                       << name << " needs a pre-size of at least 1 and a size of at least 2";
  return success();
}

static LogicalResult verifyAxisInMesh(function_ref<InFlightDiagnostic()> emitError,
                                      AxisRefAttr axis, MeshAttr mesh) {
  const MeshAxisAttr *found = llvm::find_if(
      mesh.getAxes(), [&](MeshAxisAttr meshAxis) { return meshAxis.getName() == axis.getName(); });
  if (found == mesh.getAxes().end())
    return emitError() << "mesh has no axis " << axis.getName();
  SubAxisInfoAttr part = axis.getSubAxisInfo();
  int64_t end = 0;
  if (part &&
      (llvm::MulOverflow(part.getPreSize(), part.getSize(), end) || found->getSize() % end != 0))
    return emitError() << "part (" << part.getPreSize() << ")" << part.getSize()
                       << " does not divide axis " << axis.getName() << " of size "
                       << found->getSize();
  return success();
}

LogicalResult ReplicaGroupMeshAxesAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                               Attribute mesh, ArrayRef<AxisRefAttr> axes) {
  if (!isa_and_nonnull<FlatSymbolRefAttr, MeshAttr>(mesh))
    return emitError() << "mesh is " << mesh << "; expected a symbol or #stablehlo.mesh";
  for (auto [i, axis] : llvm::enumerate(axes)) {
    if (llvm::is_contained(axes.take_front(i), axis))
      return emitError() << "axis " << axis.getName() << " occurs twice";
    if (auto inlined = dyn_cast<MeshAttr>(mesh);
        inlined && failed(verifyAxisInMesh(emitError, axis, inlined)))
      return failure();
  }
  return success();
}
