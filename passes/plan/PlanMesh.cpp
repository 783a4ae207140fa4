#include "spmd/passes/plan/PlanMesh.h"

#include "mlir/IR/Builders.h"

namespace spmd {

/// Returns the numbers of the axes with more than one device.
static std::vector<int> longAxes(const Mesh &mesh) {
  std::vector<int> axes;
  for (int i = 0; i < static_cast<int>(mesh.axes().size()); ++i)
    if (mesh.axes()[i].size > 1)
      axes.push_back(i);
  return axes;
}

std::vector<AxisSpec> NamedMesh::translate(const std::vector<AxisSpec> &axes) const {
  if (mesh->axes() == inModule->axes())
    return axes;
  std::vector<int> from = longAxes(*mesh), to = longAxes(*inModule);
  std::vector<AxisSpec> result;
  for (AxisSpec axis : axes) {
    auto found = llvm::find(from, *mesh->axisNamed(axis.name));
    if (found == from.end())
      continue; // It splits nothing.
    axis.name = inModule->axes()[to[found - from.begin()]].name;
    result.push_back(std::move(axis));
  }
  return result;
}

ShardingSpec NamedMesh::translate(ShardingSpec spec) const {
  for (DimSpec &dim : spec.dims) {
    dim.axes = translate(dim.axes);
    if (dim.axes.empty() && !dim.open)
      dim.priority = std::nullopt;
  }
  spec.replicated = translate(spec.replicated);
  spec.unreduced = translate(spec.unreduced);
  if (spec.unreduced.empty())
    spec.kind = ReductionKind::sum;
  return spec;
}

/// Whether the same devices stand in the same places, whatever the axes are called.
static bool isSameGrid(const Mesh &a, const Mesh &b) {
  std::vector<int> first = longAxes(a), second = longAxes(b);
  return !a.axes().empty() && a.deviceIds() == b.deviceIds() && first.size() == second.size() &&
         llvm::all_of_zip(first, second,
                          [&](int i, int j) { return a.axes()[i].size == b.axes()[j].size; });
}

/// Adds the plan's mesh in front of all others, so that it is the main one.
static NamedMesh addMesh(mlir::ModuleOp module, const PlanMesh &mesh, mlir::Location location) {
  mlir::OpBuilder builder(module.getContext());
  auto made = sdy::MeshOp::create(builder, location, mesh.name.empty() ? "mesh" : mesh.name,
                                  sdy::MeshAttr::get(module.getContext(), mesh.mesh));
  mlir::SymbolTable(module).insert(made, module.getBody()->begin()); // Renames it if need be.
  return {&mesh.mesh, &mesh.mesh, mlir::FlatSymbolRefAttr::get(made)};
}

/// Returns whether the plan's mesh can stand beside that of `op`; reports it if not.
static bool goesWith(const PlanMesh &mesh, sdy::MeshOp op, FileReporter &reporter) {
  const Mesh &other = op.getMesh().getMesh();
  if (mesh.name == op.getSymName().str()) {
    reporter.error(mesh.place) << "mesh @" << mesh.name << " is " << other.str()
                               << " in the program, " << mesh.mesh.str()
                               << " in the plan; give it another name, or none";
    return false;
  }
  if (other.axes().empty() || other.numDevices() == mesh.mesh.numDevices())
    return true;
  reporter.error(mesh.place) << "mesh has " << mesh.mesh.numDevices() << " devices, @"
                             << op.getSymName() << " of the program has " << other.numDevices()
                             << "; all meshes have equally many";
  return false;
}

std::optional<NamedMesh> meshOfPlan(mlir::ModuleOp module, const ProgramPlan &plan,
                                    FileReporter &reporter) {
  for (sdy::MeshOp op : module.getOps<sdy::MeshOp>()) {
    const Mesh &mesh = op.getMesh().getMesh();
    auto name = mlir::FlatSymbolRefAttr::get(op);
    if (!plan.mesh && !mesh.axes().empty())
      return NamedMesh{&mesh, &mesh, name};
    if (!plan.mesh)
      continue;
    bool mayStand = plan.mesh->name.empty() || plan.mesh->name == op.getSymName().str();
    if (mayStand && isSameGrid(mesh, plan.mesh->mesh))
      return NamedMesh{&plan.mesh->mesh, &mesh, name};
    if (!goesWith(*plan.mesh, op, reporter))
      return std::nullopt;
  }
  if (plan.mesh)
    return addMesh(module, *plan.mesh, reporter.locationOf(plan.mesh->place));
  reporter.error({}) << "neither the plan nor the program has a mesh with axes; give the plan one";
  return std::nullopt;
}

} // namespace spmd
