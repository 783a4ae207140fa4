#include "spmd/dialect/export/hlo/Types.h"

#include "spmd/dialect/stablehlo/Dialect.h"
#include "spmd/ir/hlo/LiteralData.h"
#include "spmd/ir/hlo/PrimitiveTypes.h"

#include "llvm/ADT/TypeSwitch.h"

namespace spmd {

//===- Element types -------------------------------------------------------===//

static hlo::PrimitiveType integerType(unsigned width, bool isUnsigned) {
  switch (width) {
  case 1:
    return hlo::PRED;
  case 2:
    return isUnsigned ? hlo::U2 : hlo::S2;
  case 4:
    return isUnsigned ? hlo::U4 : hlo::S4;
  case 8:
    return isUnsigned ? hlo::U8 : hlo::S8;
  case 16:
    return isUnsigned ? hlo::U16 : hlo::S16;
  case 32:
    return isUnsigned ? hlo::U32 : hlo::S32;
  case 64:
    return isUnsigned ? hlo::U64 : hlo::S64;
  default:
    return hlo::PRIMITIVE_TYPE_INVALID;
  }
}

static hlo::PrimitiveType elementTypeOf(mlir::Type type) {
  using namespace mlir;
  auto always = [](hlo::PrimitiveType primitive) {
    return [primitive](auto) { return primitive; };
  };
  return llvm::TypeSwitch<Type, hlo::PrimitiveType>(type)
      .Case<IntegerType>(
          [](IntegerType integer) { return integerType(integer.getWidth(), integer.isUnsigned()); })
      .Case<ComplexType>([](ComplexType complex) {
        Type part = complex.getElementType();
        return part.isF32() ? hlo::C64 : part.isF64() ? hlo::C128 : hlo::PRIMITIVE_TYPE_INVALID;
      })
      .Case<Float16Type>(always(hlo::F16))
      .Case<BFloat16Type>(always(hlo::BF16))
      .Case<Float32Type>(always(hlo::F32))
      .Case<Float64Type>(always(hlo::F64))
      .Case<Float8E5M2Type>(always(hlo::F8E5M2))
      .Case<Float8E4M3Type>(always(hlo::F8E4M3))
      .Case<Float8E3M4Type>(always(hlo::F8E3M4))
      .Case<Float8E4M3FNType>(always(hlo::F8E4M3FN))
      .Case<Float8E4M3B11FNUZType>(always(hlo::F8E4M3B11FNUZ))
      .Case<Float8E5M2FNUZType>(always(hlo::F8E5M2FNUZ))
      .Case<Float8E4M3FNUZType>(always(hlo::F8E4M3FNUZ))
      .Case<Float8E8M0FNUType>(always(hlo::F8E8M0FNU))
      .Case<Float4E2M1FNType>(always(hlo::F4E2M1FN))
      .Case<Float6E2M3FNType>(always(hlo::F6E2M3FN))
      .Case<Float6E3M2FNType>(always(hlo::F6E3M2FN))
      .Default(always(hlo::PRIMITIVE_TYPE_INVALID));
}

static std::string textOf(mlir::Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

//===- Shapes --------------------------------------------------------------===//

void makeTuple(hlo::ShapeProto &shape) {
  shape.Clear();
  shape.set_element_type(hlo::TUPLE);
}

std::string shapeOf(mlir::Type type, hlo::ShapeProto &shape) {
  shape.Clear();
  if (auto tuple = llvm::dyn_cast<mlir::TupleType>(type)) {
    makeTuple(shape);
    for (mlir::Type element : tuple.getTypes())
      if (std::string why = shapeOf(element, *shape.add_tuple_shapes()); !why.empty())
        return why;
    return "";
  }
  if (llvm::isa<stablehlo::TokenType>(type)) {
    shape.set_element_type(hlo::TOKEN);
    return "";
  }
  auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(type);
  if (!tensor)
    return "type " + textOf(type) + " has no counterpart in HLO";
  if (!tensor.hasStaticShape())
    return "type " + textOf(type) + " has a dynamic dim; only static shapes are written";
  hlo::PrimitiveType element = elementTypeOf(tensor.getElementType());
  if (element == hlo::PRIMITIVE_TYPE_INVALID)
    return "element type " + textOf(tensor.getElementType()) + " has no counterpart in HLO";
  shape.set_element_type(element);
  for (int64_t size : tensor.getShape())
    shape.add_dimensions(size);
  hlo::LayoutProto &layout = *shape.mutable_layout();
  for (int64_t dim = tensor.getRank(); dim-- > 0;)
    layout.add_minor_to_major(dim);
  return "";
}

std::string shapeOf(mlir::TypeRange types, hlo::ShapeProto &shape) {
  if (types.size() == 1)
    return shapeOf(types.front(), shape);
  makeTuple(shape);
  for (mlir::Type type : types)
    if (std::string why = shapeOf(type, *shape.add_tuple_shapes()); !why.empty())
      return why;
  return "";
}

//===- Literals ------------------------------------------------------------===//

/// Copies elements that lie in memory as the field holds them.
template <typename Field>
static void toField(mlir::DenseElementsAttr value, int64_t perElement, Field &field) {
  using Element = std::decay_t<decltype(*field.begin())>;
  int64_t count = value.getNumElements() * perElement;
  llvm::ArrayRef<char> raw = value.getRawData();
  const auto *elements = reinterpret_cast<const Element *>(raw.data());
  field.Reserve(static_cast<int>(count));
  for (int64_t i = 0; i < count; ++i)
    field.AddAlreadyReserved(elements[value.isSplat() ? i % perElement : i]);
}

/// Numbers of less than 8 bits take a byte each.
static std::string smallBytes(mlir::DenseElementsAttr value) {
  std::string bytes;
  bytes.reserve(value.getNumElements());
  if (llvm::isa<mlir::IntegerType>(value.getElementType()))
    for (const llvm::APInt &element : value.getValues<llvm::APInt>())
      bytes.push_back(static_cast<char>(element.getZExtValue()));
  else
    for (const llvm::APFloat &element : value.getValues<llvm::APFloat>())
      bytes.push_back(static_cast<char>(element.bitcastToAPInt().getZExtValue()));
  return bytes;
}

static std::string bytesOf(mlir::DenseElementsAttr value) {
  if (value.getElementType().getIntOrFloatBitWidth() < 8)
    return smallBytes(value);
  llvm::ArrayRef<char> raw = value.getRawData();
  std::string bytes(raw.begin(), raw.end());
  if (value.isSplat()) {
    std::string one = std::exchange(bytes, "");
    for (int64_t i = 0; i < value.getNumElements(); ++i)
      bytes += one;
  }
  return bytes;
}

std::string literalOf(mlir::ElementsAttr value, const hlo::ShapeProto &shape,
                      hlo::LiteralProto &literal) {
  auto dense = llvm::dyn_cast<mlir::DenseElementsAttr>(value);
  if (!dense)
    return "its value is no list of elements";
  constexpr int64_t most = std::numeric_limits<int32_t>::max() / 32;
  if (dense.getNumElements() > most)
    return "its value has " + std::to_string(dense.getNumElements()) +
           " elements; literals of up to " + std::to_string(most) + " are written";
  *literal.mutable_shape() = shape;
  if (dense.getNumElements() == 0)
    return "";
  if (const hlo::ByteField *field = hlo::findByteField(shape.element_type())) {
    *(literal.*field->mutableData)() = bytesOf(dense);
    return "";
  }
  switch (shape.element_type()) {
  case hlo::PRED:
    for (bool element : dense.getValues<bool>())
      literal.add_preds(element);
    return "";
  case hlo::S32:
    return toField(dense, 1, *literal.mutable_s32s()), "";
  case hlo::S64:
    return toField(dense, 1, *literal.mutable_s64s()), "";
  case hlo::U32:
    return toField(dense, 1, *literal.mutable_u32s()), "";
  case hlo::U64:
    return toField(dense, 1, *literal.mutable_u64s()), "";
  case hlo::F32:
    return toField(dense, 1, *literal.mutable_f32s()), "";
  case hlo::F64:
    return toField(dense, 1, *literal.mutable_f64s()), "";
  case hlo::C64:
    return toField(dense, 2, *literal.mutable_c64s()), "";
  case hlo::C128:
    return toField(dense, 2, *literal.mutable_c128s()), "";
  default:
    return "literals of " + std::string(hlo::findPrimitiveType(shape.element_type())->name) +
           " are not written";
  }
}

} // namespace spmd
