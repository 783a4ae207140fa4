// RUN: spmd-opt %s --spmd-pipeline=stop-after=partition | FileCheck %s

sdy.mesh @mesh = <["x"=4]>

// The last row of the device before and the first of the one behind; the window needs no padding then.
// CHECK-LABEL: func.func public @convolution
// CHECK: %[[LAST:.*]] = stablehlo.slice %arg0 [0:1, 3:4, 0:8]
// CHECK: %[[BEFORE:.*]] = "stablehlo.collective_permute"(%[[LAST]]){{.*}}dense<{{\[\[}}0, 1], [1, 2], [2, 3]]>
// CHECK: %[[FIRST:.*]] = stablehlo.slice %arg0 [0:1, 0:1, 0:8]
// CHECK: %[[BEHIND:.*]] = "stablehlo.collective_permute"(%[[FIRST]]){{.*}}dense<{{\[\[}}1, 0], [2, 1], [3, 2]]>
// CHECK: %[[ROWS:.*]] = stablehlo.concatenate %[[BEFORE]], %arg0, %[[BEHIND]], dim = 1 : {{.*}} -> tensor<1x6x8xf32>
// CHECK: stablehlo.convolution(%[[ROWS]], %arg1){{.*}}pad = {{\[\[}}0, 0]]
func.func public @convolution(%a: tensor<1x16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {}]>}, %b: tensor<3x8x1xf32>) -> (tensor<1x16x1xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {}]>}) {
  %0 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x16x8xf32>, tensor<3x8x1xf32>) -> tensor<1x16x1xf32>
  return %0 : tensor<1x16x1xf32>
}

// A shard goes to the device that mirrors its own.
// CHECK-LABEL: func.func public @reverse
// CHECK: %[[TURNED:.*]] = stablehlo.reverse %arg0, dims = [0]
// CHECK: "stablehlo.collective_permute"(%[[TURNED]]){{.*}}dense<{{\[\[}}3, 0], [2, 1], [1, 2], [0, 3]]>
// CHECK-NEXT: return
func.func public @reverse(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  %0 = stablehlo.reverse %a, dims = [0] : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// One row from every device, not the shards.
// CHECK-LABEL: func.func public @running_total
// CHECK: "stablehlo.all_gather"{{.*}} : (tensor<1xf32>) -> tensor<4xf32>
// CHECK-NOT: "stablehlo.all_
// CHECK: return
func.func public @running_total(%a: tensor<32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%a, %zero) <{padding = dense<[[31, 0]]> : tensor<1x2xi64>, window_dimensions = array<i64: 32>}> ({
  ^bb0(%b: tensor<f32>, %c: tensor<f32>):
    %sum = stablehlo.add %b, %c : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) : (tensor<32xf32>, tensor<f32>) -> tensor<32xf32>
  return %0 : tensor<32xf32>
}

// Who holds the row writes it; nothing is sent.
// CHECK-LABEL: func.func public @update
// CHECK-NOT: "stablehlo.
// CHECK: stablehlo.dynamic_update_slice %arg0
// CHECK-NEXT: return
func.func public @update(%cache: tensor<16x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %row: tensor<1x3xf32>, %at: tensor<i32>) -> (tensor<16x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.dynamic_update_slice %cache, %row, %at, %zero : (tensor<16x3xf32>, tensor<1x3xf32>, tensor<i32>, tensor<i32>) -> tensor<16x3xf32>
  return %0 : tensor<16x3xf32>
}

// The rows that were looked up are summed, not the table gathered.
// CHECK-LABEL: func.func public @lookup
// CHECK: "stablehlo.gather"{{.*}} : (tensor<16x3xf32>, tensor<2x1xi32>) -> tensor<2x3xf32>
// CHECK: "stablehlo.all_reduce"
// CHECK: }) : (tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NOT: "stablehlo.all_
// CHECK: return
func.func public @lookup(%table: tensor<64x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %index: tensor<2x1xi32>) -> (tensor<2x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  %0 = "stablehlo.gather"(%table, %index) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0],
      start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>}> : (tensor<64x3xf32>, tensor<2x1xi32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// Lines are sorted whole; the axis goes to the other dim and comes back.
// CHECK-LABEL: func.func public @sort
// CHECK: "stablehlo.all_to_all"{{.*}} : (tensor<4x16xi32>) -> tensor<16x4xi32>
// CHECK: "stablehlo.sort"
// CHECK: "stablehlo.all_to_all"{{.*}} : (tensor<16x4xi32>) -> tensor<4x16xi32>
func.func public @sort(%a: tensor<16x16xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<16x16xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %0 = "stablehlo.sort"(%a) <{dimension = 0 : i64}> ({
  ^bb0(%b: tensor<i32>, %c: tensor<i32>):
    %less = stablehlo.compare LT, %b, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %less : tensor<i1>
  }) : (tensor<16x16xi32>) -> tensor<16x16xi32>
  return %0 : tensor<16x16xi32>
}

// An argmax finds each shard's, gathers them, and finds the largest of them.
// CHECK-LABEL: func.func public @argmax
// CHECK: stablehlo.reduce(%arg0{{.*}} across dimensions = [0] : (tensor<16xf32>, tensor<16xi32>
// CHECK: "stablehlo.all_gather"{{.*}} : (tensor<1xf32>) -> tensor<4xf32>
// CHECK: "stablehlo.all_gather"{{.*}} : (tensor<1xi32>) -> tensor<4xi32>
// CHECK: stablehlo.reduce({{.*}} across dimensions = [0] : (tensor<4xf32>, tensor<4xi32>
func.func public @argmax(%a: tensor<64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<f32>, tensor<i32>) {
  %places = stablehlo.iota dim = 0 : tensor<64xi32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %none = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.reduce(%a init: %low), (%places init: %none) across dimensions = [0] : (tensor<64xf32>, tensor<64xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
   reducer(%b: tensor<f32>, %c: tensor<f32>) (%i: tensor<i32>, %j: tensor<i32>) {
    %more = stablehlo.compare GE, %b, %c, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %value = stablehlo.select %more, %b, %c : tensor<i1>, tensor<f32>
    %place = stablehlo.select %more, %i, %j : tensor<i1>, tensor<i32>
    stablehlo.return %value, %place : tensor<f32>, tensor<i32>
  }
  return %0#0, %0#1 : tensor<f32>, tensor<i32>
}

// Windows that cover each row once, and that no shard cuts: the device has all of their rows.
// CHECK-LABEL: func.func public @pooled
// CHECK-NOT: collective_permute
// CHECK: "stablehlo.select_and_scatter"(%arg0, %arg1,
// CHECK-NOT: collective_permute
// CHECK: }) : (tensor<4x3xf32>, tensor<2x3xf32>, tensor<f32>) -> tensor<4x3xf32>
// CHECK: return
func.func public @pooled(%a: tensor<16x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %g: tensor<8x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<16x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.select_and_scatter"(%a, %g, %zero) <{window_dimensions = array<i64: 2, 1>, window_strides = array<i64: 2, 1>}> ({
  ^bb0(%b: tensor<f32>, %c: tensor<f32>):
    %p = stablehlo.compare GE, %b, %c : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%b: tensor<f32>, %c: tensor<f32>):
    %s = stablehlo.add %b, %c : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<16x3xf32>, tensor<8x3xf32>, tensor<f32>) -> tensor<16x3xf32>
  return %0 : tensor<16x3xf32>
}

