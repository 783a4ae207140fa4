#include "spmd/passes/optimize/Ring.h"

#include "spmd/dialect/groups/Groups.h"
#include "spmd/dialect/stablehlo/Dialect.h"

namespace spmd {

using namespace stablehlo;

std::optional<Ring> Ring::of(mlir::Operation *op, mlir::Attribute groups, int64_t numDevices) {
  auto channel = op->getAttrOfType<ChannelHandleAttr>("channel_handle");
  if (!channel || channel.getHandle() <= 0)
    return std::nullopt;
  mlir::ScopedDiagnosticHandler quiet(op->getContext(),
                                      [](mlir::Diagnostic &) { return mlir::success(); });
  auto expanded = expandGroups(op, groups, numDevices);
  if (mlir::failed(expanded) || expanded->empty())
    return std::nullopt;
  for (const std::vector<int64_t> &group : *expanded)
    if (group.empty() || group.size() != expanded->front().size())
      return std::nullopt;
  Ring ring;
  ring.groups = *std::move(expanded);
  ring.numDevices = numDevices;
  return ring;
}

mlir::DenseIntElementsAttr Ring::pairs(mlir::MLIRContext *context, int64_t distance) const {
  llvm::SmallVector<int64_t> ids;
  for (const std::vector<int64_t> &group : groups)
    for (int64_t i = 0; i < size(); ++i) {
      ids.push_back(group[i]);
      ids.push_back(group[(i + distance + size()) % size()]);
    }
  auto type = mlir::RankedTensorType::get({static_cast<int64_t>(ids.size()) / 2, 2},
                                          mlir::IntegerType::get(context, 64));
  return mlir::DenseIntElementsAttr::get(type, ids);
}

std::optional<int64_t> Ring::stride() const {
  int64_t stride = size() > 1 ? groups.front()[1] - groups.front()[0] : 1;
  if (stride < 1)
    return std::nullopt;
  for (const std::vector<int64_t> &group : groups)
    for (int64_t i = 0; i < size(); ++i)
      if (group[i] / stride % size() != i)
        return std::nullopt;
  return stride;
}

mlir::Value Ring::place(mlir::OpBuilder &builder, mlir::Location loc) const {
  auto idType = mlir::RankedTensorType::get({}, builder.getIntegerType(32, /*isSigned=*/false));
  auto type = mlir::RankedTensorType::get({}, builder.getI32Type());
  mlir::Value id = PartitionIdOp::create(builder, loc, idType);
  if (std::optional<int64_t> distance = stride()) {
    auto number = [&](int64_t value) -> mlir::Value {
      return ConstantOp::create(builder, loc,
                                mlir::DenseElementsAttr::get(idType, llvm::APInt(32, value)));
    };
    id = DivOp::create(builder, loc, idType, id, number(*distance));
    id = RemOp::create(builder, loc, idType, id, number(size()));
    return ConvertOp::create(builder, loc, type, id);
  }
  llvm::SmallVector<int32_t> table(numDevices);
  for (const std::vector<int64_t> &group : groups)
    for (int64_t i = 0; i < size(); ++i)
      table[group[i]] = static_cast<int32_t>(i);
  mlir::Value all = ConstantOp::create(builder, loc, builder.getI32TensorAttr(table));
  mlir::Value found = DynamicSliceOp::create(builder, loc, type.clone({1}), all, id,
                                             builder.getDenseI64ArrayAttr({1}));
  return ReshapeOp::create(builder, loc, type, found);
}

} // namespace spmd
