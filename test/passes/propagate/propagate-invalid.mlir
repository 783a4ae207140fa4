// RUN: spmd-opt %s --spmd-propagate=on-missing=error --verify-diagnostics --split-input-file

sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<4xf32> {
  // expected-error @below {{'func.call' op calls @main, which is still running; recursion has no sharding}}
  %0 = call @main(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<4xf32> {
  %0 = call @ping(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @ping(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @pong(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @pong(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{'func.call' op calls @ping, which is still running; recursion has no sharding}}
  %0 = call @ping(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// Every value that nothing reached is reported, in program order, before the pass fails.
sdy.mesh @mesh = <["x"=2]>
// expected-note @below {{to split it, write: %b: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}}}
// expected-error @below {{argument 1 of @main has no sharding; annotate it or set on-missing=replicate}}
func.func @main(%a: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %b: tensor<4xf32>) -> (tensor<4x8xf32>, tensor<4xf32>) {
  // expected-note @below {{used by 'stablehlo.negate' as operand 0 here}}
  // expected-note @below {{to split it, write: %split = sdy.sharding_constraint %0 <@mesh, [{"x"}]> : tensor<4xf32>}}
  // expected-error @below {{'stablehlo.negate' op result 0 has no sharding; annotate it or set on-missing=replicate}}
  %0 = stablehlo.negate %b : tensor<4xf32>
  // expected-note @below {{used by 'func.return' as operand 1 here; operand 0 dim 0 is sharded on "x"}}
  return %a, %0 : tensor<4x8xf32>, tensor<4xf32>
}

// -----

// What has no rule passes nothing on.
sdy.mesh @mesh = <["x"=2]>
// expected-note @below {{made of what lies as [{"x"}], 1 op before}}
func.func @main(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<4xf32> {
  // expected-note @below {{to split it, write: %split = sdy.sharding_constraint %0 <@mesh, [{"x"}]> : tensor<4xf32>}}
  // expected-error @below {{'stablehlo.custom_call' op result 0 has no sharding; annotate it or set on-missing=replicate}}
  // expected-note @below {{'stablehlo.custom_call' has no sharding rule, so nothing passes through it}}
  %0 = stablehlo.custom_call @unheard_of(%a) : (tensor<4xf32>) -> tensor<4xf32>
  // expected-note @below {{used by 'func.return' as operand 0 here}}
  return %0 : tensor<4xf32>
}

// -----

// Meshes inside shardings are meshes of the module, too.
// expected-error @below {{mesh <["x"=3]> in a sharding has 3 devices, mesh <["x"=2]> has 2; all meshes of a module have equally many}}
module {
  func.func @main(%a: tensor<4x6xf32> {sdy.sharding = #sdy.sharding<mesh<["x"=2]>, [{"x"}, {}]>}, %b: tensor<4x6xf32> {sdy.sharding = #sdy.sharding<mesh<["x"=3]>, [{"x"}, {}]>}) -> tensor<4x6xf32> {
    %0 = stablehlo.add %a, %b : tensor<4x6xf32>
    return %0 : tensor<4x6xf32>
  }
}

// -----

// Its shardings speak of the whole, its types of a part.
// expected-error @below {{module is the program of one device already ('spmd.partitioned'); spmd-run executes it as it is}}
module attributes {mhlo.num_partitions = 2 : i32, spmd.partitioned} {
  sdy.mesh @mesh = <["x"=2]>
  func.func @main(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<4xf32> {
    return %a : tensor<4xf32>
  }
}

// -----

// What a group says of dims needs as many dims in all its members.
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %b: tensor<4xf32>, %c: tensor<2x3xf32>) {
  sdy.sharding_group %a group_id=3 : tensor<4x8xf32>
  // expected-error @below {{'sdy.sharding_group' op adds a tensor of rank 1 to group 3, whose first is of rank 2}}
  sdy.sharding_group %b group_id=3 : tensor<4xf32>
  sdy.sharding_group %c group_id=3 : tensor<2x3xf32>
  return
}

// -----

func.func @first_of_group(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  sdy.sharding_group %a group_id=3 : tensor<4x4xf32>
  return %a : tensor<4x4xf32>
}
func.func @of_another_rank(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{'sdy.sharding_group' op adds a tensor of rank 1 to group 3, whose first is of rank 2}}
  sdy.sharding_group %a group_id=3 : tensor<4xf32>
  return %a : tensor<4xf32>
}
