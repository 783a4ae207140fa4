// RUN: spmd-opt %s --spmd-propagate | FileCheck %s

// A loop takes one chunk of rows in each turn. Where chunks are split, each turn has rows of one device only, to be sent to all, who
// then all do all of the work. So the rows of a chunk may take the axis instead: rows move once, before the loop.
sdy.mesh @four = <["x"=4, "y"=2]>
sdy.mesh @eight = <["x"=8]>

// CHECK-LABEL: func.func @as_many_chunks_as_devices
// CHECK: stablehlo.while
// CHECK-SAME: [<@four, [{?}, {"x", ?}, {?}]>
// CHECK: stablehlo.dot_general
// CHECK-SAME: <@four, [{"x", ?}, {?}]>
func.func @as_many_chunks_as_devices(
    %rows: tensor<1024x64xf32> {sdy.sharding = #sdy.sharding<@four, [{"x"}, {}]>},
    %weight: tensor<64x128xf32> {sdy.sharding = #sdy.sharding<@four, [{}, {}]>}) -> tensor<128x128xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %four = stablehlo.constant dense<4> : tensor<i32>
  %none = stablehlo.constant dense<0.0> : tensor<128x128xf32>
  %chunks = stablehlo.reshape %rows : (tensor<1024x64xf32>) -> tensor<4x256x64xf32>
  %0:4 = stablehlo.while(%c = %chunks, %w = %weight, %i = %zero, %sum = %none)
      : tensor<4x256x64xf32>, tensor<64x128xf32>, tensor<i32>, tensor<128x128xf32>
  cond {
    %more = stablehlo.compare LT, %i, %four, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %chunk = stablehlo.dynamic_slice %c, %i, %zero, %zero, sizes = [1, 256, 64]
        : (tensor<4x256x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x256x64xf32>
    %x = stablehlo.reshape %chunk : (tensor<1x256x64xf32>) -> tensor<256x64xf32>
    %y = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<256x64xf32>, tensor<64x128xf32>) -> tensor<256x128xf32>
    %g = stablehlo.dot_general %y, %y, contracting_dims = [0] x [0] : (tensor<256x128xf32>, tensor<256x128xf32>) -> tensor<128x128xf32>
    %next = stablehlo.add %sum, %g : tensor<128x128xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %c, %w, %j, %next : tensor<4x256x64xf32>, tensor<64x128xf32>, tensor<i32>, tensor<128x128xf32>
  }
  return %0#3 : tensor<128x128xf32>
}

// Of eight devices, chunks take a part of the axis and rows the rest. Rows take all of it, inside of the loop too.
// CHECK-LABEL: func.func @fewer_chunks_than_devices
// CHECK: stablehlo.while
// CHECK-SAME: [<@eight, [{?}, {"x", ?}, {?}]>
// CHECK: stablehlo.dot_general
// CHECK-SAME: <@eight, [{"x", ?}, {?}]>
func.func @fewer_chunks_than_devices(
    %rows: tensor<1024x64xf32> {sdy.sharding = #sdy.sharding<@eight, [{"x"}, {}]>},
    %weight: tensor<64x128xf32> {sdy.sharding = #sdy.sharding<@eight, [{}, {}]>}) -> tensor<128x128xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %four = stablehlo.constant dense<4> : tensor<i32>
  %none = stablehlo.constant dense<0.0> : tensor<128x128xf32>
  %chunks = stablehlo.reshape %rows : (tensor<1024x64xf32>) -> tensor<4x256x64xf32>
  %0:4 = stablehlo.while(%c = %chunks, %w = %weight, %i = %zero, %sum = %none)
      : tensor<4x256x64xf32>, tensor<64x128xf32>, tensor<i32>, tensor<128x128xf32>
  cond {
    %more = stablehlo.compare LT, %i, %four, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %chunk = stablehlo.dynamic_slice %c, %i, %zero, %zero, sizes = [1, 256, 64]
        : (tensor<4x256x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x256x64xf32>
    %x = stablehlo.reshape %chunk : (tensor<1x256x64xf32>) -> tensor<256x64xf32>
    %y = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<256x64xf32>, tensor<64x128xf32>) -> tensor<256x128xf32>
    %g = stablehlo.dot_general %y, %y, contracting_dims = [0] x [0] : (tensor<256x128xf32>, tensor<256x128xf32>) -> tensor<128x128xf32>
    %next = stablehlo.add %sum, %g : tensor<128x128xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %c, %w, %j, %next : tensor<4x256x64xf32>, tensor<64x128xf32>, tensor<i32>, tensor<128x128xf32>
  }
  return %0#3 : tensor<128x128xf32>
}

// What is taken one by one where nothing is cut in parts stays as it is said.
// CHECK-LABEL: func.func @pinned_chunks
// CHECK: stablehlo.while
// CHECK-SAME: [<@four, [{"x", ?}, {?}, {?}]>
func.func @pinned_chunks(
    %chunks: tensor<4x256x64xf32> {sdy.sharding = #sdy.sharding<@four, [{"x"}, {}, {}]>}) -> tensor<256x64xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %four = stablehlo.constant dense<4> : tensor<i32>
  %none = stablehlo.constant dense<0.0> : tensor<256x64xf32>
  %0:3 = stablehlo.while(%c = %chunks, %i = %zero, %sum = %none) : tensor<4x256x64xf32>, tensor<i32>, tensor<256x64xf32>
  cond {
    %more = stablehlo.compare LT, %i, %four, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %chunk = stablehlo.dynamic_slice %c, %i, %zero, %zero, sizes = [1, 256, 64]
        : (tensor<4x256x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x256x64xf32>
    %x = stablehlo.reshape %chunk : (tensor<1x256x64xf32>) -> tensor<256x64xf32>
    %next = stablehlo.add %sum, %x : tensor<256x64xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %c, %j, %next : tensor<4x256x64xf32>, tensor<i32>, tensor<256x64xf32>
  }
  return %0#2 : tensor<256x64xf32>
}
