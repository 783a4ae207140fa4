// RUN: spmd-opt %s --spmd-propagate --spmd-update-in-place | FileCheck %s
// RUN: spmd-opt %s --spmd-pipeline | FileCheck %s --check-prefix=PLAN
// RUN: spmd-run %s

sdy.mesh @mesh = <["x"=4]>

// What is computed from a slice of a split dim and stored in its place is computed everywhere, and selected.
// CHECK-LABEL: func @main
// CHECK-SAME: (%[[X:[^:]*]]: tensor<8x3xf32> {{.*}}, %[[Y:[^:]*]]: tensor<8x3xf32> {{.*}}, %[[S:[^:]*]]: tensor<f32>
// CHECK: %[[SCALE:.*]] = stablehlo.broadcast_in_dim %[[S]], dims = [] {{.*}} : (tensor<f32>) -> tensor<8x3xf32>
// CHECK: %[[A:.*]] = stablehlo.multiply %[[X]], %[[SCALE]] {{.*}} : tensor<8x3xf32>
// CHECK: %[[B:.*]] = stablehlo.add %[[A]], %[[Y]] {{.*}} : tensor<8x3xf32>
// CHECK: %[[MASK:.*]] = stablehlo.pad %{{.*}}, low = [1, 0], high = [5, 0], interior = [0, 0]
// CHECK: stablehlo.select %[[MASK]], %[[B]], %[[X]]
// PLAN-LABEL: func.func @main
// PLAN-NOT: {{all_gather|collective_permute|all_reduce|all_to_all}}
// PLAN: return
func.func @main(%x: tensor<8x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
                %y: tensor<8x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %s: tensor<f32>) -> tensor<8x3xf32> {
  %0 = stablehlo.slice %x [1:3, 0:3] : (tensor<8x3xf32>) -> tensor<2x3xf32>
  %1 = stablehlo.slice %y [1:3, 0:3] : (tensor<8x3xf32>) -> tensor<2x3xf32>
  %2 = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
  %3 = stablehlo.multiply %0, %2 : tensor<2x3xf32>
  %4 = stablehlo.add %3, %1 : tensor<2x3xf32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %5 = stablehlo.dynamic_update_slice %x, %4, %one, %zero : (tensor<8x3xf32>, tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<8x3xf32>
  return %5 : tensor<8x3xf32>
}

// The same written by masks, with a stride.
// PLAN-LABEL: func.func @strided
// PLAN-NOT: {{all_gather|collective_permute|all_reduce|all_to_all}}
// PLAN: return
// CHECK-LABEL: func @strided
// CHECK-SAME: (%[[X:[^:]*]]: tensor<8xf32>
// CHECK: %[[MASK:.*]] = stablehlo.pad
// CHECK: %[[N:.*]] = stablehlo.negate %[[X]]
// CHECK: stablehlo.select %[[MASK]], %[[N]], %[[X]]
func.func @strided(%x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
  %true = stablehlo.constant dense<true> : tensor<3xi1>
  %false = stablehlo.constant dense<false> : tensor<i1>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.slice %x [1:6:2] : (tensor<8xf32>) -> tensor<3xf32>
  %1 = stablehlo.negate %0 : tensor<3xf32>
  %mask = stablehlo.pad %true, %false, low = [1], high = [2], interior = [1] : (tensor<3xi1>, tensor<i1>) -> tensor<8xi1>
  %spread = stablehlo.pad %1, %zero, low = [1], high = [2], interior = [1] : (tensor<3xf32>, tensor<f32>) -> tensor<8xf32>
  %2 = stablehlo.select %mask, %spread, %x : tensor<8xi1>, tensor<8xf32>
  return %2 : tensor<8xf32>
}

// A slice of another place has to move, by one row, and not to all; a whole dim is nobody's.
// PLAN-LABEL: func.func @other_place
// PLAN-NOT: {{all_gather|all_reduce|all_to_all|reduce_scatter}}
// PLAN: collective_permute
// PLAN-NOT: {{all_gather|collective_permute|all_reduce|all_to_all|reduce_scatter}}
// PLAN: return
// CHECK-LABEL: func @other_place
// CHECK-SAME: (%[[X:[^:]*]]: tensor<8xf32>
// CHECK: %[[ROWS:.*]] = stablehlo.slice %[[X]] [2:4]
// CHECK: %[[PLACED:.*]] = stablehlo.pad %[[ROWS]], %{{.*}}, low = [1], high = [5], interior = [0]
// CHECK: stablehlo.select %{{.*}}, %[[PLACED]], %[[X]]
func.func @other_place(%x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
  %0 = stablehlo.slice %x [2:4] : (tensor<8xf32>) -> tensor<2xf32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %1 = stablehlo.dynamic_update_slice %x, %0, %one : (tensor<8xf32>, tensor<2xf32>, tensor<i32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}
// CHECK-LABEL: func @whole_dim
// CHECK: stablehlo.dynamic_update_slice
func.func @whole_dim(%x: tensor<8x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<8x3xf32> {
  %0 = stablehlo.slice %x [0:8, 1:2] : (tensor<8x3xf32>) -> tensor<8x1xf32>
  %2 = stablehlo.negate %0 : tensor<8x1xf32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %1 = stablehlo.dynamic_update_slice %x, %2, %zero, %one : (tensor<8x3xf32>, tensor<8x1xf32>, tensor<i32>, tensor<i32>) -> tensor<8x3xf32>
  return %1 : tensor<8x3xf32>
}

// A row that is picked, `x[2] = x[2] * 2 + row`: the row of the others is repeated, and nothing moves.
// PLAN-LABEL: func.func @row
// PLAN-NOT: {{all_gather|collective_permute|all_reduce|all_to_all}}
// PLAN: return
// CHECK-LABEL: func @row
// CHECK-SAME: (%[[X:[^:]*]]: tensor<7x3xf32> {{.*}}, %[[ROW:[^:]*]]: tensor<3xf32>
// CHECK: %[[TWICE:.*]] = stablehlo.multiply %[[X]], %{{.*}} : tensor<7x3xf32>
// CHECK: %[[ONE:.*]] = stablehlo.reshape %[[ROW]] {{.*}} : (tensor<3xf32>) -> tensor<1x3xf32>
// CHECK: %[[ROWS:.*]] = stablehlo.broadcast_in_dim %[[ONE]], dims = [0, 1] {{.*}} : (tensor<1x3xf32>) -> tensor<7x3xf32>
// CHECK: %[[SUM:.*]] = stablehlo.add %[[TWICE]], %[[ROWS]] {{.*}} : tensor<7x3xf32>
// CHECK: stablehlo.select %{{.*}}, %[[SUM]], %[[X]]
func.func @row(%x: tensor<7x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %row: tensor<3xf32>) -> tensor<7x3xf32> {
  %0 = stablehlo.slice %x [2:3, 0:3] : (tensor<7x3xf32>) -> tensor<1x3xf32>
  %1 = stablehlo.reshape %0 : (tensor<1x3xf32>) -> tensor<3xf32>
  %two = stablehlo.constant dense<2.0> : tensor<3xf32>
  %2 = stablehlo.multiply %1, %two : tensor<3xf32>
  %3 = stablehlo.add %2, %row : tensor<3xf32>
  %4 = stablehlo.reshape %3 : (tensor<3xf32>) -> tensor<1x3xf32>
  %c2 = stablehlo.constant dense<2> : tensor<i32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %5 = stablehlo.dynamic_update_slice %x, %4, %c2, %zero : (tensor<7x3xf32>, tensor<1x3xf32>, tensor<i32>, tensor<i32>) -> tensor<7x3xf32>
  return %5 : tensor<7x3xf32>
}

// Elements in another shape keep their order: the rows of a page, seen in one row.
// PLAN-LABEL: func.func @flat
// PLAN-NOT: {{all_gather|collective_permute|all_reduce|all_to_all}}
// PLAN: return
// CHECK-LABEL: func @flat
// CHECK-SAME: (%[[X:[^:]*]]: tensor<5x2x3xf32>
// CHECK: %[[N:.*]] = stablehlo.negate %[[X]] {{.*}} : tensor<5x2x3xf32>
// CHECK: stablehlo.select %{{.*}}, %[[N]], %[[X]]
func.func @flat(%x: tensor<5x2x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>}) -> tensor<5x2x3xf32> {
  %0 = stablehlo.slice %x [1:2, 0:2, 0:3] : (tensor<5x2x3xf32>) -> tensor<1x2x3xf32>
  %1 = stablehlo.reshape %0 : (tensor<1x2x3xf32>) -> tensor<6xf32>
  %2 = stablehlo.negate %1 : tensor<6xf32>
  %3 = stablehlo.reshape %2 : (tensor<6xf32>) -> tensor<1x2x3xf32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %4 = stablehlo.dynamic_update_slice %x, %3, %one, %zero, %zero : (tensor<5x2x3xf32>, tensor<1x2x3xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<5x2x3xf32>
  return %4 : tensor<5x2x3xf32>
}

// A row that is not read is only stored, which moves nothing as it is; nor are elements that change places.
// CHECK-LABEL: func @stored
// CHECK: stablehlo.dynamic_update_slice
func.func @stored(%x: tensor<7x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %row: tensor<1x3xf32>) -> tensor<7x3xf32> {
  %c2 = stablehlo.constant dense<2> : tensor<i32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.add %row, %row : tensor<1x3xf32>
  %1 = stablehlo.dynamic_update_slice %x, %0, %c2, %zero : (tensor<7x3xf32>, tensor<1x3xf32>, tensor<i32>, tensor<i32>) -> tensor<7x3xf32>
  return %1 : tensor<7x3xf32>
}
// CHECK-LABEL: func @reversed
// CHECK: stablehlo.dynamic_update_slice
func.func @reversed(%x: tensor<7x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<7x3xf32> {
  %0 = stablehlo.slice %x [2:3, 0:3] : (tensor<7x3xf32>) -> tensor<1x3xf32>
  %1 = stablehlo.reverse %0, dims = [1] : tensor<1x3xf32>
  %c2 = stablehlo.constant dense<2> : tensor<i32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %2 = stablehlo.dynamic_update_slice %x, %1, %c2, %zero : (tensor<7x3xf32>, tensor<1x3xf32>, tensor<i32>, tensor<i32>) -> tensor<7x3xf32>
  return %2 : tensor<7x3xf32>
}

// `x[1:4] += y`, where every device has y: y is padded to the whole, of which each device takes its rows, and nothing moves.
// PLAN-LABEL: func.func @rows_of_another
// PLAN-NOT: {{all_gather|collective_permute|all_reduce|all_to_all|reduce_scatter}}
// PLAN: return
// CHECK-LABEL: func @rows_of_another
// CHECK-SAME: (%[[X:[^:]*]]: tensor<7x5xf32> {{.*}}, %[[Y:[^:]*]]: tensor<3x5xf32>
// CHECK: %[[ROWS:.*]] = stablehlo.pad %[[Y]], %{{.*}}, low = [1, 0], high = [3, 0], interior = [0, 0]
// CHECK: %[[SUM:.*]] = stablehlo.add %[[X]], %[[ROWS]] {{.*}} : tensor<7x5xf32>
// CHECK: %[[MASK:.*]] = stablehlo.pad %{{.*}}, low = [1, 0], high = [3, 0], interior = [0, 0]
// CHECK: stablehlo.select %[[MASK]], %[[SUM]], %[[X]]
func.func @rows_of_another(%x: tensor<7x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
                           %y: tensor<3x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) -> tensor<7x5xf32> {
  %0 = stablehlo.slice %x [1:4, 0:5] : (tensor<7x5xf32>) -> tensor<3x5xf32>
  %1 = stablehlo.add %0, %y : tensor<3x5xf32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %2 = stablehlo.dynamic_update_slice %x, %1, %one, %zero : (tensor<7x5xf32>, tensor<3x5xf32>, tensor<i32>, tensor<i32>) -> tensor<7x5xf32>
  return %2 : tensor<7x5xf32>
}

// Nor does anything move where y is a constant.
// PLAN-LABEL: func.func @rows_of_a_constant
// PLAN-NOT: {{all_gather|collective_permute|all_reduce|all_to_all|reduce_scatter}}
// PLAN: return
// CHECK-LABEL: func @rows_of_a_constant
// CHECK-SAME: (%[[X:[^:]*]]: tensor<7x3xf32>
// CHECK: %[[ROWS:.*]] = stablehlo.pad %{{.*}}, %{{.*}}, low = [1, 0], high = [4, 0], interior = [0, 0] {{.*}} : (tensor<2x3xf32>, tensor<f32>) -> tensor<7x3xf32>
// CHECK: stablehlo.multiply %[[X]], %[[ROWS]] {{.*}} : tensor<7x3xf32>
func.func @rows_of_a_constant(%x: tensor<7x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<7x3xf32> {
  %c = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %0 = stablehlo.slice %x [1:3, 0:3] : (tensor<7x3xf32>) -> tensor<2x3xf32>
  %1 = stablehlo.multiply %0, %c : tensor<2x3xf32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %2 = stablehlo.dynamic_update_slice %x, %1, %one, %zero : (tensor<7x3xf32>, tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<7x3xf32>
  return %2 : tensor<7x3xf32>
}

// The same with another shape and a stride. %y is sharded along its columns, so its 4x4 elements move to the rows of the
// target: first one row to each device, then one row to a neighbor. Padding them first would exchange nine rows.
// PLAN-LABEL: func.func @strided_columns
// PLAN-NOT: {{all_gather|collective_permute|all_reduce|all_to_all|reduce_scatter}}
// PLAN: all_to_all{{.*}} (tensor<4x1xf32>) -> tensor<1x4xf32>
// PLAN-NOT: {{all_gather|collective_permute|all_reduce|all_to_all|reduce_scatter}}
// PLAN: collective_permute{{.*}} (tensor<1x1x4xf32>) -> tensor<1x1x4xf32>
// PLAN-NOT: {{all_gather|collective_permute|all_reduce|all_to_all|reduce_scatter}}
// PLAN: return
// CHECK-LABEL: func @strided_columns
// CHECK-SAME: (%[[X:[^:]*]]: tensor<9x1x4xf32> {{.*}}, %[[Y:[^:]*]]: tensor<4x4xf32>
// CHECK: %[[ROW:.*]] = stablehlo.reshape %[[Y]] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}, {"x"}]>]>, spmd.inferred}
// CHECK: stablehlo.pad %[[ROW]], %{{.*}}, low = [1, 0, 0], high = [1, 0, 0], interior = [1, 0, 0]
func.func @strided_columns(%x: tensor<9x1x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>},
                           %y: tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>})
    -> (tensor<9x1x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>}) {
  %true = stablehlo.constant dense<true> : tensor<4x1x4xi1>
  %false = stablehlo.constant dense<false> : tensor<i1>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.slice %x [1:8:2, 0:1, 0:4] : (tensor<9x1x4xf32>) -> tensor<4x1x4xf32>
  %1 = stablehlo.reshape %0 : (tensor<4x1x4xf32>) -> tensor<4x4xf32>
  %2 = stablehlo.multiply %1, %y : tensor<4x4xf32>
  %3 = stablehlo.reshape %2 : (tensor<4x4xf32>) -> tensor<4x1x4xf32>
  %mask = stablehlo.pad %true, %false, low = [1, 0, 0], high = [1, 0, 0], interior = [1, 0, 0] : (tensor<4x1x4xi1>, tensor<i1>) -> tensor<9x1x4xi1>
  %spread = stablehlo.pad %3, %zero, low = [1, 0, 0], high = [1, 0, 0], interior = [1, 0, 0] : (tensor<4x1x4xf32>, tensor<f32>) -> tensor<9x1x4xf32>
  %4 = stablehlo.select %mask, %spread, %x : tensor<9x1x4xi1>, tensor<9x1x4xf32>
  return %4 : tensor<9x1x4xf32>
}

// What is stored and not read stays an update where every device has it (`@stored`, below), and where it lies by other rows or by
// columns moves once, to the rows of the target.
// PLAN-LABEL: func.func @stored_rows
// PLAN-NOT: {{all_gather|all_reduce|all_to_all|reduce_scatter}}
// PLAN: collective_permute
// PLAN: func.func @stored_columns
// PLAN-NOT: {{all_gather|collective_permute|all_reduce|reduce_scatter}}
// PLAN: all_to_all
// PLAN-NOT: {{all_gather|collective_permute|all_reduce|all_to_all|reduce_scatter}}
// PLAN: return
// CHECK-LABEL: func @stored_rows
// CHECK-SAME: (%[[X:[^:]*]]: tensor<16x4xf32> {{.*}}, %[[Y:[^:]*]]: tensor<12x4xf32>
// CHECK: %[[ROWS:.*]] = stablehlo.pad %[[Y]], %{{.*}}, low = [2, 0], high = [2, 0], interior = [0, 0]
// CHECK: stablehlo.select %{{.*}}, %[[ROWS]], %[[X]]
func.func @stored_rows(%x: tensor<16x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
                       %y: tensor<12x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
    -> (tensor<16x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %c2 = stablehlo.constant dense<2> : tensor<i32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.dynamic_update_slice %x, %y, %c2, %zero : (tensor<16x4xf32>, tensor<12x4xf32>, tensor<i32>, tensor<i32>) -> tensor<16x4xf32>
  return %0 : tensor<16x4xf32>
}
// CHECK-LABEL: func @stored_columns
// CHECK: stablehlo.pad %{{.*}}, low = [2, 0], high = [2, 0], interior = [0, 0]
// CHECK: stablehlo.select
func.func @stored_columns(%x: tensor<16x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
                          %y: tensor<12x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>})
    -> (tensor<16x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %c2 = stablehlo.constant dense<2> : tensor<i32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.dynamic_update_slice %x, %y, %c2, %zero : (tensor<16x4xf32>, tensor<12x4xf32>, tensor<i32>, tensor<i32>) -> tensor<16x4xf32>
  return %0 : tensor<16x4xf32>
}

// Few rows of many: to read all that a device holds would take longer than to move these.
// CHECK-LABEL: func @few_of_many
// CHECK: stablehlo.dynamic_update_slice
func.func @few_of_many(%x: tensor<80xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>},
                       %y: tensor<2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) -> tensor<80xf32> {
  %0 = stablehlo.slice %x [1:3] : (tensor<80xf32>) -> tensor<2xf32>
  %1 = stablehlo.add %0, %y : tensor<2xf32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %2 = stablehlo.dynamic_update_slice %x, %1, %one : (tensor<80xf32>, tensor<2xf32>, tensor<i32>) -> tensor<80xf32>
  return %2 : tensor<80xf32>
}

// A custom call is one on tensors of the rank that its rule speaks of, and stays there.
// CHECK-LABEL: func @custom_call
// CHECK: stablehlo.custom_call @mix({{.*}} : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
// CHECK: stablehlo.dynamic_update_slice
func.func @custom_call(%x: tensor<8x4xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %t: tensor<2xi32>) -> tensor<8x4xi32> {
  %0 = stablehlo.slice %x [1:3, 2:3] : (tensor<8x4xi32>) -> tensor<2x1xi32>
  %1 = stablehlo.reshape %0 : (tensor<2x1xi32>) -> tensor<2xi32>
  %2 = stablehlo.custom_call @mix(%1, %t) {spmd.rule = {dims = "([i], [i])->([i])"}} : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  %3 = stablehlo.reshape %2 : (tensor<2xi32>) -> tensor<2x1xi32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %4 = stablehlo.dynamic_update_slice %x, %3, %one, %two : (tensor<8x4xi32>, tensor<2x1xi32>, tensor<i32>, tensor<i32>) -> tensor<8x4xi32>
  return %4 : tensor<8x4xi32>
}
