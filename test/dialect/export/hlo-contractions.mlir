// RUN: spmd-translate %s --export-hlo --no-metadata | FileCheck %s
// Dimension numbers, windows and precisions.

// CHECK: HloModule module, entry_computation_layout={(f32[2,3,4]{2,1,0}, f32[2,4,5]{2,1,0}, f32[3,4]{1,0}, f32[4,5]{1,0}, f32[1,8,8,4]{3,2,1,0}, /*index=5*/f32[3,3,2,6]{3,2,1,0}, s32[5,1]{1,0}, f32[5,4]{1,0}, f32[4,4]{1,0}, c64[3,8]{1,0}, /*index=10*/f32[4]{0}, s32[2]{0})->(f32[2,3,5]{2,1,0}, f32[3,5]{1,0}, f32[1,4,8,6]{3,2,1,0}, f32[5,4]{1,0}, f32[3,4]{1,0}, /*index=5*/c64[3,8]{1,0}, f32[4,4]{1,0}, f32[4,5]{1,0}, f32[3,4]{1,0}, f32[4]{0}, /*index=10*/f32[3,2]{1,0}, s32[3,2]{1,0}, f32[3,5]{1,0})}
// CHECK: %region_0 (
// CHECK-NEXT: [[P:%[-a-z0-9_.]+]] = f32[] parameter(0)
// CHECK-NEXT: [[P2:%[-a-z0-9_.]+]] = f32[] parameter(1)
// CHECK-NEXT: ROOT [[ADD:%[-a-z0-9_.]+]] = f32[] add([[P]], [[P2]])
// CHECK: ENTRY %main (
// CHECK-NEXT: [[P3:%[-a-z0-9_.]+]] = f32[2,3,4]{2,1,0} parameter(0)
// CHECK-NEXT: [[P4:%[-a-z0-9_.]+]] = f32[2,4,5]{2,1,0} parameter(1)
// CHECK-NEXT: [[P5:%[-a-z0-9_.]+]] = f32[3,4]{1,0} parameter(2)
// CHECK-NEXT: [[P6:%[-a-z0-9_.]+]] = f32[4,5]{1,0} parameter(3)
// CHECK-NEXT: [[P7:%[-a-z0-9_.]+]] = f32[1,8,8,4]{3,2,1,0} parameter(4)
// CHECK-NEXT: [[P8:%[-a-z0-9_.]+]] = f32[3,3,2,6]{3,2,1,0} parameter(5)
// CHECK-NEXT: [[P9:%[-a-z0-9_.]+]] = s32[5,1]{1,0} parameter(6)
// CHECK-NEXT: [[P10:%[-a-z0-9_.]+]] = f32[5,4]{1,0} parameter(7)
// CHECK-NEXT: [[P11:%[-a-z0-9_.]+]] = f32[4,4]{1,0} parameter(8)
// CHECK-NEXT: [[P12:%[-a-z0-9_.]+]] = c64[3,8]{1,0} parameter(9)
// CHECK-NEXT: [[P13:%[-a-z0-9_.]+]] = f32[4]{0} parameter(10)
// CHECK-NEXT: [[P14:%[-a-z0-9_.]+]] = s32[2]{0} parameter(11)
// CHECK-NEXT: [[DOT:%[-a-z0-9_.]+]] = f32[2,3,5]{2,1,0} dot([[P3]], [[P4]]), lhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_batch_dims={0}, rhs_contracting_dims={1}, operand_precision={high,highest}
// CHECK-NEXT: [[DOT2:%[-a-z0-9_.]+]] = f32[3,5]{1,0} dot([[P5]], [[P6]]), lhs_contracting_dims={1}, rhs_contracting_dims={0}, algorithm=dot_bf16_bf16_f32_x3
// CHECK-NEXT: [[CONVOLUTION:%[-a-z0-9_.]+]] = f32[1,4,8,6]{3,2,1,0} convolution([[P7]], [[P8]]), window={size=3x3 stride=2x1 pad=1_1x2_2 rhs_dilate=1x2 rhs_reversal=0x1}, dim_labels=b01f_01io->b01f, feature_group_count=2
// CHECK-NEXT: [[GATHER:%[-a-z0-9_.]+]] = f32[5,4]{1,0} gather([[P5]], [[P9]]), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,4}, indices_are_sorted=true
// CHECK-NEXT: [[SCATTER:%[-a-z0-9_.]+]] = f32[3,4]{1,0} scatter([[P5]], [[P9]], [[P10]]), update_window_dims={1}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, unique_indices=true, to_apply=%region_0
// CHECK-NEXT: [[FFT:%[-a-z0-9_.]+]] = c64[3,8]{1,0} fft([[P12]]), fft_type=IFFT, fft_length={8}
// CHECK-NEXT: [[CHOLESKY:%[-a-z0-9_.]+]] = f32[4,4]{1,0} cholesky([[P11]]), lower=true
// CHECK-NEXT: [[TRIANGULAR_SOLVE:%[-a-z0-9_.]+]] = f32[4,5]{1,0} triangular-solve([[CHOLESKY]], [[P6]]), left_side=true, lower=true, transpose_a=ADJOINT
// CHECK-NEXT: [[BATCH_NORM_TRAINING:%[-a-z0-9_.]+]] = (f32[3,4]{1,0}, f32[4]{0}, f32[4]{0}) batch-norm-training([[P5]], [[P13]], [[P13]]), epsilon=0.001, feature_index=1
// CHECK-NEXT: [[ELEMENT:%[-a-z0-9_.]+]] = f32[3,4]{1,0} get-tuple-element([[BATCH_NORM_TRAINING]]), index=0
// CHECK-NEXT: [[ELEMENT2:%[-a-z0-9_.]+]] = f32[4]{0} get-tuple-element([[BATCH_NORM_TRAINING]]), index=2
// CHECK-NEXT: [[TOPK:%[-a-z0-9_.]+]] = (f32[3,2]{1,0}, s32[3,2]{1,0}) topk([[P5]]), k=2, largest=true
// CHECK-NEXT: [[ELEMENT3:%[-a-z0-9_.]+]] = f32[3,2]{1,0} get-tuple-element([[TOPK]]), index=0
// CHECK-NEXT: [[ELEMENT4:%[-a-z0-9_.]+]] = s32[3,2]{1,0} get-tuple-element([[TOPK]]), index=1
// CHECK-NEXT: [[RAGGED_DOT:%[-a-z0-9_.]+]] = f32[3,5]{1,0} ragged-dot([[P5]], [[P4]], [[P14]]), lhs_contracting_dims={1}, rhs_contracting_dims={1}, lhs_ragged_dims={0}, rhs_group_dims={0}
// CHECK: ROOT {{.*}} tuple([[DOT]], [[DOT2]], [[CONVOLUTION]], [[GATHER]], [[SCATTER]], /*index=5*/[[FFT]], [[CHOLESKY]], [[TRIANGULAR_SOLVE]], [[ELEMENT]], [[ELEMENT2]], /*index=10*/[[ELEMENT3]], [[ELEMENT4]], [[RAGGED_DOT]])

