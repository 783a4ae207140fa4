// RUN: sed 's/MESH/<["x"=2, "y"=2]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=4, "y"=2], device_ids=[3, 1, 0, 2, 7, 6, 5, 4]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=3, "y"=5]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=8, "y"=1]>/' %s | spmd-run -

// Constants and counters on split dims; each device makes its own part.
sdy.mesh @mesh = MESH

func.func public @main(%a: tensor<3x5xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>})
    -> (tensor<3x5xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, tensor<10xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}]>}, tensor<7x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, tensor<7x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}, tensor<3x5xi32>,
        tensor<10xui8> {sdy.sharding = #sdy.sharding<@mesh, [{"y", "x"}]>}, tensor<10xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, tensor<2x2xi1> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  %table = stablehlo.constant dense<[[1, 2, 3, 4, 5], [6, 7, 8, 9, 10], [11, 12, 13, 14, 15]]> : tensor<3x5xi32>
  %sum = stablehlo.add %a, %table : tensor<3x5xi32>
  %count = stablehlo.iota dim = 0 : tensor<10xi32>
  %columns = stablehlo.iota dim = 1 : tensor<7x2xf32>
  %rows = stablehlo.iota dim = 0 : tensor<7x2xf32>
  %bytes = stablehlo.iota dim = 0 : tensor<10xui8>
  %complex = stablehlo.iota dim = 0 : tensor<10xcomplex<f32>>
  %bits = stablehlo.constant dense<[[true, false], [false, true]]> : tensor<2x2xi1>
  return %sum, %count, %columns, %rows, %table, %bytes, %complex, %bits
      : tensor<3x5xi32>, tensor<10xi32>, tensor<7x2xf32>, tensor<7x2xf32>, tensor<3x5xi32>, tensor<10xui8>, tensor<10xcomplex<f32>>, tensor<2x2xi1>
}
