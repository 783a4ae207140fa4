// The mesh that a plan speaks of.
#pragma once

#include "spmd/passes/plan/PlanReporter.h"

#include "spmd/dialect/sdy/Dialect.h"

namespace spmd {

/// A mesh of a module, and the attribute that names it.
struct NamedMesh {
  const Mesh *mesh = nullptr;
  mlir::FlatSymbolRefAttr name;
};

/// Returns the mesh that `plan` speaks of: its own, which the module gets if it has none like it,
/// or else the first of the module that has axes. Nothing after reporting that there is none, or
/// that the module has another one of this name or with another number of devices.
std::optional<NamedMesh> meshOfPlan(mlir::ModuleOp module, const ProgramPlan &plan,
                                    PlanReporter &reporter);

} // namespace spmd
