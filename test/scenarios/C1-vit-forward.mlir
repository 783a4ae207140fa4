// RUN: spmd-opt %s --spmd-pipeline | FileCheck %s
// RUN: spmd-opt %s --spmd-pipeline=functionalize=false | FileCheck %s
// RUN: spmd-run %s --json=%t.json
// RUN: %python %S/../at_most.py %t.json wire_bytes_per_device 7344
// RUN: spmd-run %s --no-functionalize
// RUN: sed 's/"fsdp"=4/"fsdp"=8/' %s > %t.8.mlir
// RUN: spmd-opt %t.8.mlir --spmd-pipeline | FileCheck %s --check-prefix=EIGHT
// RUN: spmd-opt %t.8.mlir --spmd-pipeline=functionalize=false | FileCheck %s --check-prefix=EIGHT
// RUN: spmd-run %t.8.mlir --json=%t.8.json
// RUN: %python %S/../at_most.py %t.8.json wire_bytes_per_device 8568
// RUN: spmd-run %t.8.mlir --no-functionalize
// A ViT block under FSDP: each parameter is sharded along its largest dim, activations along the batch, which comes first (p0).
// Gathering all twelve parameters sends 9,840 bytes on four devices and 11,480 on eight. Images are smaller than the weights
// of the MLP, so the plan gathers images for it instead and reduce-scatters its result.

sdy.mesh @mesh = <["fsdp"=4, "model"=1]>

