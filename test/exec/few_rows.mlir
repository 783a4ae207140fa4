// RUN: sed 's/MESH/<["x"=4, "y"=2]>/' %s | spmd-run - | FileCheck %s
// RUN: sed 's/MESH/<["x"=3, "y"=2], device_ids=[3, 1, 0, 2, 5, 4]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=2, "y"=4]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=5, "y"=1]>/' %s | spmd-run -

// Few rows of a dim that is split: who holds them gives them, and they are summed (the last row, 9 i32 of it, and 2x1
// bytes). Of two rows of x that two devices hold, one strip of each is gathered, which is as much.
// CHECK: all_gather {{ *}}2 {{ *}}36 {{ *}}92
// CHECK: all_reduce {{ *}}2 {{ *}}38 {{ *}}57
// CHECK: equal: yes
sdy.mesh @mesh = MESH
func.func public @main(%a: tensor<31x7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %b: tensor<29x17xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
                       %c: tensor<16x20xi8> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>})
    -> (tensor<2x7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<1x17xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}, tensor<2x1xi8> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>},
        tensor<8x2xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  // In two shards; the last row; one element of several axes; few of one dim, many of the other with a stride.
  %two = stablehlo.slice %a [7:9, 0:7] : (tensor<31x7xf32>) -> tensor<2x7xf32>
  %last = stablehlo.slice %b [28:29, 0:17] : (tensor<29x17xi32>) -> tensor<1x17xi32>
  %column = stablehlo.slice %c [3:5, 19:20] : (tensor<16x20xi8>) -> tensor<2x1xi8>
  %both = stablehlo.slice %b [1:29:4, 8:10] : (tensor<29x17xi32>) -> tensor<7x2xi32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %padded = stablehlo.pad %both, %zero, low = [0, 0], high = [1, 0], interior = [0, 0] : (tensor<7x2xi32>, tensor<i32>) -> tensor<8x2xi32>
  return %two, %last, %column, %padded : tensor<2x7xf32>, tensor<1x17xi32>, tensor<2x1xi8>, tensor<8x2xi32>
}
