// RUN: spmd-run %s

// Values on meshes of 8, 4 and 2 devices meet, and one goes through a loop on the smaller mesh.
sdy.mesh @all = <["x"=2, "y"=4]>
sdy.mesh @four = <["z"=4], device_ids=[2, 0, 3, 1]>
sdy.mesh @two = <["w"=2]>
sdy.mesh @other = <["u"=5]>
func.func @main(%a: tensor<8x12xi32> {sdy.sharding = #sdy.sharding<@all, [{"x"}, {"y"}]>},
                %b: tensor<8x12xi32> {sdy.sharding = #sdy.sharding<@four, [{"z"}, {}]>},
                %c: tensor<0x12xi32> {sdy.sharding = #sdy.sharding<@two, [{"w"}, {}]>})
    -> (tensor<8x12xi32> {sdy.sharding = #sdy.sharding<@two, [{}, {"w"}]>}, tensor<8x12xi32> {sdy.sharding = #sdy.sharding<@four, [{}, {"z"}]>},
        tensor<8x12xi32>) {
  %0 = stablehlo.add %a, %b : tensor<8x12xi32>
  %1 = sdy.sharding_constraint %0 <@four, [{}, {"z"}]> : tensor<8x12xi32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %2:2 = stablehlo.while(%i = %zero, %x = %1) : tensor<i32>, tensor<8x12xi32>
  cond {
    %3 = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %3 : tensor<i1>
  } do {
    %3 = stablehlo.add %i, %one : tensor<i32>
    %4 = stablehlo.multiply %x, %b : tensor<8x12xi32>
    stablehlo.return %3, %4 : tensor<i32>, tensor<8x12xi32>
  }
  %5 = stablehlo.concatenate %a, %c, dim = 0 : (tensor<8x12xi32>, tensor<0x12xi32>) -> tensor<8x12xi32>
  return %0, %2#1, %5 : tensor<8x12xi32>, tensor<8x12xi32>, tensor<8x12xi32>
}
