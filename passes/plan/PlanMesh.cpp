#include "spmd/passes/plan/PlanMesh.h"

#include "mlir/IR/Builders.h"

namespace spmd {

static NamedMesh named(sdy::MeshOp op) {
  return {&op.getMesh().getMesh(), mlir::FlatSymbolRefAttr::get(op)};
}

/// Adds the plan's mesh in front of all others, so that it is the main one.
static NamedMesh addMesh(mlir::ModuleOp module, const PlanMesh &mesh, mlir::Location location) {
  mlir::OpBuilder builder(module.getContext());
  auto made = sdy::MeshOp::create(builder, location, mesh.name.empty() ? "mesh" : mesh.name,
                                  sdy::MeshAttr::get(module.getContext(), mesh.mesh));
  mlir::SymbolTable(module).insert(made, module.getBody()->begin()); // Renames it if need be.
  return named(made);
}

std::optional<NamedMesh> meshOfPlan(mlir::ModuleOp module, const ProgramPlan &plan,
                                    PlanReporter &reporter) {
  for (sdy::MeshOp op : module.getOps<sdy::MeshOp>()) {
    const Mesh &mesh = op.getMesh().getMesh();
    bool isNamed =
        plan.mesh && !plan.mesh->name.empty() && plan.mesh->name == op.getSymName().str();
    if (plan.mesh && mesh == plan.mesh->mesh && (isNamed || plan.mesh->name.empty()))
      return named(op);
    if (!plan.mesh && !mesh.axes().empty())
      return named(op);
    if (!plan.mesh)
      continue;
    if (isNamed) {
      reporter.error(plan.mesh->place)
          << "mesh @" << plan.mesh->name << " is " << mesh.str() << " in the program, "
          << plan.mesh->mesh.str() << " in the plan; give it another name, or none";
      return std::nullopt;
    }
    if (!mesh.axes().empty() && mesh.numDevices() != plan.mesh->mesh.numDevices()) {
      reporter.error(plan.mesh->place)
          << "mesh has " << plan.mesh->mesh.numDevices() << " devices, @" << op.getSymName()
          << " of the program has " << mesh.numDevices() << "; all meshes have equally many";
      return std::nullopt;
    }
  }
  if (plan.mesh)
    return addMesh(module, *plan.mesh, reporter.locationOf(plan.mesh->place));
  reporter.error({}) << "neither the plan nor the program has a mesh with axes; give the plan one";
  return std::nullopt;
}

} // namespace spmd
