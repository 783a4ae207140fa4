// RUN: sed 's/MESH/<["x"=2, "y"=2]>/' %s | spmd-run - --json=%t.json
// RUN: FileCheck %s < %t.json
// RUN: sed 's/MESH/<["x"=4, "y"=2], device_ids=[3, 1, 0, 2, 7, 6, 5, 4]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=3, "y"=5]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=16, "y"=1]>/' %s | spmd-run -

// What every device holds whole is padded into a result that is split, as a store to some rows of a
// cache is: each device takes its part, and nothing moves.
// CHECK: "collectives": []
sdy.mesh @mesh = MESH

func.func public @main(%cache: tensor<13x9xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
    %rows: tensor<4x9xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>},
    %flags: tensor<4x9xi1> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>},
    %wide: tensor<20x3xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %fill: tensor<i32>)
    -> (tensor<13x9xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
        tensor<13x9xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>}) {
  %false = stablehlo.constant dense<false> : tensor<i1>
  %written = stablehlo.pad %rows, %fill, low = [5, 0], high = [4, 0], interior = [0, 0] : (tensor<4x9xi32>, tensor<i32>) -> tensor<13x9xi32>
  %where = stablehlo.pad %flags, %false, low = [5, 0], high = [4, 0], interior = [0, 0] : (tensor<4x9xi1>, tensor<i1>) -> tensor<13x9xi1>
  %stored = stablehlo.select %where, %written, %cache : tensor<13x9xi1>, tensor<13x9xi32>
  // Cut at one end and padded at the other, and both dims at once.
  %cut = stablehlo.pad %wide, %fill, low = [-9, 1], high = [2, 5], interior = [0, 0] : (tensor<20x3xi32>, tensor<i32>) -> tensor<13x9xi32>
  return %stored, %cut : tensor<13x9xi32>, tensor<13x9xi32>
}