// Rows are spread to every second place, behind a first one: each device has what stands in its places.
// CHECK-LABEL: func.func public @spread
// CHECK-NOT: collective_permute
// CHECK: stablehlo.pad %arg0, %{{.*}}, low = [1], high = [0], interior = [1] : (tensor<2xf32>, tensor<f32>) -> tensor<4xf32>
// CHECK-NEXT: return
func.func public @spread(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.pad %a, %zero, low = [1], high = [0], interior = [1] : (tensor<8xf32>, tensor<f32>) -> tensor<16xf32>
  return %0 : tensor<16xf32>
}

// Half of the rows, of which each device finds all of its own in one block: it takes the strip of that block.
// CHECK-LABEL: func.func public @middle
// CHECK: %[[BEFORE:.*]] = "stablehlo.collective_permute"({{.*}}dense<{{\[\[}}2, 3]]>
// CHECK: %[[OWN:.*]] = stablehlo.dynamic_slice %arg0
// CHECK: %[[IS_OWN:.*]] = stablehlo.compare GE, {{.*}} -> tensor<i1>
// CHECK: %[[FIRST:.*]] = stablehlo.select %[[IS_OWN]], %[[OWN]], %[[BEFORE]] : tensor<i1>, tensor<4x3xf32>
// CHECK: %[[BEHIND:.*]] = "stablehlo.collective_permute"({{.*}}dense<{{\[\[}}1, 0]]>
// CHECK: %[[IS_BEHIND:.*]] = stablehlo.compare GE, {{.*}} -> tensor<i1>
// CHECK: %[[NEEDED:.*]] = stablehlo.select %[[IS_BEHIND]], %[[BEHIND]], %[[FIRST]] : tensor<i1>, tensor<4x3xf32>
// CHECK: return %[[NEEDED]]
func.func public @middle(%a: tensor<32x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<16x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %0 = stablehlo.slice %a [8:24, 0:3] : (tensor<32x3xf32>) -> tensor<16x3xf32>
  return %0 : tensor<16x3xf32>
}

// Some find theirs in two blocks: strips are put where they belong among the rows that are needed, with room for a strip
// on either side, and not into a frame of three blocks.
// CHECK-LABEL: func.func public @astride
// CHECK: stablehlo.pad {{.*}} -> tensor<20x3xf32>
// CHECK: %[[FIRST:.*]] = stablehlo.dynamic_slice {{.*}} -> tensor<12x3xf32>
// CHECK-NEXT: %[[SECOND:.*]] = stablehlo.dynamic_update_slice %[[FIRST]], {{.*}} -> tensor<12x3xf32>
// CHECK-NEXT: %[[THIRD:.*]] = stablehlo.dynamic_update_slice %[[SECOND]], {{.*}} -> tensor<12x3xf32>
// CHECK-NEXT: %[[NEEDED:.*]] = stablehlo.slice %[[THIRD]] [4:8, 0:3]
// CHECK-NEXT: return %[[NEEDED]]
func.func public @astride(%a: tensor<32x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<16x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %0 = stablehlo.slice %a [7:23, 0:3] : (tensor<32x3xf32>) -> tensor<16x3xf32>
  return %0 : tensor<16x3xf32>
}
