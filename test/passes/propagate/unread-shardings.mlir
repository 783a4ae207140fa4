// Shardings in GSPMD's notation are not read: one warning for the module says so.
// RUN: spmd-opt %s --spmd-propagate --verify-diagnostics --split-input-file

sdy.mesh @mesh = <["x"=2]>
func.func @main(
    // expected-warning @below {{argument 0 of @main has a 'mhlo.sharding', which is not read; nor are those of 3 more values; run --spmd-import-shardings first}}
    %a: tensor<4xi32> {mhlo.sharding = "{devices=[2]<=[2]}"},
    %b: tensor<4xi32> {mhlo.sharding = "{replicated}", sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>},
    // expected-note @below {{also argument 2 of @main}}
    %c: tensor<4xi32> {mhlo.sharding = "{devices=[2]<=[2]}"}) -> tensor<4xi32> {
  %0 = stablehlo.add %a, %b : tensor<4xi32>
  // expected-note @below {{also 'stablehlo.add' op}}
  %1 = stablehlo.add %0, %c {mhlo.sharding = "{devices=[2]<=[2]}"} : tensor<4xi32>
  %2 = stablehlo.add %1, %b {mhlo.sharding = "{devices=[2]<=[2]}"} : tensor<4xi32>
  return %2 : tensor<4xi32>
}

// -----

// expected-warning @below {{result 0 of @main has a 'mhlo.sharding', which is not read; run --spmd-import-shardings first}}
func.func @main(%a: tensor<4xi32>) -> (tensor<4xi32> {mhlo.sharding = "{devices=[2]<=[2]}"}) {
  return %a : tensor<4xi32>
}

// -----

sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<4xi32> {mhlo.sharding = "{replicated}", sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<4xi32> {
  return %a : tensor<4xi32>
}
