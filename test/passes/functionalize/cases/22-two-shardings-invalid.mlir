// RUN: spmd-opt %s --spmd-functionalize --verify-diagnostics
// RUN: spmd-opt %s --spmd-functionalize=functionalize=false --verify-diagnostics
// Two arguments that lie in one memory cannot be pinned in two ways.

sdy.mesh @mesh = <["x"=2, "y"=2]>

func.func @main(
    // expected-note @below {{the other is here}}
    %a: !spmd.buffer<tensor<8xi32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>, spmd.memory = {name = "m",
        shape = array<i64: 8>, start_indices = array<i64: 0>, limit_indices = array<i64: 8>, strides = array<i64: 1>}},
    // expected-error @below {{argument 0 of @main and argument 1 of @main lie in memory "m", and are pinned to #sdy.sharding<@mesh, [{"x"}]> and to #sdy.sharding<@mesh, [{"y"}]>; one memory lies in one way}}
    %b: !spmd.buffer<tensor<8xi32>> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>, spmd.memory = {name = "m",
        shape = array<i64: 8>, start_indices = array<i64: 0>, limit_indices = array<i64: 8>, strides = array<i64: 1>}}) {
  return
}
