#include "spmd/dialect/import/hlo/Types.h"

#include "spmd/dialect/stablehlo/Dialect.h"
#include "spmd/dialect/stablehlo/LeftOut.h"

#include "llvm/ADT/STLExtras.h"

namespace spmd {

/// Tuples nested deeper than this are refused: nobody writes them.
static constexpr int deepest = 64;

static mlir::Type elementType(hlo::PrimitiveType type, mlir::MLIRContext &context) {
  auto integer = [&](unsigned width, bool isUnsigned = false) -> mlir::Type {
    return mlir::IntegerType::get(
        &context, width, isUnsigned ? mlir::IntegerType::Unsigned : mlir::IntegerType::Signless);
  };
  switch (type) {
  case hlo::PRED:
    return integer(1);
  case hlo::S2:
    return integer(2);
  case hlo::S4:
    return integer(4);
  case hlo::S8:
    return integer(8);
  case hlo::S16:
    return integer(16);
  case hlo::S32:
    return integer(32);
  case hlo::S64:
    return integer(64);
  case hlo::U2:
    return integer(2, true);
  case hlo::U4:
    return integer(4, true);
  case hlo::U8:
    return integer(8, true);
  case hlo::U16:
    return integer(16, true);
  case hlo::U32:
    return integer(32, true);
  case hlo::U64:
    return integer(64, true);
  case hlo::F16:
    return mlir::Float16Type::get(&context);
  case hlo::BF16:
    return mlir::BFloat16Type::get(&context);
  case hlo::F32:
    return mlir::Float32Type::get(&context);
  case hlo::F64:
    return mlir::Float64Type::get(&context);
  case hlo::C64:
    return mlir::ComplexType::get(mlir::Float32Type::get(&context));
  case hlo::C128:
    return mlir::ComplexType::get(mlir::Float64Type::get(&context));
  case hlo::F8E5M2:
    return mlir::Float8E5M2Type::get(&context);
  case hlo::F8E4M3:
    return mlir::Float8E4M3Type::get(&context);
  case hlo::F8E3M4:
    return mlir::Float8E3M4Type::get(&context);
  case hlo::F8E4M3FN:
    return mlir::Float8E4M3FNType::get(&context);
  case hlo::F8E4M3B11FNUZ:
    return mlir::Float8E4M3B11FNUZType::get(&context);
  case hlo::F8E5M2FNUZ:
    return mlir::Float8E5M2FNUZType::get(&context);
  case hlo::F8E4M3FNUZ:
    return mlir::Float8E4M3FNUZType::get(&context);
  case hlo::F8E8M0FNU:
    return mlir::Float8E8M0FNUType::get(&context);
  case hlo::F4E2M1FN:
    return mlir::Float4E2M1FNType::get(&context);
  case hlo::F6E2M3FN:
    return mlir::Float6E2M3FNType::get(&context);
  case hlo::F6E3M2FN:
    return mlir::Float6E3M2FNType::get(&context);
  default:
    return {};
  }
}

static std::string leafTypes(const hlo::ShapeProto &shape, mlir::MLIRContext &context,
                             llvm::SmallVectorImpl<mlir::Type> &types, int depth) {
  if (depth > deepest)
    return "tuples are nested too deeply";
  if (shape.element_type() == hlo::TUPLE) {
    for (const hlo::ShapeProto &element : shape.tuple_shapes())
      if (std::string why = leafTypes(element, context, types, depth + 1); !why.empty())
        return why;
    return "";
  }
  if (shape.element_type() == hlo::TOKEN) {
    types.push_back(stablehlo::TokenType::get(&context));
    return "";
  }
  mlir::Type element = elementType(shape.element_type(), context);
  if (!element)
    return "element type " + hlo::PrimitiveType_Name(shape.element_type()) +
           " has no counterpart in StableHLO";
  if (llvm::is_contained(shape.is_dynamic_dimension(), true))
    return "a dim is dynamic, and only static shapes are read; keep all rows, and select by a mask";
  int64_t count = 1;
  for (int64_t size : shape.dimensions()) {
    if (size < 0 || llvm::MulOverflow(count, size, count))
      return "a dim has size " + std::to_string(size) + ", or the shape too many elements";
  }
  llvm::SmallVector<int64_t> dims(shape.dimensions().begin(), shape.dimensions().end());
  types.push_back(mlir::RankedTensorType::get(dims, element));
  return "";
}

std::string leafTypes(const hlo::ShapeProto &shape, mlir::MLIRContext &context,
                      llvm::SmallVectorImpl<mlir::Type> &types) {
  return leafTypes(shape, context, types, 0);
}

size_t countLeaves(const hlo::ShapeProto &shape) {
  if (shape.element_type() != hlo::TUPLE)
    return 1;
  size_t count = 0;
  for (const hlo::ShapeProto &element : shape.tuple_shapes())
    count += countLeaves(element);
  return count;
}

//===- Literals ------------------------------------------------------------===//

/// The bytes in which `literal` holds small elements, or null if they are elsewhere.
static const std::string *packedBytes(const hlo::LiteralProto &literal, hlo::PrimitiveType type) {
  switch (type) {
  case hlo::U8:
    return &literal.u8s();
  case hlo::S8:
    return &literal.s8s();
  case hlo::U16:
    return &literal.u16s();
  case hlo::S16:
    return &literal.s16s();
  case hlo::F16:
    return &literal.f16s();
  case hlo::BF16:
    return &literal.bf16s();
  case hlo::S2:
    return &literal.s2s();
  case hlo::U2:
    return &literal.u2s();
  case hlo::S4:
    return &literal.s4s();
  case hlo::U4:
    return &literal.u4s();
  case hlo::F8E5M2:
    return &literal.f8e5m2s();
  case hlo::F8E4M3FN:
    return &literal.f8e4m3fns();
  case hlo::F8E4M3B11FNUZ:
    return &literal.f8e4m3b11fnuzs();
  case hlo::F8E5M2FNUZ:
    return &literal.f8e5m2fnuzs();
  case hlo::F8E4M3FNUZ:
    return &literal.f8e4m3fnuzs();
  case hlo::F8E4M3:
    return &literal.f8e4m3s();
  case hlo::F8E3M4:
    return &literal.f8e3m4s();
  case hlo::F4E2M1FN:
    return &literal.f4e2m1fns();
  case hlo::F8E8M0FNU:
    return &literal.f8e8m0fnus();
  default:
    return nullptr;
  }
}

/// Numbers of 2 and 4 bits come several to a byte, the first in the low bits, or one to a byte.
static std::vector<llvm::APInt> unpack(const std::string &bytes, unsigned bits, int64_t count) {
  std::vector<llvm::APInt> values;
  int64_t perByte = static_cast<int64_t>(bytes.size()) >= count ? 1 : 8 / bits;
  for (int64_t i = 0; i < count; ++i) {
    uint8_t byte = bytes[i / perByte];
    values.emplace_back(bits, (byte >> (i % perByte * bits)) & ((1u << bits) - 1));
  }
  return values;
}

/// A literal without any elements leaves them out; otherwise too few or too many are an error.
static std::string wrongCount(int64_t has, mlir::RankedTensorType type, mlir::ElementsAttr &value) {
  if (has > 0)
    return "literal has " + std::to_string(has) + " elements, its shape " +
           std::to_string(type.getNumElements());
  value = leftOutValue(type);
  return "";
}

/// Makes a tensor of the elements in `field`, which lie in memory as MLIR holds them.
template <typename Field>
static std::string fromField(const Field &field, mlir::RankedTensorType type, int64_t perElement,
                             mlir::ElementsAttr &value) {
  using Element = std::decay_t<decltype(*field.begin())>;
  int64_t needs = type.getNumElements() * perElement;
  if (static_cast<int64_t>(field.size()) != needs)
    return wrongCount(field.size() / perElement + (field.size() % perElement != 0), type, value);
  const Element *begin = needs == 0 ? nullptr : &*field.begin();
  llvm::ArrayRef<char> raw(reinterpret_cast<const char *>(begin), needs * sizeof(Element));
  value = mlir::DenseElementsAttr::getFromRawBuffer(type, raw);
  return "";
}

static std::string fromBytes(const std::string &bytes, mlir::RankedTensorType type,
                             mlir::ElementsAttr &value) {
  unsigned bits = type.getElementTypeBitWidth();
  int64_t count = type.getNumElements();
  if (bits >= 8) {
    if (static_cast<int64_t>(bytes.size()) != count * (bits / 8))
      return wrongCount(bytes.empty() ? 0 : std::max<int64_t>(bytes.size() / (bits / 8), 1), type,
                        value);
    value = mlir::DenseElementsAttr::getFromRawBuffer(type, {bytes.data(), bytes.size()});
    return "";
  }
  int64_t packed = (count * bits + 7) / 8, size = bytes.size();
  if (size != packed && size != count)
    return wrongCount(size * 8 / bits, type, value);
  std::vector<llvm::APInt> integers = unpack(bytes, bits, count);
  if (llvm::isa<mlir::IntegerType>(type.getElementType())) {
    value = mlir::DenseElementsAttr::get(type, integers);
    return "";
  }
  std::vector<llvm::APFloat> floats;
  auto element = llvm::cast<mlir::FloatType>(type.getElementType());
  for (const llvm::APInt &integer : integers)
    floats.emplace_back(element.getFloatSemantics(), integer);
  value = mlir::DenseElementsAttr::get(type, floats);
  return "";
}

static std::string fromPreds(const hlo::LiteralProto &literal, mlir::RankedTensorType type,
                             mlir::ElementsAttr &value) {
  if (literal.preds_size() != type.getNumElements())
    return wrongCount(literal.preds_size(), type, value);
  llvm::SmallVector<bool> preds(literal.preds().begin(), literal.preds().end());
  value = mlir::DenseElementsAttr::get(type, preds);
  return "";
}

static std::string tensorValue(const hlo::LiteralProto &literal, hlo::PrimitiveType element,
                               mlir::RankedTensorType type, mlir::ElementsAttr &value) {
  switch (element) {
  case hlo::PRED:
    return fromPreds(literal, type, value);
  case hlo::S32:
    return fromField(literal.s32s(), type, 1, value);
  case hlo::S64:
    return fromField(literal.s64s(), type, 1, value);
  case hlo::U32:
    return fromField(literal.u32s(), type, 1, value);
  case hlo::U64:
    return fromField(literal.u64s(), type, 1, value);
  case hlo::F32:
    return fromField(literal.f32s(), type, 1, value);
  case hlo::F64:
    return fromField(literal.f64s(), type, 1, value);
  case hlo::C64:
    return fromField(literal.c64s(), type, 2, value);
  case hlo::C128:
    return fromField(literal.c128s(), type, 2, value);
  default:
    break;
  }
  const std::string *bytes = packedBytes(literal, element);
  return bytes ? fromBytes(*bytes, type, value)
               : "literals of " + hlo::PrimitiveType_Name(element) + " are not read";
}

std::string leafValues(const hlo::LiteralProto &literal, const hlo::ShapeProto &shape,
                       mlir::MLIRContext &context,
                       llvm::SmallVectorImpl<mlir::ElementsAttr> &values) {
  if (shape.element_type() == hlo::TUPLE) {
    if (literal.tuple_literals_size() != shape.tuple_shapes_size())
      return "literal and shape differ in the number of elements of a tuple";
    for (int i = 0; i < shape.tuple_shapes_size(); ++i)
      if (std::string why =
              leafValues(literal.tuple_literals(i), shape.tuple_shapes(i), context, values);
          !why.empty())
        return why;
    return "";
  }
  llvm::SmallVector<mlir::Type> types;
  if (std::string why = leafTypes(shape, context, types); !why.empty())
    return why;
  auto type = llvm::dyn_cast<mlir::RankedTensorType>(types.front());
  if (!type)
    return "a token has no literal";
  return tensorValue(literal, shape.element_type(), type, values.emplace_back());
}

} // namespace spmd
