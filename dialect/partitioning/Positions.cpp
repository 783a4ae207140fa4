#include "spmd/dialect/partitioning/Positions.h"

#include "spmd/dialect/stablehlo/Dialect.h"

namespace spmd {

using namespace stablehlo;

static mlir::RankedTensorType indexType(mlir::OpBuilder &builder, llvm::ArrayRef<int64_t> shape = {}) {
  return mlir::RankedTensorType::get(shape, builder.getI32Type());
}

Positions::Positions(mlir::func::FuncOp func)
    : func(func), top(mlir::OpBuilder::atBlockBegin(&func.getBody().front())) {}

mlir::Value Positions::constant(int64_t value) {
  mlir::Value &entry = constants[value];
  if (!entry)
    entry = ConstantOp::create(top, func.getLoc(),
                               mlir::DenseElementsAttr::get(indexType(top), static_cast<int32_t>(value)));
  return entry;
}

mlir::Value Positions::add(mlir::Value a, mlir::Value b) {
  return a && b ? AddOp::create(top, func.getLoc(), a.getType(), a, b) : a ? a : b;
}

mlir::Value Positions::multiply(mlir::Value a, int64_t factor) {
  if (!a || factor == 1)
    return a;
  return MulOp::create(top, func.getLoc(), a.getType(), a, constant(factor));
}

mlir::Value Positions::position(const Mesh &mesh) {
  if (!partitionId) {
    mlir::Value id = PartitionIdOp::create(top, func.getLoc());
    partitionId = ConvertOp::create(top, func.getLoc(), indexType(top), id);
  }
  if (mesh.isIota())
    return partitionId;
  mlir::Value &entry = positions[{mesh.deviceIds().begin(), mesh.deviceIds().end()}];
  if (!entry) {
    // An arbitrary order has no arithmetic; look the position up.
    llvm::SmallVector<int32_t> table(mesh.numDevices());
    for (int64_t p = 0; p < mesh.numDevices(); ++p)
      table[mesh.deviceAt(p)] = p;
    mlir::Value all = ConstantOp::create(
        top, func.getLoc(),
        mlir::DenseElementsAttr::get(indexType(top, {mesh.numDevices()}), llvm::ArrayRef<int32_t>(table)));
    mlir::Value row = DynamicSliceOp::create(top, func.getLoc(), indexType(top, {1}), all,
                                             mlir::ValueRange{partitionId}, llvm::ArrayRef<int64_t>{1});
    entry = ReshapeOp::create(top, func.getLoc(), indexType(top), row);
  }
  return entry;
}

mlir::Value Positions::digit(mlir::Value position, int64_t stride, int64_t size, int64_t numDevices) {
  mlir::Value value = position;
  if (stride != 1)
    value = DivOp::create(top, func.getLoc(), value.getType(), value, constant(stride));
  if (stride * size != numDevices)
    value = RemOp::create(top, func.getLoc(), value.getType(), value, constant(size));
  return value;
}

mlir::Value Positions::coordinate(const Mesh &mesh, absl::Span<const AxisRef> axes) {
  if (sizeOf(axes) <= 1)
    return {};
  mlir::Value &entry = coordinates[{mesh.str(), {axes.begin(), axes.end()}}];
  if (entry)
    return entry;
  // Neighbouring axes whose digits are adjacent in the position are one digit.
  struct Digit {
    int64_t stride, size;
  };
  llvm::SmallVector<Digit> digits;
  for (const AxisRef &ref : axes) {
    int64_t stride = mesh.strideOf(ref.axis) * (mesh.axes()[ref.axis].size / ref.end());
    if (ref.size == 1)
      continue;
    if (!digits.empty() && digits.back().stride == stride * ref.size)
      digits.back() = {stride, digits.back().size * ref.size};
    else
      digits.push_back({stride, ref.size});
  }
  mlir::Value value;
  for (const Digit &each : digits)
    value = add(multiply(value, each.size), digit(position(mesh), each.stride, each.size, mesh.numDevices()));
  return entry = value;
}

mlir::Value Positions::firstRow(const Mesh &mesh, const DimSharding &dim, int64_t shardSize) {
  return multiply(coordinate(mesh, dim.axes), shardSize);
}

} // namespace spmd
