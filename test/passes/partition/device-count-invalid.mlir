// RUN: spmd-opt %s --verify-diagnostics --spmd-pipeline
// RUN: spmd-opt %s --verify-diagnostics --spmd-export-shardings

module attributes {mhlo.num_partitions = 3 : i32} {
  // expected-error @below {{mesh @mesh has 4 devices, 'mhlo.num_partitions' of the module is 3}}
  sdy.mesh @mesh = <["x"=4]>
  func.func @main(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<4xf32> { return %a : tensor<4xf32> }
}
