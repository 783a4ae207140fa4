// Ops with bodies: reductions, loops, branches, sorts.

#include "spmd/dialect/export/hlo/Exporter.h"

#include "spmd/dialect/stablehlo/Dialect.h"

namespace spmd::export_hlo {

namespace {

using mlir::LogicalResult;
using mlir::success;
using namespace stablehlo;

template <typename Field, typename Values> void append(Field *field, const Values &values) {
  field->Add(values.begin(), values.end());
}

//===- Windows -----------------------------------------------------------------===//

int64_t orOne(std::optional<llvm::ArrayRef<int64_t>> values, size_t dim) {
  return values && dim < values->size() ? (*values)[dim] : 1;
}

/// `padding` is a table with a row for each dim, or null for none.
void writeWindow(hlo::Window &window, llvm::ArrayRef<int64_t> sizes,
                 std::optional<llvm::ArrayRef<int64_t>> strides, mlir::DenseIntElementsAttr padding,
                 std::optional<llvm::ArrayRef<int64_t>> baseDilations = std::nullopt,
                 std::optional<llvm::ArrayRef<int64_t>> windowDilations = std::nullopt) {
  llvm::SmallVector<int64_t> pads(2 * sizes.size(), 0);
  if (padding)
    pads.assign(padding.value_begin<int64_t>(), padding.value_end<int64_t>());
  for (auto [i, size] : llvm::enumerate(sizes)) {
    hlo::WindowDimension &dim = *window.add_dimensions();
    dim.set_size(size);
    dim.set_stride(orOne(strides, i));
    dim.set_padding_low(pads[2 * i]);
    dim.set_padding_high(pads[2 * i + 1]);
    dim.set_base_dilation(orOne(baseDilations, i));
    dim.set_window_dilation(orOne(windowDilations, i));
  }
}

LogicalResult writeReduceWindow(ComputationWriter &at) {
  auto op = llvm::cast<ReduceWindowOp>(at.op());
  auto *body = at.body(op.getBody());
  hlo::HloInstructionProto &made = at.make("reduce-window");
  writeWindow(*made.mutable_window(), op.getWindowDimensions(), op.getWindowStrides(),
              op.getPaddingAttr(), op.getBaseDilations(), op.getWindowDilations());
  at.call(made, {body});
  return success();
}

LogicalResult writeSelectAndScatter(ComputationWriter &at) {
  auto op = llvm::cast<SelectAndScatterOp>(at.op());
  auto *select = at.body(op.getSelect());
  auto *scatter = at.body(op.getScatter());
  llvm::SmallVector<int64_t> ones(
      llvm::cast<mlir::RankedTensorType>(op.getOperand().getType()).getRank(), 1);
  hlo::HloInstructionProto &made = at.make("select-and-scatter");
  writeWindow(*made.mutable_window(), op.getWindowDimensions().value_or(ones),
              op.getWindowStrides(), op.getPaddingAttr());
  at.call(made, {select, scatter});
  return success();
}

//===- Bodies on elements ------------------------------------------------------===//

LogicalResult writeReduce(ComputationWriter &at) {
  auto op = llvm::cast<ReduceOp>(at.op());
  auto *body = at.body(op.getBody());
  hlo::HloInstructionProto &made = at.make("reduce");
  append(made.mutable_dimensions(), op.getDimensions());
  at.call(made, {body});
  return success();
}

LogicalResult writeSort(ComputationWriter &at) {
  auto op = llvm::cast<SortOp>(at.op());
  auto *body = at.body(op.getComparator());
  int64_t rank = llvm::cast<mlir::RankedTensorType>(op->getOperand(0).getType()).getRank();
  int64_t dim = op.getDimension();
  hlo::HloInstructionProto &made = at.make("sort");
  made.add_dimensions(dim < 0 ? dim + rank : dim);
  made.set_is_stable(op.getIsStable());
  at.call(made, {body});
  return success();
}

LogicalResult writeMap(ComputationWriter &at) {
  auto op = llvm::cast<MapOp>(at.op());
  auto *body = at.body(op.getComputation());
  hlo::HloInstructionProto &made = at.make("map");
  append(made.mutable_dimensions(), op.getDimensions());
  at.call(made, {body});
  return success();
}

LogicalResult writeScatter(ComputationWriter &at) {
  auto op = llvm::cast<ScatterOp>(at.op());
  auto *body = at.body(op.getUpdateComputation());
  ScatterDimensionNumbersAttr numbers = op.getScatterDimensionNumbers();
  hlo::HloInstructionProto &made = at.make("scatter");
  hlo::ScatterDimensionNumbers &dims = *made.mutable_scatter_dimension_numbers();
  append(dims.mutable_update_window_dims(), numbers.getUpdateWindowDims());
  append(dims.mutable_inserted_window_dims(), numbers.getInsertedWindowDims());
  append(dims.mutable_input_batching_dims(), numbers.getInputBatchingDims());
  append(dims.mutable_scatter_indices_batching_dims(), numbers.getScatterIndicesBatchingDims());
  append(dims.mutable_scatter_dims_to_operand_dims(), numbers.getScatterDimsToOperandDims());
  dims.set_index_vector_dim(numbers.getIndexVectorDim());
  made.set_indices_are_sorted(op.getIndicesAreSorted());
  made.set_unique_indices(op.getUniqueIndices());
  at.call(made, {body});
  return success();
}

//===- Loops and branches --------------------------------------------------------===//

/// Values from outside that the loop uses are carried along unchanged.
LogicalResult writeWhile(ComputationWriter &at) {
  auto op = llvm::cast<WhileOp>(at.op());
  llvm::SetVector<mlir::Value> captured = at.captures(/*withoutConstants=*/true);
  llvm::SmallVector<mlir::Value> carried(op->getOperands());
  carried.append(captured.begin(), captured.end());
  auto *condition = at.body(op.getCond(), /*asTuple=*/true, captured.getArrayRef());
  auto *body = at.body(op.getBody(), /*asTuple=*/true, captured.getArrayRef());
  if (captured.empty()) {
    at.call(at.make("while", at.idOfAll(carried)), {body, condition});
    return success();
  }
  hlo::ShapeProto shape;
  if (std::string why = shapeOf(mlir::ValueRange(carried).getTypes(), shape); !why.empty())
    return at.fail(why);
  hlo::HloInstructionProto &made = at.add("while", shape, at.idOfAll(carried));
  at.call(made, {body, condition});
  if (shape.element_type() == hlo::TUPLE)
    for (auto [i, result] : llvm::enumerate(op->getResults()))
      at.bindTo(result, at.element(made, i));
  return success();
}

/// Each branch is given what it uses from outside.
LogicalResult writeBranches(ComputationWriter &at) {
  llvm::SmallVector<int64_t> operands = {at.idOf(at.op()->getOperand(0))};
  llvm::SmallVector<hlo::HloComputationProto *> bodies;
  for (mlir::Region &region : at.op()->getRegions()) {
    llvm::SetVector<mlir::Value> captured = at.captures(region);
    bodies.push_back(at.body(region, /*asTuple=*/true, captured.getArrayRef()));
    operands.push_back(at.idOfAll(captured.getArrayRef()));
  }
  hlo::HloInstructionProto &made = at.make("conditional", llvm::ArrayRef<int64_t>(operands));
  for (hlo::HloComputationProto *body : bodies)
    at.call(made, {body});
  return success();
}

} // namespace

void addRegionWriters(llvm::StringMap<Writer> &writers) {
  writers["stablehlo.reduce"] = writeReduce;
  writers["stablehlo.reduce_window"] = writeReduceWindow;
  writers["stablehlo.select_and_scatter"] = writeSelectAndScatter;
  writers["stablehlo.sort"] = writeSort;
  writers["stablehlo.map"] = writeMap;
  writers["stablehlo.scatter"] = writeScatter;
  writers["stablehlo.while"] = writeWhile;
  writers["stablehlo.if"] = writeBranches;
  writers["stablehlo.case"] = writeBranches;
}

} // namespace spmd::export_hlo
