// RUN: spmd-opt %s --spmd-optimize | FileCheck %s
// RUN: spmd-opt %s --spmd-optimize=bucket-bytes=0 | FileCheck %s --check-prefix=NONE
// RUN: spmd-opt %s --spmd-optimize=gathers=recompute | FileCheck %s --check-prefix=WRITTEN
// RUN: spmd-opt %s --spmd-optimize=overlap=true | FileCheck %s --check-prefix=WRITTEN

module attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
// Two chains of two sums, one behind the other: the second sums wait for the first. What is held all
// along makes room: memory may grow by a sixteenth. What is larger goes first.
// CHECK-LABEL: func.func @chains(
// CHECK: %[[FIRST:.+]]:2 = "stablehlo.all_reduce"(%arg1, %arg0)
// CHECK-DAG: %[[A:.+]] = stablehlo.multiply %[[FIRST]]#1, %arg0
// CHECK-DAG: %[[B:.+]] = stablehlo.multiply %[[FIRST]]#0, %arg1
// CHECK: %[[SECOND:.+]]:2 = "stablehlo.all_reduce"(%[[B]], %[[A]])
// CHECK: return %[[SECOND]]#1, %[[SECOND]]#0
// NONE-LABEL: func.func @chains(
// NONE-COUNT-4: "stablehlo.all_reduce"(%{{[a-z0-9]+}}) <
// WRITTEN-LABEL: func.func @chains(
// WRITTEN-COUNT-3: "stablehlo.all_reduce"
// WRITTEN-NOT: "stablehlo.all_reduce"
// WRITTEN: return
func.func @chains(%a: tensor<4xf32>, %b: tensor<6xf32>, %large: tensor<999xf32>) -> (tensor<4xf32>, tensor<6xf32>, tensor<999xf32>) {
  %held = stablehlo.negate %large : tensor<999xf32>
  %0 = "stablehlo.all_reduce"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = stablehlo.multiply %0, %a : tensor<4xf32>
  %2 = "stablehlo.all_reduce"(%1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  %3 = "stablehlo.all_reduce"(%b) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<6xf32>) -> tensor<6xf32>
  %4 = stablehlo.multiply %3, %b : tensor<6xf32>
  %5 = "stablehlo.all_reduce"(%4) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<6xf32>) -> tensor<6xf32>
  return %2, %5, %held : tensor<4xf32>, tensor<6xf32>, tensor<999xf32>
}

// In a loop, too.
// CHECK-LABEL: func.func @loop(
// CHECK: stablehlo.while
// CHECK-COUNT-1: "stablehlo.all_reduce"
// CHECK-NOT: "stablehlo.all_reduce"
// CHECK: return
func.func @loop(%a: tensor<4xf32>, %b: tensor<6xf32>) -> (tensor<4xf32>, tensor<6xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %nine = stablehlo.constant dense<9> : tensor<i32>
  %r:3 = stablehlo.while(%i = %zero, %x = %a, %y = %b) : tensor<i32>, tensor<4xf32>, tensor<6xf32>
  cond {
    %more = stablehlo.compare LT, %i, %nine : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %next = stablehlo.add %i, %one : tensor<i32>
    %0 = "stablehlo.all_reduce"(%x) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %s = stablehlo.add %p, %q : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<4xf32>) -> tensor<4xf32>
    %1 = stablehlo.multiply %0, %x : tensor<4xf32>
    %2 = stablehlo.negate %y : tensor<6xf32>
    %3 = "stablehlo.all_reduce"(%2) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %s = stablehlo.add %p, %q : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<6xf32>) -> tensor<6xf32>
    stablehlo.return %next, %1, %3 : tensor<i32>, tensor<4xf32>, tensor<6xf32>
  }
  return %r#1, %r#2 : tensor<4xf32>, tensor<6xf32>
}

