// RUN: spmd-opt %s --spmd-pipeline=stop-after=partition | FileCheck %s

// What no annotation reaches is whole on the first mesh, which is to be whole on every mesh: nothing moves inside, though the
// axes that are manual there are another mesh's.
sdy.mesh @mesh = <["x"=5, "y"=3]>
sdy.mesh @other = <["u"=3, "v"=5]>

// CHECK-LABEL: func.func @main(
// CHECK-NEXT: %[[PART:.+]] = stablehlo.slice %arg0 [1:2]
// CHECK-NEXT: return %[[PART]]
func.func @main(%a: tensor<30xf32>) -> tensor<15xf32> {
  %0 = sdy.manual_computation(%a) in_shardings=[<@other, [{"v", "u"}]>] out_shardings=[<@other, [{"v", "u"}]>] manual_axes={"u", "v"} (%b: tensor<2xf32>) {
    %1 = "stablehlo.async_start"(%b) ({
    ^bb0(%c: tensor<2xf32>):
      %3 = stablehlo.slice %c [1:2] : (tensor<2xf32>) -> tensor<1xf32>
      stablehlo.return %3 : tensor<1xf32>
    }) : (tensor<2xf32>) -> !stablehlo.future<tensor<1xf32>>
    %2 = "stablehlo.async_done"(%1) : (!stablehlo.future<tensor<1xf32>>) -> tensor<1xf32>
    sdy.return %2 : tensor<1xf32>
  } : (tensor<30xf32>) -> tensor<15xf32>
  return %0 : tensor<15xf32>
}
