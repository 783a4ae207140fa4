// RUN: spmd-opt %s --spmd-pipeline=bucket-bytes=0 | FileCheck %s
// RUN: spmd-opt %s --spmd-pipeline="functionalize=false bucket-bytes=0" | FileCheck %s
// RUN: spmd-run %s --json=%t.json
// RUN: %python %S/../at_most.py %t.json wire_bytes_per_device 12576
// RUN: spmd-run %s --no-functionalize
// RUN: sed 's/"fsdp"=4/"fsdp"=8/' %s > %t.8.mlir
// RUN: spmd-opt %t.8.mlir --spmd-pipeline=bucket-bytes=0 | FileCheck %s --check-prefix=EIGHT
// RUN: spmd-opt %t.8.mlir --spmd-pipeline="functionalize=false bucket-bytes=0" | FileCheck %s --check-prefix=EIGHT
// RUN: spmd-run %t.8.mlir --json=%t.8.json
// RUN: %python %S/../at_most.py %t.8.json wire_bytes_per_device 12992
// RUN: spmd-run %t.8.mlir --no-functionalize
// The same block forward and backward, with an update of its parameters in place. Gathering each parameter once and
// reduce-scattering each gradient sends 19,632 bytes on four devices and 22,904 on eight. The plan moves images instead of
// the largest weights. Every gradient is made in the sharding of its parameter, without an all-reduce.

sdy.mesh @mesh = <["fsdp"=4, "model"=1]>

