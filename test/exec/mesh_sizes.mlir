// RUN: spmd-run %s
// RUN: sed 's/attributes {mhlo.num_partitions = 16 : i32}//' %s | spmd-run -
// RUN: spmd-translate %s --export-hlo --form=v3 -o %t.hlo
// RUN: spmd-run %t.hlo

// Meshes of 2, 4 and 8 devices, in both notations and inside shardings, in a program that says it
// has more. Devices that idle hold copies.
module attributes {mhlo.num_partitions = 16 : i32} {
  sdy.mesh @unused = <["u"=32]>
  sdy.mesh @four = <["z"=4]>
  func.func @main(%a: tensor<7x5xi32> {sdy.sharding = #sdy.sharding<@four, [{"z"}, {}]>},
                  %b: tensor<7x5xi32> {sdy.sharding = #sdy.sharding<mesh<["x"=2]>, [{"x"}, {}]>},
                  %c: tensor<7x5xi32> {mhlo.sharding = "{mesh['q'=8], [{'q'}, {}]}"},
                  %d: tensor<5x5xi32> {sdy.sharding = #sdy.sharding<mesh<["x"=2], device_ids=[1, 0]>, [{}, {"x"}]>})
      -> (tensor<5x5xi32> {sdy.sharding = #sdy.sharding<mesh<["x"=8]>, [{}, {"x"}]>}, tensor<7x5xi32>) {
    %0 = stablehlo.dot_general %a, %b, contracting_dims = [0] x [0] : (tensor<7x5xi32>, tensor<7x5xi32>) -> tensor<5x5xi32>
    %1 = stablehlo.add %0, %d : tensor<5x5xi32>
    %2 = stablehlo.subtract %a, %c : tensor<7x5xi32>
    return %1, %2 : tensor<5x5xi32>, tensor<7x5xi32>
  }
}
