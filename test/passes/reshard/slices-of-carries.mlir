// RUN: spmd-opt %s --spmd-pipeline="stop-after=reshard" | FileCheck %s

// Loops read slices of sharded carries. The carries stay sharded where moving the slices sends fewer bytes than gathering
// the whole carry.

sdy.mesh @mesh = <["x"=4]>

// The shares of a product of one row have fewer bytes than a slice of the weights: they are reduced instead.
// CHECK-LABEL: func.func @few_rows(
// CHECK-NOT: sdy.reshard
// CHECK: stablehlo.while
// CHECK: stablehlo.dot_general
// CHECK-NEXT: sdy.reshard {{.*}} tensor<1x6xf32>
// CHECK: return
func.func @few_rows(%x: tensor<1x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>},
                    %a: tensor<8x6x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>}) -> (tensor<1x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %eight = stablehlo.constant dense<8> : tensor<i32>
  %0:3 = stablehlo.while(%i = %zero, %v = %x, %w = %a) : tensor<i32>, tensor<1x6xf32>, tensor<8x6x6xf32>
  cond {
    %p = stablehlo.compare LT, %i, %eight : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %1 = stablehlo.dynamic_slice %w, %i, %zero, %zero, sizes = [1, 6, 6] : (tensor<8x6x6xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x6x6xf32>
    %2 = stablehlo.reshape %1 : (tensor<1x6x6xf32>) -> tensor<6x6xf32>
    %3 = stablehlo.dot_general %v, %2, contracting_dims = [1] x [0] : (tensor<1x6xf32>, tensor<6x6xf32>) -> tensor<1x6xf32>
    %4 = stablehlo.tanh %3 : tensor<1x6xf32>
    %next = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %next, %4, %w : tensor<i32>, tensor<1x6xf32>, tensor<8x6x6xf32>
  }
  return %0#1 : tensor<1x6xf32>
}

// Two slices of eight are read. They have fewer bytes than the carry.
// CHECK-LABEL: func.func @few_turns(
// CHECK-NOT: sdy.reshard
// CHECK: stablehlo.while
// CHECK: sdy.reshard
// CHECK: return
func.func @few_turns(%x: tensor<6x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>},
                     %a: tensor<8x6x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>}) -> (tensor<6x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %0:3 = stablehlo.while(%i = %zero, %v = %x, %w = %a) : tensor<i32>, tensor<6x6xf32>, tensor<8x6x6xf32>
  cond {
    %p = stablehlo.compare LT, %i, %two : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %1 = stablehlo.dynamic_slice %w, %i, %zero, %zero, sizes = [1, 6, 6] : (tensor<8x6x6xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x6x6xf32>
    %2 = stablehlo.reshape %1 : (tensor<1x6x6xf32>) -> tensor<6x6xf32>
    %3 = stablehlo.maximum %v, %2 : tensor<6x6xf32>
    %next = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %next, %3, %w : tensor<i32>, tensor<6x6xf32>, tensor<8x6x6xf32>
  }
  return %0#1 : tensor<6x6xf32>
}

// A constraint in the loop keeps the first carry sharded: each slice of it moves. The second carry is written in the loop; it is
// gathered before the loop and cut behind it. That sends 2,592 bytes; moving the slices of both carries would send 3,456.
// CHECK-LABEL: func.func @pinned_and_written(
// CHECK-NOT: sdy.reshard %arg1
// CHECK: %[[WHOLE:.*]] = sdy.reshard %arg2 <@mesh, [{}, {}, {}]>
// CHECK-NOT: sdy.reshard %arg1
// CHECK: stablehlo.while(%{{.*}} = %arg1, %{{.*}} = %[[WHOLE]])
// CHECK: sdy.reshard {{.*}} tensor<1x6x6xf32>
// CHECK-NOT: sdy.reshard {{.*}} tensor<1x6x6xf32>
// CHECK: sdy.reshard {{.*}} <@mesh, [{"x"}, {}, {}]>
// CHECK: return
func.func @pinned_and_written(%x: tensor<6x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>},
                 %a: tensor<8x6x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>},
                 %b: tensor<8x6x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>}) -> (tensor<6x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<8x6x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>}) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %eight = stablehlo.constant dense<8> : tensor<i32>
  %0:4 = stablehlo.while(%i = %zero, %v = %x, %w = %a, %u = %b) : tensor<i32>, tensor<6x6xf32>, tensor<8x6x6xf32>, tensor<8x6x6xf32>
  cond {
    %p = stablehlo.compare LT, %i, %eight : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %pinned = sdy.sharding_constraint %w <@mesh, [{"x"}, {}, {}]> : tensor<8x6x6xf32>
    %1 = stablehlo.dynamic_slice %pinned, %i, %zero, %zero, sizes = [1, 6, 6] : (tensor<8x6x6xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x6x6xf32>
    %2 = stablehlo.dynamic_slice %u, %i, %zero, %zero, sizes = [1, 6, 6] : (tensor<8x6x6xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x6x6xf32>
    %3 = stablehlo.maximum %1, %2 : tensor<1x6x6xf32>
    %4 = stablehlo.dynamic_update_slice %u, %3, %i, %zero, %zero : (tensor<8x6x6xf32>, tensor<1x6x6xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<8x6x6xf32>
    %5 = stablehlo.reshape %3 : (tensor<1x6x6xf32>) -> tensor<6x6xf32>
    %6 = stablehlo.maximum %v, %5 : tensor<6x6xf32>
    %next = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %next, %6, %w, %4 : tensor<i32>, tensor<6x6xf32>, tensor<8x6x6xf32>, tensor<8x6x6xf32>
  }
  return %0#1, %0#3 : tensor<6x6xf32>, tensor<8x6x6xf32>
}
