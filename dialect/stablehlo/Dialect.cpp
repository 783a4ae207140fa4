#include "spmd/dialect/stablehlo/Dialect.h"

#include "mlir/Dialect/Quant/IR/Quant.h"

using namespace mlir;
using namespace spmd::stablehlo;

#include "spmd/dialect/stablehlo/Dialect.cpp.inc"

void StablehloDialect::initialize() {
  getContext()->loadDialect<quant::QuantDialect>();
  registerStablehloDialectOperations(this);
  registerAttributes();
  registerTypes();
}

Operation *StablehloDialect::materializeConstant(OpBuilder &builder, Attribute value, Type type,
                                                 Location loc) {
  auto elements = dyn_cast<ElementsAttr>(value);
  if (!elements || elements.getType() != type)
    return nullptr;
  return ConstantOp::create(builder, loc, elements);
}
