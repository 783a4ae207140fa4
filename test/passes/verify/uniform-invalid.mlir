// RUN: spmd-opt %s --spmd-verify-partitioned --verify-diagnostics --split-input-file

// Device 0 waits for device 1, which takes the other branch; devices 2 and 3 both take it.
module attributes {mhlo.num_partitions = 4 : i32} {
  func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
    %id = stablehlo.partition_id : tensor<ui32>
    %two = stablehlo.constant dense<1> : tensor<ui32>
    %p = stablehlo.compare NE, %id, %two, UNSIGNED : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
    // expected-note @below {{'stablehlo.if' decides by the number of the device}}
    %0 = "stablehlo.if"(%p) ({
      // expected-error @below {{'stablehlo.all_reduce' op joins devices 0 and 1, of which only device 0 gets here; it would wait for ever}}
      %1 = "stablehlo.all_reduce"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
      ^bb0(%u: tensor<f32>, %v: tensor<f32>):
        %2 = stablehlo.add %u, %v : tensor<f32>
        stablehlo.return %2 : tensor<f32>
      }) : (tensor<2xf32>) -> tensor<2xf32>
      stablehlo.return %1 : tensor<2xf32>
    }, {
      stablehlo.return %a : tensor<2xf32>
    }) : (tensor<i1>) -> tensor<2xf32>
    return %0 : tensor<2xf32>
  }
}

// -----

// A permute inside a function that a branch calls, decided by arithmetic on the number.
module attributes {mhlo.num_partitions = 4 : i32} {
  func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
    %id = stablehlo.partition_id : tensor<ui32>
    %two = stablehlo.constant dense<2> : tensor<ui32>
    %row = stablehlo.divide %id, %two : tensor<ui32>
    %index = stablehlo.convert %row : (tensor<ui32>) -> tensor<i32>
    // expected-note @below {{'stablehlo.case' decides by the number of the device}}
    %0 = "stablehlo.case"(%index) ({
      stablehlo.return %a : tensor<2xf32>
    }, {
      %1 = func.call @swap(%a) : (tensor<2xf32>) -> tensor<2xf32>
      stablehlo.return %1 : tensor<2xf32>
    }) : (tensor<i32>) -> tensor<2xf32>
    return %0 : tensor<2xf32>
  }
  func.func private @swap(%a: tensor<2xf32>) -> tensor<2xf32> {
    // expected-error @below {{'stablehlo.collective_permute' op joins devices 2 and 0, of which only device 2 gets here; it would wait for ever}}
    %0 = "stablehlo.collective_permute"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>}> : (tensor<2xf32>) -> tensor<2xf32>
    return %0 : tensor<2xf32>
  }
}

// -----

// Whole groups take one branch or the other: each collective finds all that it waits for.
module attributes {mhlo.num_partitions = 4 : i32} {
  func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
    %id = stablehlo.partition_id : tensor<ui32>
    %two = stablehlo.constant dense<2> : tensor<ui32>
    %p = stablehlo.compare LT, %id, %two, UNSIGNED : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
    %0 = "stablehlo.if"(%p) ({
      %1 = "stablehlo.collective_permute"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<2xf32>) -> tensor<2xf32>
      stablehlo.return %1 : tensor<2xf32>
    }, {
      %1 = "stablehlo.collective_permute"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[2, 3], [3, 2]]> : tensor<2x2xi64>}> : (tensor<2xf32>) -> tensor<2xf32>
      stablehlo.return %1 : tensor<2xf32>
    }) : (tensor<i1>) -> tensor<2xf32>
    return %0 : tensor<2xf32>
  }
}

// -----

