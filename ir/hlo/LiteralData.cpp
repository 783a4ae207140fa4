// The fields of a literal, and the order of its elements.

#include "spmd/ir/hlo/LiteralData.h"

#include "spmd/ir/hlo/PrimitiveTypes.h"

#include <algorithm>
#include <limits>

namespace spmd::hlo {

using L = LiteralProto;

static constexpr ByteField byteFields[] = {
    {S1, 1, &L::mutable_s1s, &L::s1s},
    {S2, 1, &L::mutable_s2s, &L::s2s},
    {S4, 1, &L::mutable_s4s, &L::s4s},
    {S8, 1, &L::mutable_s8s, &L::s8s},
    {U1, 1, &L::mutable_u1s, &L::u1s},
    {U2, 1, &L::mutable_u2s, &L::u2s},
    {U4, 1, &L::mutable_u4s, &L::u4s},
    {U8, 1, &L::mutable_u8s, &L::u8s},
    {S16, 2, &L::mutable_s16s, &L::s16s},
    {U16, 2, &L::mutable_u16s, &L::u16s},
    {F16, 2, &L::mutable_f16s, &L::f16s},
    {BF16, 2, &L::mutable_bf16s, &L::bf16s},
    {F4E2M1FN, 1, &L::mutable_f4e2m1fns, &L::f4e2m1fns},
    {F8E3M4, 1, &L::mutable_f8e3m4s, &L::f8e3m4s},
    {F8E4M3, 1, &L::mutable_f8e4m3s, &L::f8e4m3s},
    {F8E4M3FN, 1, &L::mutable_f8e4m3fns, &L::f8e4m3fns},
    {F8E4M3FNUZ, 1, &L::mutable_f8e4m3fnuzs, &L::f8e4m3fnuzs},
    {F8E4M3B11FNUZ, 1, &L::mutable_f8e4m3b11fnuzs, &L::f8e4m3b11fnuzs},
    {F8E5M2, 1, &L::mutable_f8e5m2s, &L::f8e5m2s},
    {F8E5M2FNUZ, 1, &L::mutable_f8e5m2fnuzs, &L::f8e5m2fnuzs},
    {F8E8M0FNU, 1, &L::mutable_f8e8m0fnus, &L::f8e8m0fnus},
};

const ByteField *findByteField(PrimitiveType type) {
  auto found = std::find_if(std::begin(byteFields), std::end(byteFields),
                            [&](const ByteField &field) { return field.type == type; });
  return found == std::end(byteFields) ? nullptr : found;
}

int64_t countElements(const ShapeProto &shape) {
  // A dim of 0 makes the array empty however large the others are.
  int64_t count = 1;
  bool overflow = false;
  for (int64_t dim : shape.dimensions()) {
    if (dim < 0)
      return -1;
    if (dim != 0 && count > std::numeric_limits<int64_t>::max() / dim)
      overflow = true;
    else
      count *= dim;
  }
  return overflow && count != 0 ? -1 : count;
}

int64_t countStored(const LiteralProto &literal) {
  PrimitiveType type = literal.shape().element_type();
  if (const ByteField *field = findByteField(type))
    return static_cast<int64_t>((literal.*field->data)().size()) / field->bytes;
  switch (type) {
  case PRED:
    return literal.preds_size();
  case S32:
    return literal.s32s_size();
  case S64:
    return literal.s64s_size();
  case U32:
    return literal.u32s_size();
  case U64:
    return literal.u64s_size();
  case F32:
    return literal.f32s_size();
  case F64:
    return literal.f64s_size();
  case C64:
    return literal.c64s_size() / 2;
  case C128:
    return literal.c128s_size() / 2;
  default:
    return 0;
  }
}

std::vector<int64_t> rowMajorOrder(const ShapeProto &shape) {
  const auto &minorToMajor = shape.layout().minor_to_major();
  int rank = shape.dimensions_size();
  // Without a layout, or with one that is not of this shape, the order is the row-major one.
  bool same = minorToMajor.size() != rank;
  for (int i = 0, wanted = rank - 1; !same; ++i, --wanted) {
    if (i == rank)
      same = true;
    else if (minorToMajor[i] != wanted)
      break;
  }
  if (same)
    return {};
  std::vector<int64_t> strides(rank), index(rank);
  int64_t count = 1;
  for (int64_t dim : minorToMajor) {
    strides[dim] = count;
    count *= shape.dimensions(dim);
  }
  std::vector<int64_t> order(count);
  int64_t position = 0;
  for (int64_t &entry : order) {
    entry = position;
    for (int dim = rank - 1; dim >= 0; --dim) {
      position += strides[dim];
      if (++index[dim] < shape.dimensions(dim))
        break;
      position -= strides[dim] * shape.dimensions(dim);
      index[dim] = 0;
    }
  }
  return order;
}

} // namespace spmd::hlo
