#include "spmd/lowering/compile/Quantize.h"

#include "spmd/dialect/stablehlo/Dialect.h"
#include "spmd/lowering/compile/ConvertAttributes.h"

#include "mlir/Dialect/Quant/IR/QuantTypes.h"
#include "llvm/ADT/StringSet.h"

namespace spmd {

static mlir::quant::QuantizedType quantizedElement(mlir::Type type) {
  auto shaped = llvm::dyn_cast<mlir::ShapedType>(type);
  return shaped ? llvm::dyn_cast<mlir::quant::QuantizedType>(shaped.getElementType()) : nullptr;
}

bool isQuantized(mlir::Type type) { return quantizedElement(type) != nullptr; }

std::optional<TensorType> expressedType(mlir::Type type) {
  auto shaped = llvm::cast<mlir::RankedTensorType>(type);
  return convertType(shaped.clone(quantizedElement(type).getExpressedType()));
}

bool computesOnNumbers(mlir::Operation *op) {
  static const llvm::StringSet<> names = {"abs",
                                          "add",
                                          "atan2",
                                          "batch_norm_grad",
                                          "batch_norm_inference",
                                          "batch_norm_training",
                                          "cbrt",
                                          "ceil",
                                          "cholesky",
                                          "clamp",
                                          "compare",
                                          "convert",
                                          "convolution",
                                          "cosine",
                                          "divide",
                                          "dot",
                                          "dot_general",
                                          "dynamic_conv",
                                          "einsum",
                                          "exponential",
                                          "exponential_minus_one",
                                          "floor",
                                          "is_finite",
                                          "log",
                                          "log_plus_one",
                                          "logistic",
                                          "maximum",
                                          "minimum",
                                          "multiply",
                                          "negate",
                                          "power",
                                          "reduce_precision",
                                          "remainder",
                                          "round_nearest_afz",
                                          "round_nearest_even",
                                          "rsqrt",
                                          "sign",
                                          "sine",
                                          "sqrt",
                                          "subtract",
                                          "tan",
                                          "tanh",
                                          "triangular_solve",
                                          "unary_einsum"};
  return op->getName().getDialectNamespace() ==
             stablehlo::StablehloDialect::getDialectNamespace() &&
         names.contains(op->getName().stripDialect());
}

namespace {

/// Scales and zero points, one for all elements or one for each place along a dim.
struct Parameters {
  llvm::SmallVector<double> scales, zeroPoints;
  int64_t dim = -1;

  explicit Parameters(mlir::quant::QuantizedType type) {
    if (auto uniform = llvm::dyn_cast<mlir::quant::UniformQuantizedType>(type)) {
      scales = {uniform.getScale()};
      zeroPoints = {static_cast<double>(uniform.getZeroPoint())};
    } else if (auto perAxis = llvm::dyn_cast<mlir::quant::UniformQuantizedPerAxisType>(type)) {
      scales.assign(perAxis.getScales().begin(), perAxis.getScales().end());
      zeroPoints.assign(perAxis.getZeroPoints().begin(), perAxis.getZeroPoints().end());
      dim = perAxis.getQuantizedDimension();
    }
  }
};

/// Returns `numbers` as stored elements of `type`: bits of the nearest ones.
std::string bytesOf(llvm::ArrayRef<double> numbers, mlir::FloatType type) {
  std::string bytes;
  for (double number : numbers) {
    llvm::APFloat value(number);
    bool losesInfo = false;
    value.convert(type.getFloatSemantics(), llvm::APFloat::rmNearestTiesToEven, &losesInfo);
    uint64_t bits = value.bitcastToAPInt().getZExtValue();
    bytes.append(reinterpret_cast<const char *>(&bits), (type.getWidth() + 7) / 8);
  }
  return bytes;
}

/// Returns a tensor of `type` with one of `numbers` at each place along `dim`, or one everywhere.
ValueId spread(Emitter &emit, llvm::ArrayRef<double> numbers, int64_t dim, const TensorType &type,
               mlir::FloatType element) {
  std::string bytes = bytesOf(numbers, element);
  if (dim < 0)
    return emit.constant(type, bytes, /*isSplat=*/true);
  TensorType line{type.element, {static_cast<int64_t>(numbers.size())}};
  ValueId values = emit.constant(line, bytes, /*isSplat=*/false);
  return emit.add("broadcast_in_dim", {values}, type,
                  {{"broadcast_dimensions", std::vector<int64_t>{dim}}});
}

} // namespace

ValueId dequantize(Emitter &emit, ValueId value, mlir::Type type) {
  mlir::quant::QuantizedType element = quantizedElement(type);
  auto expressed = llvm::cast<mlir::FloatType>(element.getExpressedType());
  TensorType to = *expressedType(type);
  Parameters parameters(element);
  ValueId number = emit.add("convert", {value}, to);
  ValueId zero = spread(emit, parameters.zeroPoints, parameters.dim, to, expressed);
  ValueId centred = emit.add("subtract", {number, zero}, to);
  ValueId scale = spread(emit, parameters.scales, parameters.dim, to, expressed);
  return emit.add("multiply", {centred, scale}, to);
}

ValueId quantize(Emitter &emit, ValueId value, mlir::Type type) {
  mlir::quant::QuantizedType element = quantizedElement(type);
  auto expressed = llvm::cast<mlir::FloatType>(element.getExpressedType());
  TensorType from = *expressedType(type);
  Parameters parameters(element);
  ValueId scale = spread(emit, parameters.scales, parameters.dim, from, expressed);
  ValueId scaled = emit.add("divide", {value, scale}, from);
  ValueId zero = spread(emit, parameters.zeroPoints, parameters.dim, from, expressed);
  ValueId moved = emit.add("add", {scaled, zero}, from);
  auto limit = [&](int64_t number) {
    return spread(emit, {static_cast<double>(number)}, -1, from, expressed);
  };
  ValueId low = limit(element.getStorageTypeMin()), high = limit(element.getStorageTypeMax());
  ValueId clamped = emit.add("clamp", {low, moved, high}, from);
  ValueId rounded = emit.add("round_nearest_even", {clamped}, from);
  return emit.add("convert", {rounded}, *convertType(type));
}

} // namespace spmd
