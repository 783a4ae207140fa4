// RUN: spmd-opt %s --spmd-resolve-callbacks=callbacks=drop --split-input-file --verify-diagnostics -o %t
// RUN: FileCheck %s < %t
// What only prints, in the process that traced the program, is dropped, with what is computed for it alone.

// CHECK-LABEL: func.func @prints
// CHECK-NEXT: %[[TWICE:.*]] = stablehlo.add
// CHECK-NEXT: return %[[TWICE]]
func.func @prints(%x: tensor<4xf32>) -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  // expected-remark @below {{'stablehlo.custom_call' op @xla_ffi_python_cpu_callback only prints, in the process that traced the program; it is dropped}}
  stablehlo.custom_call @xla_ffi_python_cpu_callback(%0) {backend_config = "", has_side_effect = true, mhlo.backend_config = {index = 0 : ui64}} : (tensor<f32>) -> ()
  %1 = stablehlo.add %x, %x : tensor<4xf32>
  // expected-remark @below {{'stablehlo.custom_call' op @xla_python_gpu_callback only prints}}
  stablehlo.custom_call @xla_python_gpu_callback() {has_side_effect = true, backend_config = "1"} : () -> ()
  return %1 : tensor<4xf32>
}

// -----

// In order: tokens go on as they came, through loops, too.
// CHECK-LABEL: func.func @ordered(%arg0: !stablehlo.token
// CHECK: stablehlo.while(%[[TOKEN:.*]] = %arg0, %[[I:.*]] = %{{.*}})
// CHECK: stablehlo.return %[[TOKEN]],
// CHECK: return %{{.*}}#0, %{{.*}}#1
func.func @ordered(%arg0: !stablehlo.token {jax.token = true}, %n: tensor<i32>) -> (!stablehlo.token {jax.token = true}, tensor<i32>) {
  // expected-remark @below {{only prints}}
  %0 = stablehlo.custom_call @xla_ffi_python_cpu_callback(%arg0, %n) {has_side_effect = true} : (!stablehlo.token, tensor<i32>) -> !stablehlo.token
  %1:2 = stablehlo.while(%t = %0, %i = %n) : !stablehlo.token, tensor<i32>
  cond {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %more = stablehlo.compare GT, %i, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    // expected-remark @below {{only prints}}
    %2 = stablehlo.custom_call @xla_ffi_python_cpu_callback(%t, %i) {has_side_effect = true} : (!stablehlo.token, tensor<i32>) -> !stablehlo.token
    %3 = stablehlo.subtract %i, %one : tensor<i32>
    stablehlo.return %2, %3 : !stablehlo.token, tensor<i32>
  }
  return %1#0, %1#1 : !stablehlo.token, tensor<i32>
}

// -----

// A token that nobody gave is made.
// CHECK-LABEL: func.func @makes_token
// CHECK-NEXT: %[[TOKEN:.*]] = stablehlo.after_all : !stablehlo.token
// CHECK-NEXT: return %[[TOKEN]]
func.func @makes_token(%x: tensor<4xf32>) -> !stablehlo.token {
  // expected-remark @below {{only prints}}
  %0 = stablehlo.custom_call @xla_python_cpu_callback(%x) {has_side_effect = true} : (tensor<4xf32>) -> !stablehlo.token
  return %0 : !stablehlo.token
}

// -----

// What computes for a print alone, and what a print shows of shardings or sends to the host.
// CHECK-LABEL: func.func @for_prints
// CHECK-NEXT: return %arg0, %arg1
func.func @for_prints(%x: tensor<4xf32>, %t: !stablehlo.token) -> (tensor<4xf32>, !stablehlo.token) {
  // expected-remark @below {{'stablehlo.custom_call' op @xla_ffi_python_cpu_callback only prints}}
  %0 = stablehlo.custom_call @xla_ffi_python_cpu_callback(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = stablehlo.add %0, %0 : tensor<4xf32>
  // expected-remark @below {{'stablehlo.custom_call' op @xla_ffi_python_cpu_callback only prints}}
  stablehlo.custom_call @xla_ffi_python_cpu_callback(%1) {has_side_effect = true} : (tensor<4xf32>) -> ()
  // expected-remark @below {{'stablehlo.custom_call' op @InspectSharding only prints}}
  %2 = stablehlo.custom_call @InspectSharding(%x) {backend_config = "0", has_side_effect = true} : (tensor<4xf32>) -> tensor<4xf32>
  // expected-remark @below {{'stablehlo.send' op only prints}}
  %3 = "stablehlo.send"(%x, %t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 2>, is_host_transfer = true}> : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
  return %x, %3 : tensor<4xf32>, !stablehlo.token
}

// -----

// A reference computes it, on any device.
// CHECK-LABEL: func.func @has_reference
// CHECK: stablehlo.custom_call @CustomSPMDPartitioning
// CHECK: stablehlo.custom_call @xla_ffi_python_cpu_callback(%{{.*}}) {spmd.reference = @twice}
// CHECK: stablehlo.custom_call @not_ours_callback
sdy.mesh @maximal_mesh_0 = <[], device_ids=[0]>
func.func @has_reference(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.custom_call @CustomSPMDPartitioning(%x) {spmd.reference = @twice} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = stablehlo.custom_call @xla_ffi_python_cpu_callback(%0) {sdy.sharding = #sdy.sharding_per_value<[<@maximal_mesh_0, []>]>, spmd.reference = @twice} : (tensor<4xf32>) -> tensor<4xf32>
  stablehlo.custom_call @not_ours_callback(%1) {has_side_effect = true} : (tensor<4xf32>) -> ()
  return %1 : tensor<4xf32>
}
func.func private @twice(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = stablehlo.add %x, %x : tensor<?xf32>
  return %0 : tensor<?xf32>
}
