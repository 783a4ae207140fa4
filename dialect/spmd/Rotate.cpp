// The checks of `spmd.rotate`.

#include "spmd/dialect/spmd/Rotate.h"

#define GET_OP_CLASSES
#include "spmd/dialect/spmd/Rotate.cpp.inc"

using namespace mlir;
using namespace spmd;

LogicalResult RotateOp::verify() {
  RankedTensorType type = getOperand().getType();
  int64_t dim = getDim(), by = getBy();
  if (dim < 0 || dim >= type.getRank())
    return emitOpError() << "dim " << dim << " is none of the operand's " << type.getRank();
  if (by <= 0 || (!type.isDynamicDim(dim) && by >= type.getDimSize(dim)))
    return emitOpError() << "moves dim " << dim << " of size " << type.getDimSize(dim) << " by "
                         << by << "; expected more than 0, and less than the size";
  return success();
}
