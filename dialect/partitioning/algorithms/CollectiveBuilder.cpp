#include "spmd/dialect/partitioning/algorithms/CollectiveBuilder.h"

#include "spmd/dialect/sdy/Dialect.h"
#include "spmd/dialect/spmd/Causes.h"
#include "spmd/dialect/stablehlo/Dialect.h"

namespace spmd {

using namespace stablehlo;

/// Returns the mesh as the StableHLO dialect writes it, for meshes without a name.
static mlir::Attribute inlinedMesh(mlir::MLIRContext *context, const Mesh &mesh) {
  llvm::SmallVector<MeshAxisAttr> axes;
  for (const MeshAxis &axis : mesh.axes())
    axes.push_back(
        MeshAxisAttr::get(context, mlir::StringAttr::get(context, axis.name), axis.size));
  mlir::DenseIntElementsAttr ids;
  if (!mesh.isIota())
    ids = mlir::DenseIntElementsAttr::get(
        mlir::RankedTensorType::get({mesh.numDevices()}, mlir::IntegerType::get(context, 64)),
        llvm::ArrayRef<int64_t>(mesh.deviceIds().data(), mesh.deviceIds().size()));
  return MeshAttr::get(context, axes, ids);
}

static mlir::Attribute makeGroup(mlir::MLIRContext *context,
                                 const CollectiveBuilder::Group &group) {
  llvm::SmallVector<AxisRefAttr> refs;
  for (const AxisRef &axis : group.axes) {
    SubAxisInfoAttr part;
    if (!isWhole(*group.mesh, axis))
      part = SubAxisInfoAttr::get(context, axis.preSize, axis.size);
    refs.push_back(AxisRefAttr::get(
        context, mlir::StringAttr::get(context, group.mesh->axes()[axis.axis].name), part));
  }
  mlir::Attribute mesh = group.meshAttr;
  if (!llvm::isa<mlir::FlatSymbolRefAttr>(mesh))
    mesh = inlinedMesh(context, *group.mesh);
  return ReplicaGroupMeshAxesAttr::get(context, mesh, refs);
}

mlir::Attribute CollectiveBuilder::groupAttr(mlir::MLIRContext *context, const Group &group) {
  constexpr size_t mostGroups = 16;
  for (const KnownGroup &known : groups)
    if (known.meshAttr == group.meshAttr && absl::MakeConstSpan(known.axes) == group.axes)
      return known.attr;
  KnownGroup made{group.meshAttr, AxisList(group.axes.begin(), group.axes.end()),
                  makeGroup(context, group)};
  if (groups.size() < mostGroups)
    return groups.emplace_back(std::move(made)).attr;
  KnownGroup &oldest = groups[oldestGroup++ % mostGroups];
  oldest = std::move(made);
  return oldest.attr;
}

mlir::IntegerAttr CollectiveBuilder::number(mlir::OpBuilder &builder, int64_t value) {
  mlir::IntegerAttr &known = numbers[value];
  if (!known)
    known = builder.getI64IntegerAttr(value);
  return known;
}

static ChannelHandleAttr channel(mlir::MLIRContext *context) {
  return ChannelHandleAttr::get(context, /*handle=*/1, /*type=*/1);
}

mlir::Value combine(mlir::OpBuilder &builder, mlir::Location loc, ReductionKind kind, mlir::Value a,
                    mlir::Value b) {
  mlir::Type type = a.getType();
  switch (kind) {
  case ReductionKind::sum:
    return AddOp::create(builder, loc, type, a, b);
  case ReductionKind::max:
    return MaxOp::create(builder, loc, type, a, b);
  case ReductionKind::min:
    return MinOp::create(builder, loc, type, a, b);
  case ReductionKind::product:
    return MulOp::create(builder, loc, type, a, b);
  case ReductionKind::logicalAnd:
    return AndOp::create(builder, loc, type, a, b);
  case ReductionKind::logicalOr:
    return OrOp::create(builder, loc, type, a, b);
  case ReductionKind::logicalXor:
    return XorOp::create(builder, loc, type, a, b);
  }
  return {};
}

void buildReducer(mlir::Region &body, mlir::Location loc, mlir::Type elementType,
                  ReductionKind kind) {
  mlir::Block &block = body.emplaceBlock();
  auto type = mlir::RankedTensorType::get({}, elementType);
  mlir::Value a = block.addArgument(type, loc), b = block.addArgument(type, loc);
  mlir::OpBuilder builder = mlir::OpBuilder::atBlockBegin(&block);
  ReturnOp::create(builder, loc, mlir::ValueRange{combine(builder, loc, kind, a, b)});
}

static mlir::Type elementTypeOf(mlir::Value value) {
  return llvm::cast<mlir::RankedTensorType>(value.getType()).getElementType();
}

mlir::Location CollectiveBuilder::placeOf(mlir::Location loc) const {
  return inside ? placeInside(loc, *inside) : loc;
}

mlir::Value CollectiveBuilder::allGather(mlir::OpBuilder &builder, mlir::Location loc,
                                         mlir::RankedTensorType type, mlir::Value operand,
                                         int64_t dim, const Group &group) {
  mlir::MLIRContext *context = builder.getContext();
  return AllGatherOp::create(builder, placeOf(loc), type, operand, number(builder, dim),
                             groupAttr(context, group), channel(context), builder.getUnitAttr())
      ->getResult(0);
}

mlir::Value CollectiveBuilder::allReduce(mlir::OpBuilder &builder, mlir::Location loc,
                                         mlir::Value operand, ReductionKind kind,
                                         const Group &group) {
  mlir::MLIRContext *context = builder.getContext();
  auto op = AllReduceOp::create(builder, placeOf(loc), operand.getType(), operand,
                                groupAttr(context, group), channel(context), builder.getUnitAttr());
  buildReducer(op.getComputation(), loc, elementTypeOf(operand), kind);
  return op->getResult(0);
}

mlir::Value CollectiveBuilder::reduceScatter(mlir::OpBuilder &builder, mlir::Location loc,
                                             mlir::RankedTensorType type, mlir::Value operand,
                                             int64_t dim, ReductionKind kind, const Group &group) {
  mlir::MLIRContext *context = builder.getContext();
  auto op =
      ReduceScatterOp::create(builder, placeOf(loc), type, operand, number(builder, dim),
                              groupAttr(context, group), channel(context), builder.getUnitAttr());
  buildReducer(op.getComputation(), loc, elementTypeOf(operand), kind);
  return op->getResult(0);
}

mlir::Value CollectiveBuilder::allToAll(mlir::OpBuilder &builder, mlir::Location loc,
                                        mlir::RankedTensorType type, mlir::Value operand,
                                        int64_t splitDim, int64_t concatDim, const Group &group) {
  mlir::MLIRContext *context = builder.getContext();
  return AllToAllOp::create(builder, placeOf(loc), type, operand, number(builder, splitDim),
                            number(builder, concatDim), number(builder, sizeOf(group.axes)),
                            groupAttr(context, group), channel(context))
      ->getResult(0);
}

static mlir::DenseIntElementsAttr pairsAttr(mlir::OpBuilder &builder,
                                            absl::Span<const std::pair<int64_t, int64_t>> pairs) {
  llvm::SmallVector<int64_t> flat;
  for (auto [source, target] : pairs)
    flat.append({source, target});
  auto type =
      mlir::RankedTensorType::get({static_cast<int64_t>(flat.size()) / 2, 2}, builder.getI64Type());
  return mlir::DenseIntElementsAttr::get(type, flat);
}

mlir::Value CollectiveBuilder::permuteBy(mlir::OpBuilder &builder, mlir::Location loc,
                                         mlir::Value operand, mlir::DenseIntElementsAttr pairs) {
  return stablehlo::CollectivePermuteOp::create(builder, loc, operand.getType(), operand, pairs,
                                                channel(builder.getContext()));
}

/// A list of so many pairs takes 64 MiB, and its text some more.
static constexpr int64_t mostPairs = 1 << 22;

bool CollectiveBuilder::areTooMany(mlir::Location loc, int64_t numPairs) {
  if (numPairs <= mostPairs)
    return false;
  if (!std::exchange(failed, true))
    mlir::emitError(loc) << "moves data among " << numPairs
                         << " devices by a permute, which lists each, and at most " << mostPairs
                         << "; use smaller axes, or gather the data first";
  return true;
}

mlir::Value CollectiveBuilder::permute(mlir::OpBuilder &builder, mlir::Location loc,
                                       mlir::Value operand, const Plan &plan, const Step &step) {
  if (areTooMany(loc, plan.mesh(MeshSide::from).numDevices()))
    return operand;
  mlir::DenseIntElementsAttr &pairs = pairsOfSteps[&step];
  if (!pairs)
    pairs = pairsAttr(builder, plan.pairs(step));
  return permuteBy(builder, placeOf(loc), operand, pairs);
}

mlir::Value CollectiveBuilder::permute(mlir::OpBuilder &builder, mlir::Location loc,
                                       mlir::Value operand,
                                       absl::Span<const std::pair<int64_t, int64_t>> pairs) {
  if (areTooMany(loc, static_cast<int64_t>(pairs.size())))
    return operand;
  return permuteBy(builder, placeOf(loc), operand, pairsAttr(builder, pairs));
}

} // namespace spmd
