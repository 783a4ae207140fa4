// RUN: spmd-opt %s --split-input-file --verify-diagnostics --spmd-import-shardings

// All ops on a mesh that does not go with the largest are reported.
sdy.mesh @all = <["x"=8]>
sdy.mesh @three = <["y"=3]>
// expected-error @below {{argument 0 of @argument has a sharding on mesh @three of 3 devices, but the program has 8, which is no multiple; values do not move between such meshes}}
func.func @argument(%arg0: tensor<24xf32> {sdy.sharding = #sdy.sharding<@three, [{"y"}]>}) -> tensor<24xf32> {
  %0 = sdy.sharding_constraint %arg0 <@all, [{"x"}]> : tensor<24xf32>
  // expected-error @below {{'sdy.sharding_constraint' op has a sharding on mesh @three of 3 devices, but the program has 8, which is no multiple; values do not move between such meshes}}
  %1 = sdy.sharding_constraint %0 <@three, [{}]> : tensor<24xf32>
  return %1 : tensor<24xf32>
}

// -----

// Groups and numbers of devices would be those of the smaller mesh.
sdy.mesh @all = <["x"=8]>
sdy.mesh @half = <["z"=4]>
func.func @communicates(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@all, [{"x"}]>}) -> tensor<8xf32> {
  // expected-error @below {{'sdy.manual_computation' op is on mesh @half of 4 devices, and communicates in a program of 8; give its mesh all devices}}
  %0 = sdy.manual_computation(%arg0) in_shardings=[<@half, [{"z"}]>] out_shardings=[<@half, [{"z"}]>] manual_axes={"z"} (%arg1: tensor<2xf32>) {
    // expected-note @below {{communicates or calls a function here}}
    %1 = "stablehlo.collective_permute"(%arg1) {source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2xf32>) -> tensor<2xf32>
    sdy.return %1 : tensor<2xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// A mesh inside a sharding is reported as it is written; results are named, too.
sdy.mesh @all = <["x"=8]>
// expected-error @below {{result 1 of @inlined has a sharding on mesh <["y"=3]> of 3 devices, but the program has 8, which is no multiple; values do not move between such meshes}}
func.func @inlined(%arg0: tensor<24xf32> {sdy.sharding = #sdy.sharding<@all, [{"x"}]>}) -> (tensor<24xf32>, tensor<24xf32> {sdy.sharding = #sdy.sharding<mesh<["y"=3]>, [{"y"}]>}) {
  return %arg0, %arg0 : tensor<24xf32>, tensor<24xf32>
}

// -----

// The module says how many devices the program has.
module attributes {mhlo.num_partitions = 8 : i32} {
  sdy.mesh @three = <["y"=3]>
  // expected-error @below {{argument 0 of @said has a sharding on mesh @three of 3 devices, but the program has 8, which is no multiple; values do not move between such meshes}}
  func.func @said(%arg0: tensor<24xf32> {sdy.sharding = #sdy.sharding<@three, [{"y"}]>}) { return }
}
