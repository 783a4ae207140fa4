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

// -----

// A branch inside another one, and inside a loop, is looked at, too.
module attributes {mhlo.num_partitions = 2 : i32} {
  func.func @main(%a: tensor<2xf32>, %q: tensor<i1>) -> tensor<2xf32> {
    %id = stablehlo.partition_id : tensor<ui32>
    %zero = stablehlo.constant dense<0> : tensor<ui32>
    %p = stablehlo.compare EQ, %id, %zero, UNSIGNED : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
    %0:2 = stablehlo.while(%x = %a, %r = %q) : tensor<2xf32>, tensor<i1>
    cond {
      stablehlo.return %r : tensor<i1>
    } do {
      %1 = "stablehlo.if"(%r) ({
        // expected-note @below {{'stablehlo.if' decides by the number of the device}}
        %2 = "stablehlo.if"(%p) ({
          // expected-error @below {{'stablehlo.collective_permute' op joins devices 0 and 1, of which only device 0 gets here; it would wait for ever}}
          %3 = "stablehlo.collective_permute"(%x) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2xf32>) -> tensor<2xf32>
          stablehlo.return %3 : tensor<2xf32>
        }, {
          stablehlo.return %x : tensor<2xf32>
        }) : (tensor<i1>) -> tensor<2xf32>
        stablehlo.return %2 : tensor<2xf32>
      }, {
        stablehlo.return %x : tensor<2xf32>
      }) : (tensor<i1>) -> tensor<2xf32>
      stablehlo.return %1, %p : tensor<2xf32>, tensor<i1>
    }
    return %0#0 : tensor<2xf32>
  }
}

// -----

// A collective is reported once, whatever the number of its groups and of the calls that lead to it.
module attributes {mhlo.num_partitions = 4 : i32} {
  func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
    %id = stablehlo.partition_id : tensor<ui32>
    %two = stablehlo.constant dense<2> : tensor<ui32>
    %p = stablehlo.compare LT, %id, %two, UNSIGNED : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
    // expected-note @below {{'stablehlo.if' decides by the number of the device}}
    %0 = "stablehlo.if"(%p) ({
      %1 = func.call @swap(%a) : (tensor<2xf32>) -> tensor<2xf32>
      %2 = func.call @swap(%1) : (tensor<2xf32>) -> tensor<2xf32>
      stablehlo.return %2 : tensor<2xf32>
    }, {
      stablehlo.return %a : tensor<2xf32>
    }) : (tensor<i1>) -> tensor<2xf32>
    return %0 : tensor<2xf32>
  }
  func.func private @swap(%a: tensor<2xf32>) -> tensor<2xf32> {
    // expected-error @below {{'stablehlo.collective_permute' op joins devices 0 and 2, of which only device 0 gets here; it would wait for ever}}
    %0 = "stablehlo.collective_permute"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 2], [1, 3], [2, 0]]> : tensor<3x2xi64>}> : (tensor<2xf32>) -> tensor<2xf32>
    return %0 : tensor<2xf32>
  }
}

// -----

