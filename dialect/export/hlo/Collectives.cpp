// Communication between devices.

#include "spmd/dialect/export/hlo/Exporter.h"

#include "spmd/dialect/groups/Groups.h"
#include "spmd/dialect/sdy/Dialect.h"
#include "spmd/dialect/stablehlo/Dialect.h"

namespace spmd::export_hlo {

namespace {

using mlir::LogicalResult;
using mlir::success;
using namespace stablehlo;

//===- Groups ------------------------------------------------------------------===//

int64_t numDevicesOf(mlir::Operation *op, ReplicaGroupMeshAxesAttr groups) {
  int64_t count = 1;
  if (auto inlined = llvm::dyn_cast<MeshAttr>(groups.getMesh()))
    for (MeshAxisAttr axis : inlined.getAxes())
      count *= axis.getSize();
  else if (auto symbol = llvm::dyn_cast<mlir::FlatSymbolRefAttr>(groups.getMesh()))
    if (sdy::MeshOp mesh = sdy::lookupMeshOp(op, symbol.getValue()))
      count = mesh.getMesh().getMesh().numDevices();
  return count;
}

/// Groups are written device by device, as every reader knows them; none mean all devices together.
LogicalResult addGroups(ComputationWriter &at, mlir::Attribute groups,
                        hlo::HloInstructionProto &made) {
  auto &list = *made.mutable_collective_device_list();
  auto add = [&](const auto &devices) {
    list.add_replica_groups()->mutable_replica_ids()->Add(devices.begin(), devices.end());
  };
  if (auto table = llvm::dyn_cast<mlir::DenseIntElementsAttr>(groups)) {
    int64_t width = table.getType().getShape()[1];
    llvm::SmallVector<int64_t> ids(table.getValues<int64_t>());
    for (int64_t row = 0; row < table.getType().getShape()[0]; ++row) {
      llvm::SmallVector<int64_t> devices(ids.begin() + row * width,
                                         ids.begin() + (row + 1) * width);
      llvm::erase(devices, -1); // Fills short rows.
      add(devices);
    }
    return success();
  }
  auto axes = llvm::cast<ReplicaGroupMeshAxesAttr>(groups);
  auto expanded = expandGroups(at.op(), axes, numDevicesOf(at.op(), axes));
  if (mlir::failed(expanded))
    return mlir::failure();
  for (const std::vector<int64_t> &devices : *expanded)
    add(devices);
  return success();
}

/// What all collectives among groups have.
LogicalResult addParts(ComputationWriter &at, hlo::HloInstructionProto &made) {
  if (auto channel = at.attribute<ChannelHandleAttr>("channel_handle"))
    made.set_channel_id(channel.getHandle());
  made.set_use_global_device_ids(at.op()->hasAttr("use_global_device_ids"));
  mlir::Attribute groups = at.op()->getAttr("replica_groups");
  return groups ? addGroups(at, groups, made) : success();
}

//===- Ops ---------------------------------------------------------------------===//

LogicalResult writeAllReduce(ComputationWriter &at) {
  auto *body = at.body(at.op()->getRegion(0));
  hlo::HloInstructionProto &made = at.make("all-reduce");
  at.call(made, {body});
  return addParts(at, made);
}

LogicalResult writeReduceScatter(ComputationWriter &at) {
  auto *body = at.body(at.op()->getRegion(0));
  hlo::HloInstructionProto &made = at.make("reduce-scatter");
  made.add_dimensions(llvm::cast<ReduceScatterOp>(at.op()).getScatterDimension());
  at.call(made, {body});
  return addParts(at, made);
}

LogicalResult writeAllGather(ComputationWriter &at) {
  hlo::HloInstructionProto &made = at.make("all-gather");
  made.add_dimensions(llvm::cast<AllGatherOp>(at.op()).getAllGatherDim());
  return addParts(at, made);
}

LogicalResult writeBroadcast(ComputationWriter &at) {
  hlo::HloInstructionProto &made = at.make("collective-broadcast");
  made.set_has_dynamic_root(llvm::cast<CollectiveBroadcastOp>(at.op()).getHasDynamicRoot());
  return addParts(at, made);
}

LogicalResult writeReduce(ComputationWriter &at) {
  auto *body = at.body(at.op()->getRegion(0));
  hlo::HloInstructionProto &made = at.make("collective-reduce");
  made.set_has_dynamic_root(llvm::cast<CollectiveReduceOp>(at.op()).getHasDynamicRoot());
  at.call(made, {body});
  return addParts(at, made);
}

LogicalResult writePermute(ComputationWriter &at) {
  auto op = llvm::cast<CollectivePermuteOp>(at.op());
  hlo::HloInstructionProto &made = at.make("collective-permute");
  llvm::SmallVector<int64_t> ids(op.getSourceTargetPairs().getValues<int64_t>());
  for (size_t i = 0; i + 1 < ids.size(); i += 2) {
    hlo::SourceTarget &pair = *made.add_source_target_pairs();
    pair.set_source(ids[i]);
    pair.set_target(ids[i + 1]);
  }
  return addParts(at, made);
}

/// One operand of an all-to-all. The opcode cuts and joins along one dim; where they differ, the
/// pieces get a dim of their own, which is exchanged and then moved in front of the other.
LogicalResult writeAllToAll(ComputationWriter &at, mlir::Value operand, mlir::Value result) {
  auto op = llvm::cast<AllToAllOp>(at.op());
  auto type = llvm::cast<mlir::RankedTensorType>(operand.getType());
  int64_t split = op.getSplitDimension(), join = op.getConcatDimension(),
          count = op.getSplitCount();
  auto exchange = [&](mlir::Type exchanged, int64_t id) -> hlo::HloInstructionProto & {
    hlo::HloInstructionProto &made = at.add("all-to-all", exchanged, id);
    made.add_dimensions(split);
    return made;
  };
  if (split == join) {
    hlo::HloInstructionProto &made = exchange(result.getType(), at.idOf(operand));
    at.bindTo(result, made);
    return addParts(at, made);
  }
  llvm::SmallVector<int64_t> sizes(type.getShape()), permutation, moved;
  sizes[split] /= count;
  sizes.insert(sizes.begin() + split, count);
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    if (dim == join)
      permutation.push_back(split);
    permutation.push_back(dim < split ? dim : dim + 1);
  }
  for (int64_t dim : permutation)
    moved.push_back(sizes[dim]);
  auto shaped = [&](llvm::ArrayRef<int64_t> shape) { return type.clone(shape); };
  int64_t pieces = at.add("reshape", shaped(sizes), at.idOf(operand)).id();
  hlo::HloInstructionProto &made = exchange(shaped(sizes), pieces);
  if (mlir::failed(addParts(at, made)))
    return mlir::failure();
  hlo::HloInstructionProto &transposed = at.add("transpose", shaped(moved), made.id());
  transposed.mutable_dimensions()->Add(permutation.begin(), permutation.end());
  at.bindTo(result, at.add("reshape", result.getType(), transposed.id()));
  return success();
}

LogicalResult writeAllToAlls(ComputationWriter &at) {
  for (auto [operand, result] : llvm::zip_equal(at.op()->getOperands(), at.op()->getResults()))
    if (mlir::failed(writeAllToAll(at, operand, result)))
      return mlir::failure();
  return success();
}

/// StableHLO has no op for it, but a name for the call.
LogicalResult writeRaggedAllToAll(ComputationWriter &at) {
  auto config = at.attribute<mlir::DictionaryAttr>("backend_config");
  if (!config)
    config = llvm::dyn_cast_if_present<mlir::DictionaryAttr>(
        at.op()->getDiscardableAttr("mhlo.backend_config"));
  auto groups = config ? config.getAs<mlir::DenseIntElementsAttr>("replica_groups")
                       : mlir::DenseIntElementsAttr();
  if (!groups || groups.getType().getRank() != 2 ||
      !groups.getType().getElementType().isInteger(64))
    return at.fail("calls @ragged_all_to_all without a table of 'replica_groups'");
  hlo::HloInstructionProto &made = at.make("ragged-all-to-all");
  if (auto channel = config.getAs<mlir::IntegerAttr>("channel_id"))
    made.set_channel_id(channel.getInt());
  return addGroups(at, groups, made);
}

} // namespace

void addCollectiveWriters(llvm::StringMap<Writer> &writers) {
  writers["stablehlo.all_reduce"] = writeAllReduce;
  writers["stablehlo.reduce_scatter"] = writeReduceScatter;
  writers["stablehlo.all_gather"] = writeAllGather;
  writers["stablehlo.collective_broadcast"] = writeBroadcast;
  writers["stablehlo.collective_permute"] = writePermute;
  writers["stablehlo.collective_reduce"] = writeReduce;
  writers["stablehlo.all_to_all"] = writeAllToAlls;
  writers["@ragged_all_to_all"] = writeRaggedAllToAll;
}

} // namespace spmd::export_hlo