func.func @main(%a: tensor<2x3x4xf32>, %b: tensor<2x4x5xf32>, %m: tensor<3x4xf32>, %n: tensor<4x5xf32>, %im: tensor<1x8x8x4xf32>, %ker: tensor<3x3x2x6xf32>,
                %i: tensor<5x1xi32>, %u: tensor<5x4xf32>, %c: tensor<4x4xf32>, %z: tensor<3x8xcomplex<f32>>, %f: tensor<4xf32>, %g: tensor<2xi32>)
    -> (tensor<2x3x5xf32>, tensor<3x5xf32>, tensor<1x4x8x6xf32>, tensor<5x4xf32>, tensor<3x4xf32>, tensor<3x8xcomplex<f32>>, tensor<4x4xf32>, tensor<4x5xf32>, tensor<3x4xf32>, tensor<4xf32>, tensor<3x2xf32>, tensor<3x2xi32>, tensor<3x5xf32>) {
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [HIGH, HIGHEST] : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  %1 = stablehlo.dot_general %m, %n, contracting_dims = [1] x [0], algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 3, allow_imprecise_accumulation = false> : (tensor<3x4xf32>, tensor<4x5xf32>) -> tensor<3x5xf32>
  %2 = stablehlo.convolution(%im, %ker) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
    window = {stride = [2, 1], pad = [[1, 1], [2, 2]], rhs_dilate = [1, 2], reverse = [false, true]} {batch_group_count = 1 : i64, feature_group_count = 2 : i64}
    : (tensor<1x8x8x4xf32>, tensor<3x3x2x6xf32>) -> tensor<1x4x8x6xf32>
  %3 = "stablehlo.gather"(%m, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>, indices_are_sorted = true}> : (tensor<3x4xf32>, tensor<5x1xi32>) -> tensor<5x4xf32>
  %4 = "stablehlo.scatter"(%m, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<3x4xf32>, tensor<5x1xi32>, tensor<5x4xf32>) -> tensor<3x4xf32>
  %5 = stablehlo.fft %z, type = IFFT, length = [8] : (tensor<3x8xcomplex<f32>>) -> tensor<3x8xcomplex<f32>>
  %6 = stablehlo.cholesky %c, lower = true : tensor<4x4xf32>
  %7 = "stablehlo.triangular_solve"(%6, %n) <{left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose ADJOINT>}> : (tensor<4x4xf32>, tensor<4x5xf32>) -> tensor<4x5xf32>
  %8:3 = "stablehlo.batch_norm_training"(%m, %f, %f) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<3x4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<3x4xf32>, tensor<4xf32>, tensor<4xf32>)
  %9, %10 = chlo.top_k(%m, k = 2) : tensor<3x4xf32> -> (tensor<3x2xf32>, tensor<3x2xi32>)
  %11 = "chlo.ragged_dot"(%m, %b, %g) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<3x4xf32>, tensor<2x4x5xf32>, tensor<2xi32>) -> tensor<3x5xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8#0, %8#2, %9, %10, %11 : tensor<2x3x5xf32>, tensor<3x5xf32>, tensor<1x4x8x6xf32>, tensor<5x4xf32>, tensor<3x4xf32>, tensor<3x8xcomplex<f32>>, tensor<4x4xf32>, tensor<4x5xf32>, tensor<3x4xf32>, tensor<4xf32>, tensor<3x2xf32>, tensor<3x2xi32>, tensor<3x5xf32>
}