// CHECK-LABEL: func.func @main
// CHECK-SAME: tensor<4xf32>{{>?}} {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}p1]>, spmd.global_type = tensor<16xf32>, tf.aliasing_output = 0 : i32}
// CHECK-SAME: tensor<4xf32>{{>?}} {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}p1]>, spmd.global_type = tensor<16xf32>, tf.aliasing_output = 1 : i32}
// CHECK-SAME: tensor<12x16xf32>{{>?}} {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}p1, {}]>, spmd.global_type = tensor<48x16xf32>, tf.aliasing_output = 2 : i32}
// CHECK-SAME: tensor<12xf32>{{>?}} {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}p1]>, spmd.global_type = tensor<48xf32>, tf.aliasing_output = 3 : i32}
// CHECK-SAME: tensor<4x16xf32>{{>?}} {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}p1, {}]>, spmd.global_type = tensor<16x16xf32>, tf.aliasing_output = 4 : i32}
// CHECK-SAME: tensor<4xf32>{{>?}} {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}p1]>, spmd.global_type = tensor<16xf32>, tf.aliasing_output = 5 : i32}
// CHECK-SAME: tensor<4xf32>{{>?}} {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}p1]>, spmd.global_type = tensor<16xf32>, tf.aliasing_output = 6 : i32}
// CHECK-SAME: tensor<4xf32>{{>?}} {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}p1]>, spmd.global_type = tensor<16xf32>, tf.aliasing_output = 7 : i32}
// CHECK-SAME: tensor<16x16xf32>{{>?}} {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}p1, {}]>, spmd.global_type = tensor<64x16xf32>, tf.aliasing_output = 8 : i32}
// CHECK-SAME: tensor<16xf32>{{>?}} {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}p1]>, spmd.global_type = tensor<64xf32>, tf.aliasing_output = 9 : i32}
// CHECK-SAME: tensor<16x16xf32>{{>?}} {sdy.sharding = #sdy.sharding<@mesh, [{}, {"fsdp"}p1]>, spmd.global_type = tensor<16x64xf32>, tf.aliasing_output = 10 : i32}
// CHECK-SAME: tensor<4xf32>{{>?}} {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}p1]>, spmd.global_type = tensor<16xf32>, tf.aliasing_output = 11 : i32}
// CHECK-SAME: tensor<2x5x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}p0, {}, {}]>, spmd.global_type = tensor<8x5x16xf32>}
// CHECK-SAME: tensor<2x5x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}p0, {}, {}]>, spmd.global_type = tensor<8x5x16xf32>}
// CHECK-SAME: -> (tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}p1]>, spmd.global_type = tensor<16xf32>}
// CHECK-SAME: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}p1]>, spmd.global_type = tensor<16xf32>}
// CHECK-SAME: tensor<12x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}p1, {}]>, spmd.global_type = tensor<48x16xf32>}
// CHECK-SAME: tensor<12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}p1]>, spmd.global_type = tensor<48xf32>}
// CHECK-SAME: tensor<4x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}p1, {}]>, spmd.global_type = tensor<16x16xf32>}
// CHECK-SAME: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}p1]>, spmd.global_type = tensor<16xf32>}
// CHECK-SAME: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}p1]>, spmd.global_type = tensor<16xf32>}
// CHECK-SAME: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}p1]>, spmd.global_type = tensor<16xf32>}
// CHECK-SAME: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}p1, {}]>, spmd.global_type = tensor<64x16xf32>}
// CHECK-SAME: tensor<16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}p1]>, spmd.global_type = tensor<64xf32>}
// CHECK-SAME: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"fsdp"}p1]>, spmd.global_type = tensor<16x64xf32>}
// CHECK-SAME: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}p1]>, spmd.global_type = tensor<16xf32>})
// CHECK-NOT: "stablehlo.all_reduce"
// EIGHT-LABEL: func.func @main
// EIGHT-SAME: tensor<2xf32>{{>?}} {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}p1]>, spmd.global_type = tensor<16xf32>, tf.aliasing_output = 0 : i32}
// EIGHT-SAME: tensor<2xf32>{{>?}} {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}p1]>, spmd.global_type = tensor<16xf32>, tf.aliasing_output = 1 : i32}
// EIGHT-SAME: tensor<6x16xf32>{{>?}} {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}p1, {}]>, spmd.global_type = tensor<48x16xf32>, tf.aliasing_output = 2 : i32}
// EIGHT-SAME: tensor<6xf32>{{>?}} {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}p1]>, spmd.global_type = tensor<48xf32>, tf.aliasing_output = 3 : i32}
// EIGHT-SAME: tensor<2x16xf32>{{>?}} {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}p1, {}]>, spmd.global_type = tensor<16x16xf32>, tf.aliasing_output = 4 : i32}
// EIGHT-SAME: tensor<2xf32>{{>?}} {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}p1]>, spmd.global_type = tensor<16xf32>, tf.aliasing_output = 5 : i32}
// EIGHT-SAME: tensor<2xf32>{{>?}} {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}p1]>, spmd.global_type = tensor<16xf32>, tf.aliasing_output = 6 : i32}
// EIGHT-SAME: tensor<2xf32>{{>?}} {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}p1]>, spmd.global_type = tensor<16xf32>, tf.aliasing_output = 7 : i32}
// EIGHT-SAME: tensor<8x16xf32>{{>?}} {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}p1, {}]>, spmd.global_type = tensor<64x16xf32>, tf.aliasing_output = 8 : i32}
// EIGHT-SAME: tensor<8xf32>{{>?}} {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}p1]>, spmd.global_type = tensor<64xf32>, tf.aliasing_output = 9 : i32}
// EIGHT-SAME: tensor<16x8xf32>{{>?}} {sdy.sharding = #sdy.sharding<@mesh, [{}, {"fsdp"}p1]>, spmd.global_type = tensor<16x64xf32>, tf.aliasing_output = 10 : i32}
// EIGHT-SAME: tensor<2xf32>{{>?}} {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}p1]>, spmd.global_type = tensor<16xf32>, tf.aliasing_output = 11 : i32}
// EIGHT-SAME: tensor<1x5x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}p0, {}, {}]>, spmd.global_type = tensor<8x5x16xf32>}
// EIGHT-SAME: tensor<1x5x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}p0, {}, {}]>, spmd.global_type = tensor<8x5x16xf32>}
// EIGHT-SAME: -> (tensor<2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}p1]>, spmd.global_type = tensor<16xf32>}
// EIGHT-SAME: tensor<2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}p1]>, spmd.global_type = tensor<16xf32>}
// EIGHT-SAME: tensor<6x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}p1, {}]>, spmd.global_type = tensor<48x16xf32>}
// EIGHT-SAME: tensor<6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}p1]>, spmd.global_type = tensor<48xf32>}
// EIGHT-SAME: tensor<2x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}p1, {}]>, spmd.global_type = tensor<16x16xf32>}
// EIGHT-SAME: tensor<2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}p1]>, spmd.global_type = tensor<16xf32>}
// EIGHT-SAME: tensor<2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}p1]>, spmd.global_type = tensor<16xf32>}
// EIGHT-SAME: tensor<2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}p1]>, spmd.global_type = tensor<16xf32>}
// EIGHT-SAME: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}p1, {}]>, spmd.global_type = tensor<64x16xf32>}
// EIGHT-SAME: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}p1]>, spmd.global_type = tensor<64xf32>}
// EIGHT-SAME: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"fsdp"}p1]>, spmd.global_type = tensor<16x64xf32>}
// EIGHT-SAME: tensor<2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}p1]>, spmd.global_type = tensor<16xf32>})
// EIGHT-NOT: "stablehlo.all_reduce"
func.func @main(
    %norm1_scale: !spmd.buffer<tensor<16xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}p1]>},
    %norm1_bias: !spmd.buffer<tensor<16xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}p1]>},
    %qkv: !spmd.buffer<tensor<48x16xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}p1, {}]>},
    %qkv_bias: !spmd.buffer<tensor<48xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}p1]>},
    %proj: !spmd.buffer<tensor<16x16xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}p1, {}]>},
    %proj_bias: !spmd.buffer<tensor<16xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}p1]>},
    %norm2_scale: !spmd.buffer<tensor<16xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}p1]>},
    %norm2_bias: !spmd.buffer<tensor<16xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}p1]>},
    %fc1: !spmd.buffer<tensor<64x16xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}p1, {}]>},
    %fc1_bias: !spmd.buffer<tensor<64xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}p1]>},
    %fc2: !spmd.buffer<tensor<16x64xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"fsdp"}p1]>},
    %fc2_bias: !spmd.buffer<tensor<16xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}p1]>},
    %arg12: tensor<8x5x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}p0, {}, {}]>},
    %arg13: tensor<8x5x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}p0, {}, {}]>}) {
  %arg0 = spmd.load %norm1_scale : !spmd.buffer<tensor<16xf32>>
  %arg1 = spmd.load %norm1_bias : !spmd.buffer<tensor<16xf32>>
  %arg2 = spmd.load %qkv : !spmd.buffer<tensor<48x16xf32>>
  %arg3 = spmd.load %qkv_bias : !spmd.buffer<tensor<48xf32>>
  %arg4 = spmd.load %proj : !spmd.buffer<tensor<16x16xf32>>
  %arg5 = spmd.load %proj_bias : !spmd.buffer<tensor<16xf32>>
  %arg6 = spmd.load %norm2_scale : !spmd.buffer<tensor<16xf32>>
  %arg7 = spmd.load %norm2_bias : !spmd.buffer<tensor<16xf32>>
  %arg8 = spmd.load %fc1 : !spmd.buffer<tensor<64x16xf32>>
  %arg9 = spmd.load %fc1_bias : !spmd.buffer<tensor<64xf32>>
  %arg10 = spmd.load %fc2 : !spmd.buffer<tensor<16x64xf32>>
  %arg11 = spmd.load %fc2_bias : !spmd.buffer<tensor<16xf32>>
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = stablehlo.reduce(%arg12 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<8x5x16xf32>, tensor<f32>) -> tensor<8x5xf32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<8x5xf32>) -> tensor<8x5x1xf32>
  %cst_0 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
  %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<8x5x1xf32>
  %3 = stablehlo.divide %1, %2 : tensor<8x5x1xf32>
  %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<8x5x1xf32>) -> tensor<8x5x16xf32>
  %5 = stablehlo.subtract %arg12, %4 : tensor<8x5x16xf32>
  %6 = stablehlo.multiply %5, %5 : tensor<8x5x16xf32>
  %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %7 = stablehlo.reduce(%6 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<8x5x16xf32>, tensor<f32>) -> tensor<8x5xf32>
  %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<8x5xf32>) -> tensor<8x5x1xf32>
  %cst_2 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
  %9 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<8x5x1xf32>
  %10 = stablehlo.divide %8, %9 : tensor<8x5x1xf32>
  %cst_3 = stablehlo.constant dense<1.250000e-01> : tensor<f32>
  %11 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<8x5x1xf32>
  %12 = stablehlo.add %10, %11 : tensor<8x5x1xf32>
  %13 = stablehlo.rsqrt %12 : tensor<8x5x1xf32>
  %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2] : (tensor<8x5x1xf32>) -> tensor<8x5x16xf32>
  %15 = stablehlo.multiply %5, %14 : tensor<8x5x16xf32>
  %16 = stablehlo.broadcast_in_dim %arg0, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
  %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<8x5x16xf32>
  %18 = stablehlo.multiply %15, %17 : tensor<8x5x16xf32>
  %19 = stablehlo.broadcast_in_dim %arg1, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
  %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<8x5x16xf32>
  %21 = stablehlo.add %18, %20 : tensor<8x5x16xf32>
  %22 = stablehlo.dot_general %21, %arg2, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x5x16xf32>, tensor<48x16xf32>) -> tensor<8x5x48xf32>
  %23 = stablehlo.broadcast_in_dim %arg3, dims = [2] : (tensor<48xf32>) -> tensor<1x1x48xf32>
  %24 = stablehlo.broadcast_in_dim %23, dims = [0, 1, 2] : (tensor<1x1x48xf32>) -> tensor<8x5x48xf32>
  %25 = stablehlo.add %22, %24 : tensor<8x5x48xf32>
  %26 = stablehlo.reshape %25 : (tensor<8x5x48xf32>) -> tensor<8x5x3x4x4xf32>
  %27 = stablehlo.slice %26 [0:8, 0:5, 0:1, 0:4, 0:4] : (tensor<8x5x3x4x4xf32>) -> tensor<8x5x1x4x4xf32>
  %28 = stablehlo.reshape %27 : (tensor<8x5x1x4x4xf32>) -> tensor<8x5x4x4xf32>
  %29 = stablehlo.slice %26 [0:8, 0:5, 1:2, 0:4, 0:4] : (tensor<8x5x3x4x4xf32>) -> tensor<8x5x1x4x4xf32>
  %30 = stablehlo.reshape %29 : (tensor<8x5x1x4x4xf32>) -> tensor<8x5x4x4xf32>
  %31 = stablehlo.slice %26 [0:8, 0:5, 2:3, 0:4, 0:4] : (tensor<8x5x3x4x4xf32>) -> tensor<8x5x1x4x4xf32>
  %32 = stablehlo.reshape %31 : (tensor<8x5x1x4x4xf32>) -> tensor<8x5x4x4xf32>
  %33 = stablehlo.dot_general %28, %30, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<8x5x4x4xf32>, tensor<8x5x4x4xf32>) -> tensor<8x4x5x5xf32>
  %cst_4 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
  %34 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<8x4x5x5xf32>
  %35 = stablehlo.multiply %33, %34 : tensor<8x4x5x5xf32>
  %cst_5 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %36 = stablehlo.reduce(%35 init: %cst_5) applies stablehlo.maximum across dimensions = [3] : (tensor<8x4x5x5xf32>, tensor<f32>) -> tensor<8x4x5xf32>
  %37 = stablehlo.reshape %36 : (tensor<8x4x5xf32>) -> tensor<8x4x5x1xf32>
  %38 = stablehlo.broadcast_in_dim %37, dims = [0, 1, 2, 3] : (tensor<8x4x5x1xf32>) -> tensor<8x4x5x5xf32>
  %39 = stablehlo.compare EQ, %35, %38, FLOAT : (tensor<8x4x5x5xf32>, tensor<8x4x5x5xf32>) -> tensor<8x4x5x5xi1>
  %40 = stablehlo.convert %39 : (tensor<8x4x5x5xi1>) -> tensor<8x4x5x5xf32>
  %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %41 = stablehlo.reduce(%40 init: %cst_6) applies stablehlo.add across dimensions = [3] : (tensor<8x4x5x5xf32>, tensor<f32>) -> tensor<8x4x5xf32>
  %cst_7 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %42 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<8x4x5xf32>
  %43 = stablehlo.maximum %42, %36 : tensor<8x4x5xf32>
  %44 = stablehlo.compare EQ, %36, %43, FLOAT : (tensor<8x4x5xf32>, tensor<8x4x5xf32>) -> tensor<8x4x5xi1>
  %cst_8 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %45 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<8x4x5xf32>
  %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %46 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<8x4x5xf32>
  %47 = stablehlo.select %44, %45, %46 : tensor<8x4x5xi1>, tensor<8x4x5xf32>
  %cst_10 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %48 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<8x4x5xf32>
  %49 = stablehlo.compare EQ, %48, %43, FLOAT : (tensor<8x4x5xf32>, tensor<8x4x5xf32>) -> tensor<8x4x5xi1>
  %cst_11 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
  %50 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<8x4x5xf32>
  %cst_12 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %51 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<8x4x5xf32>
  %52 = stablehlo.select %49, %50, %51 : tensor<8x4x5xi1>, tensor<8x4x5xf32>
  %53 = stablehlo.divide %47, %52 : tensor<8x4x5xf32>
  %54 = stablehlo.broadcast_in_dim %43, dims = [0, 1, 2] : (tensor<8x4x5xf32>) -> tensor<8x4x5x1xf32>
  %55 = stablehlo.broadcast_in_dim %54, dims = [0, 1, 2, 3] : (tensor<8x4x5x1xf32>) -> tensor<8x4x5x5xf32>
  %56 = stablehlo.subtract %35, %55 : tensor<8x4x5x5xf32>
  %57 = stablehlo.exponential %56 : tensor<8x4x5x5xf32>
  %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %58 = stablehlo.reduce(%57 init: %cst_13) applies stablehlo.add across dimensions = [3] : (tensor<8x4x5x5xf32>, tensor<f32>) -> tensor<8x4x5xf32>
  %59 = stablehlo.broadcast_in_dim %58, dims = [0, 1, 2] : (tensor<8x4x5xf32>) -> tensor<8x4x5x1xf32>
  %60 = stablehlo.broadcast_in_dim %59, dims = [0, 1, 2, 3] : (tensor<8x4x5x1xf32>) -> tensor<8x4x5x5xf32>
  %61 = stablehlo.divide %57, %60 : tensor<8x4x5x5xf32>
  %62 = stablehlo.multiply %59, %59 : tensor<8x4x5x1xf32>
  %cst_14 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %63 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<8x4x5x1xf32>
  %64 = stablehlo.divide %63, %62 : tensor<8x4x5x1xf32>
  %65 = stablehlo.dot_general %32, %61, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<8x5x4x4xf32>, tensor<8x4x5x5xf32>) -> tensor<8x4x4x5xf32>
  %66 = stablehlo.transpose %65, dims = [0, 3, 1, 2] : (tensor<8x4x4x5xf32>) -> tensor<8x5x4x4xf32>
  %67 = stablehlo.reshape %66 : (tensor<8x5x4x4xf32>) -> tensor<8x5x16xf32>
  %68 = stablehlo.dot_general %67, %arg4, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x5x16xf32>, tensor<16x16xf32>) -> tensor<8x5x16xf32>
  %69 = stablehlo.add %arg12, %68 : tensor<8x5x16xf32>
  %70 = stablehlo.broadcast_in_dim %arg5, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
  %71 = stablehlo.broadcast_in_dim %70, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<8x5x16xf32>
  %72 = stablehlo.add %69, %71 : tensor<8x5x16xf32>
  %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %73 = stablehlo.reduce(%72 init: %cst_15) applies stablehlo.add across dimensions = [2] : (tensor<8x5x16xf32>, tensor<f32>) -> tensor<8x5xf32>
  %74 = stablehlo.broadcast_in_dim %73, dims = [0, 1] : (tensor<8x5xf32>) -> tensor<8x5x1xf32>
  %cst_16 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
  %75 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<8x5x1xf32>
  %76 = stablehlo.divide %74, %75 : tensor<8x5x1xf32>
  %77 = stablehlo.broadcast_in_dim %76, dims = [0, 1, 2] : (tensor<8x5x1xf32>) -> tensor<8x5x16xf32>
  %78 = stablehlo.subtract %72, %77 : tensor<8x5x16xf32>
  %79 = stablehlo.multiply %78, %78 : tensor<8x5x16xf32>
  %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %80 = stablehlo.reduce(%79 init: %cst_17) applies stablehlo.add across dimensions = [2] : (tensor<8x5x16xf32>, tensor<f32>) -> tensor<8x5xf32>
  %81 = stablehlo.broadcast_in_dim %80, dims = [0, 1] : (tensor<8x5xf32>) -> tensor<8x5x1xf32>
  %cst_18 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
  %82 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<8x5x1xf32>
  %83 = stablehlo.divide %81, %82 : tensor<8x5x1xf32>
  %cst_19 = stablehlo.constant dense<1.250000e-01> : tensor<f32>
  %84 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<8x5x1xf32>
  %85 = stablehlo.add %83, %84 : tensor<8x5x1xf32>
  %86 = stablehlo.rsqrt %85 : tensor<8x5x1xf32>
  %87 = stablehlo.divide %86, %85 : tensor<8x5x1xf32>
  %cst_20 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
  %88 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<8x5x1xf32>
  %89 = stablehlo.multiply %88, %87 : tensor<8x5x1xf32>
  %90 = stablehlo.broadcast_in_dim %86, dims = [0, 1, 2] : (tensor<8x5x1xf32>) -> tensor<8x5x16xf32>
  %91 = stablehlo.multiply %78, %90 : tensor<8x5x16xf32>
  %92 = stablehlo.broadcast_in_dim %arg6, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
  %93 = stablehlo.broadcast_in_dim %92, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<8x5x16xf32>
  %94 = stablehlo.multiply %91, %93 : tensor<8x5x16xf32>
  %95 = stablehlo.broadcast_in_dim %arg7, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
  %96 = stablehlo.broadcast_in_dim %95, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<8x5x16xf32>
  %97 = stablehlo.add %94, %96 : tensor<8x5x16xf32>
  %98 = stablehlo.dot_general %97, %arg8, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x5x16xf32>, tensor<64x16xf32>) -> tensor<8x5x64xf32>
  %99 = stablehlo.broadcast_in_dim %arg9, dims = [2] : (tensor<64xf32>) -> tensor<1x1x64xf32>
  %100 = stablehlo.broadcast_in_dim %99, dims = [0, 1, 2] : (tensor<1x1x64xf32>) -> tensor<8x5x64xf32>
  %101 = stablehlo.add %98, %100 : tensor<8x5x64xf32>
  %102 = stablehlo.tanh %101 : tensor<8x5x64xf32>
  %cst_21 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %103 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<8x5x64xf32>
  %104 = stablehlo.subtract %103, %102 : tensor<8x5x64xf32>
  %105 = stablehlo.dot_general %102, %arg10, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x5x64xf32>, tensor<16x64xf32>) -> tensor<8x5x16xf32>
  %106 = stablehlo.add %72, %105 : tensor<8x5x16xf32>
  %107 = stablehlo.broadcast_in_dim %arg11, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
  %108 = stablehlo.broadcast_in_dim %107, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<8x5x16xf32>
  %109 = stablehlo.add %106, %108 : tensor<8x5x16xf32>
  %cst_22 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %110 = stablehlo.reduce(%arg13 init: %cst_22) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x5x16xf32>, tensor<f32>) -> tensor<16xf32>
  %111 = stablehlo.reshape %110 : (tensor<16xf32>) -> tensor<1x1x16xf32>
  %cst_23 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %112 = stablehlo.reduce(%111 init: %cst_23) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x16xf32>, tensor<f32>) -> tensor<16xf32>
  %113 = stablehlo.dot_general %arg13, %102, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x5x16xf32>, tensor<8x5x64xf32>) -> tensor<16x64xf32>
  %114 = stablehlo.dot_general %arg13, %arg10, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x5x16xf32>, tensor<16x64xf32>) -> tensor<8x5x64xf32>
  %115 = stablehlo.multiply %114, %104 : tensor<8x5x64xf32>
  %116 = stablehlo.multiply %115, %102 : tensor<8x5x64xf32>
  %117 = stablehlo.add %115, %116 : tensor<8x5x64xf32>
  %cst_24 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %118 = stablehlo.reduce(%117 init: %cst_24) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x5x64xf32>, tensor<f32>) -> tensor<64xf32>
  %119 = stablehlo.reshape %118 : (tensor<64xf32>) -> tensor<1x1x64xf32>
  %cst_25 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %120 = stablehlo.reduce(%119 init: %cst_25) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x64xf32>, tensor<f32>) -> tensor<64xf32>
  %121 = stablehlo.dot_general %117, %97, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x5x64xf32>, tensor<8x5x16xf32>) -> tensor<64x16xf32>
  %122 = stablehlo.dot_general %117, %arg8, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x5x64xf32>, tensor<64x16xf32>) -> tensor<8x5x16xf32>
  %cst_26 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %123 = stablehlo.reduce(%122 init: %cst_26) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x5x16xf32>, tensor<f32>) -> tensor<16xf32>
  %124 = stablehlo.reshape %123 : (tensor<16xf32>) -> tensor<1x1x16xf32>
  %cst_27 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %125 = stablehlo.reduce(%124 init: %cst_27) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x16xf32>, tensor<f32>) -> tensor<16xf32>
  %126 = stablehlo.multiply %91, %122 : tensor<8x5x16xf32>
  %cst_28 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %127 = stablehlo.reduce(%126 init: %cst_28) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x5x16xf32>, tensor<f32>) -> tensor<16xf32>
  %128 = stablehlo.reshape %127 : (tensor<16xf32>) -> tensor<1x1x16xf32>
  %129 = stablehlo.broadcast_in_dim %92, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<8x5x16xf32>
  %130 = stablehlo.multiply %122, %129 : tensor<8x5x16xf32>
  %cst_29 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %131 = stablehlo.reduce(%128 init: %cst_29) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x16xf32>, tensor<f32>) -> tensor<16xf32>
  %132 = stablehlo.multiply %78, %130 : tensor<8x5x16xf32>
  %cst_30 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %133 = stablehlo.reduce(%132 init: %cst_30) applies stablehlo.add across dimensions = [2] : (tensor<8x5x16xf32>, tensor<f32>) -> tensor<8x5xf32>
  %134 = stablehlo.reshape %133 : (tensor<8x5xf32>) -> tensor<8x5x1xf32>
  %135 = stablehlo.broadcast_in_dim %86, dims = [0, 1, 2] : (tensor<8x5x1xf32>) -> tensor<8x5x16xf32>
  %136 = stablehlo.multiply %130, %135 : tensor<8x5x16xf32>
  %137 = stablehlo.multiply %134, %89 : tensor<8x5x1xf32>
  %cst_31 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
  %138 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<8x5x1xf32>
  %139 = stablehlo.divide %137, %138 : tensor<8x5x1xf32>
  %cst_32 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %140 = stablehlo.reduce(%139 init: %cst_32) applies stablehlo.add across dimensions = [2] : (tensor<8x5x1xf32>, tensor<f32>) -> tensor<8x5xf32>
  %141 = stablehlo.broadcast_in_dim %140, dims = [0, 1] : (tensor<8x5xf32>) -> tensor<8x5x16xf32>
  %142 = stablehlo.multiply %78, %141 : tensor<8x5x16xf32>
  %143 = stablehlo.add %136, %142 : tensor<8x5x16xf32>
  %144 = stablehlo.multiply %141, %78 : tensor<8x5x16xf32>
  %145 = stablehlo.add %143, %144 : tensor<8x5x16xf32>
  %146 = stablehlo.negate %145 : tensor<8x5x16xf32>
  %cst_33 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %147 = stablehlo.reduce(%146 init: %cst_33) applies stablehlo.add across dimensions = [2] : (tensor<8x5x16xf32>, tensor<f32>) -> tensor<8x5xf32>
  %148 = stablehlo.reshape %147 : (tensor<8x5xf32>) -> tensor<8x5x1xf32>
  %149 = stablehlo.add %arg13, %145 : tensor<8x5x16xf32>
  %cst_34 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
  %150 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<8x5x1xf32>
  %151 = stablehlo.divide %148, %150 : tensor<8x5x1xf32>
  %cst_35 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %152 = stablehlo.reduce(%151 init: %cst_35) applies stablehlo.add across dimensions = [2] : (tensor<8x5x1xf32>, tensor<f32>) -> tensor<8x5xf32>
  %153 = stablehlo.broadcast_in_dim %152, dims = [0, 1] : (tensor<8x5xf32>) -> tensor<8x5x16xf32>
  %154 = stablehlo.add %149, %153 : tensor<8x5x16xf32>
  %cst_36 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %155 = stablehlo.reduce(%154 init: %cst_36) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x5x16xf32>, tensor<f32>) -> tensor<16xf32>
  %156 = stablehlo.reshape %155 : (tensor<16xf32>) -> tensor<1x1x16xf32>
  %cst_37 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %157 = stablehlo.reduce(%156 init: %cst_37) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x16xf32>, tensor<f32>) -> tensor<16xf32>
  %158 = stablehlo.dot_general %154, %67, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x5x16xf32>, tensor<8x5x16xf32>) -> tensor<16x16xf32>
  %159 = stablehlo.dot_general %154, %arg4, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x5x16xf32>, tensor<16x16xf32>) -> tensor<8x5x16xf32>
  %160 = stablehlo.reshape %159 : (tensor<8x5x16xf32>) -> tensor<8x5x4x4xf32>
  %161 = stablehlo.transpose %160, dims = [0, 2, 3, 1] : (tensor<8x5x4x4xf32>) -> tensor<8x4x4x5xf32>
  %162 = stablehlo.dot_general %161, %32, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<8x4x4x5xf32>, tensor<8x5x4x4xf32>) -> tensor<8x4x5x5xf32>
  %163 = stablehlo.dot_general %161, %61, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8x4x4x5xf32>, tensor<8x4x5x5xf32>) -> tensor<8x4x4x5xf32>
  %164 = stablehlo.transpose %163, dims = [0, 3, 1, 2] : (tensor<8x4x4x5xf32>) -> tensor<8x5x4x4xf32>
  %165 = stablehlo.broadcast_in_dim %64, dims = [0, 1, 2, 3] : (tensor<8x4x5x1xf32>) -> tensor<8x4x5x5xf32>
  %166 = stablehlo.multiply %162, %165 : tensor<8x4x5x5xf32>
  %167 = stablehlo.multiply %166, %57 : tensor<8x4x5x5xf32>
  %cst_38 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %168 = stablehlo.reduce(%167 init: %cst_38) applies stablehlo.add across dimensions = [3] : (tensor<8x4x5x5xf32>, tensor<f32>) -> tensor<8x4x5xf32>
  %169 = stablehlo.reshape %168 : (tensor<8x4x5xf32>) -> tensor<8x4x5x1xf32>
  %170 = stablehlo.negate %169 : tensor<8x4x5x1xf32>
  %171 = stablehlo.broadcast_in_dim %59, dims = [0, 1, 2, 3] : (tensor<8x4x5x1xf32>) -> tensor<8x4x5x5xf32>
  %172 = stablehlo.divide %162, %171 : tensor<8x4x5x5xf32>
  %cst_39 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %173 = stablehlo.reduce(%170 init: %cst_39) applies stablehlo.add across dimensions = [3] : (tensor<8x4x5x1xf32>, tensor<f32>) -> tensor<8x4x5xf32>
  %174 = stablehlo.broadcast_in_dim %173, dims = [0, 1, 2] : (tensor<8x4x5xf32>) -> tensor<8x4x5x5xf32>
  %175 = stablehlo.add %172, %174 : tensor<8x4x5x5xf32>
  %176 = stablehlo.multiply %175, %57 : tensor<8x4x5x5xf32>
  %cst_40 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
  %177 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<8x4x5x5xf32>
  %178 = stablehlo.multiply %176, %177 : tensor<8x4x5x5xf32>
  %179 = stablehlo.dot_general %178, %28, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x5x5xf32>, tensor<8x5x4x4xf32>) -> tensor<8x4x5x4xf32>
  %180 = stablehlo.transpose %179, dims = [0, 2, 1, 3] : (tensor<8x4x5x4xf32>) -> tensor<8x5x4x4xf32>
  %181 = stablehlo.dot_general %178, %30, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x5x5xf32>, tensor<8x5x4x4xf32>) -> tensor<8x4x5x4xf32>
  %182 = stablehlo.transpose %181, dims = [0, 2, 1, 3] : (tensor<8x4x5x4xf32>) -> tensor<8x5x4x4xf32>
  %183 = stablehlo.broadcast_in_dim %164, dims = [0, 1, 3, 4] : (tensor<8x5x4x4xf32>) -> tensor<8x5x1x4x4xf32>
  %cst_41 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %184 = stablehlo.pad %183, %cst_41, low = [0, 0, 2, 0, 0], high = [0, 0, 0, 0, 0], interior = [0, 0, 0, 0, 0] : (tensor<8x5x1x4x4xf32>, tensor<f32>) -> tensor<8x5x3x4x4xf32>
  %185 = stablehlo.broadcast_in_dim %180, dims = [0, 1, 3, 4] : (tensor<8x5x4x4xf32>) -> tensor<8x5x1x4x4xf32>
  %cst_42 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %186 = stablehlo.pad %185, %cst_42, low = [0, 0, 1, 0, 0], high = [0, 0, 1, 0, 0], interior = [0, 0, 0, 0, 0] : (tensor<8x5x1x4x4xf32>, tensor<f32>) -> tensor<8x5x3x4x4xf32>
  %187 = stablehlo.add %184, %186 : tensor<8x5x3x4x4xf32>
  %188 = stablehlo.broadcast_in_dim %182, dims = [0, 1, 3, 4] : (tensor<8x5x4x4xf32>) -> tensor<8x5x1x4x4xf32>
  %cst_43 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %189 = stablehlo.pad %188, %cst_43, low = [0, 0, 0, 0, 0], high = [0, 0, 2, 0, 0], interior = [0, 0, 0, 0, 0] : (tensor<8x5x1x4x4xf32>, tensor<f32>) -> tensor<8x5x3x4x4xf32>
  %190 = stablehlo.add %187, %189 : tensor<8x5x3x4x4xf32>
  %191 = stablehlo.reshape %190 : (tensor<8x5x3x4x4xf32>) -> tensor<8x5x48xf32>
  %cst_44 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %192 = stablehlo.reduce(%191 init: %cst_44) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x5x48xf32>, tensor<f32>) -> tensor<48xf32>
  %193 = stablehlo.reshape %192 : (tensor<48xf32>) -> tensor<1x1x48xf32>
  %cst_45 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %194 = stablehlo.reduce(%193 init: %cst_45) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x48xf32>, tensor<f32>) -> tensor<48xf32>
  %195 = stablehlo.dot_general %191, %21, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x5x48xf32>, tensor<8x5x16xf32>) -> tensor<48x16xf32>
  %196 = stablehlo.dot_general %191, %arg2, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x5x48xf32>, tensor<48x16xf32>) -> tensor<8x5x16xf32>
  %cst_46 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %197 = stablehlo.reduce(%196 init: %cst_46) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x5x16xf32>, tensor<f32>) -> tensor<16xf32>
  %198 = stablehlo.reshape %197 : (tensor<16xf32>) -> tensor<1x1x16xf32>
  %cst_47 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %199 = stablehlo.reduce(%198 init: %cst_47) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x16xf32>, tensor<f32>) -> tensor<16xf32>
  %200 = stablehlo.multiply %15, %196 : tensor<8x5x16xf32>
  %cst_48 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %201 = stablehlo.reduce(%200 init: %cst_48) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x5x16xf32>, tensor<f32>) -> tensor<16xf32>
  %202 = stablehlo.reshape %201 : (tensor<16xf32>) -> tensor<1x1x16xf32>
  %cst_49 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %203 = stablehlo.reduce(%202 init: %cst_49) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x16xf32>, tensor<f32>) -> tensor<16xf32>
  %cst_50 = stablehlo.constant dense<1.250000e-01> : tensor<f32>
  %204 = stablehlo.broadcast_in_dim %cst_50, dims = [] : (tensor<f32>) -> tensor<16xf32>
  %205 = stablehlo.multiply %204, %203 : tensor<16xf32>
  %206 = stablehlo.subtract %arg0, %205 : tensor<16xf32>
  %cst_51 = stablehlo.constant dense<1.250000e-01> : tensor<f32>
  %207 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f32>) -> tensor<16xf32>
  %208 = stablehlo.multiply %207, %199 : tensor<16xf32>
  %209 = stablehlo.subtract %arg1, %208 : tensor<16xf32>
  %cst_52 = stablehlo.constant dense<1.250000e-01> : tensor<f32>
  %210 = stablehlo.broadcast_in_dim %cst_52, dims = [] : (tensor<f32>) -> tensor<48x16xf32>
  %211 = stablehlo.multiply %210, %195 : tensor<48x16xf32>
  %212 = stablehlo.subtract %arg2, %211 : tensor<48x16xf32>
  %cst_53 = stablehlo.constant dense<1.250000e-01> : tensor<f32>
  %213 = stablehlo.broadcast_in_dim %cst_53, dims = [] : (tensor<f32>) -> tensor<48xf32>
  %214 = stablehlo.multiply %213, %194 : tensor<48xf32>
  %215 = stablehlo.subtract %arg3, %214 : tensor<48xf32>
  %cst_54 = stablehlo.constant dense<1.250000e-01> : tensor<f32>
  %216 = stablehlo.broadcast_in_dim %cst_54, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
  %217 = stablehlo.multiply %216, %158 : tensor<16x16xf32>
  %218 = stablehlo.subtract %arg4, %217 : tensor<16x16xf32>
  %cst_55 = stablehlo.constant dense<1.250000e-01> : tensor<f32>
  %219 = stablehlo.broadcast_in_dim %cst_55, dims = [] : (tensor<f32>) -> tensor<16xf32>
  %220 = stablehlo.multiply %219, %157 : tensor<16xf32>
  %221 = stablehlo.subtract %arg5, %220 : tensor<16xf32>
  %cst_56 = stablehlo.constant dense<1.250000e-01> : tensor<f32>
  %222 = stablehlo.broadcast_in_dim %cst_56, dims = [] : (tensor<f32>) -> tensor<16xf32>
  %223 = stablehlo.multiply %222, %131 : tensor<16xf32>
  %224 = stablehlo.subtract %arg6, %223 : tensor<16xf32>
  %cst_57 = stablehlo.constant dense<1.250000e-01> : tensor<f32>
  %225 = stablehlo.broadcast_in_dim %cst_57, dims = [] : (tensor<f32>) -> tensor<16xf32>
  %226 = stablehlo.multiply %225, %125 : tensor<16xf32>
  %227 = stablehlo.subtract %arg7, %226 : tensor<16xf32>
  %cst_58 = stablehlo.constant dense<1.250000e-01> : tensor<f32>
  %228 = stablehlo.broadcast_in_dim %cst_58, dims = [] : (tensor<f32>) -> tensor<64x16xf32>
  %229 = stablehlo.multiply %228, %121 : tensor<64x16xf32>
  %230 = stablehlo.subtract %arg8, %229 : tensor<64x16xf32>
  %cst_59 = stablehlo.constant dense<1.250000e-01> : tensor<f32>
  %231 = stablehlo.broadcast_in_dim %cst_59, dims = [] : (tensor<f32>) -> tensor<64xf32>
  %232 = stablehlo.multiply %231, %120 : tensor<64xf32>
  %233 = stablehlo.subtract %arg9, %232 : tensor<64xf32>
  %cst_60 = stablehlo.constant dense<1.250000e-01> : tensor<f32>
  %234 = stablehlo.broadcast_in_dim %cst_60, dims = [] : (tensor<f32>) -> tensor<16x64xf32>
  %235 = stablehlo.multiply %234, %113 : tensor<16x64xf32>
  %236 = stablehlo.subtract %arg10, %235 : tensor<16x64xf32>
  %cst_61 = stablehlo.constant dense<1.250000e-01> : tensor<f32>
  %237 = stablehlo.broadcast_in_dim %cst_61, dims = [] : (tensor<f32>) -> tensor<16xf32>
  %238 = stablehlo.multiply %237, %112 : tensor<16xf32>
  %239 = stablehlo.subtract %arg11, %238 : tensor<16xf32>
  spmd.store %206, %norm1_scale : !spmd.buffer<tensor<16xf32>>
  spmd.store %209, %norm1_bias : !spmd.buffer<tensor<16xf32>>
  spmd.store %212, %qkv : !spmd.buffer<tensor<48x16xf32>>
  spmd.store %215, %qkv_bias : !spmd.buffer<tensor<48xf32>>
  spmd.store %218, %proj : !spmd.buffer<tensor<16x16xf32>>
  spmd.store %221, %proj_bias : !spmd.buffer<tensor<16xf32>>
  spmd.store %224, %norm2_scale : !spmd.buffer<tensor<16xf32>>
  spmd.store %227, %norm2_bias : !spmd.buffer<tensor<16xf32>>
  spmd.store %230, %fc1 : !spmd.buffer<tensor<64x16xf32>>
  spmd.store %233, %fc1_bias : !spmd.buffer<tensor<64xf32>>
  spmd.store %236, %fc2 : !spmd.buffer<tensor<16x64xf32>>
  spmd.store %239, %fc2_bias : !spmd.buffer<tensor<16xf32>>
  return
}
