// Instructions with computations: reductions, loops, branches, sorts.

#include "spmd/dialect/import/hlo/Importer.h"

#include "spmd/dialect/stablehlo/Dialect.h"

namespace spmd::import_hlo {

namespace {

using mlir::LogicalResult;

llvm::SmallVector<int64_t> bodiesOf(ComputationImporter &at) {
  return {at.inst().called_computation_ids().begin(), at.inst().called_computation_ids().end()};
}

/// The parameters of a window, a list over dims for each.
struct WindowLists {
  llvm::SmallVector<int64_t> size, stride, padding, windowDilation, baseDilation;

  explicit WindowLists(const hlo::Window &window) {
    auto orOne = [](int64_t value) { return value == 0 ? 1 : value; };
    for (const hlo::WindowDimension &dim : window.dimensions()) {
      size.push_back(dim.size());
      stride.push_back(orOne(dim.stride()));
      padding.append({dim.padding_low(), dim.padding_high()});
      windowDilation.push_back(orOne(dim.window_dilation()));
      baseDilation.push_back(orOne(dim.base_dilation()));
    }
  }
};

LogicalResult readReduce(ComputationImporter &at) {
  if (mlir::failed(at.expectBodies(1)))
    return mlir::failure();
  return at.make("stablehlo.reduce", at.operands(), at.array("dimensions", at.inst().dimensions()),
                 bodiesOf(at));
}

LogicalResult readReduceWindow(ComputationImporter &at) {
  if (mlir::failed(at.expectBodies(1)))
    return mlir::failure();
  WindowLists window(at.inst().window());
  return at.make(
      "stablehlo.reduce_window", at.operands(),
      {at.array("window_dimensions", window.size), at.array("window_strides", window.stride),
       at.array("base_dilations", window.baseDilation),
       at.array("window_dilations", window.windowDilation), at.pairs("padding", window.padding)},
      bodiesOf(at));
}

LogicalResult readSelectAndScatter(ComputationImporter &at) {
  if (mlir::failed(at.expectBodies(2)))
    return mlir::failure();
  WindowLists window(at.inst().window());
  return at.make("stablehlo.select_and_scatter", at.operands(),
                 {at.array("window_dimensions", window.size),
                  at.array("window_strides", window.stride), at.pairs("padding", window.padding)},
                 bodiesOf(at));
}

LogicalResult readSort(ComputationImporter &at) {
  if (mlir::failed(at.expectBodies(1)))
    return mlir::failure();
  if (at.inst().dimensions_size() != 1)
    return at.fail("expected one dim");
  return at.make("stablehlo.sort", at.operands(),
                 {at.integer("dimension", at.inst().dimensions(0)),
                  at.boolean("is_stable", at.inst().is_stable())},
                 bodiesOf(at));
}

/// Inputs and, behind them, what the first step is carried; outputs and, behind them, what the last
/// one carries on.
LogicalResult readScan(ComputationImporter &at) {
  if (mlir::failed(at.expectBodies(1)))
    return mlir::failure();
  if (at.inst().dimensions_size() != 1)
    return at.fail("expected one dim");
  mlir::Builder &builder = at.builder;
  int64_t numOperands = at.operands().size(), numResults = at.numResults();
  int64_t carries = at.inst().num_carries();
  if (carries < 0 || carries > numOperands || carries > numResults)
    return at.fail("num_carries is " + llvm::Twine(carries) + ", of " + llvm::Twine(numOperands) +
                   " operands and " + llvm::Twine(numResults) + " results");
  auto segments = [&](int64_t count) {
    return builder.getDenseI32ArrayAttr({int32_t(count - carries), int32_t(carries)});
  };
  llvm::SmallVector<mlir::NamedAttribute> attributes = {
      at.integer("dimension", at.inst().dimensions(0)),
      at.boolean("is_reverse", at.inst().is_reverse()),
      at.named("operandSegmentSizes", segments(numOperands)),
      at.named("resultSegmentSizes", segments(numResults))};
  if (at.inst().is_associative())
    attributes.push_back(at.boolean("is_associative", true));
  return at.make("chlo.scan", at.operands(), attributes, bodiesOf(at));
}

LogicalResult readMap(ComputationImporter &at) {
  if (mlir::failed(at.expectBodies(1)))
    return mlir::failure();
  llvm::SmallVector<int64_t> dims;
  for (int i = 0; i < at.inst().shape().dimensions_size(); ++i)
    dims.push_back(i);
  return at.make("stablehlo.map", at.operands(), at.array("dimensions", dims), bodiesOf(at));
}

LogicalResult readScatter(ComputationImporter &at) {
  if (mlir::failed(at.expectBodies(1)))
    return mlir::failure();
  const hlo::ScatterDimensionNumbers &dims = at.inst().scatter_dimension_numbers();
  auto list = [](const auto &field) {
    return llvm::SmallVector<int64_t>(field.begin(), field.end());
  };
  auto numbers = stablehlo::ScatterDimensionNumbersAttr::get(
      &at.module.context, list(dims.update_window_dims()), list(dims.inserted_window_dims()),
      list(dims.input_batching_dims()), list(dims.scatter_indices_batching_dims()),
      list(dims.scatter_dims_to_operand_dims()), dims.index_vector_dim());
  return at.make("stablehlo.scatter", at.operands(),
                 {at.named("scatter_dimension_numbers", numbers),
                  at.boolean("indices_are_sorted", at.inst().indices_are_sorted()),
                  at.boolean("unique_indices", at.inst().unique_indices())},
                 bodiesOf(at));
}

/// The body is the first computation of a loop here, the second one of the op.
LogicalResult readWhile(ComputationImporter &at) {
  if (mlir::failed(at.expectBodies(2)))
    return mlir::failure();
  llvm::SmallVector<int64_t> bodies = bodiesOf(at);
  return at.make("stablehlo.while", at.operands(), {}, {bodies[1], bodies[0]});
}

LogicalResult readConditional(ComputationImporter &at) {
  int count = at.inst().called_computation_ids_size();
  if (count == 0 || at.numOperands() != count + 1 || at.operand(0).size() != 1)
    return at.fail("expected a selector, and an operand for each branch");
  bool isIf = at.operandShape(0).element_type() == hlo::PRED;
  if (isIf && count != 2)
    return at.fail("expected two branches for a predicate, got " + llvm::Twine(count));
  llvm::SmallVector<Leaves> captured;
  for (int i = 0; i < count; ++i)
    captured.push_back(at.operands(i + 1, i + 2));
  return at.makeBranches(isIf ? "stablehlo.if" : "stablehlo.case", at.operand(0).front(), captured);
}

} // namespace

void addRegionReaders(llvm::StringMap<Reader> &readers) {
  readers["reduce"] = readReduce;
  readers["reduce-window"] = readReduceWindow;
  readers["select-and-scatter"] = readSelectAndScatter;
  readers["sort"] = readSort;
  readers["scan"] = readScan;
  readers["map"] = readMap;
  readers["scatter"] = readScatter;
  readers["while"] = readWhile;
  readers["conditional"] = readConditional;
}

} // namespace spmd::import_hlo
