#include "spmd/dialect/spmd/Sizes.h"

#include "spmd/dialect/spmd/Dialect.h"
#include "spmd/dialect/spmd/ValueSharding.h"

namespace spmd {

bool isTooLarge(mlir::Type type) {
  auto buffer = llvm::dyn_cast<BufferType>(type);
  auto tensor = buffer ? buffer.getTensor() : llvm::dyn_cast<mlir::RankedTensorType>(type);
  if (!tensor)
    return false;
  int64_t rest = int64_t{1} << 56;
  for (int64_t size : tensor.getShape())
    if (!mlir::ShapedType::isDynamic(size))
      rest /= std::max<int64_t>(size, 1);
  return rest == 0;
}

void reportTooLarge(mlir::Value value) {
  mlir::emitError(value.getLoc()) << describeValue(value) << " has type " << value.getType()
                                  << "; at most 2^56 elements are supported";
}

mlir::LogicalResult verifySizes(mlir::ModuleOp module) {
  bool failed = false;
  auto check = [&](mlir::ValueRange values) {
    for (mlir::Value value : values)
      if (isTooLarge(value.getType())) {
        reportTooLarge(value);
        failed = true;
      }
  };
  module.walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    check(op->getResults());
    for (mlir::Region &region : op->getRegions())
      for (mlir::Block &block : region)
        check(block.getArguments());
  });
  return mlir::failure(failed);
}

uint64_t bytesOf(mlir::ValueRange values) {
  uint64_t bytes = 0;
  for (mlir::Value value : values)
    if (auto type = llvm::dyn_cast<mlir::RankedTensorType>(value.getType());
        type && type.hasStaticShape())
      bytes += static_cast<uint64_t>(type.getNumElements()) *
               std::max<uint64_t>(1, elementBits(type.getElementType()) / 8);
  return bytes;
}

} // namespace spmd
