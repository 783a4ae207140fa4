// RUN: spmd-opt %s --spmd-propagate=on-missing=replicate --spmd-reshard | FileCheck %s
// RUN: spmd-run %s | FileCheck %s --check-prefix=RAN
// RUN: sed 's/"x"=4, "y"=2/"x"=3, "y"=5/' %s | spmd-run - | FileCheck %s --check-prefix=RAN

// RAN: collectives none
// RAN: equal: {{ *}}yes

// A table worked out from an iota lies along "x" as it is pinned, and whole for the product, which nothing is gathered for:
// all it is made of is made twice.
sdy.mesh @mesh = <["x"=4, "y"=2]>
// CHECK-LABEL: func.func public @main(
// CHECK-SAME: %[[A:.+]]: tensor<64x32xf32> {{.*}}%[[M:.+]]: tensor<22x64xf32>
// CHECK-NOT: sdy.reshard
// CHECK: %[[SPLIT:.+]] = stablehlo.sine {{.*}}<@mesh, [{"x"}, {}]>
// CHECK: %[[WHOLE:.+]] = stablehlo.sine {{.*}}<@mesh, [{}, {}]>
// CHECK: stablehlo.add %[[SPLIT]], %[[A]]
// CHECK: dot_general %[[M]], %[[WHOLE]]
// CHECK-NOT: sdy.reshard
func.func public @main(%a: tensor<64x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %m: tensor<22x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>})
    -> (tensor<64x32xf32>, tensor<22x32xf32>) {
  %i = stablehlo.iota dim = 0 : tensor<64xf32>
  %rows = stablehlo.broadcast_in_dim %i, dims = [0] : (tensor<64xf32>) -> tensor<64x32xf32>
  %table = stablehlo.sine %rows {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : tensor<64x32xf32>
  %sum = stablehlo.add %table, %a : tensor<64x32xf32>
  %product = stablehlo.dot_general %m, %table, contracting_dims = [1] x [0] : (tensor<22x64xf32>, tensor<64x32xf32>) -> tensor<22x32xf32>
  return %sum, %product : tensor<64x32xf32>, tensor<22x32xf32>
}
