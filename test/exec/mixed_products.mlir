// RUN: sed 's/MESH/<["x"=2, "y"=2]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=3, "y"=5]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=2, "y"=2]>/' %s > %t.mlir
// RUN: spmd-translate %t.mlir --export-hlo --form=v1 -o %t.hlo
// RUN: spmd-run %t.hlo

// Operands of a product with elements of different kinds are converted to the result's elements,
// with and without a sharded contracting dim.
sdy.mesh @mesh = MESH

func.func public @main(%a: tensor<10x7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<7x6xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>},
                       %c: tensor<7x5xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>}) -> (tensor<10x6xf32>, tensor<5x10xcomplex<f32>>) {
  // Products of small integers are exact in every type here.
  %t = stablehlo.constant dense<[[true, false, true], [true, true, true]]> : tensor<2x3xi1>
  %f = stablehlo.constant {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {"y"}]>]>} dense<[[1.5, 2.0, -3.0], [4.0, 5.0, 6.5]]> : tensor<2x3xf32>
  %h = stablehlo.constant {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {"y"}]>]>} dense<[[1.5, 2.0, -3.0], [4.0, 5.0, 6.5]]> : tensor<2x3xbf16>
  %i = stablehlo.constant {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {"x"}]>]>} dense<[[1, -2], [3, 4], [5, 6]]> : tensor<3x2xi32>
  %z = stablehlo.constant {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}]>]>} dense<[(1.0, 2.0), (0.0, -1.0), (3.0, 0.5)]> : tensor<3xcomplex<f32>>
  %0 = stablehlo.dot_general %f, %i, contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<3x2xi32>) -> tensor<2x2xf32>
  %e0 = stablehlo.constant dense<[[-7.5, -13.0], [51.5, 51.0]]> : tensor<2x2xf32>
  stablehlo.custom_call @check.expect_eq(%0, %e0) {has_side_effect = true} : (tensor<2x2xf32>, tensor<2x2xf32>) -> ()
  %1 = stablehlo.dot_general %i, %f, contracting_dims = [0] x [1] : (tensor<3x2xi32>, tensor<2x3xf32>) -> tensor<2x2xf32>
  %e1 = stablehlo.constant dense<[[-7.5, 51.5], [-13.0, 51.0]]> : tensor<2x2xf32>
  stablehlo.custom_call @check.expect_eq(%1, %e1) {has_side_effect = true} : (tensor<2x2xf32>, tensor<2x2xf32>) -> ()
  %2 = stablehlo.dot %h, %i : (tensor<2x3xbf16>, tensor<3x2xi32>) -> tensor<2x2xf32>
  %e2 = stablehlo.constant dense<[[-7.5, -13.0], [51.5, 51.0]]> : tensor<2x2xf32>
  stablehlo.custom_call @check.expect_eq(%2, %e2) {has_side_effect = true} : (tensor<2x2xf32>, tensor<2x2xf32>) -> ()
  %3 = stablehlo.dot_general %t, %f, contracting_dims = [1] x [1] : (tensor<2x3xi1>, tensor<2x3xf32>) -> tensor<2x2xf32>
  %e3 = stablehlo.constant dense<[[-1.5, 10.5], [0.5, 15.5]]> : tensor<2x2xf32>
  stablehlo.custom_call @check.expect_eq(%3, %e3) {has_side_effect = true} : (tensor<2x2xf32>, tensor<2x2xf32>) -> ()
  %4 = stablehlo.dot %f, %z : (tensor<2x3xf32>, tensor<3xcomplex<f32>>) -> tensor<2xcomplex<f32>>
  %e4 = stablehlo.constant dense<[(-7.5, -0.5), (23.5, 6.25)]> : tensor<2xcomplex<f32>>
  stablehlo.custom_call @check.expect_eq(%4, %e4) {has_side_effect = true} : (tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>) -> ()
  %5 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<10x7xf32>, tensor<7x6xi32>) -> tensor<10x6xf32>
  %6 = stablehlo.dot_general %c, %a, contracting_dims = [0] x [1] : (tensor<7x5xcomplex<f32>>, tensor<10x7xf32>) -> tensor<5x10xcomplex<f32>>
  return %5, %6 : tensor<10x6xf32>, tensor<5x10xcomplex<f32>>
}
