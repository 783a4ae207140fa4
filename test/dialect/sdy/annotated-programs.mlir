// RUN: spmd-opt %s --allow-unregistered-dialect --split-input-file | spmd-opt --allow-unregistered-dialect --split-input-file | FileCheck %s

// Shardings where frameworks put them, in the ways they write them.

module @arguments_and_results attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  // CHECK: sdy.mesh @mesh = <["x"=2, "y"=4]>
  sdy.mesh @mesh = <["x"=2, "y"=4]>
  // CHECK: func.func public @main(%arg0: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>, tf.aliasing_output = 0 : i32})
  // CHECK-SAME: -> (tensor<8x6xf32> {jax.result_info = "result", sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
  func.func public @main(%arg0: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>, tf.aliasing_output = 0 : i32})
      -> (tensor<8x6xf32> {jax.result_info = "result", sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
    // CHECK: "t.two"(%arg0) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {"y", ?}]>, <@mesh, []>]>}
    %0:2 = "t.two"(%arg0) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {"y", ?}]>, <@mesh, []>]>} : (tensor<8x6xf32>) -> (tensor<8x6xf32>, tensor<f32>)
    return %0#0 : tensor<8x6xf32>
  }
  // CHECK: func.func private @outside(tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>})
  func.func private @outside(tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>})
}

// -----

