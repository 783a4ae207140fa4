// Meshes: fewer axes, fewer devices along them, devices in order.

#include "spmd/tools/spmd-reduce/Reduce.h"

#include "spmd/dialect/sdy/Dialect.h"

#include "mlir/IR/AttrTypeSubElements.h"

using namespace mlir;

namespace spmd {

namespace {

/// All axes of size `from`, or those of a name, get the size `to`; size 0 drops them. The devices
/// of a mesh that changes stand in order; without `from`, those of every mesh.
struct AxisChange {
  std::string name; ///< Empty: any.
  int64_t from, to;

  bool touches(const MeshAxis &axis) const {
    return axis.size == from && (name.empty() || name == axis.name);
  }
};

Mesh changed(const Mesh &mesh, const AxisChange &change) {
  std::vector<MeshAxis> axes;
  for (const MeshAxis &axis : mesh.axes())
    if (!change.touches(axis))
      axes.push_back(axis);
    else if (change.to > 0)
      axes.push_back({axis.name, change.to});
  bool isSame = axes == std::vector<MeshAxis>(mesh.axes().begin(), mesh.axes().end());
  std::vector<int64_t> ids;
  if (mesh.axes().empty() || (isSame && change.from > 0))
    ids.assign(mesh.deviceIds().begin(), mesh.deviceIds().end());
  absl::StatusOr<Mesh> result = Mesh::create(std::move(axes), std::move(ids));
  return result.ok() ? *result : mesh;
}

/// Follows a change of axes in what names them: `gone` disappear, of the parts of `whole` the first
/// becomes the axis.
struct AxisNames {
  std::set<std::string> gone, whole;

  void apply(std::vector<AxisSpec> &axes) const {
    std::vector<AxisSpec> kept;
    for (AxisSpec axis : axes) {
      if (gone.count(axis.name))
        continue;
      if (axis.size && whole.count(axis.name)) {
        if (axis.preSize != 1)
          continue;
        axis.size = 0;
      }
      kept.push_back(axis);
    }
    axes = std::move(kept);
  }

  ShardingSpec apply(ShardingSpec spec) const {
    for (DimSpec &dim : spec.dims)
      apply(dim.axes);
    apply(spec.replicated);
    apply(spec.unreduced);
    return spec;
  }
};

class ShrinkMeshes : public Shrinker {
public:
  llvm::StringRef name() const override { return "meshes"; }
  size_t count(ModuleOp module) override { return candidates(module).size(); }
  bool isOneByOne() const override { return true; }

  void remove(ModuleOp module, size_t begin, size_t end) override {
    AxisChange change = candidates(module)[begin];
    AxisNames names;
    for (const MeshAxis &axis : axesOf(module))
      if (change.touches(axis))
        (change.to > 0 ? names.whole : names.gone).insert(axis.name);
    AttrTypeReplacer replacer;
    replacer.addReplacement([&](sdy::MeshAttr mesh) -> Attribute {
      return sdy::MeshAttr::get(mesh.getContext(), changed(mesh.getMesh(), change));
    });
    replacer.addReplacement([&](sdy::ShardingAttr sharding) -> Attribute {
      return sdy::ShardingAttr::get(sharding.getContext(), sharding.getMeshOrRef(),
                                    names.apply(sharding.getSpec()));
    });
    replacer.addReplacement([&](sdy::ManualAxesAttr manual) -> Attribute {
      SmallVector<StringAttr> kept;
      for (StringAttr axis : manual.getAxes())
        if (!names.gone.count(axis.str()))
          kept.push_back(axis);
      return sdy::ManualAxesAttr::get(manual.getContext(), kept);
    });
    replacer.addReplacement([&](sdy::AxisRefListAttr list) -> Attribute {
      std::vector<AxisSpec> axes = list.getAxes();
      names.apply(axes);
      return sdy::AxisRefListAttr::get(list.getContext(), axes);
    });
    replacer.addReplacement([&](sdy::ListOfAxisRefListsAttr lists) -> Attribute {
      std::vector<std::vector<AxisSpec>> all = lists.getLists();
      for (std::vector<AxisSpec> &axes : all)
        names.apply(axes);
      return sdy::ListOfAxisRefListsAttr::get(lists.getContext(), all);
    });
    replacer.recursivelyReplaceElementsIn(module);
  }

private:
  static SmallVector<MeshAxis> axesOf(ModuleOp module) {
    SmallVector<MeshAxis> axes;
    for (auto op : module.getOps<sdy::MeshOp>())
      for (const MeshAxis &axis : op.getMesh().getMesh().axes())
        if (!llvm::is_contained(axes, axis))
          axes.push_back(axis);
    return axes;
  }

  /// The last is tried first: an axis goes before it shrinks, and one axis before all of its size,
  /// which keeps the devices of several meshes as many.
  static SmallVector<AxisChange> candidates(ModuleOp module) {
    SmallVector<AxisChange> changes;
    SmallVector<MeshAxis> axes = axesOf(module);
    changes.push_back({"", 0, 0}); // Devices in order.
    for (bool named : {false, true})
      for (const MeshAxis &axis : axes)
        for (int64_t to : {axis.size - 1, axis.size / 2, int64_t(2), int64_t(0)})
          if (to != 1 && to < axis.size)
            changes.push_back({named ? axis.name : "", axis.size, to});
    return changes;
  }
};

} // namespace

std::unique_ptr<Shrinker> shrinkMeshes() { return std::make_unique<ShrinkMeshes>(); }

} // namespace spmd
