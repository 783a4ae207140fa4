#include "spmd/dialect/Register.h"

#include "spmd/dialect/chlo/Dialect.h"
#include "spmd/dialect/interpreter/Dialect.h"
#include "spmd/dialect/partitioning/Partitionable.h"
#include "spmd/dialect/sdy/Dialect.h"
#include "spmd/dialect/spmd/Dialect.h"
#include "spmd/dialect/stablehlo/Dialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Quant/IR/Quant.h"
#include "mlir/Dialect/Shape/IR/Shape.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinDialect.h"

/// The dialects that functions of the libraries make ops of, whatever the program holds.
static void loadDialects(mlir::MLIRContext &context) {
  context.loadDialect<mlir::func::FuncDialect, spmd::chlo::ChloDialect, spmd::sdy::SdyDialect,
                      spmd::SpmdDialect, spmd::stablehlo::StablehloDialect>();
}

void spmd::registerDialects(mlir::DialectRegistry &registry) {
  // Programs write a constant as `arith.constant` now and then, and sizes as ops of tensors and
  // shapes.
  registry.insert<chlo::ChloDialect, interpreter::InterpreterDialect, mlir::arith::ArithDialect,
                  mlir::func::FuncDialect, mlir::quant::QuantDialect, mlir::shape::ShapeDialect,
                  mlir::tensor::TensorDialect, sdy::SdyDialect, SpmdDialect,
                  stablehlo::StablehloDialect>();
  registerPartitioning(registry);
  // Every context loads the builtin dialect when it is made, and then these.
  registry.addExtension(
      +[](mlir::MLIRContext *context, mlir::BuiltinDialect *) { loadDialects(*context); });
}
