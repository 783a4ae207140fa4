// Shardings in other notations than `sdy`'s: the pass that writes them.

#include "spmd/passes/Passes.h"

#include "spmd/dialect/export/Shardings.h"
#include "spmd/dialect/stablehlo/Dialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace spmd {

#define GEN_PASS_DEF_EXPORTSHARDINGSPASS
#include "spmd/passes/Passes.h.inc"

namespace {

struct ExportShardingsPass : impl::ExportShardingsPassBase<ExportShardingsPass> {
  using ExportShardingsPassBase::ExportShardingsPassBase;

  void runOnOperation() override {
    if (mlir::failed(exportShardings(getOperation(), form)))
      signalPassFailure();
  }
};

} // namespace

} // namespace spmd
