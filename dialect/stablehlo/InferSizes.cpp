#include "spmd/dialect/stablehlo/InferSizes.h"

#include "spmd/dialect/stablehlo/Verify.h"

using namespace mlir;

namespace spmd::stablehlo {

/// What checks say goes here while `inferSizes` runs in this thread; else nobody listens.
static thread_local ResultSizes *listener = nullptr;

void expectSizes(const Subject &subject, Dims sizes) {
  if (!listener || !subject.result)
    return;
  SmallVector<int64_t> &known = (*listener)[*subject.result];
  if (known.empty())
    known.assign(sizes.begin(), sizes.end());
  for (auto [size, said] : llvm::zip(known, sizes))
    size = isDynamic(size) ? said : size;
}

FailureOr<ResultSizes> inferSizes(Operation *op) {
  ResultSizes sizes(op->getNumResults());
  listener = &sizes;
  LogicalResult verified = op->getName().verifyInvariants(op);
  listener = nullptr;
  if (failed(verified))
    return failure();
  return sizes;
}

RankedTensorType refined(RankedTensorType type, Dims sizes) {
  SmallVector<int64_t> shape(type.getShape());
  for (auto [size, known] : llvm::zip(shape, sizes))
    size = isDynamic(size) ? known : size;
  if (shape == type.getShape())
    return type;
  bool isStatic = !llvm::is_contained(shape, ShapedType::kDynamic);
  return RankedTensorType::get(shape, type.getElementType(),
                               isStatic ? Attribute() : type.getEncoding());
}

} // namespace spmd::stablehlo
