// The pass `spmd-forward-contents`: where buffers live on, what is loaded is what was stored last.
//
// Behind it both modes are one program, but for how it begins and ends. So the stages that follow
// decide alike, and move and hold the same.

#include "spmd/dialect/sdy/Dialect.h"
#include "spmd/dialect/stablehlo/Dialect.h"
#include "spmd/passes/Passes.h"
#include "spmd/passes/functionalize/Functionalize.h"

namespace spmd {

#define GEN_PASS_DEF_FORWARDCONTENTSPASS
#include "spmd/passes/Passes.h.inc"

namespace {

struct ForwardContentsPass : impl::ForwardContentsPassBase<ForwardContentsPass> {
  using ForwardContentsPassBase::ForwardContentsPassBase;

  void runOnOperation() override {
    if (hasBuffers(getOperation()))
      forwardContents(getOperation(), BufferEffects(getOperation()));
  }
};

} // namespace
} // namespace spmd
