// Shardings in other notations than `sdy`'s: the pass.

#include "spmd/passes/Passes.h"

#include "spmd/dialect/import/Shardings.h"
#include "spmd/dialect/sdy/Dialect.h"

namespace spmd {

#define GEN_PASS_DEF_IMPORTSHARDINGSPASS
#include "spmd/passes/Passes.h.inc"

namespace {

struct ImportShardingsPass : impl::ImportShardingsPassBase<ImportShardingsPass> {
  void runOnOperation() override {
    if (mlir::failed(importShardings(getOperation())))
      signalPassFailure();
  }
};

} // namespace

} // namespace spmd
