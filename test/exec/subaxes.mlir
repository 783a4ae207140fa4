// RUN: sed 's/MESH/<["x"=8, "y"=2]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=8, "y"=3]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=8, "y"=1], device_ids=[7, 1, 6, 2, 5, 3, 4, 0]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["y"=2, "x"=8]>/' %s | spmd-run -

// Parts of an axis on different dims, in and out of order.
sdy.mesh @mesh = MESH

func.func public @main(%a: tensor<10x7xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x":(1)2}, {"x":(2)4}]>}, %b: tensor<7x6xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x":(4)2, "x":(2)2}, {"y"}]>})
    -> (tensor<10x6xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x":(2)2}, {"x":(1)2, "y"}]>}, tensor<10x7xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, tensor<6x7xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x":(4)2, "x":(1)2}]>}, tensor<70xi32>) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<10x7xi32>, tensor<7x6xi32>) -> tensor<10x6xi32>
  %1 = stablehlo.add %a, %a : tensor<10x7xi32>
  %2 = stablehlo.transpose %b, dims = [1, 0] : (tensor<7x6xi32>) -> tensor<6x7xi32>
  %3 = stablehlo.reshape %a : (tensor<10x7xi32>) -> tensor<70xi32>
  return %0, %1, %2, %3 : tensor<10x6xi32>, tensor<10x7xi32>, tensor<6x7xi32>, tensor<70xi32>
}
