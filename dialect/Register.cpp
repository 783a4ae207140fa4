#include "spmd/dialect/Register.h"

#include "spmd/dialect/sdy/Dialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

void spmd::registerDialects(mlir::DialectRegistry &registry) {
  registry.insert<mlir::func::FuncDialect, sdy::SdyDialect>();
}
