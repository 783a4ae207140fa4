// Diagnostics at the lines of a plan.
#pragma once

#include "spmd/ir/plan/Plan.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"

namespace spmd {

class PlanReporter {
public:
  PlanReporter(mlir::MLIRContext &context, std::string file)
      : context(context), file(std::move(file)) {}

  mlir::Location locationOf(PlanPlace place) const {
    return mlir::FileLineColLoc::get(&context, file, std::max(place.line, 1),
                                     std::max(place.column, 1));
  }
  /// Reports an error; `hasErrors` from then on.
  mlir::InFlightDiagnostic error(PlanPlace place) {
    failed = true;
    return mlir::emitError(locationOf(place));
  }
  bool hasErrors() const { return failed; }

private:
  mlir::MLIRContext &context;
  std::string file;
  bool failed = false;
};

} // namespace spmd
