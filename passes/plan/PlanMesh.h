// The mesh that a plan speaks of.
#pragma once

#include "spmd/dialect/spmd/FileReporter.h"
#include "spmd/ir/plan/Plan.h"

#include "spmd/dialect/sdy/Dialect.h"

namespace spmd {

/// The mesh of a plan, and the one of the module that stands for it. Their axes may have other
/// names: what is imported from notations without names has made-up ones.
struct NamedMesh {
  const Mesh *mesh = nullptr;     ///< As the plan calls its axes.
  const Mesh *inModule = nullptr; ///< The same, but for names and axes of size 1.
  mlir::FlatSymbolRefAttr name;

  /// Returns what the plan says in the module's names.
  std::vector<AxisSpec> translate(const std::vector<AxisSpec> &axes) const;
  ShardingSpec translate(ShardingSpec spec) const;
};

/// Returns the mesh that `plan` speaks of: its own, which the module gets if it has none with
/// devices in the same places, or else the first of the module that has axes. Nothing after
/// reporting that there is none, or that the module has another one of this name or with another
/// number of devices.
std::optional<NamedMesh> meshOfPlan(mlir::ModuleOp module, const ProgramPlan &plan,
                                    FileReporter &reporter);

} // namespace spmd