// Each branch and loop is looked at: those that all devices take alike, or that data decides, end nothing.
module attributes {mhlo.num_partitions = 2 : i32} {
  func.func @main(%a: tensor<2xf32>, %q: tensor<i1>, %m: tensor<ui32>) -> tensor<2xf32> {
    %id = stablehlo.partition_id : tensor<ui32>
    %zero = stablehlo.constant dense<0> : tensor<ui32>
    %one = stablehlo.constant dense<1> : tensor<ui32>
    %yes = stablehlo.constant dense<true> : tensor<i1>
    %p = stablehlo.compare EQ, %id, %zero, UNSIGNED : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
    %0 = "stablehlo.if"(%yes) ({
      %1 = "stablehlo.collective_permute"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2xf32>) -> tensor<2xf32>
      stablehlo.return %1 : tensor<2xf32>
    }, {
      stablehlo.return %a : tensor<2xf32>
    }) : (tensor<i1>) -> tensor<2xf32>
    // The number of the device starts the count, and data ends it.
    %2:2 = stablehlo.while(%i = %id, %x = %0) : tensor<ui32>, tensor<2xf32>
    cond {
      %more = stablehlo.compare LT, %i, %m, UNSIGNED : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
      stablehlo.return %more : tensor<i1>
    } do {
      %j = stablehlo.add %i, %one : tensor<ui32>
      %1 = "stablehlo.collective_permute"(%x) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2xf32>) -> tensor<2xf32>
      stablehlo.return %j, %1 : tensor<ui32>, tensor<2xf32>
    }
    // A loop without an end is not followed for ever.
    %3:2 = stablehlo.while(%i = %id, %x = %2#1) : tensor<ui32>, tensor<2xf32>
    cond {
      %same = stablehlo.compare LE, %i, %id, UNSIGNED : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
      stablehlo.return %same : tensor<i1>
    } do {
      %1 = "stablehlo.collective_permute"(%x) <{channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2xf32>) -> tensor<2xf32>
      stablehlo.return %i, %1 : tensor<ui32>, tensor<2xf32>
    }
    // expected-note @below {{'stablehlo.if' decides by the number of the device}}
    %4 = "stablehlo.if"(%p) ({
      // expected-error @below {{'stablehlo.collective_permute' op joins devices 0 and 1, of which only device 0 gets here; it would wait for ever}}
      %5 = "stablehlo.collective_permute"(%3#1) <{channel_handle = #stablehlo.channel_handle<handle = 4, type = 1>, source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2xf32>) -> tensor<2xf32>
      stablehlo.return %5 : tensor<2xf32>
    }, {
      stablehlo.return %3#1 : tensor<2xf32>
    }) : (tensor<i1>) -> tensor<2xf32>
    return %4 : tensor<2xf32>
  }
}

// -----

// Devices that there are not are reported as such, once.
module attributes {mhlo.num_partitions = 2 : i32} {
  func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
    %id = stablehlo.partition_id : tensor<ui32>
    %zero = stablehlo.constant dense<0> : tensor<ui32>
    %p = stablehlo.compare EQ, %id, %zero, UNSIGNED : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
    %0 = "stablehlo.if"(%p) ({
      // expected-error @below {{'stablehlo.collective_permute' op has device 2 in its pairs; there are 2 devices}}
      %1 = "stablehlo.collective_permute"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 2]]> : tensor<1x2xi64>}> : (tensor<2xf32>) -> tensor<2xf32>
      stablehlo.return %1 : tensor<2xf32>
    }, {
      // expected-error @below {{'stablehlo.all_reduce' op has device 2 in its replica groups; there are 2 devices}}
      %1 = "stablehlo.all_reduce"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, replica_groups = dense<[[0, 1, 2]]> : tensor<1x3xi64>, use_global_device_ids}> ({
      ^bb0(%u: tensor<f32>, %v: tensor<f32>):
        %2 = stablehlo.add %u, %v : tensor<f32>
        stablehlo.return %2 : tensor<f32>
      }) : (tensor<2xf32>) -> tensor<2xf32>
      stablehlo.return %1 : tensor<2xf32>
    }) : (tensor<i1>) -> tensor<2xf32>
    %idle:2 = stablehlo.while(%i = %id, %x = %0) : tensor<ui32>, tensor<2xf32>
    cond {
      %more = stablehlo.compare LE, %i, %zero, UNSIGNED : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
      stablehlo.return %more : tensor<i1>
    } do {
      %j = stablehlo.add %i, %id : tensor<ui32>
      %one = stablehlo.constant dense<1> : tensor<ui32>
      %k = stablehlo.add %j, %one : tensor<ui32>
      // expected-error @below {{'stablehlo.collective_permute' op has device 3 in its pairs; there are 2 devices}}
      %1 = "stablehlo.collective_permute"(%x) <{channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, source_target_pairs = dense<[[0, 3]]> : tensor<1x2xi64>}> : (tensor<2xf32>) -> tensor<2xf32>
      stablehlo.return %k, %1 : tensor<ui32>, tensor<2xf32>
    }
    return %idle#1 : tensor<2xf32>
  }
}

