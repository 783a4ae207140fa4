// Checks of shardings against their mesh, their value and the computations around it.

#include "spmd/dialect/sdy/Dialect.h"

using namespace mlir;

namespace spmd::sdy {

LogicalResult report(Operation *op, const Twine &what, const absl::Status &status) {
  if (status.ok())
    return success();
  return op->emitOpError() << what << ": "
                           << StringRef(status.message().data(), status.message().size());
}

/// Reports that no mesh called `name` is visible from `op`.
static LogicalResult reportUnknownMesh(Operation *op, const Twine &what, StringRef name) {
  InFlightDiagnostic diagnostic = op->emitOpError()
                                  << what << ": unknown mesh @" << name << "; the module has ";
  auto module = isa<ModuleOp>(op) ? cast<ModuleOp>(op) : op->getParentOfType<ModuleOp>();
  const char *separator = "@";
  if (module)
    for (MeshOp mesh : module.getOps<MeshOp>()) {
      diagnostic << separator << mesh.getSymName();
      separator = ", @";
    }
  if (!module || module.getOps<MeshOp>().empty())
    diagnostic << "no mesh";
  return diagnostic;
}

static FailureOr<spmd::Sharding> resolveAt(Operation *op, const Twine &what, ShardingAttr sharding,
                                           const spmd::Mesh *&mesh) {
  mesh = lookupMesh(op, sharding);
  if (!mesh)
    return reportUnknownMesh(op, what, sharding.getMeshRef().getValue());
  absl::StatusOr<spmd::Sharding> resolved = spmd::resolve(*mesh, sharding.getSpec());
  if (!resolved.ok())
    return report(op, what, resolved.status());
  return *std::move(resolved);
}

FailureOr<spmd::Sharding> resolve(Operation *from, ShardingAttr sharding) {
  const spmd::Mesh *mesh;
  return resolveAt(from, "sharding", sharding, mesh);
}

/// Returns the first axis of `spec` that is among `manual`, or null.
static const spmd::AxisSpec *findManual(const spmd::ShardingSpec &spec, ManualAxesAttr manual) {
  auto find = [&](const std::vector<spmd::AxisSpec> &axes) -> const spmd::AxisSpec * {
    auto found =
        llvm::find_if(axes, [&](const spmd::AxisSpec &axis) { return manual.contains(axis.name); });
    return found == axes.end() ? nullptr : &*found;
  };
  for (const spmd::DimSpec &dim : spec.dims)
    if (const spmd::AxisSpec *axis = find(dim.axes))
      return axis;
  if (const spmd::AxisSpec *axis = find(spec.replicated))
    return axis;
  return find(spec.unreduced);
}

/// Checks that `sharding` leaves alone what is manual around `op`.
static LogicalResult verifyNotManual(Operation *op, const Twine &what, ShardingAttr sharding) {
  for (auto outer = op->getParentOfType<ManualComputationOp>(); outer;
       outer = outer->getParentOfType<ManualComputationOp>())
    if (const spmd::AxisSpec *axis = findManual(sharding.getSpec(), outer.getManualAxes())) {
      InFlightDiagnostic diagnostic = op->emitOpError()
                                      << what << ": axis \"" << axis->name << "\" is manual here";
      diagnostic.attachNote(outer.getLoc()) << "made manual by this 'sdy.manual_computation'";
      return diagnostic;
    }
  return success();
}

LogicalResult verifySharding(Operation *op, const Twine &what, ShardingAttr sharding, Type type) {
  const spmd::Mesh *mesh;
  FailureOr<spmd::Sharding> resolved = resolveAt(op, what, sharding, mesh);
  if (failed(resolved))
    return failure();
  auto shaped = dyn_cast<ShapedType>(type);
  bool isTensor = shaped && shaped.hasRank();
  ArrayRef<int64_t> shape = isTensor ? shaped.getShape() : ArrayRef<int64_t>();
  if (absl::Status status = spmd::verify(*mesh, *resolved, {shape.data(), shape.size()}, isTensor);
      !status.ok())
    return report(op, what, status);
  return verifyNotManual(op, what, sharding);
}

} // namespace spmd::sdy
