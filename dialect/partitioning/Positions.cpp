#include "spmd/dialect/partitioning/Positions.h"

#include "spmd/dialect/stablehlo/Dialect.h"

namespace spmd {

using namespace stablehlo;

Positions::Positions(mlir::func::FuncOp func, bool hasShortDims)
    : func(func), index(mlir::IntegerType::get(func.getContext(), hasShortDims ? 32 : 64)) {}

template <typename Op, typename... Args> mlir::Value Positions::make(Args &&...args) {
  mlir::OpBuilder builder(func.getContext());
  if (last)
    builder.setInsertionPointAfter(last);
  else
    builder.setInsertionPointToStart(&func.getBody().front());
  last = Op::create(builder, func.getLoc(), std::forward<Args>(args)...);
  return last->getResult(0);
}

mlir::RankedTensorType Positions::indexType(llvm::ArrayRef<int64_t> shape) {
  return mlir::RankedTensorType::get(shape, index);
}

template <typename Op> mlir::Value Positions::combine(mlir::Value a, mlir::Value b) {
  mlir::Value &entry =
      combined[{Op::getOperationName(), a.getAsOpaquePointer(), b.getAsOpaquePointer()}];
  if (!entry)
    entry = make<Op>(a.getType(), a, b);
  return entry;
}

mlir::Value Positions::constant(int64_t value) {
  mlir::Value &entry = constants[value];
  if (!entry)
    entry = make<ConstantOp>(
        mlir::DenseElementsAttr::get(indexType(), mlir::IntegerAttr::get(index, value).getValue()));
  return entry;
}

mlir::Value Positions::add(mlir::Value a, mlir::Value b) {
  return a && b ? combine<AddOp>(a, b) : a ? a : b;
}

mlir::Value Positions::subtract(mlir::Value a, mlir::Value b) {
  if (!b)
    return a;
  return combine<SubtractOp>(a ? a : constant(0), b);
}

mlir::Value Positions::multiply(mlir::Value a, mlir::Value b) {
  return a && b ? combine<MulOp>(a, b) : mlir::Value();
}

mlir::Value Positions::divide(mlir::Value a, int64_t divisor) {
  if (!a || divisor == 1)
    return a;
  mlir::Value by = constant(divisor);
  return combine<DivOp>(a, by);
}

mlir::Value Positions::minimum(mlir::Value a, mlir::Value b) {
  a = a ? a : constant(0), b = b ? b : constant(0);
  return combine<MinOp>(a, b);
}

mlir::Value Positions::maximum(mlir::Value a, mlir::Value b) {
  a = a ? a : constant(0), b = b ? b : constant(0);
  return combine<MaxOp>(a, b);
}

mlir::Value Positions::multiply(mlir::Value a, int64_t factor) {
  if (!a || factor == 1)
    return a;
  mlir::Value scale = constant(factor);
  return combine<MulOp>(a, scale);
}

mlir::Value Positions::position(const Mesh &mesh) {
  if (!partitionId) {
    mlir::Value id = make<PartitionIdOp>();
    partitionId = make<ConvertOp>(indexType(), id);
  }
  if (mesh.isIota())
    return partitionId;
  mlir::Value &entry = positions[{mesh.deviceIds().begin(), mesh.deviceIds().end()}];
  if (!entry) {
    // An arbitrary order has no arithmetic; look the position up.
    llvm::SmallVector<llvm::APInt> table(mesh.numDevices());
    for (int64_t p = 0; p < mesh.numDevices(); ++p)
      table[mesh.deviceAt(p)] = llvm::APInt(index.getIntOrFloatBitWidth(), p);
    mlir::Value all =
        make<ConstantOp>(mlir::DenseElementsAttr::get(indexType({mesh.numDevices()}), table));
    mlir::Value row = make<DynamicSliceOp>(indexType({1}), all, mlir::ValueRange{partitionId},
                                           llvm::ArrayRef<int64_t>{1});
    entry = make<ReshapeOp>(indexType(), row);
  }
  return entry;
}

mlir::Value Positions::digit(mlir::Value position, int64_t stride, int64_t size,
                             int64_t numDevices) {
  mlir::Value value = position;
  if (stride != 1) {
    mlir::Value by = constant(stride);
    value = combine<DivOp>(value, by);
  }
  if (stride * size != numDevices) {
    mlir::Value by = constant(size);
    value = combine<RemOp>(value, by);
  }
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
    value = add(multiply(value, each.size),
                digit(position(mesh), each.stride, each.size, mesh.numDevices()));
  return entry = value;
}

mlir::Value Positions::firstRow(const Mesh &mesh, const DimSharding &dim, int64_t shardSize) {
  return multiply(coordinate(mesh, dim.axes), shardSize);
}

} // namespace spmd
