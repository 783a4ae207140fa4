// RUN: spmd-opt %s --split-input-file --spmd-propagate -o %t
// RUN: FileCheck %s < %t
// Propagating again changes nothing.
// RUN: spmd-opt %t --split-input-file --spmd-propagate | diff %t -
// RUN: spmd-opt %s --split-input-file --spmd-pipeline | FileCheck %s --check-prefix=MOVES --implicit-check-not='"stablehlo.{{all_|reduce_scatter|collective_}}'

// The moments of Adam have no sharding. Propagation gives them and the new weights the sharding of the weights, so the
// update moves nothing. Only weights are gathered, and gradients reduce-scattered.
// CHECK-LABEL: func.func public @main(
// CHECK-SAME: [{"fsdp", ?}, {"tp", ?}]>, spmd.inferred
// CHECK-SAME: [{"fsdp", ?}, {"tp", ?}]>, spmd.inferred
// CHECK-SAME: [{"tp", ?}, {"fsdp", ?}]>, spmd.inferred
// CHECK-SAME: [{"tp", ?}, {"fsdp", ?}]>, spmd.inferred
// CHECK-SAME: ->
// CHECK-SAME: []>
// CHECK-SAME: [{"fsdp", ?}, {"tp", ?}]>
// CHECK-SAME: [{"fsdp", ?}, {"tp", ?}]>
// CHECK-SAME: [{"fsdp", ?}, {"tp", ?}]>
// CHECK-SAME: [{"tp", ?}, {"fsdp", ?}]>
// CHECK-SAME: [{"tp", ?}, {"fsdp", ?}]>
// CHECK-SAME: [{"tp", ?}, {"fsdp", ?}]>
// CHECK: stablehlo.dot_general{{.*}}<@mesh, [{"fsdp", ?}, {"tp", ?}]>
// CHECK: stablehlo.dot_general{{.*}}<@mesh, [{"fsdp", ?}, {?}]>
// CHECK: stablehlo.dot_general{{.*}}<@mesh, [{"fsdp", ?}, {"tp", ?}]>
// CHECK: stablehlo.dot_general{{.*}}<@mesh, [{"fsdp", ?}, {"tp", ?}]>
// CHECK: stablehlo.dot_general{{.*}}<@mesh, [{"tp", ?}, {"fsdp", ?}]>
// CHECK: stablehlo.sqrt{{.*}}<@mesh, [{"fsdp", ?}, {"tp", ?}]>
// CHECK: stablehlo.sqrt{{.*}}<@mesh, [{"tp", ?}, {"fsdp", ?}]>
// MOVES-LABEL: func.func public @main(
// MOVES: "stablehlo.all_gather"{{.*}} -> (tensor<8x512x1024xf32>, tensor<8x1024x512xf32>)
// MOVES: "stablehlo.all_reduce"
// MOVES: }) : (tensor<f32>) -> tensor<f32>
// MOVES: "stablehlo.reduce_scatter"
// MOVES: }) : (tensor<8x512x1024xf32>) -> tensor<1x512x1024xf32>
// MOVES: "stablehlo.reduce_scatter"
// MOVES: }) : (tensor<8x1024x512xf32>) -> tensor<1x1024x512xf32>
sdy.mesh @mesh = <["fsdp"=2, "tp"=4]>
func.func public @main(%x: tensor<131072x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}, {}]>}, %t: tensor<131072x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}, {}]>}, %up: tensor<1024x4096xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}, {"tp"}]>}, %down: tensor<4096x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"tp"}, {"fsdp"}]>}, %m_up: tensor<1024x4096xf32>, %v_up: tensor<1024x4096xf32>, %m_down: tensor<4096x1024xf32>, %v_down: tensor<4096x1024xf32>) -> (tensor<f32>, tensor<1024x4096xf32>, tensor<1024x4096xf32>, tensor<1024x4096xf32>, tensor<4096x1024xf32>, tensor<4096x1024xf32>, tensor<4096x1024xf32>) {
  %0 = stablehlo.dot_general %x, %up, contracting_dims = [1] x [0] : (tensor<131072x1024xf32>, tensor<1024x4096xf32>) -> tensor<131072x4096xf32>
  %1 = stablehlo.tanh %0 : tensor<131072x4096xf32>
  %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<131072x4096xf32>
  %3 = stablehlo.subtract %2, %1 : tensor<131072x4096xf32>
  %4 = stablehlo.dot_general %1, %down, contracting_dims = [1] x [0] : (tensor<131072x4096xf32>, tensor<4096x1024xf32>) -> tensor<131072x1024xf32>
  %5 = stablehlo.subtract %4, %t : tensor<131072x1024xf32>
  %6 = stablehlo.multiply %5, %5 : tensor<131072x1024xf32>
  %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
  %7 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<131072x1024xf32>
  %8 = stablehlo.multiply %7, %5 : tensor<131072x1024xf32>
  %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %9 = stablehlo.reduce(%6 init: %cst_1) applies stablehlo.add across dimensions = [0, 1] : (tensor<131072x1024xf32>, tensor<f32>) -> tensor<f32>
  %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %10 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<131072x1024xf32>
  %11 = stablehlo.multiply %10, %8 : tensor<131072x1024xf32>
  %12 = stablehlo.dot_general %11, %1, contracting_dims = [0] x [0] : (tensor<131072x1024xf32>, tensor<131072x4096xf32>) -> tensor<1024x4096xf32>
  %13 = stablehlo.transpose %12, dims = [1, 0] : (tensor<1024x4096xf32>) -> tensor<4096x1024xf32>
  %14 = stablehlo.dot_general %11, %down, contracting_dims = [1] x [1] : (tensor<131072x1024xf32>, tensor<4096x1024xf32>) -> tensor<131072x4096xf32>
  %15 = stablehlo.multiply %14, %3 : tensor<131072x4096xf32>
  %16 = stablehlo.multiply %15, %1 : tensor<131072x4096xf32>
  %17 = stablehlo.add %15, %16 : tensor<131072x4096xf32>
  %18 = stablehlo.dot_general %17, %x, contracting_dims = [0] x [0] : (tensor<131072x4096xf32>, tensor<131072x1024xf32>) -> tensor<4096x1024xf32>
  %19 = stablehlo.transpose %18, dims = [1, 0] : (tensor<4096x1024xf32>) -> tensor<1024x4096xf32>
  %cst_3 = stablehlo.constant dense<0.899999976> : tensor<f32>
  %20 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<1024x4096xf32>
  %21 = stablehlo.multiply %20, %m_up : tensor<1024x4096xf32>
  %cst_4 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
  %22 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<1024x4096xf32>
  %23 = stablehlo.multiply %22, %19 : tensor<1024x4096xf32>
  %24 = stablehlo.add %21, %23 : tensor<1024x4096xf32>
  %cst_5 = stablehlo.constant dense<9.900000e-01> : tensor<f32>
  %25 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<1024x4096xf32>
  %26 = stablehlo.multiply %25, %v_up : tensor<1024x4096xf32>
  %cst_6 = stablehlo.constant dense<0.00999999977> : tensor<f32>
  %27 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<1024x4096xf32>
  %28 = stablehlo.multiply %27, %19 : tensor<1024x4096xf32>
  %29 = stablehlo.multiply %28, %19 : tensor<1024x4096xf32>
  %30 = stablehlo.add %26, %29 : tensor<1024x4096xf32>
  %cst_7 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
  %31 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<1024x4096xf32>
  %32 = stablehlo.multiply %31, %24 : tensor<1024x4096xf32>
  %33 = stablehlo.sqrt %30 : tensor<1024x4096xf32>
  %cst_8 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
  %34 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<1024x4096xf32>
  %35 = stablehlo.add %33, %34 : tensor<1024x4096xf32>
  %36 = stablehlo.divide %32, %35 : tensor<1024x4096xf32>
  %37 = stablehlo.subtract %up, %36 : tensor<1024x4096xf32>
  %cst_9 = stablehlo.constant dense<0.899999976> : tensor<f32>
  %38 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<4096x1024xf32>
  %39 = stablehlo.multiply %38, %m_down : tensor<4096x1024xf32>
  %cst_10 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
  %40 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<4096x1024xf32>
  %41 = stablehlo.multiply %40, %13 : tensor<4096x1024xf32>
  %42 = stablehlo.add %39, %41 : tensor<4096x1024xf32>
  %cst_11 = stablehlo.constant dense<9.900000e-01> : tensor<f32>
  %43 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<4096x1024xf32>
  %44 = stablehlo.multiply %43, %v_down : tensor<4096x1024xf32>
  %cst_12 = stablehlo.constant dense<0.00999999977> : tensor<f32>
  %45 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<4096x1024xf32>
  %46 = stablehlo.multiply %45, %13 : tensor<4096x1024xf32>
  %47 = stablehlo.multiply %46, %13 : tensor<4096x1024xf32>
  %48 = stablehlo.add %44, %47 : tensor<4096x1024xf32>
  %cst_13 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
  %49 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<4096x1024xf32>
  %50 = stablehlo.multiply %49, %42 : tensor<4096x1024xf32>
  %51 = stablehlo.sqrt %48 : tensor<4096x1024xf32>
  %cst_14 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
  %52 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<4096x1024xf32>
  %53 = stablehlo.add %51, %52 : tensor<4096x1024xf32>
  %54 = stablehlo.divide %50, %53 : tensor<4096x1024xf32>
  %55 = stablehlo.subtract %down, %54 : tensor<4096x1024xf32>
  return %9, %37, %24, %30, %55, %42, %48 : tensor<f32>, tensor<1024x4096xf32>, tensor<1024x4096xf32>, tensor<1024x4096xf32>, tensor<4096x1024xf32>, tensor<4096x1024xf32>, tensor<4096x1024xf32>
}
