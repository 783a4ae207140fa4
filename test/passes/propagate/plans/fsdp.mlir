// RUN: spmd-opt %s --split-input-file --spmd-propagate -o %t
// RUN: FileCheck %s < %t
// Propagating again changes nothing.
// RUN: spmd-opt %t --split-input-file --spmd-propagate | diff %t -
// RUN: spmd-opt %s --split-input-file --spmd-pipeline=bucket-bytes=0 | FileCheck %s --check-prefix=MOVES --implicit-check-not='"stablehlo.{{all_|reduce_scatter|collective_}}'

// FSDP, or ZeRO-3: weights are sharded along the axis of the batch. Each is gathered once, where it is used, and its
// gradient is reduce-scattered. No activation moves; only the loss is all-reduced.
// CHECK-LABEL: func.func public @main(
// CHECK-SAME: ->
// CHECK-SAME: []>
// CHECK-SAME: [{"fsdp"}, {}]>
// CHECK-SAME: [{"fsdp"}, {}]>
// CHECK-SAME: [{}, {"fsdp"}]>
// CHECK-SAME: [{}, {"fsdp"}]>
// CHECK: stablehlo.dot_general{{.*}}<@mesh, [{"fsdp", ?}, {?}]>
// CHECK: stablehlo.dot_general{{.*}}<@mesh, [{"fsdp", ?}, {?}]>
// CHECK: stablehlo.dot_general{{.*}}<@mesh, [{"fsdp", ?}, {?}]>
// CHECK: stablehlo.dot_general{{.*}}<@mesh, [{"fsdp", ?}, {?}]>
// CHECK: stablehlo.dot_general{{.*}}<@mesh, [{?}, {"fsdp", ?}]>
// CHECK: stablehlo.dot_general{{.*}}<@mesh, [{"fsdp", ?}, {?}]>
// CHECK: stablehlo.dot_general{{.*}}<@mesh, [{"fsdp", ?}, {?}]>
// CHECK: stablehlo.dot_general{{.*}}<@mesh, [{"fsdp", ?}, {?}]>
// CHECK: stablehlo.dot_general{{.*}}<@mesh, [{?}, {"fsdp", ?}]>
// CHECK: stablehlo.dot_general{{.*}}<@mesh, [{"fsdp", ?}, {?}]>
// CHECK: stablehlo.dot_general{{.*}}<@mesh, [{"fsdp", ?}, {?}]>
// MOVES-LABEL: func.func public @main(
// MOVES: "stablehlo.all_gather"{{.*}} -> tensor<1024x4096xf32>
// MOVES: "stablehlo.all_gather"{{.*}} -> tensor<4096x1024xf32>
// MOVES: "stablehlo.all_gather"{{.*}} -> tensor<1024x4096xf32>
// MOVES: "stablehlo.all_gather"{{.*}} -> tensor<4096x1024xf32>
// MOVES: "stablehlo.reduce_scatter"
// MOVES: }) : (tensor<1024x4096xf32>) -> tensor<1024x512xf32>
// MOVES: "stablehlo.reduce_scatter"
// MOVES: }) : (tensor<4096x1024xf32>) -> tensor<512x1024xf32>
// MOVES: "stablehlo.reduce_scatter"
// MOVES: }) : (tensor<1024x4096xf32>) -> tensor<1024x512xf32>
// MOVES: "stablehlo.reduce_scatter"
// MOVES: }) : (tensor<4096x1024xf32>) -> tensor<512x1024xf32>
// MOVES: "stablehlo.all_reduce"
// MOVES: }) : (tensor<f32>) -> tensor<f32>
sdy.mesh @mesh = <["fsdp"=8]>
func.func public @main(%x: tensor<131072x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}, {}]>}, %t: tensor<131072x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}, {}]>}, %up0: tensor<1024x4096xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"fsdp"}]>}, %down0: tensor<4096x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}, {}]>}, %up1: tensor<1024x4096xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"fsdp"}]>}, %down1: tensor<4096x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}, {}]>}) -> (tensor<f32> {sdy.sharding = #sdy.sharding<@mesh, []>}, tensor<4096x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}, {}]>}, tensor<4096x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}, {}]>}, tensor<1024x4096xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"fsdp"}]>}, tensor<1024x4096xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"fsdp"}]>}) {
  %0 = stablehlo.multiply %x, %x : tensor<131072x1024xf32>
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<131072x1024xf32>, tensor<f32>) -> tensor<131072xf32>
  %2 = stablehlo.broadcast_in_dim %1, dims = [0] : (tensor<131072xf32>) -> tensor<131072x1xf32>
  %3 = stablehlo.rsqrt %2 : tensor<131072x1xf32>
  %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<131072x1xf32>) -> tensor<131072x1024xf32>
  %5 = stablehlo.multiply %x, %4 : tensor<131072x1024xf32>
  %6 = stablehlo.dot_general %5, %up0, contracting_dims = [1] x [0] : (tensor<131072x1024xf32>, tensor<1024x4096xf32>) -> tensor<131072x4096xf32>
  %7 = stablehlo.tanh %6 : tensor<131072x4096xf32>
  %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<131072x4096xf32>
  %9 = stablehlo.subtract %8, %7 : tensor<131072x4096xf32>
  %10 = stablehlo.dot_general %7, %down0, contracting_dims = [1] x [0] : (tensor<131072x4096xf32>, tensor<4096x1024xf32>) -> tensor<131072x1024xf32>
  %11 = stablehlo.add %x, %10 : tensor<131072x1024xf32>
  %12 = stablehlo.multiply %11, %11 : tensor<131072x1024xf32>
  %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %13 = stablehlo.reduce(%12 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<131072x1024xf32>, tensor<f32>) -> tensor<131072xf32>
  %14 = stablehlo.broadcast_in_dim %13, dims = [0] : (tensor<131072xf32>) -> tensor<131072x1xf32>
  %15 = stablehlo.rsqrt %14 : tensor<131072x1xf32>
  %16 = stablehlo.divide %15, %14 : tensor<131072x1xf32>
  %cst_2 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
  %17 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<131072x1xf32>
  %18 = stablehlo.multiply %17, %16 : tensor<131072x1xf32>
  %19 = stablehlo.broadcast_in_dim %15, dims = [0, 1] : (tensor<131072x1xf32>) -> tensor<131072x1024xf32>
  %20 = stablehlo.multiply %11, %19 : tensor<131072x1024xf32>
  %21 = stablehlo.dot_general %20, %up1, contracting_dims = [1] x [0] : (tensor<131072x1024xf32>, tensor<1024x4096xf32>) -> tensor<131072x4096xf32>
  %22 = stablehlo.tanh %21 : tensor<131072x4096xf32>
  %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %23 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<131072x4096xf32>
  %24 = stablehlo.subtract %23, %22 : tensor<131072x4096xf32>
  %25 = stablehlo.dot_general %22, %down1, contracting_dims = [1] x [0] : (tensor<131072x4096xf32>, tensor<4096x1024xf32>) -> tensor<131072x1024xf32>
  %26 = stablehlo.add %11, %25 : tensor<131072x1024xf32>
  %27 = stablehlo.subtract %26, %t : tensor<131072x1024xf32>
  %28 = stablehlo.multiply %27, %27 : tensor<131072x1024xf32>
  %cst_4 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
  %29 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<131072x1024xf32>
  %30 = stablehlo.multiply %29, %27 : tensor<131072x1024xf32>
  %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %31 = stablehlo.reduce(%28 init: %cst_5) applies stablehlo.add across dimensions = [0, 1] : (tensor<131072x1024xf32>, tensor<f32>) -> tensor<f32>
  %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %32 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<131072x1024xf32>
  %33 = stablehlo.multiply %32, %30 : tensor<131072x1024xf32>
  %34 = stablehlo.dot_general %33, %22, contracting_dims = [0] x [0] : (tensor<131072x1024xf32>, tensor<131072x4096xf32>) -> tensor<1024x4096xf32>
  %35 = stablehlo.transpose %34, dims = [1, 0] : (tensor<1024x4096xf32>) -> tensor<4096x1024xf32>
  %36 = stablehlo.dot_general %33, %down1, contracting_dims = [1] x [1] : (tensor<131072x1024xf32>, tensor<4096x1024xf32>) -> tensor<131072x4096xf32>
  %37 = stablehlo.multiply %36, %24 : tensor<131072x4096xf32>
  %38 = stablehlo.multiply %37, %22 : tensor<131072x4096xf32>
  %39 = stablehlo.add %37, %38 : tensor<131072x4096xf32>
  %40 = stablehlo.dot_general %39, %20, contracting_dims = [0] x [0] : (tensor<131072x4096xf32>, tensor<131072x1024xf32>) -> tensor<4096x1024xf32>
  %41 = stablehlo.transpose %40, dims = [1, 0] : (tensor<4096x1024xf32>) -> tensor<1024x4096xf32>
  %42 = stablehlo.dot_general %39, %up1, contracting_dims = [1] x [1] : (tensor<131072x4096xf32>, tensor<1024x4096xf32>) -> tensor<131072x1024xf32>
  %43 = stablehlo.multiply %11, %42 : tensor<131072x1024xf32>
  %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %44 = stablehlo.reduce(%43 init: %cst_7) applies stablehlo.add across dimensions = [1] : (tensor<131072x1024xf32>, tensor<f32>) -> tensor<131072xf32>
  %45 = stablehlo.reshape %44 : (tensor<131072xf32>) -> tensor<131072x1xf32>
  %46 = stablehlo.broadcast_in_dim %15, dims = [0, 1] : (tensor<131072x1xf32>) -> tensor<131072x1024xf32>
  %47 = stablehlo.multiply %42, %46 : tensor<131072x1024xf32>
  %48 = stablehlo.add %33, %47 : tensor<131072x1024xf32>
  %49 = stablehlo.multiply %45, %18 : tensor<131072x1xf32>
  %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %50 = stablehlo.reduce(%49 init: %cst_8) applies stablehlo.add across dimensions = [1] : (tensor<131072x1xf32>, tensor<f32>) -> tensor<131072xf32>
  %51 = stablehlo.broadcast_in_dim %50, dims = [0] : (tensor<131072xf32>) -> tensor<131072x1024xf32>
  %52 = stablehlo.multiply %11, %51 : tensor<131072x1024xf32>
  %53 = stablehlo.add %48, %52 : tensor<131072x1024xf32>
  %54 = stablehlo.multiply %51, %11 : tensor<131072x1024xf32>
  %55 = stablehlo.add %53, %54 : tensor<131072x1024xf32>
  %56 = stablehlo.dot_general %55, %7, contracting_dims = [0] x [0] : (tensor<131072x1024xf32>, tensor<131072x4096xf32>) -> tensor<1024x4096xf32>
  %57 = stablehlo.transpose %56, dims = [1, 0] : (tensor<1024x4096xf32>) -> tensor<4096x1024xf32>
  %58 = stablehlo.dot_general %55, %down0, contracting_dims = [1] x [1] : (tensor<131072x1024xf32>, tensor<4096x1024xf32>) -> tensor<131072x4096xf32>
  %59 = stablehlo.multiply %58, %9 : tensor<131072x4096xf32>
  %60 = stablehlo.multiply %59, %7 : tensor<131072x4096xf32>
  %61 = stablehlo.add %59, %60 : tensor<131072x4096xf32>
  %62 = stablehlo.dot_general %61, %5, contracting_dims = [0] x [0] : (tensor<131072x4096xf32>, tensor<131072x1024xf32>) -> tensor<4096x1024xf32>
  %63 = stablehlo.transpose %62, dims = [1, 0] : (tensor<4096x1024xf32>) -> tensor<1024x4096xf32>
  return %31, %57, %35, %63, %41 : tensor<f32>, tensor<4096x1024xf32>, tensor<4096x1024xf32>, tensor<1024x4096xf32>, tensor<1024x4096xf32>
}

