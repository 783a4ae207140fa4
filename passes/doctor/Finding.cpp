#include "spmd/passes/doctor/Finding.h"

#include "spmd/dialect/partitioning/Partitionable.h"
#include "spmd/dialect/spmd/WrittenNames.h"

#include <cmath>

namespace spmd {

std::string nameOf(mlir::Value value) {
  std::string name = writtenName(value);
  return name.empty() ? describeValue(value) : name;
}

std::string sizeText(double bytes) {
  std::string digits = std::to_string(static_cast<int64_t>(std::ceil(bytes)));
  for (size_t at = digits.size(); at > 3; at -= 3)
    digits.insert(at - 3, ",");
  return digits + (digits == "1" ? " byte" : " bytes");
}

double bytesOf(mlir::Value value) {
  mlir::RankedTensorType type = tensorTypeOf(value);
  if (!type || !type.hasStaticShape())
    return 0;
  return elementBits(type.getElementType()) / 8.0 * static_cast<double>(type.getNumElements());
}

bool isSplit(ValueSharding sharding) {
  return sharding && llvm::any_of(sharding.attr.getSpec().dims,
                                  [](const DimSpec &dim) { return !dim.axes.empty(); });
}

} // namespace spmd