// Gathers of other types and along other dims: along rows, turned behind; where the dims before are
// of size 1, a reshape is enough.
// CHECK-LABEL: func.func @gathers(
// CHECK-DAG: %[[ROW:.+]] = stablehlo.reshape %arg1 : (tensor<3x2xf32>) -> tensor<1x6xf32>
// CHECK: %[[ALL:.+]]:3 = "stablehlo.all_gather"(%arg0, %[[ROW]], %arg2) <{all_gather_dim = 0 {{.*}} : (tensor<2x3xi32>, tensor<1x6xf32>, tensor<1x5xi1>) -> (tensor<8x3xi32>, tensor<4x6xf32>, tensor<4x5xi1>)
// CHECK: %[[PIECES:.+]] = stablehlo.reshape %[[ALL]]#1 : (tensor<4x6xf32>) -> tensor<4x3x2xf32>
// CHECK: %[[TURNED:.+]] = stablehlo.transpose %[[PIECES]], dims = [1, 0, 2]
// CHECK: %[[B:.+]] = stablehlo.reshape %[[TURNED]] : (tensor<3x4x2xf32>) -> tensor<3x8xf32>
// CHECK: %[[C:.+]] = stablehlo.reshape %[[ALL]]#2 : (tensor<4x5xi1>) -> tensor<1x20xi1>
// CHECK: return %[[ALL]]#0, %[[B]], %[[C]]
func.func @gathers(%a: tensor<2x3xi32>, %b: tensor<3x2xf32>, %c: tensor<1x5xi1>) -> (tensor<8x3xi32>, tensor<3x8xf32>, tensor<1x20xi1>) {
  %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<2x3xi32>) -> tensor<8x3xi32>
  %1 = "stablehlo.all_gather"(%b) <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<3x2xf32>) -> tensor<3x8xf32>
  %2 = "stablehlo.all_gather"(%c) <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<1x5xi1>) -> tensor<1x20xi1>
  return %0, %1, %2 : tensor<8x3xi32>, tensor<3x8xf32>, tensor<1x20xi1>
}

// What a transpose took from along rows, for products, travels as it was before, and is turned behind.
// CHECK-LABEL: func.func @gathers_turned(
// CHECK-NEXT: %[[ALL:.+]]:2 = "stablehlo.all_gather"(%arg0, %arg1) <{all_gather_dim = 0 {{.*}} : (tensor<2x3xf32>, tensor<5x6xf32>) -> (tensor<8x3xf32>, tensor<20x6xf32>)
// CHECK-NEXT: %[[T:.+]] = stablehlo.transpose %[[ALL]]#1, dims = [1, 0] : (tensor<20x6xf32>) -> tensor<6x20xf32>
// CHECK-NEXT: %[[Y:.+]] = stablehlo.dot_general %arg2, %[[T]], contracting_dims = [1] x [1]
// CHECK-NEXT: return %[[ALL]]#0, %[[Y]], %[[ALL]]#1
func.func @gathers_turned(%a: tensor<2x3xf32>, %w: tensor<5x6xf32>, %x: tensor<7x20xf32>) -> (tensor<8x3xf32>, tensor<7x6xf32>, tensor<20x6xf32>) {
  %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<2x3xf32>) -> tensor<8x3xf32>
  %t = stablehlo.transpose %w, dims = [1, 0] : (tensor<5x6xf32>) -> tensor<6x5xf32>
  %1 = "stablehlo.all_gather"(%t) <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<6x5xf32>) -> tensor<6x20xf32>
  %2 = "stablehlo.all_gather"(%w) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<5x6xf32>) -> tensor<20x6xf32>
  %y = stablehlo.dot_general %x, %1, contracting_dims = [1] x [1] : (tensor<7x20xf32>, tensor<6x20xf32>) -> tensor<7x6xf32>
  return %0, %y, %2 : tensor<8x3xf32>, tensor<7x6xf32>, tensor<20x6xf32>
}

// Who else reads it would have it turned, and hold both.
// CHECK-LABEL: func.func @gathers_turned_for_others(
// CHECK: "stablehlo.all_gather"(%arg0, %{{.*}}, %arg1) <{all_gather_dim = 0 {{.*}} : (tensor<2x3xf32>, tensor<1x30xf32>, tensor<5x6xf32>)
func.func @gathers_turned_for_others(%a: tensor<2x3xf32>, %w: tensor<5x6xf32>) -> (tensor<8x3xf32>, tensor<6x20xf32>, tensor<20x6xf32>) {
  %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<2x3xf32>) -> tensor<8x3xf32>
  %t = stablehlo.transpose %w, dims = [1, 0] : (tensor<5x6xf32>) -> tensor<6x5xf32>
  %1 = "stablehlo.all_gather"(%t) <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<6x5xf32>) -> tensor<6x20xf32>
  %2 = "stablehlo.all_gather"(%w) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<5x6xf32>) -> tensor<20x6xf32>
  return %0, %1, %2 : tensor<8x3xf32>, tensor<6x20xf32>, tensor<20x6xf32>
}

