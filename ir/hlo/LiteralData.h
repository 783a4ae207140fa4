//===- LiteralData.h - where the elements of a literal stand ----*- C++ -*-===//

#ifndef SPMD_IR_HLO_LITERALDATA_H
#define SPMD_IR_HLO_LITERALDATA_H

#include "spmd/ir/hlo/xla_data.pb.h"

#include <string>
#include <vector>

namespace spmd::hlo {

/// The field of a literal that holds elements of one type as bytes.
struct ByteField {
  PrimitiveType type;
  int bytes; ///< Per element: 1, also for the types of less than 8 bits, or 2.
  std::string *(LiteralProto::*mutableData)();
  const std::string &(LiteralProto::*data)() const;
};

/// Returns the field for `type`, or null if its elements are not held as bytes.
const ByteField *findByteField(PrimitiveType type);

/// Returns how many elements an array shape has, or -1 if that does not fit 64 bits or a dim is
/// negative.
int64_t countElements(const ShapeProto &shape);

/// Returns how many elements the literal of an array holds. 0 for a literal that was elided.
int64_t countStored(const LiteralProto &literal);

/// Returns, for each element of an array in row-major order, its index in the data of a literal
/// with the layout of `shape`; empty if that is the same order. The layout must be a permutation of
/// the dims.
std::vector<int64_t> rowMajorOrder(const ShapeProto &shape);

} // namespace spmd::hlo

#endif
