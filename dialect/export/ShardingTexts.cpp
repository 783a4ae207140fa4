#include "spmd/dialect/export/ShardingTexts.h"

#include "spmd/ir/sharding/TileSharding.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace spmd::export_shardings {

ShardingTexts::ShardingTexts(mlir::ModuleOp module, ShardingForm form) : form_(form) {
  for (auto mesh : module.getOps<sdy::MeshOp>())
    meshes[mesh.getSymNameAttr()] = &mesh.getMeshAttr().getMesh();
}

const Mesh *ShardingTexts::meshOf(sdy::ShardingAttr sharding) const {
  if (auto inlined = llvm::dyn_cast<sdy::MeshAttr>(sharding.getMeshOrRef()))
    return &inlined.getMesh();
  return meshes.lookup(sharding.getMeshRef().getAttr());
}

/// Returns `names` as axes of `mesh`, in its order; those of other meshes are left out.
static AxisList axesNamed(const Mesh &mesh, llvm::ArrayRef<mlir::StringAttr> names) {
  AxisList axes;
  for (int axis = 0; axis < static_cast<int>(mesh.axes().size()); ++axis)
    for (mlir::StringAttr name : names)
      if (name.getValue() == mesh.axes()[axis].name)
        axes.push_back({axis, 1, static_cast<int32_t>(mesh.axes()[axis].size)});
  return axes;
}

mlir::StringAttr ShardingTexts::textOf(mlir::Operation *op, sdy::ShardingAttr sharding,
                                       llvm::ArrayRef<mlir::StringAttr> manual) {
  auto fail = [&](const auto &why) { return op->emitError() << why, mlir::StringAttr(); };
  const Mesh *mesh = meshOf(sharding);
  if (!mesh)
    return fail("has a sharding on a mesh that the module does not have");
  absl::StatusOr<Sharding> resolved = resolve(*mesh, sharding.getSpec());
  if (!resolved.ok())
    return fail(std::string(resolved.status().message()));
  bool isXlas = resolved->unreduced.empty() || resolved->kind <= ReductionKind::min;
  if (!isXlas && (form_ == ShardingForm::v1 || form_ == ShardingForm::v2))
    return fail(absl::StrCat("has a value that is partial by ", nameOf(resolved->kind),
                             ", which this form cannot say; use form=v3"));
  TileSharding tiles;
  if (mesh->isMaximal()) {
    tiles.kind = TileSharding::Kind::maximal;
    tiles.device = mesh->deviceIds().front();
  } else if (form_ == ShardingForm::v3 && !mesh->isEmpty()) {
    tiles.kind = TileSharding::Kind::named;
    tiles.mesh = *mesh;
    tiles.spec = sharding.getSpec();
    tiles.manualAxes = toSpecs(*mesh, axesNamed(*mesh, manual));
  } else {
    tiles = tilesOf(*mesh, *resolved, axesNamed(*mesh, manual), form_ == ShardingForm::v1);
    if (form_ == ShardingForm::shardy)
      tiles.reduction = ReductionKind::sum; // Others are said beside it.
  }
  return mlir::StringAttr::get(op->getContext(), tiles.str());
}

std::string openDimsOf(sdy::ShardingAttr sharding) {
  std::vector<int64_t> open;
  for (auto [i, dim] : llvm::enumerate(sharding.getSpec().dims))
    if (dim.open)
      open.push_back(i);
  return open.empty() ? "" : absl::StrCat("unspecified_dims=[", absl::StrJoin(open, ","), "]");
}

bool saysNothing(sdy::ShardingAttr sharding) {
  const ShardingSpec &spec = sharding.getSpec();
  return !spec.dims.empty() && spec.unreduced.empty() && spec.replicated.empty() &&
         llvm::all_of(spec.dims, [](const DimSpec &dim) { return dim.open && dim.axes.empty(); });
}

mlir::DictionaryAttr withFrontend(mlir::DictionaryAttr dictionary, llvm::StringRef name,
                                  mlir::Attribute value) {
  std::string text;
  llvm::raw_string_ostream(text) << value;
  mlir::MLIRContext *context = value.getContext();
  mlir::NamedAttrList entries(dictionary);
  entries.set(name, mlir::StringAttr::get(context, text));
  return entries.getDictionary(context);
}

} // namespace spmd::export_shardings