module @placeholders {
  sdy.mesh @mesh = <["x"=2, "y"=4]>
  sdy.mesh @maximal_mesh_0 = <[], device_ids=[0]>
  sdy.mesh @empty_mesh = <[]>
  func.func @main(%arg0: tensor<2xui32>, %arg1: none {sdy.sharding = #sdy.sharding<@mesh, []>}) {
    // CHECK: sdy.sharding_constraint %arg0 <@empty_mesh, [{}]> : tensor<2xui32>
    %0 = sdy.sharding_constraint %arg0 <@empty_mesh, [{}]> : tensor<2xui32>
    // One device holds the whole value, whatever its rank.
    // CHECK: #sdy.sharding_per_value<[<@maximal_mesh_0, []>]>
    %1 = "t.callback"(%0) {sdy.sharding = #sdy.sharding_per_value<[<@maximal_mesh_0, []>]>} : (tensor<2xui32>) -> tensor<2xui32>
    // An op without results says where it runs.
    // CHECK: #sdy.sharding_per_value<[<@maximal_mesh_0, []>]>
    "t.effect"(%1) {sdy.sharding = #sdy.sharding_per_value<[<@maximal_mesh_0, []>]>} : (tensor<2xui32>) -> ()
    // CHECK: #sdy.sharding_per_value<[]>
    "t.effect"(%1) {sdy.sharding = #sdy.sharding_per_value<[]>} : (tensor<2xui32>) -> ()
    // CHECK: sdy.sharding_constraint %arg1 <@mesh, []> : none
    %2 = sdy.sharding_constraint %arg1 <@mesh, []> : none
    return
  }
}

// -----

module @explicit_axes {
  sdy.mesh @mesh = <["x"=2, "y"=4]>
  func.func @main(%arg0: tensor<8x6xf32>) {
    // CHECK: sdy.sharding_constraint %arg0 <@mesh, [{"x", ?}, {?}], replicated={"y"}> : tensor<8x6xf32>
    %0 = sdy.sharding_constraint %arg0 <@mesh, [{"x", ?}, {?}], replicated={"y"}> : tensor<8x6xf32>
    // CHECK: sdy.sharding_constraint %{{.*}} <@mesh, [{"x"}, {}], unreduced={"y"}> : tensor<8x6xf32>
    %1 = sdy.sharding_constraint %0 <@mesh, [{"x"}, {}], unreduced={"y"}> : tensor<8x6xf32>
    return
  }
}

// -----

module @manual_region {
  sdy.mesh @mesh = <["dp"=2, "tp"=4]>
  func.func @main(%arg0: tensor<8x16xf32>, %arg1: tensor<f32>) {
    // Over "tp" the body is manual; over "dp" it is global, and shardings may name it.
    // CHECK: sdy.manual_computation(%arg0, %arg1) in_shardings=[<@mesh, [{?}, {"tp", ?}]>, <@mesh, []>]
    %0 = sdy.manual_computation(%arg0, %arg1) in_shardings=[<@mesh, [{?}, {"tp", ?}]>, <@mesh, []>] out_shardings=[<@mesh, [{?}, {"tp", ?}]>] manual_axes={"tp"} (%arg2: tensor<8x4xf32>, %arg3: tensor<f32>) {
      // CHECK: sdy.sharding_constraint %{{.*}} <@mesh, [{"dp"}, {}]> : tensor<8x4xf32>
      %1 = sdy.sharding_constraint %arg2 <@mesh, [{"dp"}, {}]> : tensor<8x4xf32>
      // CHECK: "t.reduce"
      %2 = "t.reduce"(%1) ({
      ^bb0(%arg4: tensor<f32>):
        // CHECK: sdy.sharding_constraint %{{.*}} <@mesh, []> : tensor<f32>
        %3 = sdy.sharding_constraint %arg4 <@mesh, []> : tensor<f32>
        "t.yield"(%3) : (tensor<f32>) -> ()
      }) : (tensor<8x4xf32>) -> tensor<f32>
      sdy.return %1 : tensor<8x4xf32>
    } : (tensor<8x16xf32>, tensor<f32>) -> tensor<8x16xf32>
    // CHECK: sdy.manual_computation
    // CHECK-SAME: manual_axes={"dp"}
    %4 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"dp", "tp"}, {}]>] out_shardings=[<@mesh, [{"dp"}, {}]>] manual_axes={"dp"} (%arg2: tensor<4x16xf32>) {
      // CHECK: sdy.manual_computation
      // CHECK-SAME: manual_axes={"tp"}
      %5 = sdy.manual_computation(%arg2) in_shardings=[<@mesh, [{"tp"}, {}]>] out_shardings=[<@mesh, [{"tp"}, {}]>] manual_axes={"tp"} (%arg3: tensor<1x16xf32>) {
        sdy.return %arg3 : tensor<1x16xf32>
      } : (tensor<4x16xf32>) -> tensor<4x16xf32>
      sdy.return %5 : tensor<4x16xf32>
    } : (tensor<8x16xf32>) -> tensor<8x16xf32>
    return
  }
}

// -----

module @rules_and_notes {
  func.func @main(%arg0: tensor<16x32xf32>, %arg1: tensor<32x8xf32>, %arg2: tensor<?xf32>) {
    // CHECK: sdy.sharding_rule = #sdy.op_sharding_rule<([i, j], [j, k])->([i, k]) {i=16, j=32, k=8} reduction={j}, custom>
    %0 = "t.custom"(%arg0, %arg1) {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j], [j, k])->([i, k]) {i=16, j=32, k=8} reduction={j}, custom>} : (tensor<16x32xf32>, tensor<32x8xf32>) -> tensor<16x8xf32>
    // Sizes that are not known are not compared.
    // CHECK: sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([i]) {i=8}, custom>
    %1 = "t.custom"(%arg2) {sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([i]) {i=8}, custom>} : (tensor<?xf32>) -> tensor<?xf32>
    // CHECK: sdy.propagation_edges = #sdy.propagation_edges<[{step-2 = [{"y" = operand-1 -> [operand-0, result-0]}]}]>, sdy.sharding_origin_name = "constraint_0", sdy.sharding_origins = {x = "input: 0", y = "self"}
    %2 = "t.add"(%0, %0) {sdy.sharding_origins = {x = "input: 0", y = "self"}, sdy.sharding_origin_name = "constraint_0", sdy.propagation_edges = #sdy.propagation_edges<[{step-2 = [{"y" = operand-1 -> [operand-0, result-0]}]}]>} : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
    return
  }
}
