// RUN: sed 's/MESH/<["x"=2, "y"=2]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=4, "y"=2], device_ids=[3, 1, 0, 2, 7, 6, 5, 4]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=3, "y"=5]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=8, "y"=1]>/' %s | spmd-run -

// Elementwise ops on operands that lie differently, 10x7 over meshes that divide neither dim.
sdy.mesh @mesh = MESH

func.func public @main(%a: tensor<10x7xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<10x7xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>},
                       %c: tensor<10x7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}, {}]>}, %d: tensor<10x7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y", "x"}]>})
    -> (tensor<10x7xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, tensor<10x7xi32>, tensor<10x7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, tensor<10x7xf32>, tensor<10x7xi32>,
        tensor<10x7xcomplex<f32>>) {
  %sum = stablehlo.add %a, %b : tensor<10x7xi32>
  %difference = stablehlo.subtract %sum, %a : tensor<10x7xi32>
  %product = stablehlo.multiply %difference, %b : tensor<10x7xi32>
  %exp = stablehlo.exponential %c : tensor<10x7xf32>
  %quotient = stablehlo.divide %d, %exp : tensor<10x7xf32>
  %less = stablehlo.compare LT, %c, %d, FLOAT : (tensor<10x7xf32>, tensor<10x7xf32>) -> tensor<10x7xi1>
  %selected = stablehlo.select %less, %c, %quotient : tensor<10x7xi1>, tensor<10x7xf32>
  %low = stablehlo.constant dense<1> : tensor<i32>
  %high = stablehlo.constant dense<5> : tensor<i32>
  %clamped = stablehlo.clamp %low, %a, %high : (tensor<i32>, tensor<10x7xi32>, tensor<i32>) -> tensor<10x7xi32>
  %complex = stablehlo.complex %c, %d : tensor<10x7xcomplex<f32>>
  return %sum, %product, %selected, %quotient, %clamped, %complex
      : tensor<10x7xi32>, tensor<10x7xi32>, tensor<10x7xf32>, tensor<10x7xf32>, tensor<10x7xi32>, tensor<10x7xcomplex<f32>>
}
