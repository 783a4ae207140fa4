// RUN: sed 's/MESH/<["x"=4, "y"=2]>/' %s | spmd-run - | FileCheck %s
// RUN: sed 's/MESH/<["x"=3, "y"=2], device_ids=[3, 1, 0, 2, 5, 4]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=8, "y"=1]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=7, "y"=3]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=2, "y"=12]>/' %s | spmd-run -

// Dims that are merged and cut where shards are not of one size: rows at the cuts move between neighbours, and nothing is
// gathered. 10 rows of 3 are 3 3 3 1, 30 elements 8 8 8 6: elements 8 to 15 are of rows 2 to 5.
// CHECK: collectives
// CHECK-NEXT: collective_permute {{ *}}3 {{ *}}504 {{ *}}504{{$}}
// CHECK-NEXT: memory
// CHECK: equal: yes
sdy.mesh @mesh = MESH
func.func public @main(%rows: tensor<10x3xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %flat: tensor<30xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>},
                       %image: tensor<5x2x11x3x2xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {"y"}, {}, {}]>}, %long: tensor<7x26xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>},
                       %wide: tensor<5x6xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
    -> (tensor<30xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, tensor<10x3xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
        tensor<10x66xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, tensor<1x7x13x1x2xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}, {"x"}, {}, {}]>},
        tensor<10x3xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, tensor<5x2x3xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>}) {
  %merged = stablehlo.reshape %rows : (tensor<10x3xi32>) -> tensor<30xi32>
  %cut = stablehlo.reshape %flat : (tensor<30xi32>) -> tensor<10x3xi32>
  %both = stablehlo.reshape %image : (tensor<5x2x11x3x2xi32>) -> tensor<10x66xi32>
  %ones = stablehlo.reshape %long : (tensor<7x26xi32>) -> tensor<1x7x13x1x2xi32>
  %rows_of_rows = stablehlo.reshape %wide : (tensor<5x6xi32>) -> tensor<10x3xi32>
  %joined = stablehlo.reshape %rows : (tensor<10x3xi32>) -> tensor<5x2x3xi32>
  return %merged, %cut, %both, %ones, %rows_of_rows, %joined : tensor<30xi32>, tensor<10x3xi32>, tensor<10x66xi32>, tensor<1x7x13x1x2xi32>, tensor<10x3xi32>, tensor<5x2x3xi32>
}