// -----

// A group without devices waits for nobody.
module attributes {mhlo.num_partitions = 2 : i32} {
  func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
    %id = stablehlo.partition_id : tensor<ui32>
    %one = stablehlo.constant dense<1> : tensor<ui32>
    // expected-note @below {{'stablehlo.while' decides by the number of the device}}
    %0:2 = stablehlo.while(%i = %id, %x = %a) : tensor<ui32>, tensor<2xf32>
    cond {
      %more = stablehlo.compare LE, %i, %one, UNSIGNED : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
      stablehlo.return %more : tensor<i1>
    } do {
      %j = stablehlo.add %i, %one : tensor<ui32>
      // expected-error @below {{'stablehlo.all_reduce' op joins devices 0 and 1, which take 2 and 1 turns of a loop around it; device 0 would wait for ever}}
      %1 = "stablehlo.all_reduce"(%x) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, replica_groups = dense<[[-1, -1], [0, 1]]> : tensor<2x2xi64>, use_global_device_ids}> ({
      ^bb0(%u: tensor<f32>, %v: tensor<f32>):
        %2 = stablehlo.add %u, %v : tensor<f32>
        stablehlo.return %2 : tensor<f32>
      }) : (tensor<2xf32>) -> tensor<2xf32>
      stablehlo.return %j, %1 : tensor<ui32>, tensor<2xf32>
    }
    return %0#1 : tensor<2xf32>
  }
}

// -----

// Of a group that is larger, the first device that takes the most turns waits for the first that takes the fewest. A collective is
// reported once, for the first group that does not take the same.
module attributes {mhlo.num_partitions = 8 : i32} {
  func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
    %id = stablehlo.partition_id : tensor<ui32>
    %zero = stablehlo.constant dense<0> : tensor<ui32>
    %one = stablehlo.constant dense<1> : tensor<ui32>
    %two = stablehlo.constant dense<2> : tensor<ui32>
    %four = stablehlo.constant dense<4> : tensor<ui32>
    %place = stablehlo.remainder %id, %four : tensor<ui32>
    %row = stablehlo.divide %place, %two : tensor<ui32>
    %turns = stablehlo.add %row, %one : tensor<ui32>
    // expected-note @below {{'stablehlo.while' decides by the number of the device}}
    %0:2 = stablehlo.while(%i = %zero, %x = %a) : tensor<ui32>, tensor<2xf32>
    cond {
      %more = stablehlo.compare LT, %i, %turns, UNSIGNED : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
      stablehlo.return %more : tensor<i1>
    } do {
      %j = stablehlo.add %i, %one : tensor<ui32>
      // expected-error @below {{'stablehlo.all_reduce' op joins devices 2 and 0, which take 2 and 1 turns of a loop around it; device 2 would wait for ever}}
      %1 = "stablehlo.all_reduce"(%x) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, use_global_device_ids}> ({
      ^bb0(%u: tensor<f32>, %v: tensor<f32>):
        %2 = stablehlo.add %u, %v : tensor<f32>
        stablehlo.return %2 : tensor<f32>
      }) : (tensor<2xf32>) -> tensor<2xf32>
      // expected-error @below {{'stablehlo.collective_permute' op joins devices 2 and 1, which take 2 and 1 turns of a loop around it; device 2 would wait for ever}}
      %3 = "stablehlo.collective_permute"(%1) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, source_target_pairs = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>}> : (tensor<2xf32>) -> tensor<2xf32>
      stablehlo.return %j, %3 : tensor<ui32>, tensor<2xf32>
    }
    return %0#1 : tensor<2xf32>
  }
}

// -----

