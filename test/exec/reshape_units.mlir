// RUN: sed 's/MESH/<["x"=4, "y"=2]>/' %s | spmd-run - | FileCheck %s
// RUN: sed 's/MESH/<["x"=3, "y"=2], device_ids=[3, 1, 0, 2, 5, 4]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=8, "y"=1]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=7, "y"=3]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=2, "y"=12]>/' %s | spmd-run -

// The numbers of rows have nothing in common: devices read the rows that their units are of, of the neighbours that
// have them, and nothing is gathered.
// CHECK: collectives
// CHECK-NOT: all_gather
// CHECK: collective_permute
// CHECK-NOT: all_gather
// CHECK: equal: yes
sdy.mesh @mesh = MESH
func.func public @main(%wide: tensor<9x10xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %long: tensor<15x8xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
                       %both: tensor<9x4x10x3xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {"y"}, {}]>}, %none: tensor<7x9xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
    -> (tensor<5x18xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, tensor<4x3x10xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>},
        tensor<4x9x3x10xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {"y"}, {}]>}, tensor<9x7xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %0 = stablehlo.reshape %wide : (tensor<9x10xi32>) -> tensor<5x18xi32>
  %1 = stablehlo.reshape %long : (tensor<15x8xi32>) -> tensor<4x3x10xi32>
  %2 = stablehlo.reshape %both : (tensor<9x4x10x3xi32>) -> tensor<4x9x3x10xi32>
  %3 = stablehlo.reshape %none : (tensor<7x9xi32>) -> tensor<9x7xi32>
  return %0, %1, %2, %3 : tensor<5x18xi32>, tensor<4x3x10xi32>, tensor<4x9x3x10xi32>, tensor<9x7xi32>
}
