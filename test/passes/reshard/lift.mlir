// RUN: spmd-opt %s --spmd-pipeline=stop-after=reshard | FileCheck %s
// RUN: spmd-opt %s --spmd-pipeline | FileCheck %s --check-prefix=MERGED

// A reduction goes before an op that reads what another reduction made, so that both are of one time.

sdy.mesh @mesh = <["x"=4]>

// A weighted mean, for which the reduction went behind the division, since it might have been added to others there.
// CHECK-LABEL: func.func @mean(
// CHECK: %[[SUM:.+]] = sdy.reshard {{.*}} : tensor<6xf32>
// CHECK-NEXT: stablehlo.divide %[[SUM]], %{{.*}}<@mesh, [{}]>
// CHECK-NOT: sdy.reshard
// CHECK: return
// MERGED-LABEL: func.func @mean(
// MERGED: "stablehlo.all_reduce"(%{{.+}}, %{{.+}})
// MERGED-NOT: stablehlo.all_reduce
// MERGED: return
func.func @mean(%x: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %w: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %old: tensor<6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) -> (tensor<6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %all = stablehlo.reduce(%w init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
  %spread = stablehlo.broadcast_in_dim %all, dims = [] : (tensor<f32>) -> tensor<6xf32>
  %sum = stablehlo.dot_general %w, %x, contracting_dims = [0] x [0] : (tensor<8xf32>, tensor<8x6xf32>) -> tensor<6xf32>
  %mean = stablehlo.divide %sum, %spread : tensor<6xf32>
  %none = stablehlo.constant dense<0.0> : tensor<6xf32>
  %is = stablehlo.compare GT, %spread, %none : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xi1>
  %new = stablehlo.select %is, %mean, %old : tensor<6xi1>, tensor<6xf32>
  return %new : tensor<6xf32>
}

// The other reduction makes as much, which would be held until both are made.
// CHECK-LABEL: func.func @as_large(
// CHECK: stablehlo.divide {{.*}}unreduced={"x"}
// CHECK: sdy.reshard
func.func @as_large(%x: tensor<8x600xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %w: tensor<8x600xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %old: tensor<600xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}, %is: tensor<600xi1> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) -> (tensor<600xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %all = stablehlo.reduce(%w init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<8x600xf32>, tensor<f32>) -> tensor<600xf32>
  %squared = stablehlo.multiply %all, %all : tensor<600xf32>
  %sum = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<8x600xf32>, tensor<f32>) -> tensor<600xf32>
  %mean = stablehlo.divide %sum, %squared : tensor<600xf32>
  %new = stablehlo.select %is, %mean, %old : tensor<600xi1>, tensor<600xf32>
  return %new : tensor<600xf32>
}

// What is divided by is no result of a reduction.
// CHECK-LABEL: func.func @scaled(
// CHECK: stablehlo.divide {{.*}}unreduced={"x"}
// CHECK: sdy.reshard
func.func @scaled(%x: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %w: tensor<6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}, %old: tensor<6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}, %is: tensor<6xi1> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) -> (tensor<6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sum = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<8x6xf32>, tensor<f32>) -> tensor<6xf32>
  %scaled = stablehlo.divide %sum, %w : tensor<6xf32>
  %new = stablehlo.select %is, %scaled, %old : tensor<6xi1>, tensor<6xf32>
  return %new : tensor<6xf32>
}