// -----

// HSDP: weights are gathered inside a group of devices. Gradients are reduce-scattered over all devices and gathered
// over the groups, which sends as much as an all-reduce over the groups.
// CHECK-LABEL: func.func public @main(
// CHECK-SAME: ->
// CHECK-SAME: []>
// CHECK-SAME: [{"fsdp"}, {}]>
// CHECK-SAME: [{"fsdp"}, {}]>
// CHECK-SAME: [{}, {"fsdp"}]>
// CHECK-SAME: [{}, {"fsdp"}]>
// CHECK: stablehlo.dot_general{{.*}}<@mesh, [{"data", "fsdp", ?}, {?}]>
// CHECK: stablehlo.dot_general{{.*}}<@mesh, [{"data", "fsdp", ?}, {?}]>
// CHECK: stablehlo.dot_general{{.*}}<@mesh, [{"data", "fsdp", ?}, {?}]>
// CHECK: stablehlo.dot_general{{.*}}<@mesh, [{"data", "fsdp", ?}, {?}]>
// CHECK: stablehlo.dot_general{{.*}}<@mesh, [{?}, {"fsdp", ?}]>
// CHECK: stablehlo.dot_general{{.*}}<@mesh, [{"data", "fsdp", ?}, {?}]>
// CHECK: stablehlo.dot_general{{.*}}<@mesh, [{"fsdp", ?}, {?}]>
// CHECK: stablehlo.dot_general{{.*}}<@mesh, [{"data", "fsdp", ?}, {?}]>
// CHECK: stablehlo.dot_general{{.*}}<@mesh, [{?}, {"fsdp", ?}]>
// CHECK: stablehlo.dot_general{{.*}}<@mesh, [{"data", "fsdp", ?}, {?}]>
// CHECK: stablehlo.dot_general{{.*}}<@mesh, [{"fsdp", ?}, {?}]>
// MOVES-LABEL: func.func public @main(
// MOVES: "stablehlo.all_gather"{{.*}} -> tensor<1024x4096xf32>
// MOVES: "stablehlo.all_gather"{{.*}} -> tensor<4096x1024xf32>
// MOVES: "stablehlo.all_gather"{{.*}} -> tensor<1024x4096xf32>
// MOVES: "stablehlo.all_gather"{{.*}} -> tensor<4096x1024xf32>
// MOVES: "stablehlo.reduce_scatter"
// MOVES: }) : (tensor<1024x4096xf32>) -> tensor<1024x512xf32>
// MOVES: "stablehlo.reduce_scatter"
// MOVES: }) : (tensor<8x1024x512xf32>) -> tensor<1x1024x512xf32>
// MOVES: "stablehlo.reduce_scatter"
// MOVES: }) : (tensor<1024x4096xf32>) -> tensor<1024x512xf32>
// MOVES: "stablehlo.reduce_scatter"
// MOVES: }) : (tensor<8x1024x512xf32>) -> tensor<1x1024x512xf32>
// MOVES: "stablehlo.all_reduce"
// MOVES: }) : (tensor<f32>) -> tensor<f32>
// MOVES: "stablehlo.all_gather"{{.*}} -> tensor<1024x1024xf32>
// MOVES: "stablehlo.all_gather"{{.*}} -> tensor<1024x1024xf32>
// MOVES: "stablehlo.all_gather"{{.*}} -> tensor<1024x1024xf32>
// MOVES: "stablehlo.all_gather"{{.*}} -> tensor<1024x1024xf32>
sdy.mesh @mesh = <["data"=2, "fsdp"=4]>
func.func public @main(%x: tensor<131072x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data", "fsdp"}, {}]>}, %t: tensor<131072x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data", "fsdp"}, {}]>}, %up0: tensor<1024x4096xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"fsdp"}]>}, %down0: tensor<4096x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}, {}]>}, %up1: tensor<1024x4096xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"fsdp"}]>}, %down1: tensor<4096x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}, {}]>}) -> (tensor<f32> {sdy.sharding = #sdy.sharding<@mesh, []>}, tensor<4096x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}, {}]>}, tensor<4096x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}, {}]>}, tensor<1024x4096xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"fsdp"}]>}, tensor<1024x4096xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"fsdp"}]>}) {
  %0 = stablehlo.multiply %x, %x : tensor<131072x1024xf32>
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<131072x1024xf32>, tensor<f32>) -> tensor<131072xf32>
  %2 = stablehlo.broadcast_in_dim %1, dims = [0] : (tensor<131072xf32>) -> tensor<131072x1xf32>
  %3 = stablehlo.rsqrt %2 : tensor<131072x1xf32>
  %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<131072x1xf32>) -> tensor<131072x1024xf32>
  %5 = stablehlo.multiply %x, %4 : tensor<131072x1024xf32>
  %6 = stablehlo.dot_general %5, %up0, contracting_dims = [1] x [0] : (tensor<131072x1024xf32>, tensor<1024x4096xf32>) -> tensor<131072x4096xf32>
  %7 = stablehlo.tanh %6 : tensor<131072x4096xf32>
  %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<131072x4096xf32>
  %9 = stablehlo.subtract %8, %7 : tensor<131072x4096xf32>
  %10 = stablehlo.dot_general %7, %down0, contracting_dims = [1] x [0] : (tensor<131072x4096xf32>, tensor<4096x1024xf32>) -> tensor<131072x1024xf32>
  %11 = stablehlo.add %x, %10 : tensor<131072x1024xf32>
  %12 = stablehlo.multiply %11, %11 : tensor<131072x1024xf32>
  %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %13 = stablehlo.reduce(%12 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<131072x1024xf32>, tensor<f32>) -> tensor<131072xf32>
  %14 = stablehlo.broadcast_in_dim %13, dims = [0] : (tensor<131072xf32>) -> tensor<131072x1xf32>
  %15 = stablehlo.rsqrt %14 : tensor<131072x1xf32>
  %16 = stablehlo.divide %15, %14 : tensor<131072x1xf32>
  %cst_2 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
  %17 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<131072x1xf32>
  %18 = stablehlo.multiply %17, %16 : tensor<131072x1xf32>
  %19 = stablehlo.broadcast_in_dim %15, dims = [0, 1] : (tensor<131072x1xf32>) -> tensor<131072x1024xf32>
  %20 = stablehlo.multiply %11, %19 : tensor<131072x1024xf32>
  %21 = stablehlo.dot_general %20, %up1, contracting_dims = [1] x [0] : (tensor<131072x1024xf32>, tensor<1024x4096xf32>) -> tensor<131072x4096xf32>
  %22 = stablehlo.tanh %21 : tensor<131072x4096xf32>
  %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %23 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<131072x4096xf32>
  %24 = stablehlo.subtract %23, %22 : tensor<131072x4096xf32>
  %25 = stablehlo.dot_general %22, %down1, contracting_dims = [1] x [0] : (tensor<131072x4096xf32>, tensor<4096x1024xf32>) -> tensor<131072x1024xf32>
  %26 = stablehlo.add %11, %25 : tensor<131072x1024xf32>
  %27 = stablehlo.subtract %26, %t : tensor<131072x1024xf32>
  %28 = stablehlo.multiply %27, %27 : tensor<131072x1024xf32>
  %cst_4 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
  %29 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<131072x1024xf32>
  %30 = stablehlo.multiply %29, %27 : tensor<131072x1024xf32>
  %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %31 = stablehlo.reduce(%28 init: %cst_5) applies stablehlo.add across dimensions = [0, 1] : (tensor<131072x1024xf32>, tensor<f32>) -> tensor<f32>
  %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %32 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<131072x1024xf32>
  %33 = stablehlo.multiply %32, %30 : tensor<131072x1024xf32>
  %34 = stablehlo.dot_general %33, %22, contracting_dims = [0] x [0] : (tensor<131072x1024xf32>, tensor<131072x4096xf32>) -> tensor<1024x4096xf32>
  %35 = stablehlo.transpose %34, dims = [1, 0] : (tensor<1024x4096xf32>) -> tensor<4096x1024xf32>
  %36 = stablehlo.dot_general %33, %down1, contracting_dims = [1] x [1] : (tensor<131072x1024xf32>, tensor<4096x1024xf32>) -> tensor<131072x4096xf32>
  %37 = stablehlo.multiply %36, %24 : tensor<131072x4096xf32>
  %38 = stablehlo.multiply %37, %22 : tensor<131072x4096xf32>
  %39 = stablehlo.add %37, %38 : tensor<131072x4096xf32>
  %40 = stablehlo.dot_general %39, %20, contracting_dims = [0] x [0] : (tensor<131072x4096xf32>, tensor<131072x1024xf32>) -> tensor<4096x1024xf32>
  %41 = stablehlo.transpose %40, dims = [1, 0] : (tensor<4096x1024xf32>) -> tensor<1024x4096xf32>
  %42 = stablehlo.dot_general %39, %up1, contracting_dims = [1] x [1] : (tensor<131072x4096xf32>, tensor<1024x4096xf32>) -> tensor<131072x1024xf32>
  %43 = stablehlo.multiply %11, %42 : tensor<131072x1024xf32>
  %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %44 = stablehlo.reduce(%43 init: %cst_7) applies stablehlo.add across dimensions = [1] : (tensor<131072x1024xf32>, tensor<f32>) -> tensor<131072xf32>
  %45 = stablehlo.reshape %44 : (tensor<131072xf32>) -> tensor<131072x1xf32>
  %46 = stablehlo.broadcast_in_dim %15, dims = [0, 1] : (tensor<131072x1xf32>) -> tensor<131072x1024xf32>
  %47 = stablehlo.multiply %42, %46 : tensor<131072x1024xf32>
  %48 = stablehlo.add %33, %47 : tensor<131072x1024xf32>
  %49 = stablehlo.multiply %45, %18 : tensor<131072x1xf32>
  %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %50 = stablehlo.reduce(%49 init: %cst_8) applies stablehlo.add across dimensions = [1] : (tensor<131072x1xf32>, tensor<f32>) -> tensor<131072xf32>
  %51 = stablehlo.broadcast_in_dim %50, dims = [0] : (tensor<131072xf32>) -> tensor<131072x1024xf32>
  %52 = stablehlo.multiply %11, %51 : tensor<131072x1024xf32>
  %53 = stablehlo.add %48, %52 : tensor<131072x1024xf32>
  %54 = stablehlo.multiply %51, %11 : tensor<131072x1024xf32>
  %55 = stablehlo.add %53, %54 : tensor<131072x1024xf32>
  %56 = stablehlo.dot_general %55, %7, contracting_dims = [0] x [0] : (tensor<131072x1024xf32>, tensor<131072x4096xf32>) -> tensor<1024x4096xf32>
  %57 = stablehlo.transpose %56, dims = [1, 0] : (tensor<1024x4096xf32>) -> tensor<4096x1024xf32>
  %58 = stablehlo.dot_general %55, %down0, contracting_dims = [1] x [1] : (tensor<131072x1024xf32>, tensor<4096x1024xf32>) -> tensor<131072x4096xf32>
  %59 = stablehlo.multiply %58, %9 : tensor<131072x4096xf32>
  %60 = stablehlo.multiply %59, %7 : tensor<131072x4096xf32>
  %61 = stablehlo.add %59, %60 : tensor<131072x4096xf32>
  %62 = stablehlo.dot_general %61, %5, contracting_dims = [0] x [0] : (tensor<131072x4096xf32>, tensor<131072x1024xf32>) -> tensor<4096x1024xf32>
  %63 = stablehlo.transpose %62, dims = [1, 0] : (tensor<4096x1024xf32>) -> tensor<1024x4096xf32>
  return %31, %57, %35, %63, %41 : tensor<f32>, tensor<4096x1024xf32>, tensor<4096x1024xf32>, tensor<1024x4096xf32>, tensor<1024x4096xf32>
}