// Without flat ids the numbers in the groups are replicas; what is large is not turned.
// CHECK-LABEL: func.func @gathers_apart(
// CHECK-COUNT-3: "stablehlo.all_gather"(%{{[a-z0-9]+}}) <
func.func @gathers_apart(%a: tensor<2x3xi32>, %b: tensor<3xi32>, %c: tensor<2x65536xi32>) -> (tensor<8x3xi32>, tensor<3xi32>, tensor<2x262144xi32>) {
  %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<2x3xi32>) -> tensor<8x3xi32>
  %1 = "stablehlo.all_gather"(%b) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0]]> : tensor<1x1xi64>}> : (tensor<3xi32>) -> tensor<3xi32>
  %2 = "stablehlo.all_gather"(%c) <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<2x65536xi32>) -> tensor<2x262144xi32>
  return %0, %1, %2 : tensor<8x3xi32>, tensor<3xi32>, tensor<2x262144xi32>
}

// CHECK-LABEL: func.func @scatters(
// CHECK: %[[TURNED:.+]] = stablehlo.transpose %{{.*}}, dims = [1, 0, 2] : (tensor<3x4x2xf32>)
// CHECK: %[[BOTH:.+]] = stablehlo.concatenate %{{.*}}, %{{.*}}, dim = 1 : (tensor<4x5xf32>, tensor<4x6xf32>) -> tensor<4x11xf32>
// CHECK: %[[SUM:.+]] = "stablehlo.reduce_scatter"(%[[BOTH]]) <{{.*}}scatter_dimension = 0{{.*}}
// CHECK: (tensor<4x11xf32>) -> tensor<1x11xf32>
// CHECK: stablehlo.slice %[[SUM]] [0:1, 0:5]
// CHECK: stablehlo.slice %[[SUM]] [0:1, 5:11]
func.func @scatters(%a: tensor<4x5xf32>, %b: tensor<3x8xf32>) -> (tensor<1x5xf32>, tensor<3x2xf32>) {
  %0 = "stablehlo.reduce_scatter"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, scatter_dimension = 0 : i64, use_global_device_ids}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x5xf32>) -> tensor<1x5xf32>
  %1 = "stablehlo.reduce_scatter"(%b) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, scatter_dimension = 1 : i64, use_global_device_ids}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<3x8xf32>) -> tensor<3x2xf32>
  return %0, %1 : tensor<1x5xf32>, tensor<3x2xf32>
}

// CHECK-LABEL: func.func @exchanges(
// CHECK: %[[BOTH:.+]] = stablehlo.concatenate %{{.*}}, %{{.*}}, dim = 1 : (tensor<4x5xf32>, tensor<4x6xf32>) -> tensor<4x11xf32>
// CHECK: %[[SWAPPED:.+]] = "stablehlo.all_to_all"(%[[BOTH]]) <{{.*}}concat_dimension = 0{{.*}}split_count = 4{{.*}}split_dimension = 0
// CHECK-NOT: all_to_all
// CHECK: return
func.func @exchanges(%a: tensor<4x5xf32>, %b: tensor<3x8xf32>) -> (tensor<1x20xf32>, tensor<12x2xf32>) {
  %0 = "stablehlo.all_to_all"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 1 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, split_count = 4 : i64, split_dimension = 0 : i64}> : (tensor<4x5xf32>) -> tensor<1x20xf32>
  %1 = "stablehlo.all_to_all"(%b) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 0 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, split_count = 4 : i64, split_dimension = 1 : i64}> : (tensor<3x8xf32>) -> tensor<12x2xf32>
  return %0, %1 : tensor<1x20xf32>, tensor<12x2xf32>
}

