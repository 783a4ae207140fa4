// Factorizations, triangular systems, Fourier transforms, normalization over a batch.
#ifndef SPMD_DIALECT_STABLEHLO_LINEARALGEBRA
#define SPMD_DIALECT_STABLEHLO_LINEARALGEBRA

include "spmd/dialect/stablehlo/Attributes.td"

def Stablehlo_CholeskyOp : Stablehlo_Op<"cholesky", [Pure, Stablehlo_SameType]> {
  let arguments = (ins FloatOrComplexTensor:$a, DefaultValuedOptionalAttr<BoolAttr, "false">:$lower);
  let results = (outs FloatOrComplexTensor:$result);
  let assemblyFormat = [{
    $a (`,` `lower` `=` $lower^)? attr-dict `:`
    custom<SameOperandsAndResultType>(type($a), type($result))
  }];
  let hasVerifier = 1;
}

def Stablehlo_TriangularSolveOp : Stablehlo_Op<"triangular_solve", [Pure]> {
  let arguments = (ins FloatOrComplexTensor:$a, FloatOrComplexTensor:$b, BoolAttr:$left_side,
                       BoolAttr:$lower, BoolAttr:$unit_diagonal, Stablehlo_TransposeAttr:$transpose_a);
  let results = (outs FloatOrComplexTensor:$result);
  let hasVerifier = 1;
}

def Stablehlo_FftOp : Stablehlo_Op<"fft", [Pure]> {
  let arguments = (ins FloatOrComplexTensor:$operand, Stablehlo_FftTypeAttr:$fft_type,
                       DenseI64ArrayAttr:$fft_length);
  let results = (outs FloatOrComplexTensor:$result);
  let assemblyFormat = [{
    $operand `,` `type` `=` custom<EnumName>($fft_type) `,` `length` `=` $fft_length attr-dict `:`
    functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

//===- Normalization -------------------------------------------------------------------------------===//

def Stablehlo_BatchNormInferenceOp : Stablehlo_Op<"batch_norm_inference", [Pure]> {
  let arguments = (ins FloatOrQuantTensor:$operand, FloatOrQuantTensor:$scale, FloatOrQuantTensor:$offset,
                       FloatOrQuantTensor:$mean, FloatOrQuantTensor:$variance, F32Attr:$epsilon,
                       I64Attr:$feature_index);
  let results = (outs FloatOrQuantTensor:$result);
  let hasVerifier = 1;
}

def Stablehlo_BatchNormTrainingOp : Stablehlo_Op<"batch_norm_training", [Pure]> {
  let arguments = (ins FloatOrQuantTensor:$operand, FloatOrQuantTensor:$scale, FloatOrQuantTensor:$offset,
                       F32Attr:$epsilon, I64Attr:$feature_index);
  let results = (outs FloatOrQuantTensor:$output, FloatOrQuantTensor:$batch_mean,
                      FloatOrQuantTensor:$batch_var);
  let hasVerifier = 1;
}

def Stablehlo_BatchNormGradOp : Stablehlo_Op<"batch_norm_grad", [Pure]> {
  let arguments = (ins FloatOrQuantTensor:$operand, FloatOrQuantTensor:$scale, FloatOrQuantTensor:$mean,
                       FloatOrQuantTensor:$variance, FloatOrQuantTensor:$grad_output, F32Attr:$epsilon,
                       I64Attr:$feature_index);
  let results = (outs FloatOrQuantTensor:$grad_operand, FloatOrQuantTensor:$grad_scale,
                      FloatOrQuantTensor:$grad_offset);
  let hasVerifier = 1;
}

#endif