// CHECK-LABEL: func.func @main
// CHECK-SAME: tensor<4xf32>{{>?}} {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}p1]>, spmd.global_type = tensor<16xf32>}
// CHECK-SAME: tensor<4xf32>{{>?}} {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}p1]>, spmd.global_type = tensor<16xf32>}
// CHECK-SAME: tensor<12x16xf32>{{>?}} {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}p1, {}]>, spmd.global_type = tensor<48x16xf32>}
// CHECK-SAME: tensor<12xf32>{{>?}} {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}p1]>, spmd.global_type = tensor<48xf32>}
// CHECK-SAME: tensor<4x16xf32>{{>?}} {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}p1, {}]>, spmd.global_type = tensor<16x16xf32>}
// CHECK-SAME: tensor<4xf32>{{>?}} {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}p1]>, spmd.global_type = tensor<16xf32>}
// CHECK-SAME: tensor<4xf32>{{>?}} {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}p1]>, spmd.global_type = tensor<16xf32>}
// CHECK-SAME: tensor<4xf32>{{>?}} {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}p1]>, spmd.global_type = tensor<16xf32>}
// CHECK-SAME: tensor<16x16xf32>{{>?}} {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}p1, {}]>, spmd.global_type = tensor<64x16xf32>}
// CHECK-SAME: tensor<16xf32>{{>?}} {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}p1]>, spmd.global_type = tensor<64xf32>}
// CHECK-SAME: tensor<16x16xf32>{{>?}} {sdy.sharding = #sdy.sharding<@mesh, [{}, {"fsdp"}p1]>, spmd.global_type = tensor<16x64xf32>}
// CHECK-SAME: tensor<4xf32>{{>?}} {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}p1]>, spmd.global_type = tensor<16xf32>}
// CHECK-SAME: tensor<2x5x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}p0, {}, {}]>, spmd.global_type = tensor<8x5x16xf32>}
// CHECK-SAME: -> (tensor<2x5x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}, {}, {}]>, spmd.global_type = tensor<8x5x16xf32>})
// CHECK: "stablehlo.all_gather"
// CHECK: "stablehlo.reduce_scatter"
// CHECK-NOT: "stablehlo.all_reduce"
// EIGHT-LABEL: func.func @main
// EIGHT-SAME: tensor<2xf32>{{>?}} {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}p1]>, spmd.global_type = tensor<16xf32>}
// EIGHT-SAME: tensor<2xf32>{{>?}} {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}p1]>, spmd.global_type = tensor<16xf32>}
// EIGHT-SAME: tensor<6x16xf32>{{>?}} {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}p1, {}]>, spmd.global_type = tensor<48x16xf32>}
// EIGHT-SAME: tensor<6xf32>{{>?}} {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}p1]>, spmd.global_type = tensor<48xf32>}
// EIGHT-SAME: tensor<2x16xf32>{{>?}} {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}p1, {}]>, spmd.global_type = tensor<16x16xf32>}
// EIGHT-SAME: tensor<2xf32>{{>?}} {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}p1]>, spmd.global_type = tensor<16xf32>}
// EIGHT-SAME: tensor<2xf32>{{>?}} {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}p1]>, spmd.global_type = tensor<16xf32>}
// EIGHT-SAME: tensor<2xf32>{{>?}} {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}p1]>, spmd.global_type = tensor<16xf32>}
// EIGHT-SAME: tensor<8x16xf32>{{>?}} {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}p1, {}]>, spmd.global_type = tensor<64x16xf32>}
// EIGHT-SAME: tensor<8xf32>{{>?}} {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}p1]>, spmd.global_type = tensor<64xf32>}
// EIGHT-SAME: tensor<16x8xf32>{{>?}} {sdy.sharding = #sdy.sharding<@mesh, [{}, {"fsdp"}p1]>, spmd.global_type = tensor<16x64xf32>}
// EIGHT-SAME: tensor<2xf32>{{>?}} {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}p1]>, spmd.global_type = tensor<16xf32>}
// EIGHT-SAME: tensor<1x5x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}p0, {}, {}]>, spmd.global_type = tensor<8x5x16xf32>}
// EIGHT-SAME: -> (tensor<1x5x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}, {}, {}]>, spmd.global_type = tensor<8x5x16xf32>})
// EIGHT: "stablehlo.all_gather"
// EIGHT: "stablehlo.reduce_scatter"
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
    %arg12: tensor<8x5x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}p0, {}, {}]>}) -> (tensor<8x5x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}, {}, {}]>}) {
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
  %cst_6 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %37 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<8x4x5xf32>
  %38 = stablehlo.maximum %37, %36 : tensor<8x4x5xf32>
  %39 = stablehlo.broadcast_in_dim %38, dims = [0, 1, 2] : (tensor<8x4x5xf32>) -> tensor<8x4x5x1xf32>
  %40 = stablehlo.broadcast_in_dim %39, dims = [0, 1, 2, 3] : (tensor<8x4x5x1xf32>) -> tensor<8x4x5x5xf32>
  %41 = stablehlo.subtract %35, %40 : tensor<8x4x5x5xf32>
  %42 = stablehlo.exponential %41 : tensor<8x4x5x5xf32>
  %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %43 = stablehlo.reduce(%42 init: %cst_7) applies stablehlo.add across dimensions = [3] : (tensor<8x4x5x5xf32>, tensor<f32>) -> tensor<8x4x5xf32>
  %44 = stablehlo.broadcast_in_dim %43, dims = [0, 1, 2] : (tensor<8x4x5xf32>) -> tensor<8x4x5x1xf32>
  %45 = stablehlo.broadcast_in_dim %44, dims = [0, 1, 2, 3] : (tensor<8x4x5x1xf32>) -> tensor<8x4x5x5xf32>
  %46 = stablehlo.divide %42, %45 : tensor<8x4x5x5xf32>
  %47 = stablehlo.dot_general %32, %46, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<8x5x4x4xf32>, tensor<8x4x5x5xf32>) -> tensor<8x4x4x5xf32>
  %48 = stablehlo.transpose %47, dims = [0, 3, 1, 2] : (tensor<8x4x4x5xf32>) -> tensor<8x5x4x4xf32>
  %49 = stablehlo.reshape %48 : (tensor<8x5x4x4xf32>) -> tensor<8x5x16xf32>
  %50 = stablehlo.dot_general %49, %arg4, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x5x16xf32>, tensor<16x16xf32>) -> tensor<8x5x16xf32>
  %51 = stablehlo.add %arg12, %50 : tensor<8x5x16xf32>
  %52 = stablehlo.broadcast_in_dim %arg5, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
  %53 = stablehlo.broadcast_in_dim %52, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<8x5x16xf32>
  %54 = stablehlo.add %51, %53 : tensor<8x5x16xf32>
  %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %55 = stablehlo.reduce(%54 init: %cst_8) applies stablehlo.add across dimensions = [2] : (tensor<8x5x16xf32>, tensor<f32>) -> tensor<8x5xf32>
  %56 = stablehlo.broadcast_in_dim %55, dims = [0, 1] : (tensor<8x5xf32>) -> tensor<8x5x1xf32>
  %cst_9 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
  %57 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<8x5x1xf32>
  %58 = stablehlo.divide %56, %57 : tensor<8x5x1xf32>
  %59 = stablehlo.broadcast_in_dim %58, dims = [0, 1, 2] : (tensor<8x5x1xf32>) -> tensor<8x5x16xf32>
  %60 = stablehlo.subtract %54, %59 : tensor<8x5x16xf32>
  %61 = stablehlo.multiply %60, %60 : tensor<8x5x16xf32>
  %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %62 = stablehlo.reduce(%61 init: %cst_10) applies stablehlo.add across dimensions = [2] : (tensor<8x5x16xf32>, tensor<f32>) -> tensor<8x5xf32>
  %63 = stablehlo.broadcast_in_dim %62, dims = [0, 1] : (tensor<8x5xf32>) -> tensor<8x5x1xf32>
  %cst_11 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
  %64 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<8x5x1xf32>
  %65 = stablehlo.divide %63, %64 : tensor<8x5x1xf32>
  %cst_12 = stablehlo.constant dense<1.250000e-01> : tensor<f32>
  %66 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<8x5x1xf32>
  %67 = stablehlo.add %65, %66 : tensor<8x5x1xf32>
  %68 = stablehlo.rsqrt %67 : tensor<8x5x1xf32>
  %69 = stablehlo.broadcast_in_dim %68, dims = [0, 1, 2] : (tensor<8x5x1xf32>) -> tensor<8x5x16xf32>
  %70 = stablehlo.multiply %60, %69 : tensor<8x5x16xf32>
  %71 = stablehlo.broadcast_in_dim %arg6, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
  %72 = stablehlo.broadcast_in_dim %71, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<8x5x16xf32>
  %73 = stablehlo.multiply %70, %72 : tensor<8x5x16xf32>
  %74 = stablehlo.broadcast_in_dim %arg7, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
  %75 = stablehlo.broadcast_in_dim %74, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<8x5x16xf32>
  %76 = stablehlo.add %73, %75 : tensor<8x5x16xf32>
  %77 = stablehlo.dot_general %76, %arg8, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x5x16xf32>, tensor<64x16xf32>) -> tensor<8x5x64xf32>
  %78 = stablehlo.broadcast_in_dim %arg9, dims = [2] : (tensor<64xf32>) -> tensor<1x1x64xf32>
  %79 = stablehlo.broadcast_in_dim %78, dims = [0, 1, 2] : (tensor<1x1x64xf32>) -> tensor<8x5x64xf32>
  %80 = stablehlo.add %77, %79 : tensor<8x5x64xf32>
  %81 = stablehlo.tanh %80 : tensor<8x5x64xf32>
  %82 = stablehlo.dot_general %81, %arg10, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x5x64xf32>, tensor<16x64xf32>) -> tensor<8x5x16xf32>
  %83 = stablehlo.add %54, %82 : tensor<8x5x16xf32>
  %84 = stablehlo.broadcast_in_dim %arg11, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
  %85 = stablehlo.broadcast_in_dim %84, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<8x5x16xf32>
  %86 = stablehlo.add %83, %85 : tensor<8x5x16xf32>
  return %86 : tensor<8x5x16xf32>
}
