// The parts of tuples as values of their own: the pass.

#include "spmd/passes/Passes.h"

#include "spmd/dialect/import/Tuples.h"

namespace spmd {

#define GEN_PASS_DEF_FLATTENTUPLESPASS
#include "spmd/passes/Passes.h.inc"

namespace {

struct FlattenTuplesPass : impl::FlattenTuplesPassBase<FlattenTuplesPass> {
  void runOnOperation() override { flattenTuples(getOperation()); }
};

} // namespace

} // namespace spmd
