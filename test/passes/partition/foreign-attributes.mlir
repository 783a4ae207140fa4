// RUN: spmd-opt %s --spmd-pipeline | FileCheck %s

// Attributes of unknown dialects move to the op that produces the value of the replaced op. The body of a manual
// computation keeps its own attributes.
// CHECK-LABEL: func.func @main
// CHECK-DAG: stablehlo.slice {{.*}} {t.a = #tt.n<1>}
// CHECK-DAG: "stablehlo.collective_permute"{{.*}} {t.a = #tt.n<2>}
// CHECK-DAG: stablehlo.concatenate {{.*}} {t.a = #tt.n<3>}
// CHECK-DAG: stablehlo.negate {{.*}} {t.a = #tt.n<4>}
// CHECK-DAG: stablehlo.abs {{.*}} {t.a = #tt.n<5>}
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8x12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<8x12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %c: tensor<8x12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> (tensor<5x12xf32>, tensor<8x12xf32>, tensor<8x24xf32>, tensor<8x12xf32>, tensor<8x12xf32>) {
  %0 = stablehlo.slice %a [2:7, 0:12] {t.a = #tt.n<1>} : (tensor<8x12xf32>) -> tensor<5x12xf32>
  %1 = stablehlo.reverse %b, dims = [1] {t.a = #tt.n<2>} : tensor<8x12xf32>
  %2 = stablehlo.concatenate %c, %c, dim = 1 {t.a = #tt.n<3>} : (tensor<8x12xf32>, tensor<8x12xf32>) -> tensor<8x24xf32>
  %3 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}, {"y"}]>] out_shardings=[<@mesh, [{"x"}, {"y"}]>] manual_axes={"x", "y"} (%q: tensor<4x3xf32>) {
    %n = stablehlo.negate %q : tensor<4x3xf32>
    sdy.return %n : tensor<4x3xf32>
  } {t.a = #tt.n<4>} : (tensor<8x12xf32>) -> tensor<8x12xf32>
  %4 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}, {"y"}]>] out_shardings=[<@mesh, [{"x"}, {"y"}]>] manual_axes={"x", "y"} (%q: tensor<4x3xf32>) {
    %n = stablehlo.abs %q {t.a = #tt.n<5>} : tensor<4x3xf32>
    sdy.return %n : tensor<4x3xf32>
  } {t.a = #tt.n<6>} : (tensor<8x12xf32>) -> tensor<8x12xf32>
  return %0, %1, %2, %3, %4 : tensor<5x12xf32>, tensor<8x12xf32>, tensor<8x24xf32>, tensor<8x12xf32>, tensor<8x12xf32>
}
