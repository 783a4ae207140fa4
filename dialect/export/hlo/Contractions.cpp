// Products, convolutions, gathers, factorizations, normalizations.

#include "spmd/dialect/export/hlo/Exporter.h"

#include "spmd/dialect/chlo/Dialect.h"
#include "spmd/dialect/stablehlo/Dialect.h"

namespace spmd::export_hlo {

namespace {

using mlir::LogicalResult;
using mlir::success;
using namespace stablehlo;

template <typename Field, typename Values> void append(Field *field, const Values &values) {
  field->Add(values.begin(), values.end());
}

//===- Products ----------------------------------------------------------------===//

/// Precisions, StableHLO's or CHLO's: both number them as HLO does.
void writePrecision(ComputationWriter &at, hlo::HloInstructionProto &made) {
  auto precisions = at.attribute<mlir::ArrayAttr>("precision_config");
  if (!precisions)
    return;
  for (mlir::Attribute each : precisions) {
    int64_t value = 0;
    if (auto precision = llvm::dyn_cast<PrecisionAttr>(each))
      value = static_cast<int64_t>(precision.getValue());
    else if (auto other = llvm::dyn_cast<chlo::PrecisionAttr>(each))
      value = static_cast<int64_t>(other.getValue());
    made.mutable_precision_config()->add_operand_precision(
        static_cast<hlo::PrecisionConfig::Precision>(value));
  }
}

/// The name that HLO has for how a dot computes, `bf16_bf16_f32_x3`: each that verifies has one.
hlo::PrecisionConfig::Algorithm algorithmOf(DotAlgorithmAttr algorithm) {
  auto isSmall = [](mlir::Type type) {
    return llvm::isa<mlir::FloatType>(type) && type.getIntOrFloatBitWidth() == 8;
  };
  auto name = [](mlir::Type type) {
    return type.isF16()    ? "F16"
           : type.isBF16() ? "BF16"
           : type.isTF32() ? "TF32"
           : type.isF32()  ? "F32"
           : type.isF64()  ? "F64"
                           : "?";
  };
  std::string text = "ALG_DOT_";
  bool bothSmall =
      isSmall(algorithm.getLhsPrecisionType()) && isSmall(algorithm.getRhsPrecisionType());
  text += bothSmall ? "ANY_F8_ANY_F8"
                    : std::string(name(algorithm.getLhsPrecisionType())) + "_" +
                          name(algorithm.getRhsPrecisionType());
  text += std::string("_") + name(algorithm.getAccumulationType());
  if (algorithm.getAllowImpreciseAccumulation())
    text += "_FAST_ACCUM";
  if (int64_t products = algorithm.getNumPrimitiveOperations(); products > 1)
    text += "_X" + std::to_string(products);
  hlo::PrecisionConfig::Algorithm found = hlo::PrecisionConfig::ALG_UNSET;
  static_cast<void>(hlo::PrecisionConfig::Algorithm_Parse(text, &found));
  return found;
}

LogicalResult writeDotGeneral(ComputationWriter &at) {
  auto op = llvm::cast<DotGeneralOp>(at.op());
  DotDimensionNumbersAttr numbers = op.getDotDimensionNumbers();
  hlo::HloInstructionProto &made = at.make("dot");
  hlo::DotDimensionNumbers &dims = *made.mutable_dot_dimension_numbers();
  append(dims.mutable_lhs_batch_dimensions(), numbers.getLhsBatchingDimensions());
  append(dims.mutable_rhs_batch_dimensions(), numbers.getRhsBatchingDimensions());
  append(dims.mutable_lhs_contracting_dimensions(), numbers.getLhsContractingDimensions());
  append(dims.mutable_rhs_contracting_dimensions(), numbers.getRhsContractingDimensions());
  writePrecision(at, made);
  if (op.getAlgorithm())
    made.mutable_precision_config()->set_algorithm(algorithmOf(*op.getAlgorithm()));
  return success();
}

/// Deprecated: the last dim of one side against the first of the other.
LogicalResult writeDot(ComputationWriter &at) {
  int64_t rank = llvm::cast<mlir::RankedTensorType>(at.op()->getOperand(0).getType()).getRank();
  hlo::HloInstructionProto &made = at.make("dot");
  made.mutable_dot_dimension_numbers()->add_lhs_contracting_dimensions(rank - 1);
  made.mutable_dot_dimension_numbers()->add_rhs_contracting_dimensions(0);
  writePrecision(at, made);
  return success();
}

LogicalResult writeRaggedDot(ComputationWriter &at) {
  auto numbers = llvm::cast<chlo::RaggedDotOp>(at.op()).getRaggedDotDimensionNumbers();
  hlo::HloInstructionProto &made = at.make("ragged-dot");
  hlo::RaggedDotDimensionNumbers &ragged = *made.mutable_ragged_dot_dimension_numbers();
  hlo::DotDimensionNumbers &dims = *ragged.mutable_dot_dimension_numbers();
  append(dims.mutable_lhs_batch_dimensions(), numbers.getLhsBatchingDimensions());
  append(dims.mutable_rhs_batch_dimensions(), numbers.getRhsBatchingDimensions());
  append(dims.mutable_lhs_contracting_dimensions(), numbers.getLhsContractingDimensions());
  append(dims.mutable_rhs_contracting_dimensions(), numbers.getRhsContractingDimensions());
  append(ragged.mutable_lhs_ragged_dimensions(), numbers.getLhsRaggedDimensions());
  append(ragged.mutable_rhs_group_dimensions(), numbers.getRhsGroupDimensions());
  writePrecision(at, made);
  return success();
}

//===- Convolutions --------------------------------------------------------------===//

void writeDims(hlo::ConvolutionDimensionNumbers &dims, ConvDimensionNumbersAttr numbers) {
  dims.set_input_batch_dimension(numbers.getInputBatchDimension());
  dims.set_input_feature_dimension(numbers.getInputFeatureDimension());
  append(dims.mutable_input_spatial_dimensions(), numbers.getInputSpatialDimensions());
  dims.set_kernel_input_feature_dimension(numbers.getKernelInputFeatureDimension());
  dims.set_kernel_output_feature_dimension(numbers.getKernelOutputFeatureDimension());
  append(dims.mutable_kernel_spatial_dimensions(), numbers.getKernelSpatialDimensions());
  dims.set_output_batch_dimension(numbers.getOutputBatchDimension());
  dims.set_output_feature_dimension(numbers.getOutputFeatureDimension());
  append(dims.mutable_output_spatial_dimensions(), numbers.getOutputSpatialDimensions());
}

LogicalResult writeConvolution(ComputationWriter &at) {
  auto op = llvm::cast<ConvolutionOp>(at.op());
  auto kernel = llvm::cast<mlir::RankedTensorType>(op.getRhs().getType());
  llvm::ArrayRef<int64_t> spatial = op.getDimensionNumbers().getKernelSpatialDimensions();
  llvm::SmallVector<int64_t> ones(spatial.size(), 1), pads(2 * spatial.size(), 0);
  if (mlir::DenseIntElementsAttr padding = op.getPaddingAttr())
    pads.assign(padding.value_begin<int64_t>(), padding.value_end<int64_t>());
  hlo::HloInstructionProto &made = at.make("convolution");
  writeDims(*made.mutable_convolution_dimension_numbers(), op.getDimensionNumbers());
  for (auto [i, dim] : llvm::enumerate(spatial)) {
    hlo::WindowDimension &window = *made.mutable_window()->add_dimensions();
    window.set_size(kernel.getDimSize(dim));
    window.set_stride(op.getWindowStrides().value_or(ones)[i]);
    window.set_padding_low(pads[2 * i]);
    window.set_padding_high(pads[2 * i + 1]);
    window.set_base_dilation(op.getLhsDilation().value_or(ones)[i]);
    window.set_window_dilation(op.getRhsDilation().value_or(ones)[i]);
    window.set_window_reversal(op.getWindowReversal() && (*op.getWindowReversal())[i]);
  }
  made.set_feature_group_count(op.getFeatureGroupCount());
  made.set_batch_group_count(op.getBatchGroupCount());
  writePrecision(at, made);
  return success();
}

//===- The rest --------------------------------------------------------------------===//

LogicalResult writeGather(ComputationWriter &at) {
  auto op = llvm::cast<GatherOp>(at.op());
  GatherDimensionNumbersAttr numbers = op.getDimensionNumbers();
  hlo::HloInstructionProto &made = at.make("gather");
  hlo::GatherDimensionNumbers &dims = *made.mutable_gather_dimension_numbers();
  append(dims.mutable_offset_dims(), numbers.getOffsetDims());
  append(dims.mutable_collapsed_slice_dims(), numbers.getCollapsedSliceDims());
  append(dims.mutable_operand_batching_dims(), numbers.getOperandBatchingDims());
  append(dims.mutable_start_indices_batching_dims(), numbers.getStartIndicesBatchingDims());
  append(dims.mutable_start_index_map(), numbers.getStartIndexMap());
  dims.set_index_vector_dim(numbers.getIndexVectorDim());
  append(made.mutable_gather_slice_sizes(), op.getSliceSizes());
  made.set_indices_are_sorted(op.getIndicesAreSorted());
  return success();
}

LogicalResult writeFft(ComputationWriter &at) {
  auto op = llvm::cast<FftOp>(at.op());
  hlo::HloInstructionProto &made = at.make("fft");
  made.set_fft_type(static_cast<hlo::FftType>(op.getFftType()));
  append(made.mutable_fft_length(), op.getFftLength());
  return success();
}

LogicalResult writeCholesky(ComputationWriter &at) {
  at.make("cholesky")
      .mutable_cholesky_options()
      ->set_lower(llvm::cast<CholeskyOp>(at.op()).getLower());
  return success();
}

LogicalResult writeTriangularSolve(ComputationWriter &at) {
  auto op = llvm::cast<TriangularSolveOp>(at.op());
  hlo::TriangularSolveOptions &options =
      *at.make("triangular-solve").mutable_triangular_solve_options();
  options.set_left_side(op.getLeftSide());
  options.set_lower(op.getLower());
  options.set_unit_diagonal(op.getUnitDiagonal());
  options.set_transpose_a(static_cast<hlo::TriangularSolveOptions::Transpose>(op.getTransposeA()));
  return success();
}

LogicalResult writeTopK(ComputationWriter &at) {
  hlo::HloInstructionProto &made = at.make("topk");
  made.set_k(llvm::cast<chlo::TopKOp>(at.op()).getK());
  made.set_largest(true);
  return success();
}

LogicalResult writeBatchNorm(ComputationWriter &at) {
  std::string opcode = at.op()->getName().stripDialect().str();
  std::replace(opcode.begin(), opcode.end(), '_', '-');
  hlo::HloInstructionProto &made = at.make(opcode);
  made.set_epsilon(at.attribute<mlir::FloatAttr>("epsilon").getValue().convertToFloat());
  made.set_feature_index(at.attribute<mlir::IntegerAttr>("feature_index").getInt());
  return success();
}

} // namespace

void addContractionWriters(llvm::StringMap<Writer> &writers) {
  writers["stablehlo.dot_general"] = writeDotGeneral;
  writers["stablehlo.dot"] = writeDot;
  writers["chlo.ragged_dot"] = writeRaggedDot;
  writers["stablehlo.convolution"] = writeConvolution;
  writers["stablehlo.gather"] = writeGather;
  writers["stablehlo.fft"] = writeFft;
  writers["stablehlo.cholesky"] = writeCholesky;
  writers["stablehlo.triangular_solve"] = writeTriangularSolve;
  writers["chlo.top_k"] = writeTopK;
  for (llvm::StringRef name : {"inference", "training", "grad"})
    writers[("stablehlo.batch_norm_" + name).str()] = writeBatchNorm;
}

} // namespace spmd::export_hlo
