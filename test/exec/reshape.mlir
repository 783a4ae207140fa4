// RUN: sed 's/MESH/<["x"=2, "y"=2]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=4, "y"=2], device_ids=[3, 1, 0, 2, 7, 6, 5, 4]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=3, "y"=5]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=8, "y"=1]>/' %s | spmd-run -

// Merged and split dims: even, uneven, misaligned, through dims of size 1.
sdy.mesh @mesh = MESH

func.func public @main(%even: tensor<8x4xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %uneven: tensor<10x3xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %flat: tensor<24xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}]>},
                       %odd: tensor<30xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y", "x"}]>}, %ones: tensor<1x6x1xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}, {}]>})
    -> (tensor<32xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}]>}, tensor<30xi32>, tensor<30xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, tensor<4x6xi32>, tensor<2x3x4xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {"y"}]>}, tensor<10x3xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
        tensor<6x5xi32>, tensor<6xi32>, tensor<2x1x3xi32>, tensor<6x4xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>}, tensor<2x12xi32>,
        tensor<1xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  %scalar = stablehlo.constant dense<7> : tensor<i32>
  %one = stablehlo.reshape %scalar : (tensor<i32>) -> tensor<1xi32>
  %held_whole = sdy.sharding_constraint %one <@mesh, [{?}], replicated={"x"}> : tensor<1xi32>
  %merged = stablehlo.reshape %even : (tensor<8x4xi32>) -> tensor<32xi32>
  %merged_uneven = stablehlo.reshape %uneven : (tensor<10x3xi32>) -> tensor<30xi32>
  %split = stablehlo.reshape %flat : (tensor<24xi32>) -> tensor<4x6xi32>
  %split_thrice = stablehlo.reshape %flat : (tensor<24xi32>) -> tensor<2x3x4xi32>
  %split_uneven = stablehlo.reshape %odd : (tensor<30xi32>) -> tensor<10x3xi32>
  %misaligned = stablehlo.reshape %uneven : (tensor<10x3xi32>) -> tensor<6x5xi32>
  %dropped = stablehlo.reshape %ones : (tensor<1x6x1xi32>) -> tensor<6xi32>
  %inserted = stablehlo.reshape %ones : (tensor<1x6x1xi32>) -> tensor<2x1x3xi32>
  %regrouped = stablehlo.reshape %split : (tensor<4x6xi32>) -> tensor<6x4xi32>
  %regrouped_again = stablehlo.reshape %regrouped : (tensor<6x4xi32>) -> tensor<2x12xi32>
  return %merged, %merged_uneven, %merged_uneven, %split, %split_thrice, %split_uneven, %misaligned, %dropped, %inserted, %regrouped, %regrouped_again, %held_whole
      : tensor<32xi32>, tensor<30xi32>, tensor<30xi32>, tensor<4x6xi32>, tensor<2x3x4xi32>, tensor<10x3xi32>, tensor<6x5xi32>, tensor<6xi32>,
        tensor<2x1x3xi32>, tensor<6x4xi32>, tensor<2x12xi32>, tensor<1xi32>
}
