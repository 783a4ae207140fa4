// RUN: spmd-opt %s --spmd-propagate | FileCheck %s
// RUN: spmd-opt %s --spmd-propagate --spmd-propagate | FileCheck %s

// Two rows on eight devices: six hold none. Where the axis is followed only because nothing else wants it, it may be dropped at the pin.
sdy.mesh @m = <["x"=8]>

// The gradients of both weights would be added up over all devices, 32 KiB; the rows and the target are 1 KiB, and work that one
// device does twice is little.
// CHECK-LABEL: func.func @step
// CHECK-SAME: %[[ROWS:.*]]: tensor<2x64xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {}]>}
// CHECK-COUNT-6: stablehlo.{{.*}} [{?}, {?}], replicated={"x"}>]>
// CHECK-NOT: {"x"
// CHECK: return
func.func @step(%rows: tensor<2x64xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {}]>},
                %target: tensor<2x64xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {}]>},
                %first: tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {}]>},
                %second: tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {}]>})
    -> (tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {}]>}, tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {}]>}) {
  %h = stablehlo.dot_general %rows, %first, contracting_dims = [1] x [0] : (tensor<2x64xf32>, tensor<64x64xf32>) -> tensor<2x64xf32>
  %a = stablehlo.tanh %h : tensor<2x64xf32>
  %y = stablehlo.dot_general %a, %second, contracting_dims = [1] x [0] : (tensor<2x64xf32>, tensor<64x64xf32>) -> tensor<2x64xf32>
  %d = stablehlo.subtract %y, %target : tensor<2x64xf32>
  %da = stablehlo.dot_general %d, %second, contracting_dims = [1] x [1] : (tensor<2x64xf32>, tensor<64x64xf32>) -> tensor<2x64xf32>
  %dh = stablehlo.multiply %da, %a : tensor<2x64xf32>
  %dsecond = stablehlo.dot_general %a, %d, contracting_dims = [0] x [0] : (tensor<2x64xf32>, tensor<2x64xf32>) -> tensor<64x64xf32>
  %dfirst = stablehlo.dot_general %rows, %dh, contracting_dims = [0] x [0] : (tensor<2x64xf32>, tensor<2x64xf32>) -> tensor<64x64xf32>
  return %dfirst, %dsecond : tensor<64x64xf32>, tensor<64x64xf32>
}

// Nothing is added up over rows: nothing moves as it is.
// CHECK-LABEL: func.func @forward
// CHECK-COUNT-3: stablehlo.{{.*}} [{"x", ?}, {?}]>]>
func.func @forward(%rows: tensor<2x64xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {}]>},
                   %first: tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {}]>},
                   %second: tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {}]>}) -> tensor<2x64xf32> {
  %h = stablehlo.dot_general %rows, %first, contracting_dims = [1] x [0] : (tensor<2x64xf32>, tensor<64x64xf32>) -> tensor<2x64xf32>
  %a = stablehlo.tanh %h : tensor<2x64xf32>
  %y = stablehlo.dot_general %a, %second, contracting_dims = [1] x [0] : (tensor<2x64xf32>, tensor<64x64xf32>) -> tensor<2x64xf32>
  return %y : tensor<2x64xf32>
}

// Eight rows fill all devices, and so do five in part: most data-parallel programs are like these.
// CHECK-LABEL: func.func @five_rows
// CHECK: stablehlo.tanh
// CHECK-SAME: [{"x", ?}, {?}]>]>
func.func @five_rows(%rows: tensor<5x64xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {}]>}) -> tensor<64x64xf32> {
  %a = stablehlo.tanh %rows : tensor<5x64xf32>
  %g = stablehlo.dot_general %a, %a, contracting_dims = [0] x [0] : (tensor<5x64xf32>, tensor<5x64xf32>) -> tensor<64x64xf32>
  return %g : tensor<64x64xf32>
}

// With one gradient, the axis is followed to the target, which has no sharding of its own.
// CHECK-LABEL: func.func @one_pin
// CHECK-SAME: tensor<2x64xf32> {sdy.sharding = #sdy.sharding<@m, [{"x", ?}, {?}]>, spmd.inferred}
// CHECK-COUNT-3: stablehlo.{{.*}} [{"x", ?}, {?}]>]>
func.func @one_pin(%rows: tensor<2x64xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {}]>}, %target: tensor<2x64xf32>,
                   %weight: tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {}]>})
    -> (tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {}]>}) {
  %h = stablehlo.dot_general %rows, %weight, contracting_dims = [1] x [0] : (tensor<2x64xf32>, tensor<64x64xf32>) -> tensor<2x64xf32>
  %a = stablehlo.tanh %h : tensor<2x64xf32>
  %d = stablehlo.subtract %a, %target : tensor<2x64xf32>
  %g = stablehlo.dot_general %a, %d, contracting_dims = [0] x [0] : (tensor<2x64xf32>, tensor<2x64xf32>) -> tensor<64x64xf32>
  return %g : tensor<64x64xf32>
}

// What an op makes is pinned along the axis: it was wanted, so it is followed.
// CHECK-LABEL: func.func @pinned_inside
// CHECK-NOT: replicated={"x"}
// CHECK: return
func.func @pinned_inside(%rows: tensor<2x64xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {}]>}, %target: tensor<2x64xf32>,
                         %weight: tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {}]>})
    -> (tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {}]>}) {
  %h = stablehlo.dot_general %rows, %weight, contracting_dims = [1] x [0] : (tensor<2x64xf32>, tensor<64x64xf32>) -> tensor<2x64xf32>
  %a = stablehlo.tanh %h {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"x", ?}, {?}]>]>} : tensor<2x64xf32>
  %d = stablehlo.subtract %a, %target : tensor<2x64xf32>
  %g = stablehlo.dot_general %a, %d, contracting_dims = [0] x [0] : (tensor<2x64xf32>, tensor<2x64xf32>) -> tensor<64x64xf32>
  return %g : tensor<64x64xf32>
}
