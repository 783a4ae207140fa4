// RUN: spmd-opt %s --spmd-resolve-callbacks=callbacks=drop --split-input-file --verify-diagnostics -o %t

// JAX's pure_callback, and io_callback whose results are used.
func.func @computes(%x: tensor<4x2xf32>, %t: !stablehlo.token) -> (tensor<4x2xf32>, tensor<i32>) {
  // expected-error @below {{'stablehlo.custom_call' op @xla_ffi_python_cpu_callback computes what the program uses, in the process that traced the program, which is not here; define a function that computes the same, and name it in a plan: rule { target: "xla_ffi_python_cpu_callback" reference: "f" reference_file: "f.mlir" }, or as spmd.reference = @f on the call}}
  // expected-note @below {{@f may have any name, and this type, for parts of any size: (tensor<?x?xf32>) -> tensor<?x?xf32>}}
  %0 = stablehlo.custom_call @xla_ffi_python_cpu_callback(%x) : (tensor<4x2xf32>) -> tensor<4x2xf32>
  // expected-error @below {{'stablehlo.custom_call' op @xla_python_cpu_callback computes what the program uses}}
  // expected-note @below {{(!stablehlo.token, tensor<?x?xf32>) -> (!stablehlo.token, tensor<i32>)}}
  %1:2 = stablehlo.custom_call @xla_python_cpu_callback(%t, %x) {has_side_effect = true} : (!stablehlo.token, tensor<4x2xf32>) -> (!stablehlo.token, tensor<i32>)
  return %0, %1#1 : tensor<4x2xf32>, tensor<i32>
}

// -----

func.func @partitions(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{'stablehlo.custom_call' op @CustomSPMDPartitioning is a function of JAX's custom_partitioning, in the process that traced the program, which is not here; define a function that computes the same, and name it in a plan: rule { target: "CustomSPMDPartitioning" reference: "f" reference_file: "f.mlir" }, or as spmd.reference = @f on the call}}
  // expected-note @below {{(tensor<?xf32>) -> tensor<?xf32>}}
  %0 = stablehlo.custom_call @CustomSPMDPartitioning(%x) {api_version = 2 : i32, backend_config = "140235049402768"} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @receives(%x: tensor<4xf32>, %t: !stablehlo.token) -> tensor<4xf32> {
  // expected-remark @below {{'stablehlo.send' op only prints}}
  %0 = "stablehlo.send"(%x, %t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 2>, is_host_transfer = true}> : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
  // expected-error @below {{'stablehlo.recv' op computes what the program uses, in the process that traced the program, which is not here; take the callback out of the program}}
  %1:2 = "stablehlo.recv"(%0) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 3>, is_host_transfer = true}> : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
  return %1#0 : tensor<4xf32>
}
