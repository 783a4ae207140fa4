// RUN: spmd-opt %s --spmd-partition --verify-diagnostics --split-input-file

sdy.mesh @mesh = <["x"=2]>
// expected-error @below {{argument 0 of @main has no sharding; annotate it or set on-missing=replicate}}
func.func @main(%a: tensor<4xf32>, %b: tensor<f32>) -> tensor<4xf32> {
  // expected-error @below {{'stablehlo.negate' op result 0 has no sharding; annotate it or set on-missing=replicate}}
  %0 = stablehlo.negate %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// Collectives of a program may not mix what the compiler has split.
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}]>}) -> (tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}]>}) {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x", "y"}]>] out_shardings=[<@mesh, [{"x", "y"}]>] manual_axes={"x"} (%u: tensor<2xf32>) {
    // expected-error @below {{'stablehlo.collective_permute' op joins devices 0 and 3, which hold different parts of its operand; its groups must run along manual axes alone}}
    %1 = "stablehlo.collective_permute"(%u) <{source_target_pairs = dense<[[0, 3], [3, 0]]> : tensor<2x2xi64>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}]>]>} : (tensor<2xf32>) -> tensor<2xf32>
    // expected-error @below {{'stablehlo.all_reduce' op joins devices 0 and 1, which hold different parts of its operand; its groups must run along manual axes alone}}
    %2 = "stablehlo.all_reduce"(%1) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %3 = stablehlo.add %p, %q : tensor<f32>
      stablehlo.return %3 : tensor<f32>
    }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}]>]>} : (tensor<2xf32>) -> tensor<2xf32>
    sdy.return %2 : tensor<2xf32>
  } : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

sdy.mesh @mesh = <["x"=2]>
// expected-error @below {{'func.func' op has 2 blocks; only functions of one can be split; write branches and loops as 'stablehlo.if', 'stablehlo.case' and 'stablehlo.while'}}
func.func @main(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  return %a : tensor<4xf32>
^second:
  // expected-note @below {{the second block begins here}}
  return %a : tensor<4xf32>
}

// -----

// Inside a manual computation data moves on the mesh of its manual axes alone.
sdy.mesh @mesh = <["x"=2, "y"=2]>
sdy.mesh @other = <["u"=4]>
func.func @main(%a: tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%u: tensor<2x4xf32>) {
    // expected-error @below {{'sdy.reshard' op moves data on a mesh without axis "x", which is manual here; use one mesh there}}
    %1 = sdy.reshard %u <@other, [{}, {"u"}]> : tensor<2x4xf32>
    // expected-error @below {{'sdy.reshard' op moves data on a mesh without axis "x", which is manual here; use one mesh there}}
    %2 = sdy.reshard %1 <@mesh, [{}, {}]> : tensor<2x4xf32>
    sdy.return %2 : tensor<2x4xf32>
  } : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