// Other pairs, another type, and what takes longer to copy than to send apart: four permutes.
// CHECK-LABEL: func.func @permutes(
// CHECK-DAG: %[[BOTH:.+]] = stablehlo.concatenate %{{.*}}, %{{.*}}, dim = 1 : (tensor<1x4xf32>, tensor<1x1xf32>) -> tensor<1x5xf32>
// CHECK-DAG: "stablehlo.collective_permute"(%[[BOTH]])
// CHECK-DAG: "stablehlo.collective_permute"(%arg2)
// CHECK-DAG: "stablehlo.collective_permute"(%arg3)
// CHECK-DAG: "stablehlo.collective_permute"(%arg4)
func.func @permutes(%a: tensor<4xf32>, %b: tensor<f32>, %c: tensor<4xf32>, %d: tensor<4xi32>, %e: tensor<300000xf32>) -> (tensor<4xf32>, tensor<f32>, tensor<4xf32>, tensor<4xi32>, tensor<300000xf32>) {
  %0 = "stablehlo.collective_permute"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [1, 2], [2, 3]]> : tensor<3x2xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "stablehlo.collective_permute"(%b) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [1, 2], [2, 3]]> : tensor<3x2xi64>}> : (tensor<f32>) -> tensor<f32>
  %2 = "stablehlo.collective_permute"(%c) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[1, 0], [2, 1], [3, 2]]> : tensor<3x2xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
  %3 = "stablehlo.collective_permute"(%d) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [1, 2], [2, 3]]> : tensor<3x2xi64>}> : (tensor<4xi32>) -> tensor<4xi32>
  %4 = "stablehlo.collective_permute"(%e) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [1, 2], [2, 3]]> : tensor<3x2xi64>}> : (tensor<300000xf32>) -> tensor<300000xf32>
  return %0, %1, %2, %3, %4 : tensor<4xf32>, tensor<f32>, tensor<4xf32>, tensor<4xi32>, tensor<300000xf32>
}

// Too much would be held at the worst moment: the first is summed up before the second is gathered.
// CHECK-LABEL: func.func @memory(
// CHECK-COUNT-2: "stablehlo.all_gather"(%arg{{.}}) <
func.func @memory(%a: tensor<100xf32>, %b: tensor<100xf32>) -> tensor<f32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<100xf32>) -> tensor<400xf32>
  %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<400xf32>, tensor<f32>) -> tensor<f32>
  %2 = "stablehlo.all_gather"(%b) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<100xf32>) -> tensor<400xf32>
  %3 = stablehlo.reduce(%2 init: %1) applies stablehlo.add across dimensions = [0] : (tensor<400xf32>, tensor<f32>) -> tensor<f32>
  return %3 : tensor<f32>
}

// What has effects keeps its order, and waits for what it reads.
// CHECK-LABEL: func.func @effects(
// CHECK: %[[ALL:.+]]:2 = "stablehlo.all_reduce"(%arg0, %arg1)
// CHECK: stablehlo.custom_call @first(%[[ALL]]#0)
// CHECK: stablehlo.custom_call @second(%[[ALL]]#1)
func.func @effects(%a: tensor<4xf32>, %b: tensor<6xf32>, %large: tensor<999xf32>) -> tensor<999xf32> {
  %held = stablehlo.negate %large : tensor<999xf32>
  %0 = "stablehlo.all_reduce"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  stablehlo.custom_call @first(%0) {has_side_effect = true} : (tensor<4xf32>) -> ()
  %1 = "stablehlo.all_reduce"(%b) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<6xf32>) -> tensor<6xf32>
  stablehlo.custom_call @second(%1) {has_side_effect = true} : (tensor<6xf32>) -> ()
  return %held : tensor<999xf32>
}

// Where there are no elements nothing is joined: there are no rows to count.
// CHECK-LABEL: func.func @no_elements(
// CHECK-COUNT-2: "stablehlo.all_gather"(%arg{{.}}) <
func.func @no_elements(%a: tensor<2x0x8xf32>, %b: tensor<4x0xf32>) -> (tensor<8x0x8xf32>, tensor<4x0xf32>) {
  %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<2x0x8xf32>) -> tensor<8x0x8xf32>
  %1 = "stablehlo.all_gather"(%b) <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<4x0xf32>) -> tensor<4x0xf32>
  return %0, %1 : tensor<8x0x8xf32>, tensor<4x0xf32>
}
}
