// The pass `spmd-apply-plan`: a file's word becomes the program's.

#include "spmd/dialect/spmd/ModulePlace.h"
#include "spmd/passes/Passes.h"
#include "spmd/passes/plan/ApplyPlan.h"

#include "spmd/dialect/sdy/Dialect.h"
#include "spmd/dialect/stablehlo/Dialect.h"

namespace spmd {

#define GEN_PASS_DEF_APPLYPLANPASS
#include "spmd/passes/Passes.h.inc"

namespace {

struct ApplyPlanPass : impl::ApplyPlanPassBase<ApplyPlanPass> {
  using ApplyPlanPassBase::ApplyPlanPassBase;

  void runOnOperation() override {
    if (plan.empty()) {
      mlir::emitError(placeOf(getOperation())) << "no plan is given; name its file as plan=FILE";
      return signalPassFailure();
    }
    mlir::FailureOr<ProgramPlan> read = loadPlan(getContext(), plan);
    if (mlir::failed(read) || mlir::failed(applyPlan(getOperation(), *read, notePlaces)))
      signalPassFailure();
  }
};

} // namespace

} // namespace spmd