// So it is in a branch.
module attributes {mhlo.num_partitions = 4 : i32} {
  func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
    %id = stablehlo.partition_id : tensor<ui32>
    %two = stablehlo.constant dense<2> : tensor<ui32>
    %p = stablehlo.compare LT, %id, %two, UNSIGNED : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
    // expected-note @below {{'stablehlo.if' decides by the number of the device}}
    %0 = "stablehlo.if"(%p) ({
      // expected-error @below {{'stablehlo.collective_permute' op joins devices 1 and 2, of which only device 1 gets here; it would wait for ever}}
      %1 = "stablehlo.collective_permute"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[2, 3], [0, 1], [1, 2]]> : tensor<3x2xi64>}> : (tensor<2xf32>) -> tensor<2xf32>
      stablehlo.return %1 : tensor<2xf32>
    }, {
      stablehlo.return %a : tensor<2xf32>
    }) : (tensor<i1>) -> tensor<2xf32>
    return %0 : tensor<2xf32>
  }
}

// -----

// Loops of fewer than 1000 turns are followed: of these only the first.
module attributes {mhlo.num_partitions = 2 : i32} {
  func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
    %id = stablehlo.partition_id : tensor<ui32>
    %zero = stablehlo.constant dense<0> : tensor<ui32>
    %one = stablehlo.constant dense<1> : tensor<ui32>
    %many = stablehlo.constant dense<998> : tensor<ui32>
    %some = stablehlo.add %many, %id : tensor<ui32>
    %more = stablehlo.add %some, %one : tensor<ui32>
    // expected-note @below {{'stablehlo.while' decides by the number of the device}}
    %0:2 = stablehlo.while(%i = %zero, %x = %a) : tensor<ui32>, tensor<2xf32>
    cond {
      %p = stablehlo.compare LT, %i, %some, UNSIGNED : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %j = stablehlo.add %i, %one : tensor<ui32>
      // expected-error @below {{'stablehlo.collective_permute' op joins devices 1 and 0, which take 999 and 998 turns of a loop around it; device 1 would wait for ever}}
      %1 = "stablehlo.collective_permute"(%x) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2xf32>) -> tensor<2xf32>
      stablehlo.return %j, %1 : tensor<ui32>, tensor<2xf32>
    }
    %2:2 = stablehlo.while(%i = %zero, %x = %0#1) : tensor<ui32>, tensor<2xf32>
    cond {
      %p = stablehlo.compare LT, %i, %more, UNSIGNED : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %j = stablehlo.add %i, %one : tensor<ui32>
      %1 = "stablehlo.collective_permute"(%x) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2xf32>) -> tensor<2xf32>
      stablehlo.return %j, %1 : tensor<ui32>, tensor<2xf32>
    }
    return %2#1 : tensor<2xf32>
  }
}

// -----

// An op that reduces decides by elements: no device takes a branch of its body alone.
module attributes {mhlo.num_partitions = 2 : i32} {
  func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
    %id = stablehlo.partition_id : tensor<ui32>
    %zero = stablehlo.constant dense<0> : tensor<ui32>
    %start = stablehlo.constant dense<0.0> : tensor<f32>
    %p = stablehlo.compare EQ, %id, %zero, UNSIGNED : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
    %0 = "stablehlo.reduce"(%a, %start) <{dimensions = array<i64: 0>}> ({
    ^bb0(%u: tensor<f32>, %v: tensor<f32>):
      %1 = "stablehlo.if"(%p) ({
        %2 = "stablehlo.collective_permute"(%u) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<f32>) -> tensor<f32>
        stablehlo.return %2 : tensor<f32>
      }, {
        stablehlo.return %v : tensor<f32>
      }) : (tensor<i1>) -> tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }) : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
    // expected-note @below {{'stablehlo.if' decides by the number of the device}}
    %3 = "stablehlo.if"(%p) ({
      // expected-error @below {{'stablehlo.collective_permute' op joins devices 0 and 1, of which only device 0 gets here; it would wait for ever}}
      %4 = "stablehlo.collective_permute"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2xf32>) -> tensor<2xf32>
      stablehlo.return %4 : tensor<2xf32>
    }, {
      stablehlo.return %a : tensor<2xf32>
    }) : (tensor<i1>) -> tensor<2xf32>
    return %3 : tensor<2xf32>
  }
}
