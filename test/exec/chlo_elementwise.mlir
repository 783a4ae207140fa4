// RUN: sed 's/MESH/<["x"=2, "y"=2]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=4, "y"=2], device_ids=[3, 1, 0, 2, 7, 6, 5, 4]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=3, "y"=5]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=8, "y"=1]>/' %s | spmd-run -

// Functions and broadcasting ops of chlo on operands that lie differently, 10x7 over meshes that divide neither dim. A
// partial sum is reduced before a function sees it.
sdy.mesh @mesh = MESH

func.func public @main(
    %a: tensor<10x7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
    %b: tensor<10x7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>},
    %row: tensor<7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>},
    %column: tensor<10x1xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>},
    %i: tensor<10x7xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}, {}]>},
    %wide: tensor<10x9xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>},
    %tall: tensor<9x7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
    -> (tensor<10x7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, tensor<10x7xf32>, tensor<10x7xf32>, tensor<10x7xf32>,
        tensor<10x7xi1>, tensor<10x7xi32>, tensor<10x7xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>},
        tensor<10x7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, tensor<10x7xf32>) {
  %erf = chlo.erf %a : tensor<10x7xf32> -> tensor<10x7xf32>
  %gamma = chlo.lgamma %b : tensor<10x7xf32> -> tensor<10x7xf32>
  %next = chlo.next_after %a, %b : tensor<10x7xf32>, tensor<10x7xf32> -> tensor<10x7xf32>
  %added = chlo.broadcast_add %a, %row : (tensor<10x7xf32>, tensor<7xf32>) -> tensor<10x7xf32>
  %scaled = chlo.broadcast_multiply %added, %column : (tensor<10x7xf32>, tensor<10x1xf32>) -> tensor<10x7xf32>
  %less = chlo.broadcast_compare %column, %row {comparison_direction = #chlo<comparison_direction LT>}
      : (tensor<10x1xf32>, tensor<7xf32>) -> tensor<10x7xi1>
  %ten = chlo.constant dense<10> : tensor<i32>
  %high = chlo.mulhi %i, %i : tensor<10x7xi32>, tensor<10x7xi32> -> tensor<10x7xi32>
  %more = chlo.broadcast_add %high, %ten : (tensor<10x7xi32>, tensor<i32>) -> tensor<10x7xi32>
  %complex = chlo.broadcast_complex %a, %b : (tensor<10x7xf32>, tensor<10x7xf32>) -> tensor<10x7xcomplex<f32>>
  %asin = chlo.asin %complex : tensor<10x7xcomplex<f32>> -> tensor<10x7xcomplex<f32>>
  %product = stablehlo.dot_general %wide, %tall, contracting_dims = [1] x [0] : (tensor<10x9xf32>, tensor<9x7xf32>) -> tensor<10x7xf32>
  %of_sum = chlo.asinh %product : tensor<10x7xf32> -> tensor<10x7xf32>
  %table = chlo.constant dense<[0.5, 1.5, -2.0, 3.0, 0.25, 1.0, 8.0]> : tensor<7xf32>
  %by_table = chlo.broadcast_zeta %table, %a {broadcast_dimensions = array<i64: 1>} : (tensor<7xf32>, tensor<10x7xf32>) -> tensor<10x7xf32>
  %like = "chlo.constant_like"(%a) {value = 2.5 : f32} : (tensor<10x7xf32>) -> tensor<10x7xf32>
  %picked = chlo.broadcast_select %less, %by_table, %like : (tensor<10x7xi1>, tensor<10x7xf32>, tensor<10x7xf32>) -> tensor<10x7xf32>
  return %erf, %gamma, %next, %scaled, %less, %more, %asin, %of_sum, %picked
      : tensor<10x7xf32>, tensor<10x7xf32>, tensor<10x7xf32>, tensor<10x7xf32>, tensor<10x7xi1>, tensor<10x7xi32>,
        tensor<10x7xcomplex<f32>>, tensor<10x7xf32>, tensor<10x7xf32>
}
