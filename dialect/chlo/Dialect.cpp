#include "spmd/dialect/chlo/Dialect.h"

using namespace mlir;
using namespace spmd::chlo;

#include "spmd/dialect/chlo/Dialect.cpp.inc"

#define GET_OP_CLASSES
#include "spmd/dialect/chlo/Ops.cpp.inc"

void ChloDialect::initialize() {
  registerAttributes();
  addOperations<
#define GET_OP_LIST
#include "spmd/dialect/chlo/Ops.cpp.inc"
      >();
}

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValue(); }
