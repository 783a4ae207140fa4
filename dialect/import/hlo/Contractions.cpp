// Products, convolutions, gathers, factorizations, normalizations.

#include "spmd/dialect/import/hlo/Importer.h"

#include "spmd/dialect/chlo/Dialect.h"
#include "spmd/dialect/stablehlo/Dialect.h"

namespace spmd::import_hlo {

namespace {

using mlir::LogicalResult;

template <typename Field> llvm::SmallVector<int64_t> list(const Field &field) {
  return {field.begin(), field.end()};
}

/// Precisions, if any but the default is said: text leaves that out, bytes do not. Those that
/// StableHLO does not know are the default.
template <typename EnumAttr, typename Enum>
void addPrecision(ComputationImporter &at,
                  llvm::SmallVectorImpl<mlir::NamedAttribute> &attributes) {
  llvm::SmallVector<mlir::Attribute> precisions;
  for (int each : at.inst().precision_config().operand_precision())
    precisions.push_back(
        EnumAttr::get(&at.module.context, each == hlo::PrecisionConfig::HIGH      ? Enum::HIGH
                                          : each == hlo::PrecisionConfig::HIGHEST ? Enum::HIGHEST
                                                                                  : Enum::DEFAULT));
  auto isDefault = [&](mlir::Attribute each) {
    return each == EnumAttr::get(&at.module.context, Enum::DEFAULT);
  };
  if (!llvm::all_of(precisions, isDefault))
    attributes.push_back(at.named("precision_config", at.builder.getArrayAttr(precisions)));
}

LogicalResult readDot(ComputationImporter &at) {
  const hlo::DotDimensionNumbers &dims = at.inst().dot_dimension_numbers();
  if (at.inst().dot_sparsity_size() > 0)
    return at.fail("sparse operands are not read");
  llvm::SmallVector<mlir::NamedAttribute> attributes = {at.named(
      "dot_dimension_numbers",
      stablehlo::DotDimensionNumbersAttr::get(
          &at.module.context, list(dims.lhs_batch_dimensions()), list(dims.rhs_batch_dimensions()),
          list(dims.lhs_contracting_dimensions()), list(dims.rhs_contracting_dimensions())))};
  addPrecision<stablehlo::PrecisionAttr, stablehlo::Precision>(at, attributes);
  return at.make("stablehlo.dot_general", attributes);
}

LogicalResult readRaggedDot(ComputationImporter &at) {
  const hlo::RaggedDotDimensionNumbers &ragged = at.inst().ragged_dot_dimension_numbers();
  const hlo::DotDimensionNumbers &dims = ragged.dot_dimension_numbers();
  llvm::SmallVector<mlir::NamedAttribute> attributes = {at.named(
      "ragged_dot_dimension_numbers",
      chlo::RaggedDotDimensionNumbersAttr::get(
          &at.module.context, list(dims.lhs_batch_dimensions()), list(dims.rhs_batch_dimensions()),
          list(dims.lhs_contracting_dimensions()), list(dims.rhs_contracting_dimensions()),
          list(ragged.lhs_ragged_dimensions()), list(ragged.rhs_group_dimensions())))};
  addPrecision<chlo::PrecisionAttr, chlo::Precision>(at, attributes);
  return at.make("chlo.ragged_dot", attributes);
}

LogicalResult readConvolution(ComputationImporter &at) {
  const hlo::ConvolutionDimensionNumbers &dims = at.inst().convolution_dimension_numbers();
  auto numbers = stablehlo::ConvDimensionNumbersAttr::get(
      &at.module.context, dims.input_batch_dimension(), dims.input_feature_dimension(),
      list(dims.input_spatial_dimensions()), dims.kernel_input_feature_dimension(),
      dims.kernel_output_feature_dimension(), list(dims.kernel_spatial_dimensions()),
      dims.output_batch_dimension(), dims.output_feature_dimension(),
      list(dims.output_spatial_dimensions()));
  auto orOne = [](int64_t value) { return value == 0 ? 1 : value; };
  llvm::SmallVector<int64_t> strides, padding, lhsDilation, rhsDilation;
  llvm::SmallVector<bool> reversal;
  for (const hlo::WindowDimension &dim : at.inst().window().dimensions()) {
    strides.push_back(orOne(dim.stride()));
    padding.append({dim.padding_low(), dim.padding_high()});
    lhsDilation.push_back(orOne(dim.base_dilation()));
    rhsDilation.push_back(orOne(dim.window_dilation()));
    reversal.push_back(dim.window_reversal());
  }
  llvm::SmallVector<mlir::NamedAttribute> attributes = {
      at.named("dimension_numbers", numbers),
      at.array("window_strides", strides),
      at.pairs("padding", padding),
      at.array("lhs_dilation", lhsDilation),
      at.array("rhs_dilation", rhsDilation),
      at.named("window_reversal", at.builder.getDenseBoolArrayAttr(reversal)),
      at.integer("feature_group_count", orOne(at.inst().feature_group_count())),
      at.integer("batch_group_count", orOne(at.inst().batch_group_count()))};
  addPrecision<stablehlo::PrecisionAttr, stablehlo::Precision>(at, attributes);
  return at.make("stablehlo.convolution", attributes);
}

LogicalResult readGather(ComputationImporter &at) {
  const hlo::GatherDimensionNumbers &dims = at.inst().gather_dimension_numbers();
  auto numbers = stablehlo::GatherDimensionNumbersAttr::get(
      &at.module.context, list(dims.offset_dims()), list(dims.collapsed_slice_dims()),
      list(dims.operand_batching_dims()), list(dims.start_indices_batching_dims()),
      list(dims.start_index_map()), dims.index_vector_dim());
  return at.make("stablehlo.gather",
                 {at.named("dimension_numbers", numbers),
                  at.array("slice_sizes", at.inst().gather_slice_sizes()),
                  at.boolean("indices_are_sorted", at.inst().indices_are_sorted())});
}

LogicalResult readFft(ComputationImporter &at) {
  auto type = stablehlo::symbolizeFftType(at.inst().fft_type());
  if (!type)
    return at.fail("the kind of transform is not known");
  return at.make("stablehlo.fft",
                 {at.named("fft_type", stablehlo::FftTypeAttr::get(&at.module.context, *type)),
                  at.array("fft_length", at.inst().fft_length())});
}

LogicalResult readCholesky(ComputationImporter &at) {
  return at.make("stablehlo.cholesky", at.boolean("lower", at.inst().cholesky_options().lower()));
}

LogicalResult readTriangularSolve(ComputationImporter &at) {
  const hlo::TriangularSolveOptions &options = at.inst().triangular_solve_options();
  auto transpose = stablehlo::symbolizeTranspose(options.transpose_a());
  if (!transpose)
    return at.fail("the transposition is not known");
  return at.make(
      "stablehlo.triangular_solve",
      {at.boolean("left_side", options.left_side()), at.boolean("lower", options.lower()),
       at.boolean("unit_diagonal", options.unit_diagonal()),
       at.named("transpose_a", stablehlo::TransposeAttr::get(&at.module.context, *transpose))});
}

/// Other orders than the one largest first have no op.
LogicalResult readTopK(ComputationImporter &at) {
  if (!at.inst().largest())
    return at.fail("the smallest elements are not read; only the largest");
  return at.make("chlo.top_k", at.integer("k", at.inst().k()));
}

LogicalResult readBatchNorm(ComputationImporter &at) {
  std::string name = "stablehlo." + at.inst().opcode();
  std::replace(name.begin(), name.end(), '-', '_');
  return at.make(name, {at.named("epsilon", at.builder.getF32FloatAttr(at.inst().epsilon())),
                        at.integer("feature_index", at.inst().feature_index())});
}

} // namespace

void addContractionReaders(llvm::StringMap<Reader> &readers) {
  readers["dot"] = readDot;
  readers["ragged-dot"] = readRaggedDot;
  readers["convolution"] = readConvolution;
  readers["gather"] = readGather;
  readers["fft"] = readFft;
  readers["cholesky"] = readCholesky;
  readers["triangular-solve"] = readTriangularSolve;
  readers["topk"] = readTopK;
  for (llvm::StringRef opcode : {"batch-norm-inference", "batch-norm-training", "batch-norm-grad"})
    readers[opcode] = readBatchNorm;
}

} // namespace spmd::import_hlo