// What decides comes from the call.
module attributes {mhlo.num_partitions = 4 : i32} {
  func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
    %id = stablehlo.partition_id : tensor<ui32>
    %two = stablehlo.constant dense<2> : tensor<ui32>
    %p = stablehlo.compare LT, %id, %two, UNSIGNED : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
    %0 = func.call @chosen(%a, %p) : (tensor<2xf32>, tensor<i1>) -> tensor<2xf32>
    return %0 : tensor<2xf32>
  }
  func.func private @chosen(%a: tensor<2xf32>, %p: tensor<i1>) -> tensor<2xf32> {
    // expected-note @below {{'stablehlo.if' decides by the number of the device}}
    %0 = "stablehlo.if"(%p) ({
      // expected-error @below {{'stablehlo.collective_permute' op joins devices 0 and 2, of which only device 0 gets here; it would wait for ever}}
      %1 = "stablehlo.collective_permute"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>}> : (tensor<2xf32>) -> tensor<2xf32>
      stablehlo.return %1 : tensor<2xf32>
    }, {
      stablehlo.return %a : tensor<2xf32>
    }) : (tensor<i1>) -> tensor<2xf32>
    return %0 : tensor<2xf32>
  }
}

// -----

// Two calls pass what differs: nothing is known of it, nor of an argument of @main.
module attributes {mhlo.num_partitions = 2 : i32} {
  func.func @main(%a: tensor<2xf32>, %q: tensor<i1>) -> tensor<2xf32> {
    %id = stablehlo.partition_id : tensor<ui32>
    %zero = stablehlo.constant dense<0> : tensor<ui32>
    %p = stablehlo.compare EQ, %id, %zero, UNSIGNED : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
    %0 = func.call @chosen(%a, %p) : (tensor<2xf32>, tensor<i1>) -> tensor<2xf32>
    %1 = func.call @chosen(%0, %q) : (tensor<2xf32>, tensor<i1>) -> tensor<2xf32>
    return %1 : tensor<2xf32>
  }
  func.func private @chosen(%a: tensor<2xf32>, %p: tensor<i1>) -> tensor<2xf32> {
    %0 = "stablehlo.if"(%p) ({
      %1 = "stablehlo.collective_permute"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2xf32>) -> tensor<2xf32>
      stablehlo.return %1 : tensor<2xf32>
    }, {
      stablehlo.return %a : tensor<2xf32>
    }) : (tensor<i1>) -> tensor<2xf32>
    return %0 : tensor<2xf32>
  }
}

// -----

// A loop that devices of the upper half turn once more than those of the lower; pairs lie within the halves, or across.
module attributes {mhlo.num_partitions = 4 : i32} {
  func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
    %id = stablehlo.partition_id : tensor<ui32>
    %zero = stablehlo.constant dense<0> : tensor<ui32>
    %one = stablehlo.constant dense<1> : tensor<ui32>
    %two = stablehlo.constant dense<2> : tensor<ui32>
    %half = stablehlo.divide %id, %two : tensor<ui32>
    %turns = stablehlo.add %half, %two : tensor<ui32>
    // expected-note @below {{'stablehlo.while' decides by the number of the device}}
    %0:3 = stablehlo.while(%i = %zero, %x = %a, %n = %turns) : tensor<ui32>, tensor<2xf32>, tensor<ui32>
    cond {
      %p = stablehlo.compare LT, %i, %n, UNSIGNED : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %j = stablehlo.add %i, %one : tensor<ui32>
      %1 = "stablehlo.collective_permute"(%x) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> : (tensor<2xf32>) -> tensor<2xf32>
      // expected-error @below {{'stablehlo.collective_permute' op joins devices 2 and 0, which take 3 and 2 turns of a loop around it; device 2 would wait for ever}}
      %2 = "stablehlo.collective_permute"(%1) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, source_target_pairs = dense<[[0, 2]]> : tensor<1x2xi64>}> : (tensor<2xf32>) -> tensor<2xf32>
      stablehlo.return %j, %2, %n : tensor<ui32>, tensor<2xf32>, tensor<ui32>
    }
    return %0#1 : tensor<2xf32>
  }
}
