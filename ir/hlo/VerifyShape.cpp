// Shapes and literals.

#include "spmd/ir/hlo/LiteralData.h"
#include "spmd/ir/hlo/PrimitiveTypes.h"
#include "spmd/ir/hlo/VerifyParts.h"

#include "absl/strings/str_cat.h"

#include <limits>

namespace spmd::hlo {

static Finding checkLayout(const ShapeProto &shape) {
  const auto &minorToMajor = shape.layout().minor_to_major();
  int rank = shape.dimensions_size();
  if (minorToMajor.empty())
    return {};
  if (minorToMajor.size() != rank)
    return absl::StrCat("has a layout of ", minorToMajor.size(), " dims on a shape of ", rank);
  std::vector<bool> seen(rank);
  for (int64_t dim : minorToMajor) {
    if (dim < 0 || dim >= rank || seen[dim])
      return absl::StrCat("has a layout that does not name each of its ", rank, " dims once");
    seen[dim] = true;
  }
  return {};
}

static Finding checkDims(const ShapeProto &shape, int bits) {
  int rank = shape.dimensions_size();
  if (!shape.is_dynamic_dimension().empty() && shape.is_dynamic_dimension_size() != rank)
    return absl::StrCat("says of ", shape.is_dynamic_dimension_size(),
                        " dims whether they are dynamic, it has ", rank);
  // 2^62 bits is more than any machine has, and leaves room for the arithmetic of who reads it.
  int64_t most = (int64_t(1) << 62) / bits, count = 1;
  for (int i = 0; i < rank; ++i) {
    int64_t size = shape.dimensions(i);
    bool isDynamic = i < shape.is_dynamic_dimension_size() && shape.is_dynamic_dimension(i);
    if (size == std::numeric_limits<int64_t>::min() && isDynamic)
      continue;
    if (size < 0)
      return absl::StrCat("has size ", size, " in dim ", i);
    if (size != 0 && count > most / size)
      return "has more elements than fit 64 bits";
    count *= size == 0 ? 1 : size;
  }
  return {};
}

Finding checkShape(const ShapeProto &shape) {
  const PrimitiveTypeInfo *info = findPrimitiveType(shape.element_type());
  if (!info)
    return absl::StrCat("has the unknown element type ", static_cast<int>(shape.element_type()));
  if (info->kind != ElementKind::None) {
    if (!shape.tuple_shapes().empty())
      return "is an array with the parts of a tuple";
    Finding finding = checkDims(shape, info->bits);
    return finding ? finding : checkLayout(shape);
  }
  if (!shape.dimensions().empty())
    return "has dims, and is no array";
  if (shape.element_type() == BUFFER
          ? shape.tuple_shapes_size() != 1
          : shape.element_type() != TUPLE && !shape.tuple_shapes().empty())
    return "has the wrong number of parts for its type";
  for (const ShapeProto &part : shape.tuple_shapes())
    if (Finding finding = checkShape(part))
      return finding;
  return {};
}

Finding checkLiteral(const LiteralProto &literal, const ShapeProto &shape) {
  if (shape.element_type() == TUPLE) {
    if (literal.tuple_literals_size() != shape.tuple_shapes_size())
      return absl::StrCat("has a literal of ", literal.tuple_literals_size(),
                          " parts for a tuple of ", shape.tuple_shapes_size());
    for (int i = 0; i < shape.tuple_shapes_size(); ++i)
      if (Finding finding = checkLiteral(literal.tuple_literals(i), shape.tuple_shapes(i)))
        return finding;
    return {};
  }
  bool same = literal.shape().element_type() == shape.element_type() &&
              std::equal(literal.shape().dimensions().begin(), literal.shape().dimensions().end(),
                         shape.dimensions().begin(), shape.dimensions().end());
  if (!same)
    return "has a literal of another shape";
  const PrimitiveTypeInfo *info = findPrimitiveType(shape.element_type());
  if (info->kind == ElementKind::None)
    return {};
  if (Finding finding = checkLayout(literal.shape()))
    return finding;
  int64_t count = countElements(shape), stored = countStored(literal);
  if (stored != count && stored != 0)
    return absl::StrCat("has a literal of ", stored, " elements for ", count);
  return {};
}

} // namespace spmd::hlo
