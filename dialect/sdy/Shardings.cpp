// Where the shardings of values are kept, and how meshes are found.

#include "spmd/dialect/sdy/Dialect.h"

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

#include <algorithm>

using namespace mlir;

namespace spmd::sdy {

//===- Meshes --------------------------------------------------------------===//

/// Returns the first mesh visible from `from` whose name `isName`, or null.
static MeshOp findMesh(Operation *from, llvm::function_ref<bool(StringAttr)> isName) {
  for (Operation *table = from; table; table = table->getParentOp())
    if (table->hasTrait<OpTrait::SymbolTable>() && !table->getRegion(0).empty())
      for (MeshOp mesh : table->getRegion(0).front().getOps<MeshOp>())
        if (isName(mesh.getSymNameAttr()))
          return mesh;
  return {};
}

MeshOp lookupMeshOp(Operation *from, StringRef name) {
  return findMesh(from, [&](StringAttr other) { return other.getValue() == name; });
}

const spmd::Mesh *lookupMesh(Operation *from, ShardingAttr sharding) {
  if (auto mesh = dyn_cast<MeshAttr>(sharding.getMeshOrRef()))
    return &mesh.getMesh();
  StringAttr name = sharding.getMeshRef().getAttr(); // Equal names are one attribute.
  MeshOp op = findMesh(from, [&](StringAttr other) { return other == name; });
  return op ? &op.getMesh().getMesh() : nullptr;
}

//===- Reading -------------------------------------------------------------===//

/// Returns the `sdy.sharding` of result `i` of `op`, or null.
static ShardingAttr getAttached(Operation *op, unsigned i) {
  auto shardings = op->getDiscardableAttr(shardingName);
  auto perValue = dyn_cast_or_null<ShardingPerValueAttr>(shardings);
  return perValue && i < perValue.size() ? perValue[i] : ShardingAttr();
}

static ShardingAttr getOf(ShardingPerValueAttr shardings, unsigned i) {
  return shardings && i < shardings.size() ? shardings[i] : ShardingAttr();
}

static ShardingAttr getResultSharding(OpResult result) {
  unsigned i = result.getResultNumber();
  return llvm::TypeSwitch<Operation *, ShardingAttr>(result.getOwner())
      .Case<ShardingConstraintOp, ReshardOp>([](auto op) { return op.getSharding(); })
      .Case([](DataFlowEdgeOp op) { return op.getShardingAttr(); })
      .Case([](CollectiveOpInterface op) { return op.getOutSharding(); })
      .Case([&](ManualComputationOp op) { return getOf(op.getOutShardings(), i); })
      .Case([&](NamedComputationOp op) { return getOf(op.getOutShardingsAttr(), i); })
      .Default([&](Operation *op) { return getAttached(op, i); });
}

static ShardingAttr getArgumentSharding(BlockArgument argument) {
  Operation *parent = argument.getOwner()->getParentOp();
  if (!parent || !argument.getOwner()->isEntryBlock())
    return {};
  unsigned i = argument.getArgNumber();
  return llvm::TypeSwitch<Operation *, ShardingAttr>(parent)
      .Case([&](FunctionOpInterface op) {
        return op.getArgAttrOfType<ShardingAttr>(i, shardingName);
      })
      .Case([&](ManualComputationOp op) {
        ShardingAttr global = getOf(op.getInShardings(), i);
        return global ? withoutAxes(global, op.getManualAxes()) : global;
      })
      .Case([&](NamedComputationOp op) { return getOf(op.getInShardingsAttr(), i); })
      .Default([](Operation *) { return ShardingAttr(); });
}

ShardingAttr getSharding(Value value) {
  if (auto result = dyn_cast<OpResult>(value))
    return getResultSharding(result);
  return getArgumentSharding(cast<BlockArgument>(value));
}

ShardingAttr getFuncResultSharding(func::FuncOp function, unsigned result) {
  return function.getResultAttrOfType<ShardingAttr>(result, shardingName);
}

OpShardingRuleAttr getShardingRule(Operation *op) {
  return dyn_cast_or_null<OpShardingRuleAttr>(op->getDiscardableAttr(shardingRuleName));
}

//===- Building ------------------------------------------------------------===//

ShardingAttr fullyOpen(Attribute meshOrRef, int64_t rank) {
  spmd::ShardingSpec spec;
  spec.dims.resize(rank, spmd::DimSpec{{}, true});
  return ShardingAttr::get(meshOrRef.getContext(), meshOrRef, spec);
}

ShardingAttr withoutAxes(ShardingAttr sharding, ManualAxesAttr names) {
  spmd::ShardingSpec spec = sharding.getSpec();
  auto drop = [&](std::vector<spmd::AxisSpec> &axes) {
    llvm::erase_if(axes, [&](const spmd::AxisSpec &axis) { return names.contains(axis.name); });
  };
  for (spmd::DimSpec &dim : spec.dims) {
    drop(dim.axes);
    if (dim.axes.empty() && !dim.open)
      dim.priority = std::nullopt;
  }
  drop(spec.replicated);
  drop(spec.unreduced);
  if (spec.unreduced.empty())
    spec.kind = spmd::ReductionKind::sum;
  return ShardingAttr::get(sharding.getContext(), sharding.getMeshOrRef(), spec);
}

/// Returns `local` with the manual axes of `global` in front of its dims, where `global` has them.
static ShardingAttr withManualAxesOf(ShardingAttr global, ShardingAttr local, ManualAxesAttr manual,
                                     const spmd::Mesh &mesh) {
  spmd::ShardingSpec spec = local.getSpec();
  auto prepend = [&](const std::vector<spmd::AxisSpec> &from, std::vector<spmd::AxisSpec> &to) {
    std::vector<spmd::AxisSpec> axes;
    llvm::copy_if(from, std::back_inserter(axes),
                  [&](const spmd::AxisSpec &axis) { return manual.contains(axis.name); });
    to.insert(to.begin(), axes.begin(), axes.end());
  };
  auto inMeshOrder = [&](const spmd::AxisSpec &a, const spmd::AxisSpec &b) {
    return std::pair(mesh.axisNamed(a.name), a.preSize) <
           std::pair(mesh.axisNamed(b.name), b.preSize);
  };
  const spmd::ShardingSpec &from = global.getSpec();
  if (spec.unreduced.empty())
    spec.kind = from.kind;
  for (size_t d = 0; d < spec.dims.size() && d < from.dims.size(); ++d)
    prepend(from.dims[d].axes, spec.dims[d].axes);
  prepend(from.replicated, spec.replicated);
  prepend(from.unreduced, spec.unreduced);
  if (spec.unreduced.empty())
    spec.kind = spmd::ReductionKind::sum;
  std::sort(spec.replicated.begin(), spec.replicated.end(), inMeshOrder);
  std::sort(spec.unreduced.begin(), spec.unreduced.end(), inMeshOrder);
  return ShardingAttr::get(local.getContext(), local.getMeshOrRef(), spec);
}

static int64_t rankOf(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  return shaped && shaped.hasRank() ? shaped.getRank() : 0;
}

/// Returns `shardings`, one for each of `types`, with number `i` replaced; null if all would be
/// null. Missing ones become fully open.
static ShardingPerValueAttr replaced(ShardingPerValueAttr shardings, TypeRange types, unsigned i,
                                     ShardingAttr sharding) {
  SmallVector<ShardingAttr> list;
  for (unsigned j = 0; j < types.size(); ++j)
    list.push_back(getOf(shardings, j));
  list[i] = sharding;
  auto known = llvm::find_if(list, [](ShardingAttr each) { return static_cast<bool>(each); });
  if (known == list.end())
    return {};
  Attribute meshOrRef = (*known).getMeshOrRef();
  for (auto [each, type] : llvm::zip_equal(list, types))
    if (!each)
      each = fullyOpen(meshOrRef, rankOf(type));
  return ShardingPerValueAttr::get(meshOrRef.getContext(), list);
}

//===- Writing -------------------------------------------------------------===//

static void setAttached(Operation *op, unsigned i, ShardingAttr sharding) {
  auto shardings = dyn_cast_or_null<ShardingPerValueAttr>(op->getDiscardableAttr(shardingName));
  if (ShardingPerValueAttr list = replaced(shardings, op->getResultTypes(), i, sharding))
    op->setDiscardableAttr(shardingName, list);
  else
    op->removeDiscardableAttr(shardingName);
}

static bool setResultSharding(OpResult result, ShardingAttr sharding) {
  unsigned i = result.getResultNumber();
  return llvm::TypeSwitch<Operation *, bool>(result.getOwner())
      .Case<ShardingConstraintOp, ReshardOp>([&](auto op) {
        if (sharding)
          op.setShardingAttr(sharding);
        return static_cast<bool>(sharding);
      })
      .Case([&](DataFlowEdgeOp op) {
        op.setShardingAttr(sharding);
        return true;
      })
      .Case([&](CollectiveOpInterface op) {
        if (sharding)
          op->setAttr("out_sharding", sharding);
        return static_cast<bool>(sharding);
      })
      .Case([&](ManualComputationOp op) {
        if (sharding)
          op.setOutShardingsAttr(replaced(op.getOutShardings(), op.getResultTypes(), i, sharding));
        return static_cast<bool>(sharding);
      })
      .Case([&](NamedComputationOp op) {
        op.setOutShardingsAttr(
            replaced(op.getOutShardingsAttr(), op.getResultTypes(), i, sharding));
        return true;
      })
      .Default([&](Operation *op) {
        setAttached(op, i, sharding);
        return true;
      });
}

static bool setArgumentSharding(BlockArgument argument, ShardingAttr sharding) {
  Operation *parent = argument.getOwner()->getParentOp();
  if (!parent || !argument.getOwner()->isEntryBlock())
    return false;
  unsigned i = argument.getArgNumber();
  return llvm::TypeSwitch<Operation *, bool>(parent)
      .Case([&](FunctionOpInterface op) {
        if (sharding)
          op.setArgAttr(i, shardingName, sharding);
        else
          op.removeArgAttr(i, StringAttr::get(op->getContext(), shardingName));
        return true;
      })
      .Case([&](ManualComputationOp op) {
        const spmd::Mesh *mesh = sharding ? lookupMesh(op, sharding) : nullptr;
        if (!mesh || i >= op.getInShardings().size())
          return false;
        ShardingAttr global =
            withManualAxesOf(op.getInShardings()[i], sharding, op.getManualAxes(), *mesh);
        op.setInShardingsAttr(replaced(op.getInShardings(), op.getOperandTypes(), i, global));
        return true;
      })
      .Case([&](NamedComputationOp op) {
        op.setInShardingsAttr(replaced(op.getInShardingsAttr(), op.getOperandTypes(), i, sharding));
        return true;
      })
      .Default([](Operation *) { return false; });
}

bool setSharding(Value value, ShardingAttr sharding) {
  if (auto result = dyn_cast<OpResult>(value))
    return setResultSharding(result, sharding);
  return setArgumentSharding(cast<BlockArgument>(value), sharding);
}

void setFuncResultSharding(func::FuncOp function, unsigned result, ShardingAttr sharding) {
  if (sharding)
    function.setResultAttr(result, shardingName, sharding);
  else
    function.removeResultAttr(result, StringAttr::get(function.getContext(), shardingName));
}

} // namespace spmd::sdy
