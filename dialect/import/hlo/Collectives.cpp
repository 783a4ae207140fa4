// Collectives.

#include "spmd/dialect/import/hlo/Groups.h"
#include "spmd/dialect/import/hlo/Importer.h"

#include "spmd/dialect/stablehlo/Dialect.h"

namespace spmd::import_hlo {

namespace {

using mlir::LogicalResult;

/// The attributes that collectives among groups have, and how many devices a group has.
struct GroupAttributes {
  llvm::SmallVector<mlir::NamedAttribute> all;
  int64_t groupSize = 0;
};

mlir::NamedAttribute channelOf(ComputationImporter &at) {
  return at.named("channel_handle",
                  stablehlo::ChannelHandleAttr::get(&at.module.context, at.inst().channel_id(), 1));
}

LogicalResult readGroups(ComputationImporter &at, GroupAttributes &attributes) {
  std::optional<GroupTable> table = groupsOf(at.inst());
  if (!table)
    return at.fail("its groups of devices are no list, no transposed grid that fits its size, and "
                   "no axes of its mesh");
  attributes.groupSize = table->rows > 0 ? table->columns : at.module.numDevices();
  auto type = mlir::RankedTensorType::get({table->rows, table->columns}, at.builder.getI64Type());
  attributes.all.push_back(
      at.named("replica_groups",
               mlir::DenseIntElementsAttr::get(type, llvm::ArrayRef<int64_t>(table->ids))));
  if (at.inst().channel_id() > 0)
    attributes.all.push_back(channelOf(at));
  if (at.inst().use_global_device_ids())
    attributes.all.push_back(at.named("use_global_device_ids", at.builder.getUnitAttr()));
  return mlir::success();
}

LogicalResult expectDim(ComputationImporter &at) {
  return at.inst().dimensions_size() == 1 ? mlir::success() : at.fail("expected one dim");
}

LogicalResult readAllReduce(ComputationImporter &at) {
  GroupAttributes attributes;
  if (mlir::failed(at.expectBodies(1)) || mlir::failed(readGroups(at, attributes)))
    return mlir::failure();
  return at.make("stablehlo.all_reduce", at.operands(), attributes.all,
                 at.inst().called_computation_ids(0));
}

LogicalResult readReduceScatter(ComputationImporter &at) {
  GroupAttributes attributes;
  if (mlir::failed(at.expectBodies(1)) || mlir::failed(expectDim(at)) ||
      mlir::failed(readGroups(at, attributes)))
    return mlir::failure();
  attributes.all.push_back(at.integer("scatter_dimension", at.inst().dimensions(0)));
  return at.makeEach("stablehlo.reduce_scatter", attributes.all,
                     at.inst().called_computation_ids(0));
}

LogicalResult readAllGather(ComputationImporter &at) {
  GroupAttributes attributes;
  if (mlir::failed(expectDim(at)) || mlir::failed(readGroups(at, attributes)))
    return mlir::failure();
  attributes.all.push_back(at.integer("all_gather_dim", at.inst().dimensions(0)));
  return at.make("stablehlo.all_gather", attributes.all);
}

LogicalResult makeAllToAll(ComputationImporter &at, GroupAttributes attributes, int64_t dim,
                           mlir::ValueRange inputs) {
  llvm::erase_if(attributes.all, [](mlir::NamedAttribute attribute) {
    return attribute.getName() == "use_global_device_ids";
  });
  attributes.all.push_back(at.integer("split_dimension", dim));
  attributes.all.push_back(at.integer("concat_dimension", dim));
  attributes.all.push_back(at.integer("split_count", attributes.groupSize));
  return at.make("stablehlo.all_to_all", inputs, attributes.all);
}

/// Each device gives one operand to each of its group: as rows of one tensor.
LogicalResult exchangeOperands(ComputationImporter &at, const GroupAttributes &attributes) {
  Leaves inputs = at.operands();
  auto type = inputs.empty() ? mlir::RankedTensorType()
                             : llvm::dyn_cast<mlir::RankedTensorType>(inputs[0].getType());
  if (!type || static_cast<int64_t>(inputs.size()) != attributes.groupSize ||
      !llvm::all_equal(mlir::ValueRange(inputs).getTypes()))
    return at.fail("without a dim, it has an operand for each device of a group, all of one shape");
  int64_t count = inputs.size();
  llvm::SmallVector<int64_t> shape = llvm::to_vector(type.getShape());
  shape.insert(shape.begin(), 1);
  mlir::Location location = inputs[0].getLoc();
  for (mlir::Value &input : inputs)
    input = stablehlo::ReshapeOp::create(at.builder, location, type.clone(shape), input);
  shape[0] = count;
  mlir::Value rows =
      stablehlo::ConcatenateOp::create(at.builder, location, type.clone(shape), inputs, 0);
  if (mlir::failed(at.withResultTypes(rows.getType(),
                                      [&] { return makeAllToAll(at, attributes, 0, rows); })))
    return mlir::failure();
  rows = at.takeResults().front();
  Leaves results;
  llvm::SmallVector<int64_t> start(shape.size(), 0), limit(shape), stride(shape.size(), 1);
  shape[0] = 1;
  for (int64_t i = 0; i < count; ++i) {
    start[0] = i;
    limit[0] = i + 1;
    mlir::Value row = stablehlo::SliceOp::create(at.builder, location, type.clone(shape), rows,
                                                 start, limit, stride);
    results.push_back(stablehlo::ReshapeOp::create(at.builder, location, type, row));
  }
  return at.forward(std::move(results));
}

/// With a dim, one operand is cut along it and put together again along the same.
LogicalResult readAllToAll(ComputationImporter &at) {
  GroupAttributes attributes;
  if (mlir::failed(readGroups(at, attributes)))
    return mlir::failure();
  if (at.inst().dimensions().empty())
    return exchangeOperands(at, attributes);
  if (mlir::failed(expectDim(at)))
    return mlir::failure();
  return makeAllToAll(at, attributes, at.inst().dimensions(0), at.operands());
}

LogicalResult readCollectiveBroadcast(ComputationImporter &at) {
  GroupAttributes attributes;
  if (mlir::failed(readGroups(at, attributes)))
    return mlir::failure();
  if (!at.inst().has_dynamic_root())
    return at.makeEach("stablehlo.collective_broadcast", attributes.all);
  attributes.all.push_back(at.named("has_dynamic_root", at.builder.getUnitAttr()));
  return at.make("stablehlo.collective_broadcast", attributes.all);
}

LogicalResult readCollectiveReduce(ComputationImporter &at) {
  GroupAttributes attributes;
  if (mlir::failed(at.expectBodies(1)) || mlir::failed(readGroups(at, attributes)))
    return mlir::failure();
  if (at.inst().has_dynamic_root())
    attributes.all.push_back(at.named("has_dynamic_root", at.builder.getUnitAttr()));
  return at.make("stablehlo.collective_reduce", at.operands(), attributes.all,
                 at.inst().called_computation_ids(0));
}

LogicalResult readCollectivePermute(ComputationImporter &at) {
  llvm::SmallVector<int64_t> pairs;
  for (const hlo::SourceTarget &pair : at.inst().source_target_pairs())
    pairs.append({pair.source(), pair.target()});
  llvm::SmallVector<mlir::NamedAttribute> attributes = {at.pairs("source_target_pairs", pairs)};
  if (at.inst().channel_id() > 0)
    attributes.push_back(channelOf(at));
  return at.makeEach("stablehlo.collective_permute", attributes);
}

/// StableHLO has no op for it, but a name for the call.
LogicalResult readRaggedAllToAll(ComputationImporter &at) {
  GroupAttributes attributes;
  if (mlir::failed(readGroups(at, attributes)))
    return mlir::failure();
  llvm::SmallVector<mlir::NamedAttribute> config = {
      at.integer("channel_id", at.inst().channel_id()), attributes.all.front()};
  return at.make("stablehlo.custom_call",
                 {at.named("call_target_name", at.builder.getStringAttr("ragged_all_to_all")),
                  at.named("api_version", at.builder.getI32IntegerAttr(4)),
                  at.named("backend_config", at.builder.getDictionaryAttr(config))});
}

} // namespace

void addCollectiveReaders(llvm::StringMap<Reader> &readers) {
  readers["all-reduce"] = readAllReduce;
  readers["all-reduce-start"] = readAllReduce;
  readers["reduce-scatter"] = readReduceScatter;
  readers["all-gather"] = readAllGather;
  readers["all-to-all"] = readAllToAll;
  readers["collective-broadcast"] = readCollectiveBroadcast;
  readers["collective-permute"] = readCollectivePermute;
  readers["collective-reduce"] = readCollectiveReduce;
  readers["ragged-all-to-all"] = readRaggedAllToAll;
}

} // namespace spmd::import_hlo
