// Calls, collectives and custom calls.

#include "spmd/dialect/import/hlo/Importer.h"
#include "spmd/dialect/import/hlo/OpSharding.h"
#include "spmd/dialect/import/hlo/ParseQuietly.h"

#include "spmd/dialect/stablehlo/Dialect.h"

namespace spmd::import_hlo {

namespace {

using mlir::LogicalResult;

//===- Groups of devices -----------------------------------------------------===//

/// More devices are not listed one by one.
constexpr int64_t mostListed = 1 << 20;

/// Returns 0 .. N-1 as a transposed grid says, or nothing if it is none.
std::optional<llvm::SmallVector<int64_t>> transposed(llvm::ArrayRef<int64_t> reshape,
                                                     llvm::ArrayRef<int64_t> permutation) {
  int64_t count = 1;
  for (int64_t size : reshape) {
    if (size <= 0 || size > mostListed / count)
      return std::nullopt;
    count *= size;
  }
  llvm::SmallVector<int64_t> strides(reshape.size(), 1), order(permutation), ids = {0};
  for (size_t i = strides.size(); i-- > 1;)
    strides[i - 1] = strides[i] * reshape[i];
  if (order.empty())
    order.assign(llvm::seq<int64_t>(0, reshape.size()).begin(),
                 llvm::seq<int64_t>(0, reshape.size()).end());
  llvm::SmallVector<bool> seen(reshape.size(), false);
  for (int64_t dim : order) {
    if (dim < 0 || dim >= static_cast<int64_t>(reshape.size()) || seen[dim])
      return std::nullopt;
    seen[dim] = true;
    llvm::SmallVector<int64_t> longer;
    for (int64_t id : ids)
      for (int64_t k = 0; k < reshape[dim]; ++k)
        longer.push_back(id + k * strides[dim]);
    ids = std::move(longer);
  }
  if (static_cast<int64_t>(ids.size()) != count)
    return std::nullopt;
  return ids;
}

mlir::DenseIntElementsAttr table(ComputationImporter &at, int64_t rows, int64_t columns,
                                 llvm::ArrayRef<int64_t> ids) {
  auto type = mlir::RankedTensorType::get({rows, columns}, at.builder.getI64Type());
  return mlir::DenseIntElementsAttr::get(type, ids);
}

/// One row a group; shorter groups are filled up with -1.
template <typename Groups> mlir::Attribute tableOf(ComputationImporter &at, const Groups &groups) {
  int64_t width = 0;
  for (const hlo::ReplicaGroup &group : groups)
    width = std::max<int64_t>(width, group.replica_ids_size());
  llvm::SmallVector<int64_t> ids;
  for (const hlo::ReplicaGroup &group : groups) {
    ids.append(group.replica_ids().begin(), group.replica_ids().end());
    ids.append(width - group.replica_ids_size(), -1);
  }
  return table(at, groups.size(), width, ids);
}

/// Writes the groups of the axes of a mesh out.
mlir::Attribute tableOf(ComputationImporter &at, const hlo::MeshAxesReplicaGroupListProto &list) {
  llvm::SmallVector<int64_t> sizes, order, rest;
  for (const auto &axis : list.mesh().axes())
    sizes.push_back(axis.size());
  int64_t inGroup = 1;
  for (const hlo::AxisRefProto &axis : list.axes()) {
    int64_t index = axis.mesh_axis_index();
    if (axis.has_sub_axis_info() || index < 0 || index >= static_cast<int64_t>(sizes.size()))
      return {};
    order.push_back(index);
    inGroup *= sizes[index];
  }
  for (int64_t i = 0; i < static_cast<int64_t>(sizes.size()); ++i)
    if (!llvm::is_contained(order, i))
      rest.push_back(i);
  rest.append(order);
  auto ids = transposed(sizes, rest);
  if (!ids || list.mesh().has_iota_transform() || list.mesh().device_ids_size() > 0)
    return {};
  return table(at, ids->size() / inGroup, inGroup, *ids);
}

mlir::Attribute replicaGroups(ComputationImporter &at) {
  const hlo::HloInstructionProto &inst = at.inst();
  if (inst.has_mesh_axes_replica_group_list())
    return tableOf(at, inst.mesh_axes_replica_group_list());
  if (inst.has_collective_device_list())
    return tableOf(at, inst.collective_device_list().replica_groups());
  if (inst.has_iota_collective_device_list()) {
    const hlo::IotaReplicaGroupListProto &list = inst.iota_collective_device_list();
    llvm::SmallVector<int64_t> reshape(list.iota_reshape_dims().begin(),
                                       list.iota_reshape_dims().end());
    llvm::SmallVector<int64_t> permutation(list.iota_transpose_perm().begin(),
                                           list.iota_transpose_perm().end());
    auto ids = transposed(reshape, permutation);
    int64_t groups = list.num_replica_groups(), size = list.num_devices_per_group();
    if (!ids || groups <= 0 || size <= 0 || size > mostListed / groups ||
        groups * size != static_cast<int64_t>(ids->size()))
      return {};
    return table(at, groups, size, *ids);
  }
  return tableOf(at, inst.replica_groups());
}

/// The attributes that all collectives among groups have.
LogicalResult groupAttributes(ComputationImporter &at,
                              llvm::SmallVectorImpl<mlir::NamedAttribute> &attributes) {
  mlir::Attribute groups = replicaGroups(at);
  if (!groups)
    return at.fail("its groups of devices are no list, no transposed grid that fits its size, and "
                   "no whole axes of a plain mesh");
  attributes.push_back(at.named("replica_groups", groups));
  if (at.inst().channel_id() > 0)
    attributes.push_back(
        at.named("channel_handle",
                 stablehlo::ChannelHandleAttr::get(&at.module.context, at.inst().channel_id(), 1)));
  if (at.inst().use_global_device_ids())
    attributes.push_back(at.named("use_global_device_ids", at.builder.getUnitAttr()));
  return mlir::success();
}

LogicalResult expectDim(ComputationImporter &at) {
  return at.inst().dimensions_size() == 1 ? mlir::success() : at.fail("expected one dim");
}

LogicalResult readReducing(ComputationImporter &at) {
  llvm::SmallVector<mlir::NamedAttribute> attributes;
  if (mlir::failed(at.expectBodies(1)) || mlir::failed(groupAttributes(at, attributes)))
    return mlir::failure();
  bool isScatter = at.inst().opcode() == "reduce-scatter";
  if (isScatter && mlir::failed(expectDim(at)))
    return mlir::failure();
  if (isScatter)
    attributes.push_back(at.integer("scatter_dimension", at.inst().dimensions(0)));
  return at.make(isScatter ? "stablehlo.reduce_scatter" : "stablehlo.all_reduce", at.operands(),
                 attributes, at.inst().called_computation_ids(0));
}

LogicalResult readAllGather(ComputationImporter &at) {
  llvm::SmallVector<mlir::NamedAttribute> attributes;
  if (mlir::failed(expectDim(at)) || mlir::failed(groupAttributes(at, attributes)))
    return mlir::failure();
  attributes.push_back(at.integer("all_gather_dim", at.inst().dimensions(0)));
  return at.make("stablehlo.all_gather", attributes);
}

/// With a dim, one operand is cut along it and put together again along the same; without, each
/// device gives one operand to each other.
LogicalResult readAllToAll(ComputationImporter &at) {
  llvm::SmallVector<mlir::NamedAttribute> attributes;
  if (mlir::failed(expectDim(at)) || mlir::failed(groupAttributes(at, attributes)))
    return mlir::failure();
  llvm::erase_if(attributes, [](mlir::NamedAttribute attribute) {
    return attribute.getName() == "use_global_device_ids";
  });
  auto groups = llvm::dyn_cast<mlir::DenseIntElementsAttr>(attributes.front().getValue());
  attributes.push_back(at.integer("split_dimension", at.inst().dimensions(0)));
  attributes.push_back(at.integer("concat_dimension", at.inst().dimensions(0)));
  attributes.push_back(at.integer("split_count", groups.getType().getShape()[1]));
  return at.make("stablehlo.all_to_all", attributes);
}

LogicalResult readCollectiveBroadcast(ComputationImporter &at) {
  llvm::SmallVector<mlir::NamedAttribute> attributes;
  if (mlir::failed(groupAttributes(at, attributes)))
    return mlir::failure();
  return at.make("stablehlo.collective_broadcast", attributes);
}

LogicalResult readCollectivePermute(ComputationImporter &at) {
  llvm::SmallVector<int64_t> pairs;
  for (const hlo::SourceTarget &pair : at.inst().source_target_pairs())
    pairs.append({pair.source(), pair.target()});
  llvm::SmallVector<mlir::NamedAttribute> attributes = {at.pairs("source_target_pairs", pairs)};
  if (at.inst().channel_id() > 0)
    attributes.push_back(
        at.named("channel_handle",
                 stablehlo::ChannelHandleAttr::get(&at.module.context, at.inst().channel_id(), 1)));
  return at.make("stablehlo.collective_permute", attributes);
}

/// StableHLO has no op for it, but a name for the call.
LogicalResult readRaggedAllToAll(ComputationImporter &at) {
  llvm::SmallVector<mlir::NamedAttribute> attributes;
  if (mlir::failed(groupAttributes(at, attributes)))
    return mlir::failure();
  llvm::SmallVector<mlir::NamedAttribute> config = {
      at.integer("channel_id", at.inst().channel_id()), attributes.front()};
  return at.make("stablehlo.custom_call",
                 {at.named("call_target_name", at.builder.getStringAttr("ragged_all_to_all")),
                  at.named("api_version", at.builder.getI32IntegerAttr(4)),
                  at.named("backend_config", at.builder.getDictionaryAttr(config))});
}

//===- Calls -------------------------------------------------------------------===//

LogicalResult readCall(ComputationImporter &at) {
  if (mlir::failed(at.expectBodies(1)))
    return mlir::failure();
  return at.call(at.inst().called_computation_ids(0));
}

LogicalResult readInlined(ComputationImporter &at) {
  if (mlir::failed(at.expectBodies(1)))
    return mlir::failure();
  return at.inlined(at.inst().called_computation_ids(0));
}

/// The layouts of all leaves, as custom calls list them: dims from minor to major.
mlir::ArrayAttr layoutsOf(ComputationImporter &at, llvm::ArrayRef<const hlo::ShapeProto *> shapes) {
  llvm::SmallVector<mlir::Attribute> layouts;
  llvm::SmallVector<const hlo::ShapeProto *> left(llvm::reverse(shapes));
  while (!left.empty()) {
    const hlo::ShapeProto *shape = left.pop_back_val();
    if (shape->element_type() == hlo::TUPLE) {
      for (const hlo::ShapeProto &element : llvm::reverse(shape->tuple_shapes()))
        left.push_back(&element);
      continue;
    }
    llvm::SmallVector<int64_t> order(shape->layout().minor_to_major().begin(),
                                     shape->layout().minor_to_major().end());
    if (static_cast<int>(order.size()) != shape->dimensions_size())
      order.assign(llvm::reverse(llvm::seq<int64_t>(0, shape->dimensions_size())).begin(),
                   llvm::reverse(llvm::seq<int64_t>(0, shape->dimensions_size())).end());
    layouts.push_back(at.builder.getIndexTensorAttr(order));
  }
  return at.builder.getArrayAttr(layouts);
}

/// The configuration: of typed calls a dictionary in MLIR's syntax, of others any bytes.
mlir::Attribute configOf(ComputationImporter &at) {
  const std::string &text = at.inst().backend_config();
  if (at.inst().custom_call_api_version() != hlo::API_VERSION_TYPED_FFI)
    return at.builder.getStringAttr(text);
  mlir::Attribute parsed =
      text.empty() ? at.builder.getDictionaryAttr({}) : parseQuietly(text, at.module.context);
  return llvm::dyn_cast_if_present<mlir::DictionaryAttr>(parsed);
}

void addAliases(ComputationImporter &at, llvm::SmallVectorImpl<mlir::NamedAttribute> &attributes) {
  llvm::SmallVector<mlir::Attribute> aliases;
  for (const hlo::OutputOperandAliasing &alias : at.inst().output_operand_aliasing()) {
    llvm::SmallVector<int64_t> output(alias.output_shape_index().begin(),
                                      alias.output_shape_index().end());
    llvm::SmallVector<int64_t> operand(alias.operand_shape_index().begin(),
                                       alias.operand_shape_index().end());
    aliases.push_back(stablehlo::OutputOperandAliasAttr::get(&at.module.context, output,
                                                             alias.operand_index(), operand));
  }
  if (!aliases.empty())
    attributes.push_back(at.named("output_operand_aliases", at.builder.getArrayAttr(aliases)));
}

LogicalResult readCustomCall(ComputationImporter &at) {
  const hlo::HloInstructionProto &inst = at.inst();
  mlir::Attribute config = configOf(at);
  if (!config)
    return at.fail("its backend_config is no dictionary, which a typed call has");
  llvm::SmallVector<mlir::NamedAttribute> attributes = {
      at.named("call_target_name", at.builder.getStringAttr(inst.custom_call_target())),
      at.named("backend_config", config)};
  if (inst.custom_call_has_side_effect())
    attributes.push_back(at.boolean("has_side_effect", true));
  if (int version = inst.custom_call_api_version(); version > 1 && version <= 4)
    attributes.push_back(at.named("api_version", at.builder.getI32IntegerAttr(version)));
  addAliases(at, attributes);
  if (inst.constrain_layout()) {
    llvm::SmallVector<const hlo::ShapeProto *> operandShapes;
    for (const hlo::ShapeProto &shape : inst.operand_shapes_with_layout())
      operandShapes.push_back(&shape);
    attributes.push_back(at.named("operand_layouts", layoutsOf(at, operandShapes)));
    attributes.push_back(at.named("result_layouts", layoutsOf(at, &inst.shape())));
  }
  if (inst.has_sharding())
    attributes.push_back(
        at.named("mhlo.sharding", at.builder.getStringAttr(textOf(inst.sharding()))));
  std::map<std::string, std::string> sorted(inst.frontend_attributes().map().begin(),
                                            inst.frontend_attributes().map().end());
  llvm::SmallVector<mlir::NamedAttribute> frontend;
  for (const auto &[name, value] : sorted)
    if (!name.empty())
      frontend.push_back(at.named(name, at.builder.getStringAttr(value)));
  if (!frontend.empty())
    attributes.push_back(
        at.named("mhlo.frontend_attributes", at.builder.getDictionaryAttr(frontend)));
  return at.make("stablehlo.custom_call", attributes);
}

} // namespace

void addCollectiveReaders(llvm::StringMap<Reader> &readers) {
  readers["all-reduce"] = readReducing;
  readers["reduce-scatter"] = readReducing;
  readers["all-gather"] = readAllGather;
  readers["all-to-all"] = readAllToAll;
  readers["collective-broadcast"] = readCollectiveBroadcast;
  readers["collective-permute"] = readCollectivePermute;
  readers["ragged-all-to-all"] = readRaggedAllToAll;
}

void addCallReaders(llvm::StringMap<Reader> &readers) {
  readers["call"] = readCall;
  readers["fusion"] = readInlined;
  readers["custom-call"] = readCustomCall;
}

} // namespace spmd::import_hlo
