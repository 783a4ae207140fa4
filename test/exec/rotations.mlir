// RUN: sed 's/MESH/<["x"=4, "y"=2]>/' %s | spmd-run - --json=%t.json | FileCheck %s
// RUN: %python %S/../at_most.py %t.json wire_bytes_per_device 244
// RUN: sed 's/MESH/<["x"=3, "y"=2], device_ids=[3, 1, 0, 2, 5, 4]>/' %s | spmd-run - | FileCheck %s --check-prefix=EQUAL
// RUN: sed 's/MESH/<["x"=2, "y"=5]>/' %s | spmd-run - | FileCheck %s --check-prefix=EQUAL
// RUN: sed 's/MESH/<["x"=5, "y"=1]>/' %s | spmd-run - | FileCheck %s --check-prefix=EQUAL
// RUN: sed 's/MESH/<["x"=7, "y"=3]>/' %s | spmd-run - | FileCheck %s --check-prefix=EQUAL

// The last blocks of the rotated tensors are shorter or empty. Permutes of each rotation send 244 bytes. `%x10` has five
// rotations, so one all-gather of it sends less than the permutes of all five. The other tensors are never gathered.
// CHECK: collectives
// CHECK-NEXT: all_gather {{ *}}1 {{ *}}60 {{ *}}180
// CHECK-NEXT: collective_permute
// CHECK-NEXT: memory
// CHECK: equal: yes
// EQUAL: equal: yes
sdy.mesh @mesh = MESH
func.func public @main(%x10: tensor<10x2xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
                       %x9: tensor<9x1xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
                       %x5: tensor<5x3xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
                       %x3: tensor<3x2xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
                       %xy: tensor<11x7xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>},
                       %both: tensor<13xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y", "x"}]>})
    -> (tensor<10x2xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
        tensor<10x2xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
        tensor<10x2xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
        tensor<10x2xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
        tensor<10x2xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
        tensor<9x1xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
        tensor<9x1xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
        tensor<9x1xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
        tensor<5x3xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
        tensor<5x3xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
        tensor<5x3xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
        tensor<5x3xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
        tensor<3x2xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
        tensor<3x2xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
        tensor<11x7xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>},
        tensor<13xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y", "x"}]>}) {
  %front0 = stablehlo.slice %x10 [2:10, 0:2] : (tensor<10x2xi32>) -> tensor<8x2xi32>
  %back0 = stablehlo.slice %x10 [0:2, 0:2] : (tensor<10x2xi32>) -> tensor<2x2xi32>
  %0 = stablehlo.concatenate %front0, %back0, dim = 0 : (tensor<8x2xi32>, tensor<2x2xi32>) -> tensor<10x2xi32>
  %front1 = stablehlo.slice %x10 [3:10, 0:2] : (tensor<10x2xi32>) -> tensor<7x2xi32>
  %back1 = stablehlo.slice %x10 [0:3, 0:2] : (tensor<10x2xi32>) -> tensor<3x2xi32>
  %1 = stablehlo.concatenate %front1, %back1, dim = 0 : (tensor<7x2xi32>, tensor<3x2xi32>) -> tensor<10x2xi32>
  %front2 = stablehlo.slice %x10 [7:10, 0:2] : (tensor<10x2xi32>) -> tensor<3x2xi32>
  %back2 = stablehlo.slice %x10 [0:7, 0:2] : (tensor<10x2xi32>) -> tensor<7x2xi32>
  %2 = stablehlo.concatenate %front2, %back2, dim = 0 : (tensor<3x2xi32>, tensor<7x2xi32>) -> tensor<10x2xi32>
  %front3 = stablehlo.slice %x10 [8:10, 0:2] : (tensor<10x2xi32>) -> tensor<2x2xi32>
  %back3 = stablehlo.slice %x10 [0:8, 0:2] : (tensor<10x2xi32>) -> tensor<8x2xi32>
  %3 = stablehlo.concatenate %front3, %back3, dim = 0 : (tensor<2x2xi32>, tensor<8x2xi32>) -> tensor<10x2xi32>
  %front4 = stablehlo.slice %x10 [9:10, 0:2] : (tensor<10x2xi32>) -> tensor<1x2xi32>
  %back4 = stablehlo.slice %x10 [0:9, 0:2] : (tensor<10x2xi32>) -> tensor<9x2xi32>
  %4 = stablehlo.concatenate %front4, %back4, dim = 0 : (tensor<1x2xi32>, tensor<9x2xi32>) -> tensor<10x2xi32>
  %front5 = stablehlo.slice %x9 [1:9, 0:1] : (tensor<9x1xi32>) -> tensor<8x1xi32>
  %back5 = stablehlo.slice %x9 [0:1, 0:1] : (tensor<9x1xi32>) -> tensor<1x1xi32>
  %5 = stablehlo.concatenate %front5, %back5, dim = 0 : (tensor<8x1xi32>, tensor<1x1xi32>) -> tensor<9x1xi32>
  %front6 = stablehlo.slice %x9 [4:9, 0:1] : (tensor<9x1xi32>) -> tensor<5x1xi32>
  %back6 = stablehlo.slice %x9 [0:4, 0:1] : (tensor<9x1xi32>) -> tensor<4x1xi32>
  %6 = stablehlo.concatenate %front6, %back6, dim = 0 : (tensor<5x1xi32>, tensor<4x1xi32>) -> tensor<9x1xi32>
  %front7 = stablehlo.slice %x9 [7:9, 0:1] : (tensor<9x1xi32>) -> tensor<2x1xi32>
  %back7 = stablehlo.slice %x9 [0:7, 0:1] : (tensor<9x1xi32>) -> tensor<7x1xi32>
  %7 = stablehlo.concatenate %front7, %back7, dim = 0 : (tensor<2x1xi32>, tensor<7x1xi32>) -> tensor<9x1xi32>
  %front8 = stablehlo.slice %x5 [1:5, 0:3] : (tensor<5x3xi32>) -> tensor<4x3xi32>
  %back8 = stablehlo.slice %x5 [0:1, 0:3] : (tensor<5x3xi32>) -> tensor<1x3xi32>
  %8 = stablehlo.concatenate %front8, %back8, dim = 0 : (tensor<4x3xi32>, tensor<1x3xi32>) -> tensor<5x3xi32>
  %front9 = stablehlo.slice %x5 [2:5, 0:3] : (tensor<5x3xi32>) -> tensor<3x3xi32>
  %back9 = stablehlo.slice %x5 [0:2, 0:3] : (tensor<5x3xi32>) -> tensor<2x3xi32>
  %9 = stablehlo.concatenate %front9, %back9, dim = 0 : (tensor<3x3xi32>, tensor<2x3xi32>) -> tensor<5x3xi32>
  %front10 = stablehlo.slice %x5 [3:5, 0:3] : (tensor<5x3xi32>) -> tensor<2x3xi32>
  %back10 = stablehlo.slice %x5 [0:3, 0:3] : (tensor<5x3xi32>) -> tensor<3x3xi32>
  %10 = stablehlo.concatenate %front10, %back10, dim = 0 : (tensor<2x3xi32>, tensor<3x3xi32>) -> tensor<5x3xi32>
  %front11 = stablehlo.slice %x5 [4:5, 0:3] : (tensor<5x3xi32>) -> tensor<1x3xi32>
  %back11 = stablehlo.slice %x5 [0:4, 0:3] : (tensor<5x3xi32>) -> tensor<4x3xi32>
  %11 = stablehlo.concatenate %front11, %back11, dim = 0 : (tensor<1x3xi32>, tensor<4x3xi32>) -> tensor<5x3xi32>
  %front12 = stablehlo.slice %x3 [1:3, 0:2] : (tensor<3x2xi32>) -> tensor<2x2xi32>
  %back12 = stablehlo.slice %x3 [0:1, 0:2] : (tensor<3x2xi32>) -> tensor<1x2xi32>
  %12 = stablehlo.concatenate %front12, %back12, dim = 0 : (tensor<2x2xi32>, tensor<1x2xi32>) -> tensor<3x2xi32>
  %front13 = stablehlo.slice %x3 [2:3, 0:2] : (tensor<3x2xi32>) -> tensor<1x2xi32>
  %back13 = stablehlo.slice %x3 [0:2, 0:2] : (tensor<3x2xi32>) -> tensor<2x2xi32>
  %13 = stablehlo.concatenate %front13, %back13, dim = 0 : (tensor<1x2xi32>, tensor<2x2xi32>) -> tensor<3x2xi32>
  %front14 = stablehlo.slice %xy [0:11, 6:7] : (tensor<11x7xi32>) -> tensor<11x1xi32>
  %back14 = stablehlo.slice %xy [0:11, 0:6] : (tensor<11x7xi32>) -> tensor<11x6xi32>
  %14 = stablehlo.concatenate %front14, %back14, dim = 1 : (tensor<11x1xi32>, tensor<11x6xi32>) -> tensor<11x7xi32>
  %front15 = stablehlo.slice %both [11:13] : (tensor<13xi32>) -> tensor<2xi32>
  %back15 = stablehlo.slice %both [0:11] : (tensor<13xi32>) -> tensor<11xi32>
  %15 = stablehlo.concatenate %front15, %back15, dim = 0 : (tensor<2xi32>, tensor<11xi32>) -> tensor<13xi32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15
      : tensor<10x2xi32>, tensor<10x2xi32>, tensor<10x2xi32>, tensor<10x2xi32>, tensor<10x2xi32>, tensor<9x1xi32>, tensor<9x1xi32>, tensor<9x1xi32>, tensor<5x3xi32>, tensor<5x3xi32>, tensor<5x3xi32>, tensor<5x3xi32>, tensor<3x2xi32>, tensor<3x2xi32>, tensor<11x7xi32>, tensor<13xi32>
}
