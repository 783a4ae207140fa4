#include "spmd/lowering/compile/ConvertAttributes.h"

#include "spmd/dialect/spmd/Dialect.h"
#include "spmd/dialect/stablehlo/Dialect.h"

#include "mlir/Dialect/Quant/IR/QuantTypes.h"
#include "mlir/IR/DialectResourceBlobManager.h"

namespace spmd {

using Ints = std::vector<int64_t>;

static Ints ints(llvm::ArrayRef<int64_t> values) { return {values.begin(), values.end()}; }

static void addConvolution(Attributes &attributes, stablehlo::ConvDimensionNumbersAttr dims) {
  attributes.set("input_batch_dimension", dims.getInputBatchDimension());
  attributes.set("input_feature_dimension", dims.getInputFeatureDimension());
  attributes.set("input_spatial_dimensions", ints(dims.getInputSpatialDimensions()));
  attributes.set("kernel_input_feature_dimension", dims.getKernelInputFeatureDimension());
  attributes.set("kernel_output_feature_dimension", dims.getKernelOutputFeatureDimension());
  attributes.set("kernel_spatial_dimensions", ints(dims.getKernelSpatialDimensions()));
  attributes.set("output_batch_dimension", dims.getOutputBatchDimension());
  attributes.set("output_feature_dimension", dims.getOutputFeatureDimension());
  attributes.set("output_spatial_dimensions", ints(dims.getOutputSpatialDimensions()));
}

void addAttribute(Attributes &attributes, llvm::StringRef name, mlir::Attribute value) {
  std::string key = name.str();
  llvm::TypeSwitch<mlir::Attribute>(value)
      .Case<mlir::BoolAttr>([&](auto attr) { attributes.set(key, attr.getValue()); })
      .Case<mlir::IntegerAttr>(
          [&](auto attr) { attributes.set(key, attr.getValue().getSExtValue()); })
      .Case<mlir::FloatAttr>([&](auto attr) { attributes.set(key, attr.getValueAsDouble()); })
      .Case<mlir::StringAttr>([&](auto attr) { attributes.set(key, attr.getValue().str()); })
      .Case<mlir::UnitAttr>([&](auto) { attributes.set(key, true); })
      .Case<mlir::DenseI64ArrayAttr>(
          [&](auto attr) { attributes.set(key, ints(attr.asArrayRef())); })
      .Case<mlir::DenseBoolArrayAttr>([&](auto attr) {
        attributes.set(key, Ints(attr.asArrayRef().begin(), attr.asArrayRef().end()));
      })
      .Case<mlir::DenseIntElementsAttr>([&](auto attr) {
        if (!attr.getElementType().isInteger(64))
          return;
        auto values = attr.template getValues<int64_t>();
        attributes.set(key, Ints(values.begin(), values.end()));
      })
      .Case<mlir::DictionaryAttr>([&](auto attr) {
        for (mlir::NamedAttribute entry : attr)
          addAttribute(attributes, (name + "." + entry.getName().strref()).str(), entry.getValue());
      })
      .Case<stablehlo::ComparisonDirectionAttr>(
          [&](auto attr) { attributes.set(key, stringifyEnum(attr.getValue()).str()); })
      .Case<stablehlo::ComparisonTypeAttr>(
          [&](auto attr) { attributes.set(key, stringifyEnum(attr.getValue()).str()); })
      .Case<stablehlo::FftTypeAttr, stablehlo::TransposeAttr, stablehlo::RngDistributionAttr,
            stablehlo::RngAlgorithmAttr>(
          [&](auto attr) { attributes.set(key, stringifyEnum(attr.getValue()).str()); })
      .Case<stablehlo::DotDimensionNumbersAttr>([&](auto attr) {
        attributes.set("lhs_batching_dimensions", ints(attr.getLhsBatchingDimensions()));
        attributes.set("rhs_batching_dimensions", ints(attr.getRhsBatchingDimensions()));
        attributes.set("lhs_contracting_dimensions", ints(attr.getLhsContractingDimensions()));
        attributes.set("rhs_contracting_dimensions", ints(attr.getRhsContractingDimensions()));
      })
      .Case<stablehlo::GatherDimensionNumbersAttr>([&](auto attr) {
        attributes.set("offset_dims", ints(attr.getOffsetDims()));
        attributes.set("collapsed_slice_dims", ints(attr.getCollapsedSliceDims()));
        attributes.set("operand_batching_dims", ints(attr.getOperandBatchingDims()));
        attributes.set("start_indices_batching_dims", ints(attr.getStartIndicesBatchingDims()));
        attributes.set("start_index_map", ints(attr.getStartIndexMap()));
        attributes.set("index_vector_dim", attr.getIndexVectorDim());
      })
      .Case<stablehlo::ScatterDimensionNumbersAttr>([&](auto attr) {
        attributes.set("update_window_dims", ints(attr.getUpdateWindowDims()));
        attributes.set("inserted_window_dims", ints(attr.getInsertedWindowDims()));
        attributes.set("input_batching_dims", ints(attr.getInputBatchingDims()));
        attributes.set("scatter_indices_batching_dims", ints(attr.getScatterIndicesBatchingDims()));
        attributes.set("scatter_dims_to_operand_dims", ints(attr.getScatterDimsToOperandDims()));
        attributes.set("index_vector_dim", attr.getIndexVectorDim());
      })
      .Case<stablehlo::ConvDimensionNumbersAttr>(
          [&](auto attr) { addConvolution(attributes, attr); });
}

/// Returns the form of elements of `type`. By its class: each value asks, and to print a type takes
/// as long as to compile the op.
static std::optional<ElementType> elementOf(mlir::Type type) {
  using Element = std::optional<ElementType>;
  auto is = [](ElementType element) { return [element](auto) -> Element { return element; }; };
  return llvm::TypeSwitch<mlir::Type, Element>(type)
      .Case<mlir::Float32Type>(is(ElementType::f32))
      .Case<mlir::IntegerType>([](auto integer) -> Element {
        const char *kind = integer.isSignless() ? "i" : integer.isUnsigned() ? "ui" : "si";
        return elementNamed(kind + std::to_string(integer.getWidth()));
      })
      .Case<mlir::ComplexType>([](auto complex) -> Element {
        Element part = elementOf(complex.getElementType());
        if (part == ElementType::f32)
          return ElementType::complexF32;
        return part == ElementType::f64 ? Element(ElementType::complexF64) : std::nullopt;
      })
      .Case<mlir::BFloat16Type>(is(ElementType::bf16))
      .Case<mlir::Float16Type>(is(ElementType::f16))
      .Case<mlir::Float64Type>(is(ElementType::f64))
      .Case<mlir::Float4E2M1FNType>(is(ElementType::f4E2M1FN))
      .Case<mlir::Float6E2M3FNType>(is(ElementType::f6E2M3FN))
      .Case<mlir::Float6E3M2FNType>(is(ElementType::f6E3M2FN))
      .Case<mlir::Float8E3M4Type>(is(ElementType::f8E3M4))
      .Case<mlir::Float8E4M3Type>(is(ElementType::f8E4M3))
      .Case<mlir::Float8E4M3FNType>(is(ElementType::f8E4M3FN))
      .Case<mlir::Float8E4M3FNUZType>(is(ElementType::f8E4M3FNUZ))
      .Case<mlir::Float8E4M3B11FNUZType>(is(ElementType::f8E4M3B11FNUZ))
      .Case<mlir::Float8E5M2Type>(is(ElementType::f8E5M2))
      .Case<mlir::Float8E5M2FNUZType>(is(ElementType::f8E5M2FNUZ))
      .Case<mlir::Float8E8M0FNUType>(is(ElementType::f8E8M0FNU))
      .Default([](mlir::Type) -> Element { return std::nullopt; });
}

std::optional<TensorType> convertType(mlir::Type type) {
  auto buffer = llvm::dyn_cast<BufferType>(type);
  auto tensor = buffer ? buffer.getTensor() : llvm::dyn_cast<mlir::RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape())
    return std::nullopt;
  mlir::Type elementType = tensor.getElementType();
  if (auto quantized = llvm::dyn_cast<mlir::quant::QuantizedType>(elementType))
    elementType = mlir::IntegerType::get(type.getContext(), quantized.getStorageTypeIntegralWidth(),
                                         quantized.isSigned() ? mlir::IntegerType::Signless
                                                              : mlir::IntegerType::Unsigned);
  std::optional<ElementType> element = elementOf(elementType);
  if (!element)
    return std::nullopt;
  return TensorType{*element, ints(tensor.getShape())};
}

std::optional<std::string> constantBytes(mlir::ElementsAttr value, bool &isSplat) {
  isSplat = false;
  if (auto resource = llvm::dyn_cast<mlir::DenseResourceElementsAttr>(value)) {
    // Nothing says that data and type go together.
    mlir::AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    std::optional<TensorType> type = convertType(value.getType());
    if (!blob || !type || static_cast<int64_t>(blob->getData().size()) != type->sizeInBytes())
      return std::nullopt;
    return std::string(blob->getData().data(), blob->getData().size());
  }
  auto dense = llvm::dyn_cast<mlir::DenseElementsAttr>(value);
  if (!dense)
    return std::nullopt;
  if (dense.empty())
    return ""; // Stored as a splat of something all the same.
  isSplat = dense.isSplat() && dense.getNumElements() > 1;
  if (dense.getElementType().isInteger(1)) { // Packed in memory, a byte each here.
    std::string bytes;
    for (bool bit : dense.getValues<bool>()) {
      bytes.push_back(bit);
      if (isSplat)
        break;
    }
    return bytes;
  }
  llvm::ArrayRef<char> raw = dense.getRawData();
  return std::string(raw.data(), raw.size());
}

} // namespace spmd
