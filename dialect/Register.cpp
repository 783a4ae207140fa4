#include "spmd/dialect/Register.h"

#include "spmd/dialect/chlo/Dialect.h"
#include "spmd/dialect/interpreter/Dialect.h"
#include "spmd/dialect/partitioning/Partitionable.h"
#include "spmd/dialect/sdy/Dialect.h"
#include "spmd/dialect/spmd/Dialect.h"
#include "spmd/dialect/stablehlo/Dialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Quant/IR/Quant.h"

void spmd::registerDialects(mlir::DialectRegistry &registry) {
  registry.insert<chlo::ChloDialect, interpreter::InterpreterDialect, mlir::func::FuncDialect,
                  mlir::quant::QuantDialect, sdy::SdyDialect, SpmdDialect,
                  stablehlo::StablehloDialect>();
  registerPartitioning(registry);
}
